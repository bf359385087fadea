"""Exit codes: 0 done, 1 failed --strict, 2 unusable input, 3 model failed, 4 mostly unsupported."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

import typer

from errata.core.errors import AccessError, BudgetError, ChatError, ErrataError, ReplyError, count
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.nodes.context import Context

STRICT, BAD_INPUT, OUTSIDE, UNSUPPORTED = 1, 2, 3, 4
Strict = Literal["refuted", "supported"]
"""What fails a strict check: a refuted claim, or any that is not supported."""


@contextmanager
def failures() -> Iterator[None]:
    """Turn our errors into a line on standard error and an exit code."""
    try:
        yield
    except ErrataError as error:
        say(f"errata: {error}")
        raise typer.Exit(code_of_error(error)) from error


def code_of_error(error: ErrataError) -> int:
    """2 if input or settings cannot be used, 3 if a model failed or may not be asked."""
    outside = AccessError | BudgetError | ChatError | ReplyError
    return OUTSIDE if isinstance(error, outside) else BAD_INPUT


def code_of_check(
    correction: "Correction", context: "Context", role: str, strict: Strict | None
) -> int:
    """The exit code of a check; what fails it is printed on standard error."""
    if strict and (fault := _refutation(correction)):
        say(f"errata: {fault}")
        return STRICT
    if code := code_of_run(correction, context, role, strict=bool(strict)):
        return code
    fault = _shortfall(correction, strict) if strict else ""
    if fault:
        say(f"errata: {fault}")
    return STRICT if fault else 0


def code_of_run(
    correction: "Correction", context: "Context", role: str, *, strict: bool = False
) -> int:
    """3 if the model in the deciding role judged nothing, else 0; the notes say why.

    If `strict`, one claim left unjudged is enough for 3. Without a document no verifier is asked,
    which is not a model's failure.
    """
    if not correction.claims and "extract" in context.ROLES:
        role = "extract"
    if role == "verify" and not correction.documents:
        return 0
    unjudged = [v for v in correction.verdicts if v.label in ("unreadable", "unchecked")]
    share = correction.usage.by_role.get(role, {})
    replies = share.get("model_calls", 0) + share.get("cached_calls", 0)
    silent = not replies and len(unjudged) == len(correction.verdicts)
    failed = context.by_model(role) and (silent or (strict and unjudged))
    if failed:
        left = f"left {_share(len(unjudged), correction)} unjudged"
        say(f"errata: the model for {role} {left if unjudged else 'failed: nothing was judged'}")
    return OUTSIDE if failed else 0


def code_of_support(correction: "Correction") -> int:
    """4 if most claims were to be removed for lack of support, else 0; notes say what was done."""
    if correction.mostly_unsupported:
        say("errata: most of the draft has no support; read it before you use it")
    return UNSUPPORTED if correction.mostly_unsupported else 0


def _refutation(correction: "Correction") -> str:
    refuted = sum(verdict.label == "refuted" for verdict in correction.verdicts)
    if refuted:
        return f"{_share(refuted, correction)} refuted"
    return "the draft is refuted" if correction.label == "refuted" else ""


def _shortfall(correction: "Correction", strict: Strict) -> str:
    """Why a draft without a refuted claim fails a strict check; empty if it does not."""
    from errata.render.text import describe_claims, describe_unchecked

    if not correction.checked:
        return f"nothing could be checked: {describe_unchecked(correction)}"
    if strict == "supported" and any(v.label != "supported" for v in correction.verdicts):
        return f"not every claim is supported: {describe_claims(correction)}"
    return ""


def _share(number: int, correction: "Correction") -> str:
    return f"{number} of {count(correction.verdicts, 'claim')}"
