"""The sentences of a draft, each with what the pronouns in it stand for."""

from dataclasses import dataclass
from functools import cached_property

from errata.tools.text.clauses import Series, find_subject, parse_clauses
from errata.tools.text.coreference import resolve_pronouns
from errata.tools.text.pronouns import Antecedents
from errata.tools.text.questions import question_entity
from errata.tools.text.sentences import split_sentences


@dataclass(frozen=True)
class Sentence:
    """One sentence of a draft."""

    start: int
    end: int
    text: str
    antecedents: Antecedents
    """What its pronouns stand for."""

    @property
    def antecedent(self) -> str:
        """What a leading pronoun stands for; empty if unknown."""
        return self.antecedents.of(find_subject(self.text).partition(" ")[0])

    @cached_property
    def clauses(self) -> Series:
        """The clauses of the sentence, with the antecedents in place of leading pronouns."""
        return parse_clauses(self.text, self.antecedents)


def split_draft(question: str, draft: str) -> list[Sentence]:
    """Split a draft into sentences; before it names anybody, pronouns mean the question's name."""
    places = split_sentences(draft)
    resolved = resolve_pronouns((draft[a:b] for a, b in places), question_entity(question))
    return [
        Sentence(a, b, draft[a:b], antecedents)
        for (a, b), antecedents in zip(places, resolved, strict=True)
    ]
