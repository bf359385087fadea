"""Pairs from claims that capable writers wrote on documents, and on the same documents turned.

A turned document is a document with a small edit, by which the same claims have other labels: then
no wording gives a label away.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_rows
from errata.tools.judges.cross_encoder import GAP
from errata.tools.judges.entailment import excerpt_for, join_strips
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence
from errata.tools.text.citations import strip_marks
from errata.tools.text.words import split_words
from errata.training.excerpts import draw_excerpt
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair

WRITTEN = Path(__file__).parent / "written"
"""Claims on passages, and for these and the invented documents the edits that turn them."""
SIGNS: Mapping[str, Labels] = {"+": SUPPORTED, "-": REFUTED, "?": NOT_MENTIONED}
MEANING: Mapping[str, Labels] = {
    "supported": SUPPORTED,
    "refuted": REFUTED,
    "not_mentioned": NOT_MENTIONED,
}
DISTRACTED = 0.2
"""How often the documents of another case lie beside a claim's own."""
ELSEWHERE = 0.06
"""How often a claim also stands beside another case's documents alone."""
GAP_WORDS = 100
"""About how many words of evidence a claim with a gap is shown with."""
AGAIN = 0.35
"""How often a claim whose label a turn leaves as it was is read with the turned documents."""
MOST_WRONG = 0.6
"""A claim of which more is wrong is another claim, not a wrong word."""
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class WrittenClaim:
    """A claim as it stands beside documents."""

    name: str
    text: str
    labels: Labels
    twin: str = ""
    """The same claim with other words in some places, which has the opposite label."""


@dataclass(frozen=True)
class Case:
    """Claims beside documents."""

    group: str
    source: str
    """`written`, or `turned` where the documents were edited."""
    documents: Sequence[tuple[str, str]]
    """Titles and texts."""
    claims: Sequence[WrittenClaim]
    changed: frozenset[str] = frozenset()
    """The names of the claims that have other labels beside the documents as they were."""


def written_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """The claims on invented documents and on real passages, each with an excerpt."""
    cases = list(read_cases(data))
    for case in cases:
        other = random.choice(cases)
        beside = other.documents if random.random() < DISTRACTED else ()
        evidence = _index([*case.documents, *beside], random)
        by_name = {claim.name: claim for claim in case.claims}
        for claim in case.claims:
            if not case.changed or claim.name in case.changed or random.random() < AGAIN:
                yield from _pairs_of(case, claim, by_name, evidence, random)
        elsewhere = _index(other.documents, random)
        for claim in case.claims:
            if other.group != case.group and random.random() < ELSEWHERE:
                strange = replace(claim, labels=NOT_MENTIONED)
                yield _pair(replace(case, source="elsewhere"), strange, {}, elsewhere, random)


def read_cases(data: Path) -> Iterator[Case]:
    """The written cases as they are, and beside each of their turned documents."""
    turns: dict[str, list[Row]] = defaultdict(list)
    for turn in read_rows(WRITTEN / "turns.jsonl.gz"):
        turns[turn["case"]].append(turn)
    for row in (*read_rows(data / "written" / "train.jsonl.gz"), *_passages(data)):
        claims = tuple(_claims_of(row))
        titles, texts = zip(*((d["title"], d["text"]) for d in row["docs"]), strict=True)
        yield Case(row["id"], "written", list(zip(titles, texts, strict=True)), claims)
        for turn in turns[row["id"]]:
            now = turn["now"]
            yield Case(
                row["id"],
                "turned",
                list(zip(titles, turned(texts, turn["edits"]), strict=True)),
                [replace(c, labels=SIGNS[now[c.name]]) if c.name in now else c for c in claims],
                frozenset(now),
            )


def _passages(data: Path) -> Iterator[Row]:
    """Claims on passages of SQuADShifts and TyDi, as cases with their documents."""
    sets = (("sq", "squad/train_paragraphs"), ("ty", "extra/multilingual/tydi_goldp_paragraphs"))
    texts = {
        f"{mark}-{row['id']}": {"title": row["title"] or "", "text": " ".join(row["text"].split())}
        for mark, name in sets
        for row in read_rows(data / f"{name}.jsonl.gz")
    }
    for case in read_rows(WRITTEN / "passages.jsonl.gz"):
        yield case | {"docs": [texts[case["passage"]]]}


