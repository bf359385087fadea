"""A person's review of a correction: the decisions, which are kept in a file."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

from filelock import FileLock, Timeout

from errata.cli.drafts import write_whole
from errata.core.edits import apply_edits
from errata.core.errors import InputError
from errata.core.records import INCONCLUSIVE, Correction, Edit, Verdict
from errata.nodes.claims import find_unmended
from errata.nodes.review import REJECT, decide, edits_by_id


@dataclass(frozen=True)
class Made:
    """What a person made of one edit, and when."""

    decision: str | dict[str, str] | None = None
    """`accept`, `reject`, `{"replace": text}`; None where it is open."""
    at: str = ""


class Review:
    """The edits of a correction with a person's decisions; open ones are not made.

    The decisions are in a file, which nobody else can open meanwhile.
    """

    def __init__(self, correction: Correction, path: Path) -> None:
        """Go on with the decisions so far.

        Raises InputError if the edits do not fit the draft, or the file is open in another review
        or has no decisions on them.
        """
        apply_edits(correction.draft, correction.edits)
        self.correction, self.edits = correction, edits_by_id(correction.edits)
        self.path, self.made = path, dict.fromkeys(self.edits, Made())
        self._file, self._deciding = FileLock(f"{path}.lock", timeout=0), Lock()
        try:
            self._file.acquire()
            text = path.read_text("utf-8") if path.exists() else ""
            self._read(map(json.loads, text.splitlines()))
        except Timeout as error:
            raise InputError(f"{str(path)!r} is open in another review") from error
        except (OSError, ValueError, InputError) as error:
            fault = f"cannot read {str(path)!r} as decisions: {error}; move it away to begin anew"
            raise InputError(fault) from error

    def _read(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take decisions from their rows. Raises InputError if they are about other edits."""
        for row in rows:
            try:
                if not _place(self.edits[row["edit"]]).items() <= row.items():
                    raise InputError("they are about other edits")
                self.made[row["edit"]] = Made(row["decision"], row["at"])
            except (KeyError, TypeError, AttributeError) as error:
                raise InputError(f"cannot read {row!r} as a decision: {error!r}") from error

    def decide(self, name: str, decision: Any) -> Made:
        """Decide on an edit; None takes it back.

        Raises InputError if it cannot be read, or cannot be kept.
        """
        if name not in self.edits:
            raise InputError(f"no edit {name!r} is under review")
        if decision is not None:
            decide({name: self.edits[name]}, {name: decision})
        made = Made(decision, datetime.now(UTC).isoformat())
        with self._deciding:
            changed = {**self.made, name: made}
            # Kept before anybody sees it as decided.
            rows = self.rows(changed)
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            write_whole(self.path, "".join(lines).encode())
            self.made = changed
        return made

    def rows(self, made: Mapping[str, Made]) -> Iterator[dict[str, Any]]:
        """A row for each claim of each edit with a decision; `calibrate` reads them."""
        texts = {claim.id: claim.text for claim in self.correction.claims}
        verdicts = {verdict.claim: verdict for verdict in self.correction.verdicts}
        for name, own in made.items():
            edit = self.edits[name]
            judged = [each for each in edit.claims if each in verdicts] or [""]
            for claim in judged if own.decision else ():
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

    def check_finished(self) -> None:
        """Raise InputError while an edit is open."""
        if len(self.decisions) < len(self.edits):
            raise InputError("decide on all edits first")

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
    wrong = {"refuted": "refuted", "conflicting": "refuted"}
    wrong |= dict.fromkeys(INCONCLUSIVE, "not_mentioned")
    if decision is None or said not in wrong:
        return ""
    return "supported" if decision == REJECT else wrong[said]
