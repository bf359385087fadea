"""What a stream tells while a draft is written and corrected, in order; and the text so far."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

from errata.core.edits import Span, grouped, join_edits
from errata.core.jsonable import from_json, to_json
from errata.core.records import Answer, Claim, Correction, Edit, Verdict

KEY = "errata"
"""The key under which a graph's custom stream holds an event; its name is in `event`."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """How many things a step of the graph has done, and of how many."""

    step: str
    done: int
    total: int


@dataclass(frozen=True, kw_only=True)
class Text:
    """A stretch of the draft, as it comes: it begins at the character `start` of the draft."""

    start: int
    text: str
    anew: bool = False
    """Whether all that was shown before is taken back: it was a thought, told by its end alone."""


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
_KINDS: dict[str, type[Event | Step]] = {kind.__name__: kind for kind in get_args(Event | Step)}


def event_json(event: Event | Step) -> dict[str, Any]:
    """An event as a graph's custom stream holds it."""
    return {KEY: {"event": type(event).__name__, **to_json(event)}}


def read_event(part: object) -> Event | Step | None:
    """The event in a part of a custom stream; None if it holds something else."""
    values = part.get(KEY) if isinstance(part, dict) else None
    if not isinstance(values, dict) or values.get("event") not in _KINDS:
        return None
    fields = {name: value for name, value in values.items() if name != "event"}
    return from_json(_KINDS[values["event"]], fields)


@dataclass
class Shown:
    """The part of a text that a reader has seen so far, event by event."""

    _pieces: "dict[Span, _Piece]" = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Show what an event tells; a patch takes the place of all that it overlaps."""
        if isinstance(event, Text):
            self._pieces = {} if event.anew else self._pieces
            place = (event.start, event.start + len(event.text))
            self._put(place, _Piece(event.text, is_draft=True))
        elif isinstance(event, Held):
            self._put((event.start, event.end), _Piece(None))
        elif isinstance(event, Patched):
            self._put((event.edit.start, event.edit.end), _Piece(event.edit.after))

    def _put(self, place: Span, piece: "_Piece") -> None:
        (start, end), pieces = place, dict[Span, _Piece]()
        for (a, b), own in self._pieces.items():
            if b <= start or a >= end:
                pieces[a, b] = own
            elif own.is_draft and own.text is not None:
                kept = {(a, start): own.text[: start - a], (end, b): own.text[end - a :]}
                pieces |= {at: _Piece(x, is_draft=True) for at, x in kept.items() if at[0] < at[1]}
        self._pieces = dict(sorted({**pieces, place: piece}.items()))

    def text(self, gap: str = "") -> str:
        """All that is shown, with `gap` for each sentence that is held back."""
        return "".join(gap if own.text is None else own.text for own in self._pieces.values())

    @property
    def ready(self) -> str:
        """What is shown up to the first gap."""
        place, texts = 0, list[str]()
        for (start, end), own in self._pieces.items():
            if own.text is None or start > place:
                break
            texts.append(own.text)
            place = max(place, end)
        return "".join(texts)


class _Piece(NamedTuple):
    """What stands in the place of a stretch of the draft; None where it is held back."""

    text: str | None
    is_draft: bool = False


def closing_events(draft: str, edits: Sequence[Edit], held: Iterable[Span]) -> Iterator[Event]:
    """What ends a stream: each held sentence, patched or as it was, and every other edit."""
    placed: list[tuple[Span, Edit | None]] = [((edit.start, edit.end), edit) for edit in edits]
    for (start, end), group in grouped([*placed, *((span, None) for span in held)]):
        own = [edit for edit in group if edit]
        if own and None in group:
            yield Patched(edit=join_edits(draft, own, (start, end)))
        elif None in group:
            yield Text(start=start, text=draft[start:end])
        else:
            yield from (Patched(edit=edit) for edit in own)


def untold(result: Correction | Answer, told: Sequence[Event]) -> Iterator[Event]:
    """The events of a result that its stream left out; all of them if it sent no text."""
    nothing = not any(isinstance(event, Text | Held) for event in told)
    if isinstance(result, Answer):
        yield from [Text(start=0, text=result.response)] if nothing else []
        return
    if nothing:
        yield Text(start=0, text=result.draft)
        yield from (Patched(edit=edit) for edit in result.edits)
    judged = [event for event in told if isinstance(event, Judged)]
    known = {event.verdict.claim: event.verdict for event in judged}
    for claim, verdict in result.judged:
        if known.get(claim.id) != verdict:
            yield Judged(claim=claim, verdict=verdict)
