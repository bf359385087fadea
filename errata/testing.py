"""For pytest: assertions on texts, by evidence, whose outcomes pytest's cache keeps.

Every run of pytest in the environment imports this module, so it imports the rest when it is used.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from errata.core.records import Correction, Document
    from errata.session import Session

    By = str | Path | Document
Assertion = Callable[..., None]
Verb = Literal["check", "correct"]
_LOST = ("unreadable", "unchecked")
_ELSEWHERE = {"corpus", "search"}
"""Settings whose texts may change while their names do not."""


@pytest.fixture(scope="session")
def assert_supported(pytestconfig: pytest.Config) -> Assertion:
    """Asserts that the evidence supports every claim: `assert_supported(text, by=[Path("f.md")])`.

    `by` is a text, a file, an address or a Document, or several; further arguments are a question
    and settings, as `errata.check` takes them.
    """
    return _assertion(pytestconfig, "check")


@pytest.fixture(scope="session")
def assert_corrected(pytestconfig: pytest.Config) -> Assertion:
    """Asserts that errata would correct nothing, and that every claim was judged.

    Takes what `assert_supported` takes; a failure shows the diff and the evidence.
    """
    return _assertion(pytestconfig, "correct")


def _assertion(config: pytest.Config, verb: Verb) -> Assertion:
    def check(
        text: str,
        by: "By | Sequence[By]" = (),
        *,
        question: str = "",
        method: str = "rac",
        **settings: Any,
    ) -> None:
        __tracebackhide__ = True
        from errata.session import Session

        documents: list[Any] = [*by] if isinstance(by, list | tuple) else [by]
        session, cache = Session(method, **settings), getattr(config, "cache", None)
        if _ELSEWHERE & settings.keys():
            cache = None
        key = f"errata/{verb}/{_digest(session, question, text, documents)}" if cache else ""
        fault = cache.get(key, None) if cache else None
        if fault is None:
            result = getattr(session, verb)(question, text, documents)
            fault = _fault_of(result, verb)
            lost = any(verdict.label in _LOST for verdict in result.verdicts)
            if cache and result.checked and not lost:
                cache.set(key, fault)
        if fault:
            raise AssertionError(fault)

    return check


def _digest(session: "Session", question: str, text: str, documents: "Sequence[By]") -> str:
    """What is asked, by which evidence and settings, as one word; of a page, its address."""
    from errata.core.identity import identify
    from errata.core.jsonable import to_json
    from errata.given import addresses_among, as_documents, ask_about

    addresses, others = addresses_among(documents)
    evidence = [*addresses, *to_json(as_documents(others))]
    request = ask_about(question, text)
    return identify(session.method.name, request, evidence, session.context)


def _fault_of(result: "Correction", verb: Verb) -> str:
    """Why the assertion fails; empty if it holds. What nothing judged never holds."""
    from errata.render.findings import find
    from errata.render.terminal import plain_diff
    from errata.render.text import describe_claims, describe_unchecked

    if not result.checked:
        return f"nothing could be checked: {describe_unchecked(result)}"
    wrong = [
        each.message
        for each in find(result)
        if (each.kind != "supported" if verb == "check" else each.level == "error" or each.edits)
        or each.kind in _LOST
    ]
    return "\n\n".join([describe_claims(result), plain_diff(result), *wrong]) if wrong else ""
