"""What a stream tells while a draft is written and corrected, in order; and the text so far."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from errata.core.edits import Span, join_edits
from errata.core.jsonable import from_json, to_json
from errata.core.records import Answer, Claim, Correction, Edit, Verdict

KEY = "errata_event"
"""The key under which a graph's custom stream holds an event; its name is in `event`."""


@dataclass(frozen=True, kw_only=True)
class Text:
    """A stretch of the draft, as it comes: it begins at the character `start` of the draft."""

    start: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Held:
    """A sentence in doubt, `draft[start:end]`, which is held back: a Text or a Patched follows."""

    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A verdict as it falls; a later one on the same claim counts over it."""

    claim: Claim
    verdict: Verdict


@dataclass(frozen=True, kw_only=True)
class Patched:
    """An edit of the draft, with the evidence it rests on; of what was held, of its sentence."""

    edit: Edit


Event = Text | Held | Judged | Patched
_KINDS: dict[str, type[Event]] = {kind.__name__: kind for kind in (Text, Held, Judged, Patched)}


def event_json(event: Event) -> dict[str, Any]:
    """An event as a graph's custom stream holds it."""
    return {KEY: {"event": type(event).__name__, **to_json(event)}}


def read_event(part: object) -> Event | None:
    """The event in a part of a custom stream; None if it holds something else."""
    values = part.get(KEY) if isinstance(part, dict) else None
    if not isinstance(values, dict):
        return None
    fields = {name: value for name, value in values.items() if name != "event"}
    return from_json(_KINDS[values["event"]], fields)


class Shown:
    """What of a text a reader has been shown, event by event."""

    def __init__(self) -> None:
        """Nothing has been shown yet."""
        self._pieces: dict[Span, str | None] = {}

    def add(self, event: Event) -> None:
        """Show what an event tells; a patch takes the place of all that it overlaps."""
        if isinstance(event, Text):
            self._put(event.start, event.start + len(event.text), event.text)
        elif isinstance(event, Held):
            self._put(event.start, event.end, None)
        elif isinstance(event, Patched):
            self._put(event.edit.start, event.edit.end, event.edit.after)

    def _put(self, start: int, end: int, text: str | None) -> None:
        pieces = dict[Span, str | None]()
        for (a, b), own in self._pieces.items():
            if own is not None and len(own) == b - a:  # of the draft as it is: it can be cut
                pieces |= {(a, min(b, start)): own[: max(start - a, 0)]} if a < start else {}
                pieces |= {(max(a, end), b): own[max(end - a, 0) :]} if b > end else {}
            elif b <= start or a >= end:
                pieces[a, b] = own
        self._pieces = dict(sorted({**pieces, (start, end): text}.items()))

    def text(self, gap: str = "") -> str:
        """All that is shown, with `gap` for each sentence that is held back."""
        return "".join(gap if own is None else own for own in self._pieces.values())

    @property
    def ready(self) -> str:
        """What is shown up to the first gap."""
        return "".join(_until_gap(self._pieces))


def _until_gap(pieces: dict[Span, str | None]) -> Iterator[str]:
    place = 0
    for (start, end), own in pieces.items():
        if own is None or start > place:
            return
        yield own
        place = max(place, end)


def closing_events(draft: str, edits: Sequence[Edit], held: Iterable[Span]) -> Iterator[Event]:
    """What ends a stream: each held sentence, patched or as it was, and every other edit."""
    left = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for start, end in sorted(held):
        own = [edit for edit in left if start <= edit.start and edit.end <= end]
        left = [edit for edit in left if edit not in own]
        if own:
            yield Patched(edit=join_edits(draft, own, (start, end)))
        elif not any(edit.start < end and start < edit.end for edit in left):
            yield Text(start=start, text=draft[start:end])
    yield from (Patched(edit=edit) for edit in left)


def untold(result: Correction | Answer, told: Sequence[Event]) -> Iterator[Event]:
    """What a method's stream did not tell of its result: all of it where it tells nothing."""
    is_correction = isinstance(result, Correction)
    if not any(isinstance(event, Text | Held) for event in told):
        yield Text(start=0, text=result.draft if is_correction else result.response)
        yield from (Patched(edit=edit) for edit in (result.edits if is_correction else ()))
    if is_correction:
        judged = [event for event in told if isinstance(event, Judged)]
        known = {event.verdict.claim: event.verdict for event in judged}
        claims = {claim.id: claim for claim in result.claims}
        for verdict in result.verdicts:
            if known.get(verdict.claim) != verdict:
                yield Judged(claim=claims[verdict.claim], verdict=verdict)
