"""The sentences of a draft, each with the name that a leading pronoun in it stands for."""

from dataclasses import dataclass
from functools import cached_property

from errata.bounds import check_time
from errata.tools.text.clauses import Series, find_subject, parse_clauses
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import replace_pronoun
from errata.tools.text.questions import question_entity
from errata.tools.text.sentences import split_sentences

_THING_PRONOUNS = frozenset(("it", "its", "they", "their"))


@dataclass(frozen=True)
class Sentence:
    """One sentence of a draft."""

    start: int
    end: int
    text: str
    antecedent: str
    """What a leading pronoun stands for; empty if unknown."""

    @cached_property
    def clauses(self) -> Series:
        """The clauses of the sentence, with the antecedent in place of leading pronouns."""
        return parse_clauses(self.text, self.antecedent)


def split_draft(question: str, draft: str) -> list[Sentence]:
    """Split a draft into sentences.

    The antecedent of "it" and "they" is the last subject, that of other pronouns the last person;
    before there is one, the name in the question.
    """
    person = thing = question_entity(question)
    result = []
    for start, end in split_sentences(draft):
        check_time()
        text = draft[start:end]
        subject = find_subject(text)
        pronoun = subject.lower().split(" ")[0]
        antecedent = thing if pronoun in _THING_PRONOUNS else person
        result.append(Sentence(start, end, text, antecedent))
        if subject and replace_pronoun(subject, "x") == subject:
            thing = subject
            person = _full_name(subject, person) if _is_name(subject) else person
    return result


def _is_name(subject: str) -> bool:
    entities = find_entities(subject)
    return len(entities) == 1 and entities[0].kind == "name" and entities[0].text == subject


def _full_name(subject: str, person: str) -> str:
    """The person's name if the subject is only a part of it, else the subject."""
    return person if subject in person.split() else subject
