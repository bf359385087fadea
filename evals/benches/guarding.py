"""How many planted harms the guard finds, and how many harmless revisions it drops.

Harmless is a labelled draft's sentence without what people found false. Harm is planted in it: a
fact that no document has, a number changed, a true clause left out.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from errata.core.edits import Span, apply_edits, diff, moved
from errata.core.records import Claim, Edit, Fix, Verdict
from errata.evals.benches import bench_parser
from errata.evals.datasets.biographies import Biography, read_biographies
from errata.tools.judges.verifier import verify
from errata.tools.local.antecedents import sentence_places
from errata.tools.local.changes import group_edits
from errata.tools.local.extract import extract
from errata.tools.local.guard import guard
from errata.tools.local.revise import revise
from errata.tools.text.questions import topic_stems
from errata.tools.text.words import content_stems

ADDED = {
    "adds a name and a year": ", and won the Turing Award in 1987",
    "adds a name": ", and lived for years in Zanzibar",
    "adds a fact without a name": ", and was also a keen beekeeper",
}
"""What is planted at the end of a sentence."""
_NUMBER = re.compile(r"\b\d{2,4}\b")
_END = re.compile(r"(?=[.!?]*$)")


@dataclass(frozen=True)
class Case:
    """A draft whose false claims are to go, and how one sentence of it is revised."""

    biography: Biography
    claims: Sequence[Claim]
    fixes: Sequence[Fix]
    true: frozenset[str]
    """The claims that people found true."""
    kind: str
    """`harmless`, or the harm that was planted."""
    edits: Sequence[Edit]


def find_cases(biography: Biography) -> Iterator[Case]:
    """The harmless revision of each sentence that loses a part, and the same with planted harms."""
    question, draft = biography.question, biography.draft
    claims = extract(question, draft)
    labels = {claim.id: _label(claim, biography) for claim in claims}
    true = frozenset(name for name, label in labels.items() if label == {True})
    fixes = [Fix(claim=name, text="") for name, label in labels.items() if label == {False}]
    harmless = Case(biography, claims, fixes, true, "harmless", ())
    edits, _ = revise(question, draft, claims, fixes)
    for place, own in group_edits(edits, sentence_places(draft)):
        after = _apply(draft, place, own)
        if after.strip():
            yield replace(harmless, edits=own)
            for kind, text in _plant(draft, place, after, harmless):
                changed = diff(draft[slice(*place)], text, place[0])
                yield replace(harmless, kind=kind, edits=changed)


def _label(claim: Claim, biography: Biography) -> set[bool]:
    """The labels of the facts that a claim states."""
    topic, own = topic_stems(biography.question), content_stems(claim.text)
    stems = ((content_stems(fact) - topic, label) for fact, label in biography.facts)
    return {label for words, label in stems if words and words <= own}


def _apply(draft: str, place: Span, edits: Sequence[Edit]) -> str:
    return apply_edits(draft[slice(*place)], [moved(edit, -place[0]) for edit in edits])


def _plant(draft: str, place: Span, after: str, case: Case) -> Iterator[tuple[str, str]]:
    """A sentence's revision with one harm each."""
    for kind, words in ADDED.items():
        yield kind, _END.sub(words, after, count=1)
    number = _NUMBER.search(after)
    if number:
        other = str(int(number[0]) + 3)
        yield "changes a number", after[: number.start()] + other + after[number.end() :]
    for claim in case.claims:
        if claim.id in case.true and place[0] <= claim.start < place[1]:
            removed = [*case.fixes, Fix(claim=claim.id, text="")]
            edits, _ = revise(case.biography.question, draft, case.claims, removed)
            own = [e for e in edits if place[0] <= e.start < e.end <= place[1]]
            text = _apply(draft, place, own)
            if text.strip() and text != after and _is_gone(claim, text, case):
                yield "leaves out a true clause", text


def _is_gone(claim: Claim, text: str, case: Case) -> bool:
    own = content_stems(claim.text) - topic_stems(case.biography.question)
    return not own <= content_stems(text)


def is_dropped(case: Case, verdicts: Sequence[Verdict]) -> bool:
    """Whether the guard drops a revision, with some verdicts or none."""
    biography = case.biography
    ground = (case.claims, case.fixes, biography.gold)
    kept, _ = guard(biography.question, biography.draft, case.edits, *ground, verdicts=verdicts)
    return len(kept) < len(case.edits)


def main(*arguments: str) -> None:
    """Print, for each kind of revision, how many there are and how many are dropped."""
    data = bench_parser(__doc__).parse_args(arguments).data
    counts = Counter[str]()
    dropped = {way: Counter[str]() for way in ("by labels", "by local code")}
    for biography in read_biographies(data / "factscore-bio", "chatgpt"):
        cases = list(find_cases(biography))
        if not cases:
            continue
        labelled = [Verdict(claim=name, label="supported") for name in cases[0].true]
        judged = verify(biography.question, cases[0].claims, biography.gold)
        for case in cases:
            counts[case.kind] += 1
            dropped["by labels"][case.kind] += is_dropped(case, labelled)
            dropped["by local code"][case.kind] += is_dropped(case, judged)
    for kind, count in counts.items():
        shares = {way: round(found[kind] / count, 2) for way, found in dropped.items()}
        sys.stdout.write(json.dumps({"revision": kind, "sentences": count, **shares}) + "\n")
