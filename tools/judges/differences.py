"""Where a strip says otherwise than a claim, as far as can be told exactly, and documents disagree.

A difference counts only if the strip speaks of the same thing: apart from what differs, it has most
of the claim's words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from errata.core.limits import check_time
from errata.core.records import Claim, Document, Quote, Verdict, VerdictLabel
from errata.tools.judges.evidence import (
    Evidence,
    Reading,
    collect_evidence,
    read_claim,
    read_evidence,
)
from errata.tools.judges.meanings import (
    find_denials,
    find_exchanged_roles,
    find_misplaced,
    find_opposites,
    is_in_place,
)
from errata.tools.judges.other_values import (
    LIFE_EVENTS,
    find_life_dates,
    find_other_dates,
    find_other_names,
    find_other_values,
    has_life_date,
)
from errata.tools.judges.pairs import Difference, Kind, Pair, first_name, presupposed
from errata.tools.judges.values import find_values, has_value, is_stated
from errata.tools.text.clauses import is_denial
from errata.tools.text.entities import find_entities
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import Strip, split_sentences

SHARED: dict[Kind, float] = {
    "negation": 0.8, "opposite": 0.7, "quantity": 0.7, "scale": 0.4, "date": 0.7, "time": 0.6,
    "ordinal": 0.7, "place": 0.8, "name": 0.7, "life": 0.0, "roles": 0.5, "conflict": 0.7,
}  # fmt: skip
"""The share of a claim's other words, by idf, that the strip must have."""
_FINDERS = (
    find_other_values, find_other_names, find_misplaced, find_life_dates, find_opposites,
    find_denials, find_exchanged_roles,
)  # fmt: skip
_NO_VALUES = ("negation", "opposite", "roles", "conflict")
OPENINGS = 50
"""How many opening strips are read for life dates."""
UNMARKED = "whether the documents disagree was not checked"


@dataclass(frozen=True)
class Comparison:
    """Where the strips that match a claim best say otherwise."""

    differences: Sequence[Difference]
    """What refutes the claim, the surest first."""
    disputes: Sequence[Difference]
    """On what the documents disagree."""
    told: Strip | None
    """A strip that bears the claim out exactly: with another value in place of one that the claim
    denies, with the day of a birth or death in brackets, with its count among several, or word for
    word."""


def compare(claim: Reading, evidence: Evidence) -> Comparison:
    """A claim beside the strips that match it best."""
    known = presupposed(claim, evidence)
    strips = evidence.best(claim)
    if not claim.bag.isdisjoint(LIFE_EVENTS):
        # Openings have the life dates of whom their documents are about.
        strips = list(dict.fromkeys([*strips, *evidence.openings[:OPENINGS]]))
    pairs = [Pair(claim, strip, evidence, known) for strip in strips]
    every = (d for pair in pairs for find in _FINDERS for d in find(pair))
    found = [difference for difference in every if difference.shared >= SHARED[difference.kind]]
    found += find_other_dates(claim, evidence)
    told, denied = None, is_denial(claim.words, claim.bag)
    if denied:
        # It may be another value than one that the claim denies: what is not 9 km may be 12.
        others = (d.strip for d in found if d.kind not in _NO_VALUES)
        told = next((s for s in others if is_denial(s.words, claim.bag) is False), None)
    told = told or next((strip for strip in strips if has_life_date(claim, strip)), None)
    # Of what a claim may deny or not, nothing is sure.
    sure = [] if told or denied is None else sorted(_nearest(found, claim), key=lambda d: -d.shared)
    holding = _find_holding(p for p in pairs if all(d.strip != p.strip for d in sure))
    settled = [_settle(difference, holding, evidence) for difference in sure]
    differences = [d for d in settled if d and not d.borne_out]
    rivals = list(_find_rivals(differences, evidence))
    if not any(settled):
        said = (p.strip for p in pairs if _is_same(p) or is_in_place(p))
        told = told or next(said, None)
    return Comparison(
        differences=[] if rivals else differences,
        disputes=[*(d for d in settled if d and d.borne_out), *rivals],
        told=told,
    )


def _is_same(pair: Pair) -> bool:
    """Whether a strip has a claim's words, and its values to the letter."""
    values = find_values(pair.claim.text) if pair.claim.stems == pair.strip.stems else None
    return values is not None and all(is_stated(value, pair.strip.text) for value in values)