def turned(texts: Sequence[str], edits: Iterable[tuple[int, str, str]]) -> list[str]:
    """Documents with some words of them replaced: which document, which words, by what."""
    new = list(texts)
    for place, words, by in edits:
        new[place] = re.sub(" {2,}", " ", new[place].replace(words, by))
    return new


def _claims_of(case: Row) -> Iterator[WrittenClaim]:
    """The claims of a case, and their mends."""
    for number, row in enumerate(case["claims"], 1):
        text, fix = (strip_marks(row.get(key) or "") for key in ("text", "fix"))
        yield WrittenClaim(str(number), text, MEANING[row["label"]], fix)
        if fix:
            yield WrittenClaim(f"{number}f", fix, SUPPORTED, text)


def _index(documents: Sequence[tuple[str, str]], random: Random) -> Evidence:
    rows = random.sample(documents, len(documents))
    return collect_evidence(
        frozenset(), [Document(id=f"d{i}", title=t, text=x) for i, (t, x) in enumerate(rows)]
    )


def _pairs_of(
    case: Case,
    claim: WrittenClaim,
    others: Mapping[str, WrittenClaim],
    evidence: Evidence,
    random: Random,
) -> Iterator[Pair]:
    yield _pair(case, claim, others, evidence, random)
    if _has_true_twin(claim, others) and (gap := _gap_pair(case, claim, evidence)):
        yield gap


def _pair(
    case: Case,
    claim: WrittenClaim,
    others: Mapping[str, WrittenClaim],
    evidence: Evidence,
    random: Random,
) -> Pair:
    return Pair(
        case.group,
        case.source,
        claim.text,
        draw_excerpt(claim.text, evidence, random),
        claim.labels,
        bundle=f"{case.group} {claim.name.rstrip('f')}",
        wrong=_wrong_spans(claim, others),
    )


def _wrong_spans(claim: WrittenClaim, others: Mapping[str, WrittenClaim]) -> Spans | None:
    """Where a false claim differs from its true twin; nowhere in a true claim."""
    if claim.labels == SUPPORTED:
        return ()
    if not _has_true_twin(claim, others):
        return None
    return tuple((a, b) for a, b, _ in changes(claim.text, claim.twin)) or None


def _has_true_twin(claim: WrittenClaim, others: Mapping[str, WrittenClaim]) -> bool:
    """Whether a claim is false and the same with other words is true."""
    twin = others.get(claim.name[:-1] if claim.name.endswith("f") else f"{claim.name}f")
    return claim.labels == REFUTED and twin is not None and twin.labels == SUPPORTED


def changes(claim: str, twin: str) -> list[tuple[int, int, str]]:
    """Where a claim has other words than its twin, and which; none if most of it is other."""
    ours, theirs = split_words(claim), split_words(twin)
    matcher = SequenceMatcher(
        None, [w.text.lower() for w in ours], [w.text.lower() for w in theirs], autojunk=False
    )
    found = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "equal" and b > a:
            stands = twin[theirs[c].start : theirs[d - 1].end] if d > c else ""
            found.append((ours[a].start, ours[b - 1].end, stands))
    share = sum(b - a for a, b, _ in found) / max(1, len(claim))
    return found if share <= MOST_WRONG else []


def _gap_pair(case: Case, claim: WrittenClaim, evidence: Evidence) -> Pair | None:
    """A claim with a gap for its one wrong place, if what should stand there is in the evidence."""
    found = changes(claim.text, claim.twin)
    if len(found) != 1 or not found[0][2]:
        return None
    start, end, answer = found[0]
    text = claim.text[:start] + GAP + claim.text[end:]
    rest = Reading(claim.text[:start] + claim.text[end:])
    shown = join_strips(excerpt_for(rest, evidence, GAP_WORDS), evidence)
    place = shown.lower().find(answer.lower())
    if place < 0:
        return None
    answer = shown[place : place + len(answer)]
    bundle = f"{case.group} {claim.name.rstrip('f')}"
    return Pair(case.group, "written gap", text, shown, (), bundle=bundle, answer=answer)
