"""What a judge is: it says which statements a text bears out."""

from collections.abc import Sequence
from typing import Literal, Protocol

from errata.core.records import Document
from errata.tools.retrieval.filters import assign_ids

Relation = Literal["supported", "refuted", "not_mentioned"]
"""What entailment calls entailed, contradicted and neutral."""
Relations = tuple[Relation | None, ...]
"""One for each statement; None where the judge's word could not be read."""


class Judge(Protocol):
    """Whoever tells how documents and statements relate."""

    @property
    def name(self) -> str:
        """What tables call it."""

    async def judge(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        """The relation of each of some statements; there is at least one, and one document."""


async def relate_to_text(judge: Judge, question: str, facts: Sequence[str], text: str) -> Relations:
    """Tell which facts a text states; a text without a word states none."""
    if not any(character.isalnum() for character in text):
        return tuple[Relation, ...]("not_mentioned" for _ in facts)
    return await relate(judge, question, facts, [Document(text=text)])


async def relate(
    judge: Judge, question: str, statements: Sequence[str], documents: Sequence[Document]
) -> Relations:
    """Tell which statements documents bear out; without a document nobody can tell."""
    if not (statements and documents):
        return (None,) * len(statements)
    return await judge.judge(question, statements, assign_ids(documents))
