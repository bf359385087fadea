"""Lists in a model's reply: claims, or questions, one a line."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from errata.core.records import Claim

INSTEAD = "each claim was asked about instead"
"""What follows where a model planned no questions."""
_NO_CLAIM = re.compile(r":$|^\W*(?:```.*)?$")
_MARK = re.compile(
    r"^\s*(?:[-*•]\s+"
    r"|(?:(?:fact|claim|statement|query|(?:sub-?)?question)\s*)?#?\d{1,3}\s*[.:)]\s*)",
    re.IGNORECASE,
)


def read_claims(reply: str) -> Sequence[str]:
    r"""One claim a line, without numbers, bullets and headings.

    >>> read_claims("Facts:\n1. Ada was a countess.\n- She wrote notes.")
    ['Ada was a countess.', 'She wrote notes.']
    """
    lines = (_MARK.sub("", line).strip() for line in reply.splitlines())
    return list(dict.fromkeys(line for line in lines if line and not _NO_CLAIM.search(line)))


def read_questions(reply: str) -> list[str]:
    r"""One question a line, each once; lines that are no question fall away.

    >>> read_questions("Sub-Questions:\n1. Who was Ada?\n2) When was Ada born?\n- Who was Ada?")
    ['Who was Ada?', 'When was Ada born?']
    """
    by_words = dict[str, str]()
    for line in (_MARK.sub("", line).strip() for line in reply.splitlines()):
        if line.endswith("?"):
            by_words.setdefault(line.casefold(), line)
    return list(by_words.values())


def read_plan(reply: str) -> list[tuple[str, str]]:
    r"""A fact and its question a line, parted by a bar; the fact is empty where only one came.

    >>> read_plan("1. Ada died in 1852. | When did Ada die?\n2. Who was Ada?\nThat is all.")
    [('Ada died in 1852.', 'When did Ada die?'), ('', 'Who was Ada?')]
    """
    by_question = dict[str, str]()
    for line in (_MARK.sub("", line).strip(" \t|*") for line in reply.splitlines()):
        fact, _, question = line.rpartition("|")
        if question.endswith("?"):
            by_question.setdefault(question.strip(), fact.strip())
    return [(fact, question) for question, fact in by_question.items()]


class Concept(NamedTuple):
    """What a sentence says of one thing, as a question and as a statement."""

    name: str
    question: str
    statement: str


def read_concepts(reply: str) -> list[Concept]:
    """A concept, its question and its statement a line; the question again without a statement.

    >>> read_concepts("1. in 1815 | Was Ada born in 1815? | Ada was born in 1815.")
    [Concept(name='in 1815', question='Was Ada born in 1815?', statement='Ada was born in 1815.')]
    """
    rows = [[part.strip() for part in line.split("|")] for line in read_claims(reply)]
    asked = [row for row in rows if len(row) > 1 and row[1].endswith("?")]
    return [Concept(row[0], row[1], "".join(row[2:3]) or row[1]) for row in asked]


def question_for(claim: Claim) -> str:
    """A claim as a question."""
    return f"Is it true that {claim.text.rstrip('.!? ')}?"


def as_concept(claim: Claim) -> Concept:
    """A claim that is asked about as it stands."""
    return Concept(claim.text, question_for(claim), claim.text)
