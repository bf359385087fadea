"""A person's decisions on the edits of a correction, on the disk before the page shows them."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any

from filelock import FileLock, Timeout

from errata.cli.drafts import write_whole
from errata.core.edits import apply_edits
from errata.core.errors import InputError
from errata.core.jsonable import to_json
from errata.core.records import Correction, Edit, Verdict
from errata.nodes.claims import find_unmended
from errata.nodes.review import REJECT, decide, edits_by_id

_REFUTED = ("refuted", "conflicting")


@dataclass(frozen=True)
class Made:
    """What a person made of one edit, and when."""

    decision: str | dict[str, str] | None = None
    """`accept`, `reject`, `{"replace": text}`; None where it is open."""
    comment: str = ""
    at: str = ""


class Review:
    """The edits of a correction that a person decides on, with the decisions, kept in a file.

    A second review of the same file is refused while one is open. Of the edits that are not
    decided on, those under review are not made, the others are.
    """

    def __init__(
        self, correction: Correction, path: Path, ids: Iterable[str] | None = None
    ) -> None:
        """Read the decisions so far; `ids` are the edits under review, by default all.

        Raises InputError if the file is in use, cannot be read, or is about other edits.
        """
        self.correction, self.path = correction, path
        self.others = edits_by_id(correction.edits)
        names = list(self.others) if ids is None else list(ids)
        self.edits = {name: self.others.pop(name) for name in names}
        self._changing, self._lock = (
            RLock(),
            FileLock(f"{path}.lock", timeout=0, thread_local=False),
        )
        try:
            self._lock.acquire()
        except (Timeout, OSError) as error:
            fault = "is open in another review, or its folder read-only"
            raise InputError(f"{str(path)!r} {fault}") from error
        self.made = {name: Made() for name in self.edits} | self._read()

    def _read(self) -> dict[str, Made]:
        try:
            text = self.path.read_text("utf-8") if self.path.exists() else ""
            rows = [json.loads(line) for line in text.splitlines()]
            known = [_place(self.edits[row["edit"]]).items() <= row.items() for row in rows]
            made = {row["edit"]: Made(row["decision"], row["comment"], row["at"]) for row in rows}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._foreign() from error
        if not all(known):
            raise self._foreign()
        return made

    def _foreign(self) -> InputError:
        fault = "holds no decisions on these edits; move it away to begin anew"
        return InputError(f"{str(self.path)!r} {fault}")

    def decide(self, name: str, decision: Any, comment: str = "") -> Made:
        """Keep a decision on an edit; None takes it back.

        Raises InputError if there is no such edit, or the decision or the disk does not allow it.
        """
        if name not in self.edits:
            raise InputError(f"no edit {name!r} is under review")
        if decision is not None:
            decide({name: self.edits[name]}, {name: decision})
        made = Made(decision, str(comment), datetime.now(UTC).isoformat())
        with self._changing:
            changed = {**self.made, name: made}
            lines = (json.dumps(row, ensure_ascii=False) for row in self._rows(changed))
            write_whole(self.path, "".join(f"{line}\n" for line in lines).encode())
            self.made = changed
        return made

    def _rows(self, made: Mapping[str, Made]) -> Iterator[dict[str, Any]]:
        """A row for each claim of each edit that was decided or commented on.

        To `errata calibrate` it is a labelled row: whoever rejects an edit says that the claim is
        right. The label is empty where nothing is decided, or no claim was judged wrong.
        """
        texts = {claim.id: claim.text for claim in self.correction.claims}
        verdicts = {verdict.claim: verdict for verdict in self.correction.verdicts}
        for name, own in made.items():
            if own.decision is None and not own.comment:
                continue
            edit = self.edits[name]
            row = {"edit": name, **_place(edit), **vars(own)}
            for claim in [each for each in edit.claims if each in verdicts] or [""]:
                verdict = verdicts.get(claim)
                quotes = (verdict.evidence if verdict else ()) or edit.evidence
                yield {
                    "id": f"{name} {claim}".strip(),
                    "question": self.correction.question,
                    "claim": texts.get(claim, ""),
                    "evidence": list(dict.fromkeys(quote.text for quote in quotes)),
                    "label": _label(own.decision, verdict),
                    **row,
                }

    @property
    def open(self) -> int:
        """How many edits are not decided on yet."""
        return sum(made.decision is None for made in self.made.values())

    @property
    def decisions(self) -> dict[str, Any]:
        """The decision on each edit that is decided, as a waiting run takes them."""
        return {name: own.decision for name, own in self.made.items() if own.decision is not None}

    def result(self) -> Correction:
        """The correction with the edits that stand, and a note for each that was not let stand."""
        decided = {name: self.edits[name] for name in self.decisions}
        edits, notes = decide(decided, self.decisions)
        edits = sorted([*self.others.values(), *edits], key=lambda edit: (edit.start, edit.end))
        before = self.correction
        response = apply_edits(before.draft, edits)
        unmended = find_unmended(before.claims, before.verdicts, edits)
        return replace(
            before,
            edits=tuple(edits),
            response=response,
            changed=response != before.draft,
            unmended=tuple(claim.id for claim in unmended),
            notes=(*before.notes, *notes),
        )

    def shown(self) -> dict[str, Any]:
        """What the page shows beside the correction."""
        return {"made": to_json(self.made), "text": self.result().response, "live": False}


def _place(edit: Edit) -> dict[str, int | str]:
    return {name: getattr(edit, name) for name in ("start", "end", "before", "after")}


def _label(decision: object, verdict: Verdict | None) -> str:
    if decision is None or verdict is None or verdict.label not in (*_REFUTED, "not_mentioned"):
        return ""
    if decision == REJECT:
        return "supported"
    return "refuted" if verdict.label in _REFUTED else "not_mentioned"
