"""An agent's answer in fields: what is to be checked in it, and the same with other texts."""

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from errata.core.records import Edit

GAP = "\n\n"
"""What stands between the fields' texts where they are checked as one."""
_WORDS = 3
"""A text of fewer words is a name or a value, and no statement."""
_DIGITS = 3
"""A shorter number may equal a wrong one by chance."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
Changes = dict[str, str]


def statements_of(value: object) -> list[str]:
    """The texts of an answer's fields, each once, in order."""
    texts = (leaf for leaf in _leaves(value) if isinstance(leaf, str))
    return list(dict.fromkeys(text for text in texts if len(text.split()) >= _WORDS))


def read_json(text: str) -> Any:
    """The object or list that a text is as JSON; None if it is none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict | list) else None


def changes_by(edits: Sequence[Edit], texts: Sequence[str]) -> Changes | None:
    """What each text becomes by edits of all; and numbers and names in fields of their own.

    None if an edit is not inside one text.
    """
    changes, place, left = Changes(), 0, list(edits)
    for text in texts:
        end, new = place + len(text), text
        inside = [edit for edit in left if place <= edit.start and edit.end <= end]
        for edit in sorted(inside, key=lambda each: -each.start):
            new = new[: edit.start - place] + edit.after + new[edit.end - place :]
        left = [edit for edit in left if edit not in inside]
        changes |= {text: new} if inside else {}
        place = end + len(GAP)
    if left:
        return None
    return {**_values_by(edits), **changes}


def _values_by(edits: Sequence[Edit]) -> Changes:
    """What fields that hold a replaced number or name alone become."""
    pairs = {edit.before.strip(): edit.after.strip() for edit in edits}
    for edit in edits:
        before, after = (_NUMBER.findall(text) for text in (edit.before, edit.after))
        gone, new = set(before) - set(after), set(after) - set(before)
        if len(gone) == len(new) == 1:
            pairs[gone.pop()] = new.pop()
    return {before: after for before, after in pairs.items() if len(before) >= _DIGITS}


def rebuild(value: Any, changes: Changes) -> Any:
    """The same object with other texts and values; raises ValueError if one takes no new value."""
    if isinstance(value, BaseModel):
        fields = {name: rebuild(own, changes) for name, own in vars(value).items()}
        return value.model_copy(update=fields)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        own = {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.init}
        return dataclasses.replace(value, **{n: rebuild(x, changes) for n, x in own.items()})
    if isinstance(value, Mapping):
        return {name: rebuild(own, changes) for name, own in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(rebuild(own, changes) for own in value)
    if type(value) in (str, int, float) and (new := changes.get(str(value))) is not None:
        return type(value)(new)
    return value


def in_json(text: str, changes: Changes) -> str:
    """A JSON text with other values, indented if it was."""
    value = rebuild(read_json(text), changes)
    return json.dumps(value, ensure_ascii=False, indent=2 if "\n" in text else None)


def _leaves(value: object) -> Iterator[object]:
    """The values that hold no others."""
    if isinstance(value, BaseModel) or (
        dataclasses.is_dataclass(value) and not isinstance(value, type)
    ):
        value = vars(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from _leaves(each)
    else:
        yield value
