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
from pathlib import Path
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows
from errata.evals.items import FALSE, TRUE, UNTOLD, Dataset, Item, Reading

SUFFIXES = (".jsonl", ".jsonl.gz")
_TEXTS = ("question", "draft", "id", "category", "group")
_GOLD = ("label", "facts", "answers")
_KNOWN = (*_TEXTS, *_GOLD, "documents")
_WORDS = (*TRUE, *FALSE, *UNTOLD)


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
        read=lambda _: Reading(items),
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
    texts = {name: _text(row[name], name, place) for name in _TEXTS if name in row}
    if not (texts.get("question", "").strip() or texts.get("draft", "").strip()):
        raise InputError(f"{place} has neither a question nor a draft")
    own: dict[str, Any] = {"id": str(number), "question": ""} | texts
    documents = tuple(_document(each, place) for each in _list(row, "documents", place))
    return Item(**own, documents=documents, gold=_gold(row, place))


def _text(value: object, name: str, place: str) -> str:
    if isinstance(value, str) or (name == "id" and isinstance(value, int)):
        return str(value)
    raise InputError(f"{place}: {name} is a {type(value).__name__}; write a text")


def _list(row: Row, name: str, place: str) -> list[Any]:
    value = row.get(name) or []
    if isinstance(value, list):
        return value
    raise InputError(f"{place}: {name} is a {type(value).__name__}; write a list")


def _document(given: object, place: str) -> Document:
    if isinstance(given, str):
        return Document(text=given)
    if isinstance(given, dict) and isinstance(given.get("text"), str):
        return Document(text=given["text"], title=str(given.get("title") or ""))
    raise InputError(f"{place}: a document is a text, or has `text` and `title`")


def _gold(row: Row, place: str) -> Mapping[str, Any]:
    gold = {name: row[name] for name in _GOLD if row.get(name) is not None}
    for fact in _list(gold, "facts", place):
        is_fact = isinstance(fact, dict) and isinstance(fact.get("text"), str)
        if not is_fact or not isinstance(fact.get("label"), bool):
            raise InputError(f"{place}: a fact has a `text`, and a `label` that is true or false")
    if not all(isinstance(answer, str) for answer in _list(gold, "answers", place)):
        raise InputError(f"{place}: answers are texts")
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
