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
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair
from errata.training.passages import draw_excerpt

WRITTEN = Path(__file__).parent / "written"
"""Claims on passages, and for these and the invented documents the edits that turn them."""
MEANING: Mapping[str, Labels] = {
    "supported": SUPPORTED,
    "refuted": REFUTED,
    "not_mentioned": NOT_MENTIONED,
    "+": SUPPORTED,
    "-": REFUTED,
    "?": NOT_MENTIONED,
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


@dataclass(frozen=True)
class WrittenClaim:
    """A claim as it stands beside documents."""

    name: str
    text: str
    labels: Labels
    twin: str = ""
    """Of a false claim the same with other words in some places, which is true."""


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
        for claim in case.claims:
            if not case.changed or claim.name in case.changed or random.random() < AGAIN:
                yield _pair(case.group, case.source, claim, evidence, random)
                yield from gap_pairs(case.group, claim, evidence)
        elsewhere = _index(other.documents, random)
        for claim in case.claims:
            if other.group != case.group and random.random() < ELSEWHERE:
                strange = replace(claim, labels=NOT_MENTIONED, twin="")
                yield _pair(case.group, "elsewhere", strange, elsewhere, random)


def read_cases(data: Path) -> Iterator[Case]:
    """The written cases as they are, and beside each of their turned documents."""
    turns: dict[str, list[Row]] = defaultdict(list)
    for turn in read_rows(WRITTEN / "turns.jsonl.gz"):
        turns[turn["case"]].append(turn)
    sets = (("sq", "squad/train_paragraphs"), ("ty", "extra/multilingual/tydi_goldp_paragraphs"))
    passages = {
        f"{mark}-{row['id']}": row
        for mark, name in sets
        for row in read_rows(data / f"{name}.jsonl.gz")
    }
    for row in (
        *read_rows(data / "written" / "train.jsonl.gz"),
        *read_rows(WRITTEN / "passages.jsonl.gz"),
    ):
        found = row["docs"] if "docs" in row else [_passage(passages[row["passage"]])]
        titles, texts = [d["title"] for d in found], [d["text"] for d in found]
        yield Case(row["id"], "written", list(zip(titles, texts, strict=True)), _claims(row, {}))
        for turn in turns[row["id"]]:
            documents = list(zip(titles, turned(texts, turn["edits"]), strict=True))
            claims = _claims(row, turn["now"])
            yield Case(row["id"], "turned", documents, claims, frozenset(turn["now"]))


def _passage(row: Row) -> Row:
    return {"title": row["title"] or "", "text": " ".join(row["text"].split())}


def turned(texts: Sequence[str], edits: Iterable[tuple[int, str, str]]) -> list[str]:
    """Documents with some words of them replaced: which document, which words, by what."""
    new = list(texts)
    for place, words, by in edits:
        new[place] = re.sub(" {2,}", " ", new[place].replace(words, by))
    return new


def _claims(case: Row, now: Mapping[str, str]) -> list[WrittenClaim]:
    """The claims of a case and their mends; `now` has the labels that a turn changes."""
    texts, labels = dict[str, str](), dict[str, str]()
    for number, row in enumerate(case["claims"], 1):
        texts[f"{number}"], labels[f"{number}"] = strip_marks(row.get("text") or ""), row["label"]
        if fix := strip_marks(row.get("fix") or ""):
            texts[f"{number}f"], labels[f"{number}f"] = fix, "supported"
    meant = {name: MEANING[now.get(name, label)] for name, label in labels.items()}
    claims = []
    for name, text in texts.items():
        twin = name.removesuffix("f") if name.endswith("f") else f"{name}f"
        is_mended = meant[name] == REFUTED and meant.get(twin) == SUPPORTED
        claims.append(WrittenClaim(name, text, meant[name], texts[twin] if is_mended else ""))
    return claims


def _index(documents: Sequence[tuple[str, str]], random: Random) -> Evidence:
    rows = random.sample(documents, len(documents))
    return collect_evidence(
        frozenset(), [Document(id=f"d{i}", title=t, text=x) for i, (t, x) in enumerate(rows)]
    )


def _pair(group: str, source: str, claim: WrittenClaim, evidence: Evidence, random: Random) -> Pair:
    """A claim with an excerpt, and with its wrong words where they are known."""
    wrong = tuple((start, end) for start, end, _ in changes(claim.text, claim.twin)) or None
    return Pair(
        group,
        source,
        claim.text,
        draw_excerpt(claim.text, evidence, random),
        claim.labels,
        bundle=f"{group} {claim.name.rstrip('f')}",
        wrong=() if claim.labels == SUPPORTED else wrong,
    )


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


def gap_pairs(
    group: str, claim: WrittenClaim, evidence: Evidence, source: str = "written gap"
) -> Iterator[Pair]:
    """A claim with a gap for its one wrong place, if what should stand there is in the evidence."""
    found = changes(claim.text, claim.twin)
    if len(found) != 1 or not found[0][2]:
        return
    start, end, answer = found[0]
    text = claim.text[:start] + GAP + claim.text[end:]
    rest = Reading(claim.text[:start] + claim.text[end:])
    shown = join_strips(excerpt_for(rest, evidence, GAP_WORDS), evidence)
    place = shown.lower().find(answer.lower())
    if place >= 0:
        answer = shown[place : place + len(answer)]
        bundle = f"{group} {claim.name.rstrip('f')}"
        yield Pair(group, source, text, shown, (), bundle=bundle, answer=answer)
