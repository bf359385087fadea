"""The sentences of a draft, each with what the pronouns in it stand for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from errata.core.edits import Span
from errata.core.limits import check_time
from errata.tools.text.clauses import find_subject
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import Antecedents, Mentions
from errata.tools.text.prose import Label, Passage, label_cells, read_passages, read_sentences
from errata.tools.text.questions import question_entity, question_names

_LEADING = re.compile(
    r"(?:[^,;:]{1,60}, )?(?P<pronoun>he|she|it|they|his|her|its|their)\b", re.IGNORECASE
)
"""A pronoun that begins a sentence, or follows the phrase that does."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of a draft, or of a table's cell."""

    start: int
    end: int
    text: str
    """Its words without markdown; `passage.text[offset:]` begins with them."""
    antecedents: Antecedents
    """What its pronouns stand for."""
    source: int
    """The number of the sentence that names the antecedent; -1 if none does."""
    subject: str
    """Its grammatical subject, or a pronoun that begins it; empty if unknown."""
    passage: Passage
    offset: int
    label: Label | None = None
    """What its cell is about, by the heads of its row and column."""

    @property
    def antecedent(self) -> str:
        """What a leading pronoun stands for; empty if unknown."""
        return self.antecedents.of(self.subject.partition(" ")[0])

    def words(self, start: int, end: int) -> Span:
        """Where `text[start:end]`, which is not empty, stands in the draft."""
        places = self.passage.places
        return places[self.offset + start], places[self.offset + end - 1] + 1


def split_draft(question: str, draft: str) -> list[Sentence]:
    """Split a draft into sentences; what is in headings, code and formulas is none.

    Before it names anybody, pronouns mean the name in the question.
    """
    begun = (name for name in question_names(question) if draft.startswith(name))
    mentions = Mentions(next(begun, question_entity(question)))
    sources: dict[str, int] = {}
    """In which sentence each name and subject stands last, also if only a part of it does."""
    result: list[Sentence] = []
    for passage, start, end, label in _units(draft):
        check_time()
        text = passage.text[start:end]
        leading = _LEADING.match(text)
        subject = find_subject(text) or (leading["pronoun"] if leading else "")
        subject = "" if label else subject
        antecedents = Antecedents() if label else mentions.read(text, subject)
        source = sources.get(antecedents.of(subject.partition(" ")[0]), -1)
        places = passage.span(start, end)
        names = [entity.text for entity in find_entities(text) if entity.kind == "name"]
        for name in (*names, subject):
            fulls = (full for full in antecedents.names if full and name in full.split())
            sources |= dict.fromkeys((name, *fulls), len(result))
        result.append(Sentence(*places, text, antecedents, source, subject, passage, start, label))
    return result


def sentence_places(draft: str, language: str = "en") -> list[Span]:
    """Where the sentences of a draft stand; what is in headings, code and formulas is none."""
    return [passage.span(start, end) for passage, start, end, _ in _units(draft, language)]


def is_name(subject: str) -> bool:
    """Whether a subject is a name and nothing else."""
    entities = find_entities(subject)
    return len(entities) == 1 and entities[0].kind == "name" and entities[0].text == subject


def _units(draft: str, language: str = "en") -> Iterator[tuple[Passage, int, int, Label | None]]:
    """The sentences of each passage, and the cells of tables with their labels."""
    passages = read_passages(draft)
    labels = label_cells(draft)
    for passage in passages:
        kind, place = passage.block.kind, passage.block.start
        label = labels.get(place) if kind == "td" else None
        if label or kind == "paragraph":
            for start, end in read_sentences(passage, language):
                yield passage, start, end, label
