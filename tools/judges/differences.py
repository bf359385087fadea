"""Numbers and dates of a claim in whose place a strip has others, and documents that disagree."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import product

from errata.core.limits import check_time
from errata.core.records import Claim, Document, Quote, Verdict, VerdictLabel
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.pairs import shared
from errata.tools.judges.values import MOST, Value, find_values, is_stated
from errata.tools.text.entities import agree
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Strip, split_sentences
from errata.tools.text.words import content_stems

SHARED = 0.7
"""The share of a claim's other words that a strip has which speaks of the same thing."""
OPENINGS = 50
"""How many opening strips are read for life dates."""
_LIFE = re.compile(
    r"\((?:[^()]*?; ?)?(?P<born>[^()–—;]{4,40}?)(?: ?[–—] ?|, (?=died ))(?P<die>[^()–—]{4,40})\)"
)
"""By the stems of "born" and "died", what stands in brackets: 7 November 1867 – 4 July 1934."""
_NEAR = re.compile(
    r"(?:He|She|They|(?P<name>[^.,;]+?))(?: was| were)? (?:born|died)\b"
    r"(?:(?! and | about | around | circa )[^.;]){0,40}"
)
"""What stands before a date that is the day of the subject's own birth or death."""
_LED = re.compile(r"(?:(?:born|died|n[eé]e?|[bd]|ca?|on|in)\.? )?", re.IGNORECASE)
"""What stands in brackets before a day of birth or death."""
_BORN = re.compile(r"\(born (?P<born>[^()–—;]{4,40})\)")
UNMARKED = "whether the documents disagree was not checked"


@dataclass(frozen=True)
class Difference:
    """A value of a claim, and those that a strip has of its kind."""

    claimed: Value
    stated: Sequence[Value]
    strip: Strip
    is_exact: bool = False
    """Whether it refutes the claim whatever the reader takes it for."""

    @property
    def explanation(self) -> str:
        """The difference in words."""
        stated = " and ".join(value.text for value in self.stated)
        return f"the claim says {self.claimed.text}; the evidence says {stated}"


@dataclass(frozen=True)
class Dispute:
    """A value on which two documents disagree, and whether the first one supports the claim."""

    sides: tuple[tuple[str, Strip], tuple[str, Strip]]
    is_supported: bool


def compare(claim: Reading, evidence: Evidence) -> tuple[list[Difference], Dispute | None]:
    """The values of a claim that no strip supports and some strip has others for; or a dispute.

    Only strips count that have most of the claim's other words.
    """
    found = list[Difference]()
    for claimed in find_values(claim.text)[:MOST]:
        check_time()
        strips = [
            s for s in evidence.best(claim) if shared(claim, s, evidence, claimed.stems) >= SHARED
        ]
        holding = [strip for strip in strips if is_stated(claimed, strip.text)]
        others = [d for strip in strips for d in _differ(claimed, strip)]
        if dispute := _find_dispute(claimed, holding, others, evidence):
            return [], dispute
        if not any(is_stated(claimed, strip.text) for strip in evidence.best(claim)):
            found += others
    return found, None


def _differ(claimed: Value, strip: Strip) -> Iterator[Difference]:
    """The values of a claimed one's kind that a strip has, if none there supports it."""
    if claimed.key or is_stated(claimed, strip.text):
        return
    values = find_values(strip.text)
    if claimed.quantity and any(value.is_bare for value in values):
        return  # of ten games five were lost: what the others count is not said
    like = [value for value in values if value.is_like(claimed)]
    other = [value for value in like if value.supports(claimed) is False]
    if other and len(other) == len(like):
        yield Difference(claimed, other, strip)


def read_life(claim: Reading, evidence: Evidence) -> Difference | Strip | None:
    """What a name's brackets say of a claim on a birth or a death: another day, or the same.

    Only a claim that says no more than the day has a strip.
    """
    events = claim.bag & _LIFE.groupindex.keys()
    dates = [value for value in find_values(claim.text) if value.kind == "date"]
    if len(events) != 1 or len(dates) != 1:
        return None
    [event], [claimed] = events, dates
    near = _NEAR.fullmatch(claim.text[: claimed.start])
    subject = near["name"] if near else None
    is_name = any(e.kind == "name" and e.text == subject for e in claim.all_entities)
    if not near or (subject and not is_name):
        return None
    name = content_stems(subject) if subject else claim.topic
    for strip in evidence.openings[:OPENINGS]:
        life = _LIFE.search(strip.text) or _BORN.search(strip.text)
        days = {key: _day_in(told) for key, told in life.groupdict().items()} if life else {}
        stated = days.get(event) if all(days.values()) else None
        if life and stated and name and name <= content_stems(strip.text[: life.start()]):
            others = [life.span(other) for other in days if other != event]
            start, end = others[0] if others else (0, 0)
            rest = strip.text[:start] + strip.text[end:]
            said = {*name, event, *claimed.stems}
            return _compare_days(claim, claimed, stated, strip, rest, said)
    return None


