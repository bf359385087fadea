"""Inputs with what people know of them, what is run on them, what came of it, and figures."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from errata.core.records import Document
from errata.methods import Result

WEB = "web"
"""As the setting `search` of a task: the pages of the dataset's items, indexed by the runner."""

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
    """Of what training may read: items of one group belong on the same side of a split."""


@dataclass(frozen=True)
class ItemsRead:
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
    read: Callable[[Path], ItemsRead]
    """All items of a folder, in the authors' layout or in ours.

    Raises InputError naming the file that is missing or wrong, what was expected, and where the
    authors publish it.
    """
    scorers: tuple[str, ...]
    """The names of the scorers that apply, the main one first."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is run, on what, and how it is scored."""

    dataset: str
    method: str
    """A method of ours, or one of `runner.CONTROLS`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the method's Context, as JSON; `search` may be `web`."""
    draft: Literal["given", "own"] = "given"
    """Correct the dataset's draft, or where it has none one that `plain` writes; `own`: the method
    writes it."""
    scorers: tuple[str, ...] = ()
    """Empty: the dataset's own."""

    @property
    def name(self) -> str:
        """Dataset, method and a hash of what it is told, as a file name."""
        known = json.dumps([self.settings, self.draft], sort_keys=True)
        digest = hashlib.sha256(known.encode()).hexdigest()[:8]
        return re.sub(r"[^\w.-]+", "-", f"{self.dataset}-{self.method}-{digest}")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One item, what a method made of it, and how that scored; a line of a file of rows."""

    item: Item
    result: Result | None = None
    """None where the run failed."""
    error: str = ""
    """Why it failed."""
    seconds: float = 0.0
    """Wall time of the run."""
    scores: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By scorer, what it says of this result, as JSON."""


@dataclass(frozen=True)
class Figure:
    """A metric over some rows."""

    value: float | None
    """None where no row has what it takes."""
    low: float | None = None
    """The 95% bootstrap interval's lower end; None where none was drawn."""
    high: float | None = None
    count: int = 0
    """How many things it is a mean or a share of: rows, facts, claims."""
