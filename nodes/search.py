"""What the methods that search the web can set."""

from typing import Annotated, Any, Literal

from pydantic import Field

from errata.nodes.context import Context
from errata.nodes.settings import Flag, Remote
from errata.tools.web.caches import SearchCache
from errata.tools.web.engines import engine_for


class SearchContext(Context):
    """The settings of web search."""

    search: Annotated[str, Remote.LISTED, Flag()] = "none"
    """The search engine: `none`, `serpapi`, `serper`, `searxng`, `wikipedia`, `corpus:DIR`, or
    `community:NAME` of langchain-community."""
    search_cache: str = ""
    """A folder to cache search results in; empty: no cache."""
    search_cache_hours: Annotated[float, Field(ge=0)] = 24.0
    """Hours after which a cached search result is out of date."""

    def model_post_init(self, context: Any) -> None:
        """Refuse an unknown engine before anything runs."""
        super().model_post_init(context)
        if self.search != "none":
            engine_for(self.search)

    @property
    def cache(self) -> SearchCache:
        """Where search results are kept."""
        return SearchCache(self.search_cache, self.search_cache_hours)


class ReadingContext(SearchContext):
    """The settings of methods that look up one question or claim at a time."""

    passage_tokens: Annotated[int, Field(ge=0), Remote.FREE] = 500
    """The most tokens of documents that a model gets for one question or claim: of longer ones the
    passages that match it best; 0: the whole documents."""


class EvidenceContext(ReadingContext):
    """The settings of methods that may ask a model for the evidence."""

    evidence: Annotated[Literal["external", "internal"], Remote.FREE, Flag()] = "external"
    """What answers the questions: documents and search, or a model's own knowledge alone."""
