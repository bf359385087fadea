"""The draft's claims, which verdicts are on; a draft that was edited in a run's past has others."""

from collections.abc import Sequence

from errata.core.edits import Spans
from errata.core.errors import OutOfTimeError
from errata.core.limits import cache_in_bounds
from errata.core.records import Claim, Explanation
from errata.nodes.ledger import note
from errata.nodes.reex.state import Reex, ReexContext
from errata.tools.local.antecedents import sentence_places
from errata.tools.local.extract import extract, stating_sentences
from errata.tools.local.placement import as_claims
from errata.tools.text.citations import strip_marks
from errata.tools.text.language import detect_foreign_draft


def with_claims(state: Reex, context: ReexContext) -> Reex:
    """The state with the claims of the draft as it is now."""
    return state.model_copy(update={"claims": claims_of(state, context)})


def claims_of(state: Reex, context: ReexContext) -> list[Claim]:
    """The claims of a draft; where a model finds the errors, these are its sentences.

    None, and a note, if the run's time is over before they are found.
    """
    try:
        if context.by_model("explain") or not context.explanation:
            return _stating(state)
        return list(_extract(state.question, state.draft))
    except OutOfTimeError as error:
        note(f"the draft was not split into claims: {error}")
        return []


def _stating(state: Reex) -> list[Claim]:
    """The sentences that state something, or in which an error is explained."""
    errors = by_place(state.explanations)
    stating = Spans(stating_sentences(state.draft), lambda claim: (claim.start, claim.end))
    return [
        claim
        for claim in _sentences(state.draft)
        if any(by.touching(claim.start, claim.end) for by in (errors, stating))
    ]


def by_place(explanations: Sequence[Explanation]) -> Spans[Explanation]:
    """Explanations by the place of what they explain."""
    return Spans(explanations, lambda explanation: (explanation.start, explanation.end))


def extract_claims(state: Reex) -> list[Claim]:
    """The claims that local code asks about, whoever explains."""
    return list(_extract(state.question, state.draft))


@cache_in_bounds(8)
def _extract(question: str, draft: str) -> tuple[Claim, ...]:
    """Cached, for all steps of a run."""
    return tuple(extract(question, draft, detect_foreign_draft(draft) or "en"))


@cache_in_bounds(8)
def _sentences(draft: str) -> tuple[Claim, ...]:
    places = sentence_places(draft)
    return tuple(as_claims(draft, [(strip_marks(draft[a:b]), (a, b)) for a, b in places]))