def _day_in(told: str) -> Value | None:
    """The one date of a text that begins with it; None of an office and its years."""
    days = [value for value in find_values(told) if value.kind == "date"]
    return days[0] if len(days) == 1 and _LED.fullmatch(told[: days[0].start]) else None


def _compare_days(
    claim: Reading, claimed: Value, stated: Value, strip: Strip, rest: str, said: Set[str]
) -> Difference | Strip | None:
    """As `read_life`; the `rest` of the strip is what it says besides the other event's day."""
    ours, theirs = claimed.entity, stated.entity
    if ours and theirs and not (agree(ours, theirs) or is_stated(claimed, rest)):
        return Difference(claimed, [stated], strip, is_exact=True)
    says_more = {*claim.own_stems} - said
    return strip if stated.supports(claimed) and not says_more else None


def _find_dispute(
    claimed: Value, holding: Sequence[Strip], others: Sequence[Difference], evidence: Evidence
) -> Dispute | None:
    """Two documents of which only one has the claim's value, or that have two other ones."""
    for strip, other in product(holding, others):
        if evidence.are_two_sources(strip, other.strip) and _may_be_one(strip, other.strip):
            sides = (claimed.text, strip), (other.stated[0].text, other.strip)
            return Dispute(sides, is_supported=True)
    for one, other in product(others, others):
        are_clear = len(one.stated) == len(other.stated) == 1
        is_other = are_clear and one.stated[0].supports(other.stated[0]) is False
        if is_other and evidence.are_rivals(one.strip, other.strip):
            sides = (one.stated[0].text, one.strip), (other.stated[0].text, other.strip)
            return Dispute(sides, is_supported=False)
    return None


def _may_be_one(strip: Strip, other: Strip) -> bool:
    """Whether two strips may be on one thing: they do not begin with names of two."""
    names = [next((e.stems for e in s.entities if e.kind == "name"), None) for s in (strip, other)]
    return not (names[0] and names[1]) or not names[0].isdisjoint(names[1])


def judge_dispute(
    dispute: Dispute, evidence: Evidence
) -> tuple[VerdictLabel, str, tuple[Quote, ...]]:
    """The label of a claim on which documents disagree, what each of them says, and the quotes.

    A claim that the newer document supports is supported; else, or where a document's title has no
    date, the evidence is conflicting. What supports the claim comes first.
    """
    ours, theirs = (evidence.dates.get(strip.document, "") for _, strip in dispute.sides)
    is_newer = dispute.is_supported and ours > theirs > ""
    label: VerdictLabel = "supported" if is_newer else "conflicting"
    said = "; ".join(f"{text} by {_name(strip, evidence)}" for text, strip in dispute.sides)
    quotes = tuple(dict.fromkeys(strip.quote for _, strip in dispute.sides))
    return label, f"the documents disagree: {said}", quotes


def _name(strip: Strip, evidence: Evidence) -> str:
    """A strip's document by its title and date."""
    title = evidence.titles.get(strip.document) or f"document {strip.document}"
    date = evidence.dates.get(strip.document, "")
    return f"“{title}”" if not date or date in title else f"“{title}” ({date})"


def mark_disputes(
    question: str,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
) -> list[Verdict]:
    """Verdicts where no claim is silently supported on which the documents disagree."""
    evidence = read_evidence(question, claims, documents)
    texts, marked = {claim.id: claim.text for claim in claims}, [*verdicts]
    for place, verdict in enumerate(verdicts):
        if verdict.label == "supported":
            _, dispute = compare(read_claim(texts[verdict.claim], question), evidence)
            if dispute:
                label, said, quotes = judge_dispute(dispute, evidence)
                marked[place] = replace(verdict, label=label, explanation=said, evidence=quotes)
    return marked


def find_disputes(question: str, text: str, documents: Sequence[Document]) -> list[str]:
    """On what the documents disagree of what a text says, in words."""
    evidence = collect_evidence(topic_stems(question), documents)
    readings = (read_claim(text[a:b], question) for a, b in split_sentences(text))
    found = (compare(reading, evidence)[1] for reading in readings)
    return list(dict.fromkeys(judge_dispute(d, evidence)[1] for d in found if d))
