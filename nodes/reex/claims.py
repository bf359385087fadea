"""The draft's claims, which verdicts are on; a draft that was edited in a run's past has others."""

from functools import lru_cache

from errata.nodes.reex.state import Reex
from errata.records import Claim
from errata.tools.local.extract import extract
from errata.tools.text.language import detect_foreign_language


def with_claims(state: Reex) -> Reex:
    """The state with the claims of the draft as it is now."""
    return state.model_copy(update={"claims": list(extract_claims(state.question, state.draft))})


@lru_cache(maxsize=8)
def extract_claims(question: str, draft: str) -> tuple[Claim, ...]:
    """The claims of a draft, extracted once for all steps of a run."""
    return tuple(extract(question, draft, detect_foreign_language(draft) or "en"))
