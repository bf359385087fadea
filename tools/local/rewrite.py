"""CRAG's rewrite role: search keywords by rules of English grammar."""

from collections.abc import Sequence

from errata.tools.judges.relevance import QUESTION_WORDS
from errata.tools.text.entities import find_entities
from errata.tools.text.questions import question_entity
from errata.tools.text.words import split_words

KEYWORDS = 3
"""Most keywords in one query (CRAG table 7)."""


def rewrite(question: str, earlier: Sequence[str] = ()) -> str:
    """At most three keywords: the names in the question, then its other content words as one.

    A question without a name is about the last name of the earlier turns.

    >>> rewrite("What is Henry Feilden's occupation?")
    'Henry Feilden, occupation'
    >>> rewrite("Where was he born?", ["Who was Ada Lovelace?", "A mathematician."])
    'Ada Lovelace, born'
    """
    names = [
        entity
        for entity in find_entities(question)
        if entity.kind == "name" and entity.text.lower() not in QUESTION_WORDS
    ]
    rest = " ".join(
        word.text
        for word in split_words(question)
        if word.is_content
        and word.text.lower() not in QUESTION_WORDS
        and not any(name.start <= word.start < name.end for name in names)
    )
    keywords = [name.text.removesuffix("'s").removesuffix("’s") for name in names]
    topic = next(filter(None, map(question_entity, reversed(earlier))), "")
    keywords = keywords or [topic] if topic else keywords
    last = [rest] if rest else []
    return ", ".join([*keywords[: KEYWORDS - len(last)], *last]) or question
