"""Exit codes: 0 done, 1 failed --strict, 2 unusable input, 3 model failed, 4 mostly unsupported."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from errata.core.errors import AccessError, BudgetError, ChatError, ErrataError, ReplyError, count
from errata.core.records import Correction
from errata.render.findings import count_faults, why_unread
from errata.render.terminal import say
from errata.render.text import describe_claims, describe_unchecked

if TYPE_CHECKING:
    from errata.nodes.state import CorrectionContext

STRICT, BAD_INPUT, OUTSIDE, UNSUPPORTED = 1, 2, 3, 4
Strict = Literal["refuted", "disputed", "unfounded", "supported"]
"""What fails a strict check: a refuted claim; a disputed one, too; one with words that stand in no
document, too; any that is not supported."""
CodeOf = Callable[[Correction, "CorrectionContext", str], int]
"""The exit code of a result; the text is its draft's name."""


def code_of_error(error: ErrataError) -> int:
    """2 if input or settings cannot be used, 3 if a model failed or may not be asked."""
    outside = AccessError | BudgetError | ChatError | ReplyError
    return OUTSIDE if isinstance(error, outside) else BAD_INPUT


def code_of_check(
    correction: Correction, context: "CorrectionContext", name: str, *, strict: Strict | None
) -> int:
    """The exit code of a check; what fails it is printed on standard error."""
    if not strict:
        return code_of_run(correction, context)
    wrong = ("refuted",) if strict in ("refuted", "supported") else ("refuted", "disputed")
    if correction.label in wrong or correction.counts.keys() & {*wrong}:
        fault = f"{correction.label}; {describe_claims(correction)}"
    elif code := code_of_run(correction, context, strict=True):
        return code
    elif not correction.checked:
        fault = f"nothing could be checked: {describe_unchecked(correction)}"
    elif strict == "unfounded" and (words := correction.unfounded):
        nowhere = ", ".join(correction.draft[start:end] for start, end in words)
        fault = f"stands nowhere in the documents: {nowhere}"
    elif strict == "supported" and correction.counts.keys() != {"supported"}:
        fault = f"not every claim is supported: {describe_claims(correction)}"
    else:
        return 0
    say(f"errata: {name}: {fault}")
    return STRICT


def code_of_run(
    correction: Correction, context: "CorrectionContext", *, strict: bool = False
) -> int:
    """3 if the model in the deciding role judged nothing, else 0; the notes say why.

    If `strict`, one claim left unjudged is enough for 3. Without a document or a claim no verifier
    is asked, which is not a model's failure.
    """
    is_empty = not correction.claims and "extract" in context.ROLES
    role = "extract" if is_empty else context.deciding_role
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


def code_of_audit(
    audit: Correction, context: "CorrectionContext", name: str, *, strict: bool
) -> int:
    """As a run's; 1 for a strict audit that found a fault or read nothing, which is printed."""
    faults = count_faults(audit) if strict else {}
    told = ", ".join(f"{number} {kind}" for kind, number in faults.items())
    if told := told or (why_unread(audit) if strict else ""):
        say(f"errata: {name}: {told}")
    return max(code_of_run(audit, context), STRICT if told else 0)


def code_of_correction(correction: Correction, context: "CorrectionContext", _: str) -> int:
    """As a run's, else 4 if most claims were to be removed for lack of support."""
    code = code_of_run(correction, context)
    if correction.mostly_unsupported and not code:
        say("errata: most of the draft has no support; read it before you use it")
        return UNSUPPORTED
    return code
