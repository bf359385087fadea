"""The unit of a batch: a row in, its output row out, with the error if it failed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errata.auto import AUTO
from errata.core.errors import AccessError, ErrataError, InputError, SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Correction, Document, Usage, result_json
from errata.methods import Result
from errata.nodes.context import Context
from errata.session import Session
from errata.tools.files.rows import parse_json_row
from errata.tools.net.redaction import redact

AT_ONCE = 32
"""The most rows under way at once where models are asked."""
FORM = "a row is {id, question, draft?, documents?: [texts or {text, title, url, id}]}"


@dataclass(frozen=True, kw_only=True)
class BatchRow:
    """One row of a batch: a draft to correct or check, or a question to answer."""

    id: str
    """Unique in the batch; `line 7` where the input gave none."""
    question: str = ""
    draft: str = ""
    documents: tuple[Document, ...] = ()
    """What the row is judged by besides the batch's corpus; nothing in them is fetched."""


class RowError(InputError):
    """What is wrong with a row, without its place; `id` is its id, where that could be read."""

    def __init__(self, fault: str, name: str = "") -> None:
        """Say what is wrong with the row of a name."""
        super().__init__(fault)
        self.id = name


def read_line(line: bytes, number: int, *, corrects: bool) -> BatchRow:
    """The row on a line of a file. Raises RowError."""
    try:
        values = parse_json_row(line.decode("utf-8-sig"), "")
    except UnicodeDecodeError as error:
        fault = f"byte {error.start + 1} of the line is not UTF-8; write the file in UTF-8"
        raise RowError(fault) from error
    except InputError as error:
        raise RowError(str(error).removeprefix(": ")) from error
    return read_row(values, f"line {number}", corrects=corrects)


def read_row(values: Mapping[str, Any], place: str = "", *, corrects: bool) -> BatchRow:
    """A row made from its values, called by its place without an id; raises RowError."""
    name = values.get("id")
    name = place if name is None and place else name
    if isinstance(name, bool) or not isinstance(name, str | int | float) or name == "":
        raise RowError(f"id must be a text or a number that is not empty; got {name!r:.60}; {FORM}")
    name = str(name)
    known = _known(values, "question", "draft", "documents")
    if isinstance(given := known.get("documents"), Iterable) and not isinstance(given, str | dict):
        known["documents"] = [_as_document(each) for each in given]
    try:
        row = from_json(BatchRow, {**known, "id": name}, FORM)
    except InputError as error:
        raise RowError(str(error), name) from error
    if row.question.strip() or (corrects and row.draft.strip()):
        return row
    lacks = "neither a draft nor a question" if corrects else "no question to answer"
    raise RowError(f"the row has {lacks}; {FORM}", name)


def _known(values: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """The fields of these names; an empty one is as one that is missing."""
    return {name: values[name] for name in names if values.get(name) is not None}


def _as_document(value: object) -> object:
    """A row's document as given: no text in it is taken as a file or address to read."""
    value = {"text": value} if isinstance(value, str) else value
    return _known(value, "text", "title", "url", "id") if isinstance(value, Mapping) else value


@dataclass(frozen=True)
class RowWork:
    """What is done to every row."""

    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    check: bool = False

    def open_session(self) -> Session:
        """A session, not yet entered; raises SettingError, also for `auto`: guesses may change."""
        if self.settings.get("model") == AUTO:
            raise SettingError("a batch guesses no judge; name a model, or local")
        return Session(self.method, **self.settings)


def by_models(context: Context) -> bool:
    """Whether any role is filled by a model, so that rows wait for servers more than for cores."""
    return any(context.by_model(role) for role in context.ROLES)


async def run_row(session: Session, row: BatchRow, work: RowWork) -> dict[str, Any]:
    """A row's result as JSON, or its `error`; raises AccessError and SettingError alone."""
    result: Result
    try:
        if session.method.corrects:
            verb = session.acheck if work.check else session.acorrect
            result = await verb(row.question, row.draft, row.documents)
        else:
            result = await session.aanswer(row.question, row.documents)
    except (AccessError, SettingError):
        raise
    except Exception as error:  # noqa: BLE001  a row that breaks our code harms no other row
        kind = "" if isinstance(error, ErrataError) else f"{type(error).__name__}: "
        return _failed_row(row, f"{kind}{error}")
    if fault := _fault_of(result):
        return _failed_row(row, f"{fault}: {'; '.join(result.notes[:1])}", result.usage)
    return {"id": row.id, **result_json(result)}


def _failed_row(row: BatchRow, fault: str, usage: Usage | None = None) -> dict[str, Any]:
    """The output row of a failed row, without secrets; its response is the draft."""
    kept = {"question": row.question, "draft": row.draft, "response": row.draft}
    spent = {"usage": to_json(usage)} if usage else {}
    return {"id": row.id, "error": redact(fault), **kept, **spent}


def never_answered(usage: Usage) -> bool:
    """Whether every call to a model failed, so that the result is no work of the method."""
    return not usage.replies and _has_failed_calls(usage)


def _has_failed_calls(usage: Usage) -> bool:
    return any(share.get("failed_calls") for share in usage.by_role.values())


def _fault_of(result: Result) -> str:
    """Why a result counts as failed because calls to models failed; empty if it does not."""
    if never_answered(result.usage):
        return "no call to a model was answered"
    labels = set(result.counts) if isinstance(result, Correction) else set()
    unjudged = labels and labels <= {"unchecked", "unreadable"}
    return "no claim could be judged" if unjudged and _has_failed_calls(result.usage) else ""
