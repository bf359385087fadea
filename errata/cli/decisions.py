"""A person's decisions on the edits of a correction, on the disk before the page shows them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from filelock import FileLock, Timeout

from errata.cli.drafts import write_whole
from errata.core.edits import apply_edits
from errata.core.errors import InputError
from errata.core.records import Correction, Edit, Verdict
from errata.nodes.claims import find_unmended
from errata.nodes.review import REJECT, decide, edits_by_id


@dataclass(frozen=True)
class Made:
    """What a person made of one edit, and when."""

    decision: str | dict[str, str] | None = None
    """`accept`, `reject`, `{"replace": text}`; None where it is open."""
    comment: str = ""
    at: str = ""


class Review:
    """The edits of a correction with a person's decisions, kept in a file; open ones are not made.

    While it is open nobody else can open the file.
    """

    def __init__(self, correction: Correction, path: Path) -> None:
        """Read the decisions so far.

        Raises InputError if the edits do not fit the draft, or the file is open in another review
        or about other edits.
        """
        apply_edits(correction.draft, correction.edits)
        self.correction, self.edits, self._path = correction, edits_by_id(correction.edits), path
        self._changing, self._file = Lock(), FileLock(f"{path}.lock", timeout=0)
        try:
            self._file.acquire()
            text = path.read_text("utf-8") if path.exists() else ""
            rows = [json.loads(line) for line in text.splitlines()]
            foreign = [r for r in rows if not _place(self.edits[r["edit"]]).items() <= r.items()]
            made = {row["edit"]: Made(row["decision"], row["comment"], row["at"]) for row in rows}
        except Timeout as error:
            raise InputError(f"{str(path)!r} is open in another review") from error
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"cannot read {str(path)!r} as decisions: {error!r}") from error
        if foreign:
            raise InputError(f"{str(path)!r} is about other edits; move it away to begin anew")
        self.made = dict.fromkeys(self.edits, Made()) | made

    def decide(self, name: str, decision: Any, comment: str) -> Made:
        """Keep a decision on an edit; None takes it back.

        Raises InputError if it cannot be read, or cannot be written.
        """
        if name not in self.edits:
            raise InputError(f"no edit {name!r} is under review")
        if decision is not None:
            decide({name: self.edits[name]}, {name: decision})
        made = Made(decision, comment, datetime.now(UTC).isoformat())
        with self._changing:
            changed = {**self.made, name: made}
            rows = (json.dumps(row, ensure_ascii=False) + "\n" for row in self._rows(changed))
            write_whole(self._path, "".join(rows).encode())
            self.made = changed
        return made

    def _rows(self, made: Mapping[str, Made]) -> Iterator[dict[str, Any]]:
        """A row for each claim of each edit with a decision or comment; `calibrate` reads them."""
        texts = {claim.id: claim.text for claim in self.correction.claims}
        verdicts = {verdict.claim: verdict for verdict in self.correction.verdicts}
        for name, own in made.items():
            edit = self.edits[name]
            judged = [each for each in edit.claims if each in verdicts] or [""]
            for claim in judged if own.decision or own.comment else ():
                verdict = verdicts.get(claim, Verdict(claim="", label="unchecked"))
                quotes = verdict.evidence or edit.evidence
                yield {
                    "id": f"{name} {claim}".strip(),
                    "question": self.correction.question,
                    "claim": texts.get(claim, ""),
                    "evidence": list(dict.fromkeys(quote.text for quote in quotes)),
                    "label": _label(own.decision, verdict.label),
                    "edit": name,
                    **_place(edit),
                    **asdict(own),
                }

    @property
    def decisions(self) -> dict[str, Any]:
        """The decisions on the edits that are decided, in the order of the draft."""
        return {n: own.decision for n, own in self.made.items() if own.decision is not None}

    def result(self) -> Correction:
        """The correction with the edits that stand, and a note for each that does not."""
        own, decisions = self.correction, self.decisions
        edits, notes = decide({name: self.edits[name] for name in decisions}, decisions)
        response = apply_edits(own.draft, edits)
        unmended = find_unmended(own.claims, own.verdicts, edits)
        return replace(
            own,
            edits=tuple(edits),
            response=response,
            changed=response != own.draft,
            unmended=tuple(claim.id for claim in unmended),
            notes=(*own.notes, *notes),
        )


def _place(edit: Edit) -> dict[str, int | str]:
    return {name: getattr(edit, name) for name in ("start", "end", "before", "after")}


def _label(decision: object, said: str) -> str:
    """What a decision says of a claim: whoever rejects an edit says that the claim is right."""
    wrong = {"refuted": "refuted", "conflicting": "refuted", "not_mentioned": "not_mentioned"}
    if decision is None or said not in wrong:
        return ""
    return "supported" if decision == REJECT else wrong[said]
