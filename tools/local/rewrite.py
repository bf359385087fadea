"""The local filler of CRAG's rewrite role: keywords by rules of English."""

from errata.tools.judges.relevance import ASKING
from errata.tools.text.entities import find_entities
from errata.tools.text.words import split_words

KEYWORDS = 3
"""How many keywords a query holds at most (CRAG table 7)."""


def rewrite(question: str) -> str:
    """Give at most three keywords: what the question names, then what it asks of it.

    >>> rewrite("What is Henry Feilden's occupation?")
    'Henry Feilden, occupation'
    """
    names = [
        s for s in find_entities(question) if s.kind == "name" and s.text.lower() not in ASKING
    ]
    rest = [
        word.text
        for word in split_words(question)
        if word.is_content
        and word.text.lower() not in ASKING
        and not any(name.start <= word.start < name.end for name in names)
    ]
    kept = [name.text.removesuffix("'s").removesuffix("’s") for name in names]
    asked = [" ".join(rest)] if rest else []
    return ", ".join([*kept[: KEYWORDS - len(asked)], *asked]) or question
