"""A file of one's own questions, drafts and labels as a dataset: `errata eval ROWS.jsonl`.

One JSON object a line, gzipped if the name ends in `.gz`. A row has a `question`, a `draft` or
both, and, each only where there is one:

- `documents`: texts, or objects with `text` and `title`, which every method gets;
- `label`: what people say of the draft, `true`, `false` or a word such as `supported`, `refuted`,
  `not_mentioned`; of a row without a draft, whether the answer is yes;
- `facts`: the draft's facts, each with `text` and `label` (`true` or `false`);
- `answers`: the accepted answers to the question;
- `id` (else the line's number), `category`, `group`.

What scores the results follows from the labels that the rows have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import StrictBool

from errata.batch.rows import RowError, read_row
from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.items import FALSE, TRUE, UNTOLD, Dataset, Item, ItemsRead

SUFFIXES = (".jsonl", ".jsonl.gz")
_GOLD = ("label", "facts", "answers")
_KNOWN = ("question", "draft", *_GOLD, "documents", "id", "category", "group")
_WORDS = (*TRUE, *FALSE, *UNTOLD)


@dataclass(frozen=True)
class Fact:
    """A fact of a draft, and whether it is true."""

    text: str
    label: StrictBool


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What people say of a row."""

    label: StrictBool | str | None = None
    facts: tuple[Fact, ...] = ()
    answers: tuple[str, ...] = ()


def own_dataset(path: Path) -> Dataset:
    """The dataset of a file; raises InputError naming the line that is wrong, and what is."""
    try:
        rows = list(read_rows(path))
    except (OSError, EOFError, ValueError) as error:
        raise InputError(f"{path} cannot be read ({type(error).__name__}: {error})") from error
    if not rows:
        raise InputError(f"{path} has no rows; write one JSON object a line")
    items = [_item(row, f"{path}, row {number}", number) for number, row in enumerate(rows, 1)]
    _check_ids(items, path)
    return Dataset(
        name=str(path),
        description=f"{path.name}, rows of your own",
        read=lambda _: ItemsRead(items),
        scorers=scorers_for(items),
    )


def scorers_for(items: Sequence[Item]) -> tuple[str, ...]:
    """What scores such items: the scorers whose labels all of them have, and always the cost."""
    has = {name for name in _GOLD if all(name in item.gold for item in items)}
    drafts = all(item.draft for item in items)
    verdicts = all(not item.draft and isinstance(item.gold.get("label"), bool) for item in items)
    scorers = {
        "detection": drafts and "label" in has,
        "match": "answers" in has or verdicts,
        "facts": drafts and "facts" in has,
        "claims": drafts and bool({"facts", "label"} & has),
        "overcorrection": drafts,
    }
    return (*(name for name, applies in scorers.items() if applies), "cost")


def _item(row: object, place: str, number: int) -> Item:
    if not isinstance(row, dict):
        raise InputError(f"{place} is a {type(row).__name__}; write one JSON object a line")
    if unknown := sorted(row.keys() - {*_KNOWN}):
        raise InputError(f"{place} has {unknown[0]!r}; a row may have {', '.join(_KNOWN)}")
    try:
        own = read_row(row, f"line {number}", corrects=True)
    except RowError as error:
        raise InputError(f"{place}: {error}") from error
    kept = {name: str(row.get(name) or "") for name in ("category", "group")}
    return Item(**vars(own) | kept, gold=_gold(row, place))


def _gold(row: Row, place: str) -> Mapping[str, Any]:
    gold = {name: row[name] for name in _GOLD if row.get(name) is not None}
    try:
        from_json(Labels, gold, "facts have a text and a label, true or false; answers are texts")
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
    label = gold.get("label", True)
    if not (isinstance(label, bool) or str(label).lower().replace(" ", "_") in _WORDS):
        raise InputError(
            f"{place}: the label is {label!r}; write true, false or {', '.join(_WORDS)}"
        )
    return gold


def _check_ids(items: Sequence[Item], path: Path) -> None:
    seen = set[str]()
    for item in items:
        if item.id in seen:
            raise InputError(f"{path} has two rows with the id {item.id!r}; give each its own")
        seen.add(item.id)
