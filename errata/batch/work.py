"""The unit of a batch: a row in, its output row out, with the error if it failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from errata.batch.rows import BatchRow
from errata.core.errors import AccessError, ErrataError, SettingError
from errata.core.jsonable import to_json
from errata.core.records import Correction, Usage, result_json
from errata.methods import Result
from errata.session import Session
from errata.tools.net.redaction import redact


@dataclass(frozen=True)
class Work:
    """What is done to every row."""

    method: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    """The method's settings, as JSON values."""
    check: bool = False
    """Whether a correcting method only judges, and changes nothing."""

    def open_session(self) -> Session:
        """A session with these settings, not yet entered.

        Raises SettingError if there is no such method or setting.
        """
        return Session(self.method, **self.settings)


async def run_row(session: Session, row: BatchRow, work: Work) -> dict[str, Any]:
    """A row's result as JSON under its `id`; a failure is in it as `error`.

    A failed row keeps its draft, which is its response too. Raises AccessError if a model's server
    refuses the key or the model, and SettingError if the method cannot do this work.
    """
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
