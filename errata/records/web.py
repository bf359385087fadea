"""What search engines answer."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One organic result of a web search."""

    url: str
    title: str = ""
    snippet: str = ""
    text: str = ""
    """The page's text, where the engine has it."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What a search engine answered to one query."""

    query: str
    engine: str
    hits: tuple[Hit, ...] = ()
    answer_box: str = ""
    """The engine's own short answer."""
    knowledge_graph: str = ""
    """The engine's facts about the entity, one `name: value` a line."""