def _nearest(found: Sequence[Difference], claim: Reading) -> Iterator[Difference]:
    """Those whose strip has all of the claim's words that another one's has: Ulm's, not Bonn's."""
    for difference in found:
        own = claim.bag & difference.strip.bag
        others = (d.strip.bag & claim.bag for d in found if d.claimed == difference.claimed)
        if not any(own < other for other in others):
            yield difference


def _find_holding(pairs: Iterable[Pair]) -> Strip | None:
    """A strip that differs in nothing, has all words of the claim and denies as much.

    A change is among its words if it can be reckoned: by 15 from 40 to 55.
    """
    for pair in pairs:
        changes = (value for value in find_values(pair.claim.text) if value.is_change)
        reckoned = (v.stems for v in changes if has_value(v, find_values(pair.strip.text)))
        words = pair.claim.context.difference(pair.known, *reckoned)
        if len(words) > 1 and words <= pair.strip.bag and pair.deny_alike:
            return pair.strip
    return None


def _settle(difference: Difference, holding: Strip | None, evidence: Evidence) -> Difference | None:
    """A difference beside a strip that bears the claim out: a dispute of two documents, or none."""
    if holding is None or difference.borne_out:
        return difference
    names = [first_name(find_entities(strip.text)) for strip in (holding, difference.strip)]
    one, other = (name.stems if name else frozenset[str]() for name in names)
    is_other = bool(one and other) and one.isdisjoint(other)
    is_dispute = evidence.are_two_sources(holding, difference.strip) and not is_other
    return replace(difference, borne_out=holding) if is_dispute else None


def _find_rivals(differences: Sequence[Difference], evidence: Evidence) -> Iterator[Difference]:
    """Two documents that each have another value than the claim, and not the same one."""
    for one in differences:
        for other in differences:
            is_same = (one.kind, one.claimed) == (other.kind, other.claimed)
            is_rival = is_same and one.replacement and one.replacement < other.replacement
            if is_rival and evidence.are_rivals(one.strip, other.strip):
                yield replace(one, kind="conflict", claimed=other.stated, borne_out=other.strip)
                return


def judge_dispute(
    dispute: Difference, evidence: Evidence
) -> tuple[VerdictLabel, str, tuple[Quote, ...]]:
    """The label of a claim on which documents disagree, what each of them says, and the quotes.

    A claim that the newer document bears out is supported; else, or where a document's title has no
    date, the evidence is conflicting. What bears the claim out comes first.
    """
    holding = dispute.borne_out or dispute.strip
    ours, theirs = (evidence.dates.get(s.document, "") for s in (holding, dispute.strip))
    is_newer = dispute.kind != "conflict" and ours > theirs > ""
    label: VerdictLabel = "supported" if is_newer else "conflicting"
    sides = (
        f"{dispute.claimed} by {_name(holding, evidence)}",
        f"{dispute.stated} by {_name(dispute.strip, evidence)}",
    )
    quotes = tuple(dict.fromkeys((holding.quote, dispute.strip.quote)))
    return label, f"the documents disagree: {'; '.join(sides)}", quotes


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
    texts, marked = {claim.id: claim.text for claim in claims}, list[Verdict]()
    for verdict in verdicts:
        is_open = verdict.label == "supported"
        dispute = _find_dispute(texts[verdict.claim], question, evidence) if is_open else None
        if dispute:
            label, said, quotes = judge_dispute(dispute, evidence)
            verdict = replace(verdict, label=label, explanation=said, evidence=quotes)  # noqa: PLW2901
        marked.append(verdict)
    return marked


def _find_dispute(text: str, question: str, evidence: Evidence) -> Difference | None:
    check_time()
    return next(iter(compare(read_claim(text, question), evidence).disputes), None)


def find_disputes(question: str, text: str, documents: Sequence[Document]) -> list[str]:
    """On what the documents disagree of what a text says, in words."""
    evidence = collect_evidence(topic_stems(question), documents)
    found = (_find_dispute(text[a:b], question, evidence) for a, b in split_sentences(text))
    return list(dict.fromkeys(judge_dispute(dispute, evidence)[1] for dispute in found if dispute))
