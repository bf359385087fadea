"""The days of birth and death in the brackets after a name: "Ada Byron (born 10 May 1815)"."""

import re
from collections.abc import Iterator
from dataclasses import replace

from errata.tools.judges.evidence import Reading
from errata.tools.judges.pairs import Difference, Pair
from errata.tools.judges.values import precision
from errata.tools.text.entities import Entity, agree, find_dates, write_like
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems

_LIFE = re.compile(
    r"\((?:[^()]*?; ?)?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?|, (?=died ))(?P<die>[^()–—]{4,40})\)"
)
_OPEN = re.compile(r",? or (?:earlier|later|before|after)\b")
LIFE_EVENTS = frozenset(_LIFE.groupindex)
"""The stems of "born" and "died"."""


def find_life_dates(pair: Pair) -> Iterator[Difference]:
    """Another day of birth or death than a claim has of the same name."""
    stated, dates = _read_life(pair.claim, pair.strip), find_dates(pair.claim.text)
    if stated and len(dates) == 1 and not pair.evidence.mentions(dates[0]):
        [claimed] = dates
        is_told = 0 < precision(claimed) <= precision(stated)
        if is_told and not _OPEN.match(pair.claim.text, claimed.end):
            found = Difference("life", claimed.text, stated.text, pair.strip, 1.0)
            yield replace(found, replacement=write_like(stated, claimed))


def has_life_date(claim: Reading, strip: Strip) -> bool:
    """Whether a claim says only when somebody was born or died, and a strip's brackets agree."""
    stated, dates = _read_life(claim, strip), find_dates(claim.text)
    names = frozenset[str]().union(*(e.stems for e in claim.all_entities if e.kind == "name"))
    said = claim.context - names - LIFE_EVENTS - claim.topic
    one = len(dates) == 1 and said <= dates[0].stems
    return bool(
        stated and one and agree(dates[0], stated) and 0 < precision(dates[0]) <= precision(stated)
    )


def _read_life(claim: Reading, strip: Strip) -> Entity | None:
    """The day in a strip's brackets of the event that a claim has; None without one."""
    life, event = _LIFE.search(strip.text), set(claim.bag & LIFE_EVENTS)
    named = content_stems(strip.text[: life.start()]) if life else frozenset[str]()
    name = next((e.stems for e in claim.all_entities if e.kind == "name"), claim.topic)
    if not life or len(event) != 1 or not name or not name <= named:
        return None
    dates = find_dates(life[event.pop()])
    return dates[0] if len(dates) == 1 else None
