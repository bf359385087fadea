"""What a question is about."""

from errata.tools.text.entities import find_entities


def question_entity(question: str) -> str:
    """The last name in a question, which is what it asks about; empty without a name.

    >>> question_entity("In which city was Marie Curie born?")
    'Marie Curie'
    """
    return next((e.text for e in reversed(find_entities(question)) if e.kind == "name"), "")


def topic_stems(question: str) -> frozenset[str]:
    """The stems of all names in a question, which every claim may presuppose."""
    names = (entity for entity in find_entities(question) if entity.kind == "name")
    return frozenset(stem for name in names for stem in name.stems)
