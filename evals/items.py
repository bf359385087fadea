"""What every dataset is read into: inputs, each with what people know of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from errata.core.records import Document

TRUE, FALSE = ("true", "supported"), ("false", "refuted", "not_supported", "partially_supported")
"""What sets call a text that is true, and one that is not; partly supported counts as false."""
UNTOLD = ("not_mentioned", "nei", "not_enough_info")
"""What sets call a claim that the evidence leaves open; it counts as not supported."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """One input of a dataset, and what people know of it; JSON-able."""

    id: str
    """Unique in its dataset."""
    question: str
    draft: str = ""
    """The text to correct; empty where a method answers, or writes the draft itself."""
    documents: tuple[Document, ...] = ()
    """What was retrieved, which every method gets."""
    web: tuple[Document, ...] = ()
    """The pages or snippets that a search may find; those of all items make up one small web."""
    gold: Mapping[str, Any] = field(default_factory=dict)
    """What people say is right, as JSON; the dataset's scorers know its keys."""
    category: str = ""
    """What bars and tables are split by, such as a person's popularity."""
    group: str = ""
    """Items of one group belong on the same side of a split."""


@dataclass(frozen=True)
class Reading:
    """The items that were read, and what a result has to say of their file."""

    items: Sequence[Item]
    note: str = ""
    """Such as `26 rows; the published file has 50`; empty where the file is as published."""


@dataclass(frozen=True)
class Dataset:
    """A dataset: where its items come from, how many there are, and what scores a result."""

    name: str
    description: str
    """One line: what it is, its citation and its licence."""
    read: Callable[[Path], Reading]
    """All items of a folder, in the authors' layout or in ours.

    Raises InputError naming the file that is missing or wrong, what was expected, and where the
    authors publish it.
    """
    scorers: tuple[str, ...]
    """The names of the scorers that apply, the main one first."""
