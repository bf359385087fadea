"""What bounds a run: how much it may read and check, and how long it may take."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from errata.core.budgets import Budget, Cost
from errata.core.limits import Bounds
from errata.nodes.settings import Flag, Remote


class BoundedContext(BaseModel):
    """The settings that bound a run."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    max_documents: Annotated[int, Field(ge=1), Remote.CAPPED, Flag()] = 2000
    """Use at most this many of the given documents, the first ones."""
    max_claims: Annotated[int, Field(ge=1), Remote.CAPPED, Flag()] = 2000
    """Check at most this many claims; the others are labelled `unchecked`."""
    max_sentence: Annotated[int, Field(ge=100), Remote.CAPPED] = 5000
    """The most characters of a sentence; a longer one counts as several."""
    max_strips: Annotated[int, Field(ge=1), Remote.CAPPED] = 20_000
    """Read at most this many strips, as a rule sentences, of the documents; the first ones."""
    max_seconds: Annotated[float, Field(gt=0), Remote.CAPPED, Flag()] = 600.0
    """Seconds that a run may take, a person's time to decide aside. What is not done by then is
    left out with a note: claims are `unchecked`, and the draft stays."""
    max_calls: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most calls to models that a run may pay for; as with the other budgets, None is no limit,
    and what it stops is left out with a note: claims are `unchecked`, and the draft stays."""
    max_tokens: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most tokens of prompts and replies together that a run may pay for."""
    max_money: Annotated[float | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most that a run's calls and searches may cost, in the currency of the prices."""
    max_searches: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most searches of a corpus and of the web."""
    max_pages: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most web pages to read; of the others the search engine's snippets are used."""
    prices: Annotated[str, Flag()] = ""
    """A file with prices of models and searches, which replace the shipped ones."""
    page_timeout: Annotated[float, Field(gt=0), Remote.CAPPED] = 10.0
    """Seconds that reading one web page may take."""
    page_bytes: Annotated[int, Field(ge=1), Remote.CAPPED] = 5_000_000
    """The most bytes that a web page may have."""

    @property
    def bounds(self) -> Bounds:
        """The bounds on one step's work, nothing of them used up."""
        return Bounds(
            max_seconds=self.max_seconds,
            max_sentence=self.max_sentence,
            max_strips=self.max_strips,
        )

    def budget(self, spent: Cost, longest_reply: int = 0) -> Budget:
        """The run's budget, of which some is spent; the tokens of a reply so far."""
        limits = {
            "calls": self.max_calls,
            "tokens": self.max_tokens,
            "money": self.max_money,
            "searches": self.max_searches,
            "pages": self.max_pages,
        }
        return Budget(limits, spent, longest_reply=longest_reply)
