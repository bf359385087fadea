"""The draft's claims, which verdicts are on; a draft that was edited in a run's past has others."""

from errata.bounds import cache_in_bounds
from errata.errors import OutOfTimeError
from errata.nodes.ledger import note
from errata.nodes.reex.state import Reex
from errata.records import Claim
from errata.tools.local.extract import extract
from errata.tools.text.language import detect_foreign_draft


def with_claims(state: Reex) -> Reex:
    """The state with the claims of the draft as it is now."""
    return state.model_copy(update={"claims": extract_claims(state.question, state.draft)})


def extract_claims(question: str, draft: str) -> list[Claim]:
    """The claims of a draft; none, and a note, if the run's time is over before they are found."""
    try:
        return list(_extract(question, draft))
    except OutOfTimeError as error:
        note(f"the draft was not split into claims: {error}")
        return []


@cache_in_bounds(8)
def _extract(question: str, draft: str) -> tuple[Claim, ...]:
    """Cached, for all steps of a run."""
    return tuple(extract(question, draft, detect_foreign_draft(draft) or "en"))
