"""Exit codes: 0 done, 1 failed --strict, 2 unusable input, 3 model failed, 4 mostly unsupported."""

from typing import TYPE_CHECKING, Literal

from errata.core.errors import AccessError, BudgetError, ChatError, ErrataError, ReplyError, count
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.core.records import Correction
    from errata.nodes.context import Context

STRICT, BAD_INPUT, OUTSIDE, UNSUPPORTED = 1, 2, 3, 4
Strict = Literal["refuted", "disputed", "supported"]
"""What fails a strict check: a refuted claim; a disputed one, too; any that is not supported."""


def code_of_error(error: ErrataError) -> int:
    """2 if input or settings cannot be used, 3 if a model failed or may not be asked."""
    outside = AccessError | BudgetError | ChatError | ReplyError
    return OUTSIDE if isinstance(error, outside) else BAD_INPUT


def code_of_check(
    correction: "Correction", context: "Context", role: str, strict: Strict | None, name: str = ""
) -> int:
    """The exit code of a check; what fails it is printed on standard error, with the file's name.

    Without a name only the fault is.
    """
    from errata.render.text import describe_claims, describe_unchecked

    if not strict:
        return code_of_run(correction, context, role)
    if fault := _describe_wrong(correction, strict):
        return _fail(fault, name)
    if correction.label == "refuted":
        fault = "the draft is refuted"
    elif code := code_of_run(correction, context, role, strict=True):
        return code
    elif not correction.checked:
        fault = f"nothing could be checked: {describe_unchecked(correction)}"
    elif strict == "supported" and correction.counts.keys() != {"supported"}:
        fault = f"not every claim is supported: {describe_claims(correction)}"
    return _fail(fault, name) if fault else 0


def _describe_wrong(correction: "Correction", strict: Strict) -> str:
    """How many claims are refuted, and disputed where that counts; empty if none is."""
    counts, claims = correction.counts, count(correction.verdicts, "claim")
    failing = ("refuted", "disputed") if strict == "disputed" else ("refuted",)
    return "; ".join(f"{counts[each]} of {claims} {each}" for each in failing if each in counts)


def _fail(fault: str, name: str) -> int:
    """Tell why a strict check fails, and of which file if it has a name; the exit code."""
    say(f"errata: {name}: {fault}" if name else f"errata: {fault}")
    return STRICT


def code_of_run(
    correction: "Correction", context: "Context", role: str, *, strict: bool = False
) -> int:
    """3 if the model in the deciding role judged nothing, else 0; the notes say why.

    If `strict`, one claim left unjudged is enough for 3. Without a document or a claim no verifier
    is asked, which is not a model's failure.
    """
    if not correction.claims and "extract" in context.ROLES:
        role = "extract"
    if role == "verify" and not (correction.documents and correction.claims):
        return 0
    verdicts = correction.verdicts
    unjudged = sum(verdict.label in ("unreadable", "unchecked") for verdict in verdicts)
    share = correction.usage.by_role.get(role, {})
    replies = share.get("model_calls", 0) + share.get("cached_calls", 0)
    silent = not replies and unjudged == len(verdicts)
    if not context.by_model(role) or not (silent or (strict and unjudged)):
        return 0
    left = f"left {unjudged} of {count(verdicts, 'claim')} unjudged"
    say(f"errata: the model for {role} {left if unjudged else 'failed: nothing was judged'}")
    return OUTSIDE


def code_of_support(correction: "Correction") -> int:
    """4 if most claims were to be removed for lack of support, else 0; notes say what was done."""
    if correction.mostly_unsupported:
        say("errata: most of the draft has no support; read it before you use it")
    return UNSUPPORTED if correction.mostly_unsupported else 0
