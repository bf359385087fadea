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
AGAIN = 0.35
"""How often a claim whose label a turn leaves as it was is read with the turned documents."""
MOST_WRONG = 0.6
"""A claim of which more is wrong is another claim, not a wrong word."""
Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Claim:
    """A claim as it stands beside documents."""

    name: str
    text: str
    labels: Labels
    twin: str = ""
    """The same claim with other words in some places, which has the opposite label."""


def written_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """The claims on invented documents and on real passages, each with an excerpt."""
    cases = [*read_rows(data / "written" / "train.jsonl.gz"), *_passages(data)]
    turns: dict[str, list[Row]] = defaultdict(list)
    for turn in read_rows(WRITTEN / "turns.jsonl.gz"):
        turns[turn["case"]].append(turn)
    for place, case in enumerate(cases):
        other = cases[(place + random.randrange(1, len(cases))) % len(cases)]
        yield from _case_pairs(case, turns[case["id"]], other, random)


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


def _case_pairs(case: Row, turns: Sequence[Row], other: Row, random: Random) -> Iterator[Pair]:
    texts = [document["text"] for document in case["docs"]]
    claims = list(_claims_of(case))
    yield from _pairs_of(case, "written", claims, _index(case, texts, other, random), random)
    for turn in turns:
        evidence = _index(case, turned(texts, turn["edits"]), other, random)
        now = [
            replace(claim, labels=SIGNS[turn["now"][claim.name]])
            if claim.name in turn["now"]
            else claim
            for claim in claims
            if claim.name in turn["now"] or random.random() < AGAIN
        ]
        yield from _pairs_of(case, "turned", now, evidence, random)
    elsewhere = _index(other, [document["text"] for document in other["docs"]])
    for claim in claims:
        if random.random() < ELSEWHERE:
            yield _pair(case, "elsewhere", replace(claim, labels=NOT_MENTIONED), elsewhere, random)


def turned(texts: Sequence[str], edits: Iterable[tuple[int, str, str]]) -> list[str]:
    """Documents with some words of them replaced: which document, which words, by what."""
    new = list(texts)
    for place, words, by in edits:
        new[place] = re.sub(" {2,}", " ", new[place].replace(words, by))
    return new


def _claims_of(case: Row) -> Iterator[_Claim]:
    """The claims of a case, and their mends."""
    for number, row in enumerate(case["claims"], 1):
        text, fix = (strip_marks(row.get(key) or "") for key in ("text", "fix"))
        yield _Claim(str(number), text, MEANING[row["label"]], fix)
        if fix:
            yield _Claim(f"{number}f", fix, SUPPORTED, text)


def _index(
    case: Row, texts: Sequence[str], other: Row | None = None, random: Random | None = None
) -> Evidence:
    titles = [document["title"] for document in case["docs"]]
    rows = list(zip(titles, texts, strict=True))
    if other and random and random.random() < DISTRACTED:
        rows += [(document["title"], document["text"]) for document in other["docs"]]
        random.shuffle(rows)
    documents = [Document(id=f"d{i}", title=t, text=x) for i, (t, x) in enumerate(rows)]
    return collect_evidence(frozenset(), documents)


def _pairs_of(
    case: Row, source: str, claims: Sequence[_Claim], evidence: Evidence, random: Random
) -> Iterator[Pair]:
    by_name = {claim.name: claim for claim in claims}
    for claim in claims:
        yield _pair(case, source, claim, evidence, random, by_name)
        if _has_true_twin(claim, by_name) and (gap := _gap_pair(case, claim, evidence)):
            yield gap


def _pair(
    case: Row,
    source: str,
    claim: _Claim,
    evidence: Evidence,
    random: Random,
    others: Mapping[str, _Claim] | None = None,
) -> Pair:
    return Pair(
        case["id"],
        source,
        claim.text,
        draw_excerpt(claim.text, evidence, random),
        claim.labels,
        bundle=f"{case['id']} {claim.name.rstrip('f')}",
        wrong=_wrong_spans(claim, others or {}),
    )


def _wrong_spans(claim: _Claim, others: Mapping[str, _Claim]) -> Spans | None:
    """Where a false claim differs from its true twin; nowhere in a true claim."""
    if claim.labels == SUPPORTED:
        return ()
    if not _has_true_twin(claim, others):
        return None
    return tuple((a, b) for a, b, _ in changes(claim.text, claim.twin)) or None


def _has_true_twin(claim: _Claim, others: Mapping[str, _Claim]) -> bool:
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


def _gap_pair(case: Row, claim: _Claim, evidence: Evidence) -> Pair | None:
    """A claim with a gap for its one wrong place, if what should stand there is in the evidence."""
    found = changes(claim.text, claim.twin)
    if len(found) != 1 or not found[0][2]:
        return None
    start, end, answer = found[0]
    text = claim.text[:start] + GAP + claim.text[end:]
    rest = Reading(claim.text[:start] + claim.text[end:])
    shown = join_strips(excerpt_for(rest, evidence, 100), evidence)
    place = shown.lower().find(answer.lower())
    if place < 0:
        return None
    answer = shown[place : place + len(answer)]
    bundle = f"{case['id']} {claim.name.rstrip('f')}"
    return Pair(case["id"], "written gap", text, shown, (), bundle=bundle, answer=answer)
