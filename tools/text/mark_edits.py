"""Edits of citation marks and lists of references, which keep the draft's form."""

from collections.abc import Sequence

from errata.core.records import Edit
from errata.tools.text.marks import Form, Mark, Reference
from errata.tools.text.references import CitedSentence

# Signatures to code against; being written.


def move_mark(draft: str, mark: Mark, old: str, new: str, references: Sequence[Reference]) -> Edit:
    """The mark with one key in place of another."""
    raise NotImplementedError


def insert_mark(
    draft: str,
    sentence: CitedSentence,
    key: str,
    references: Sequence[Reference],
    style: Form | None = None,
) -> Edit:
    """A mark on a sentence, as the draft's others are, or in a style."""
    raise NotImplementedError


def drop_mark(draft: str, mark: Mark, key: str = "") -> Edit:
    """The draft without a mark, or without one key of it."""
    raise NotImplementedError


def merge_duplicates(
    draft: str, marks: Sequence[Mark], references: Sequence[Reference]
) -> list[Edit]:
    """Each reference once, and the marks of the others moved to the one that stays."""
    raise NotImplementedError
