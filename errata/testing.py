"""For pytest: assertions on texts, by evidence.

Every run of pytest in the environment imports this module, so it imports the rest when it is used.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from errata.core.records import Correction

Assertion = Callable[..., None]
Verb = Literal["check", "correct"]
_LOST = ("unreadable", "unchecked")


@pytest.fixture(scope="session")
def assert_supported() -> Assertion:
    """Asserts that the evidence supports every claim: `assert_supported(text, by=[Path("f.md")])`.

    `by` is a text, a file, an address or a Document, or several; further arguments are a question
    and settings, as `errata.check` takes them.
    """
    return _assertion("check")


@pytest.fixture(scope="session")
def assert_corrected() -> Assertion:
    """Asserts that errata would correct nothing, and that every claim was judged.

    Takes what `assert_supported` takes; a failure shows the diff and the evidence.
    """
    return _assertion("correct")


def _assertion(verb: Verb) -> Assertion:
    def check(text: str, by: Any = (), **settings: Any) -> None:
        __tracebackhide__ = True
        from errata import api

        documents = by if isinstance(by, list | tuple) else [by]
        result = getattr(api, verb)(draft=text, documents=documents, **settings)
        if fault := _fault_of(result, verb):
            raise AssertionError(fault)

    return check


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
