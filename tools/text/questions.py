"""What a question is about."""

from collections.abc import Iterator

from errata.tools.text.entities import Entity, find_entities

_COMMANDS = frozenset(
    """answer brief briefly bullet characterise characterize check compare compile compose continue
    create define describe detail discuss draft draw elaborate enumerate explain extract find fill
    generate give help highlight identify illustrate introduce list make mention name narrate note
    outline overview paraphrase please prepare present produce profile prove provide recap recount
    report rewrite say share short show sketch state sum summarise summarize summary suppose talk
    tell trace translate turn write""".split()
)
"""Words with which a command begins: a capital makes no names of them."""


def question_entity(question: str) -> str:
    """The last name in a question, which is what it asks about; empty without a name.

    >>> question_entity("In which city was Marie Curie born?")
    'Marie Curie'
    >>> question_entity("Summarise what you know of Vienna.")
    'Vienna'
    """
    return next((name.text for name in reversed(list(_names(question)))), "")


def question_names(question: str) -> list[str]:
    """All names in a question, in order.

    >>> question_names("Did Verdi meet Wagner in Venice?")
    ['Verdi', 'Wagner', 'Venice']
    """
    return [name.text for name in _names(question)]


def topic_stems(question: str) -> frozenset[str]:
    """The stems of all names in a question, which every claim may presuppose."""
    return frozenset(stem for name in _names(question) for stem in name.stems)


def _names(question: str) -> Iterator[Entity]:
    """The names in a question, without the word that makes it a command."""
    for entity in find_entities(question):
        if entity.kind == "name" and entity.text.lower() not in _COMMANDS:
            yield entity
