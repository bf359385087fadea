"""Texts by single passages: what one says of a text (RARR), and answers by each (Self-RAG)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from errata.core.edits import apply_edits
from errata.core.errors import OutOfTimeError
from errata.core.limits import note_undone
from errata.core.records import Candidate, Claim, Document, Knowledge, Verdict
from errata.tools.judges.evaluator import Evaluator
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import extract
from errata.tools.local.placement import claim_spoken_of
from errata.tools.local.revise import revise
from errata.tools.models.reflection import Aspect, Critiques, score, value_of

Passage = Sequence[Knowledge]
Reflection = tuple[str, Critiques]
"""An answer, empty if there is none, and its critiques."""


def judge_by_passage(
    question: str, text: str, query: str, passage: Knowledge, weights: str = ""
) -> Verdict:
    """The verdict on the claim of the text that the query speaks of.

    It is `not_mentioned` if the query speaks of none. Quotes count characters in the passage's
    document. Raises OutOfTimeError.
    """
    claim = claim_spoken_of(extract(question, text), query)
    if claim is None:
        return Verdict(claim="", label="not_mentioned", explanation="no claim speaks of this")
    document = Document(id=passage.document, text=passage.text)
    [verdict] = verify(question, [claim], [document], weights)
    quotes = (
        replace(quote, start=quote.start + passage.start, end=quote.end + passage.start)
        for quote in verdict.evidence
    )
    return replace(verdict, evidence=tuple(quotes))


def correct_text(
    question: str,
    text: str,
    problems: Sequence[str],
    documents: Sequence[Document],
    weights: str = "",
) -> str:
    """The text with the claims that problems speak of as documents have them, where that is sure.

    Raises OutOfTimeError.
    """
    claims = extract(question, text)
    found = {claim.id: claim for p in problems if (claim := claim_spoken_of(claims, p))}
    fixes = correct(question, [*found.values()], documents, weights)
    edits, _ = revise(question, text, claims, fixes)
    return apply_edits(text, edits)


def write_locally(
    question: str,
    passages: Sequence[Sequence[Document]],
    write: Callable[[Sequence[Document]], str],
    load_evaluator: Callable[[], Evaluator],
) -> list[Reflection]:
    """What `write` makes of each passage: the evaluator on relevance, the verifier on support.

    There is no answer by a passage that the evaluator calls incorrect, nor where time is over.
    """
    written: list[Reflection] = []
    try:
        for passage in passages:
            relevant = _judge_relevance(question, passage, load_evaluator())
            answer = write(passage) if relevant else ""
            written.append((answer, relevant | _judge_support(question, answer, passage)))
    except OutOfTimeError as error:
        note_undone(f"{len(passages) - len(written)} passages were not read: {error}")
    return written + [("", {})] * (len(passages) - len(written))


def _judge_relevance(question: str, passage: Sequence[Document], evaluator: Evaluator) -> Critiques:
    text = (passage[0].title, "\n".join(strip.text for strip in passage))
    [value] = evaluator.score(question, [text])
    share = (value + 1) / 2
    return {"relevant": {"yes": share, "no": 1 - share}} if value >= evaluator.lower else {}


def _judge_support(question: str, answer: str, passage: Sequence[Document]) -> Critiques:
    """Nothing where the verifier cannot judge an answer."""
    claim = Claim(id="c1", text=answer, start=0, end=len(answer))
    share = verify(question, [claim], passage)[0].score if answer else None
    return {} if share is None else {"supported": {"fully": share, "no": 1 - share}}


def rank(
    passages: Sequence[Passage],
    written: Sequence[Reflection],
    weights: Mapping[Aspect, float],
    answer_of: Callable[[str], str] | None,
    *,
    supported: bool,
) -> list[Candidate]:
    """The answers that there are, the best first; with `supported` those alone that have support.

    With `answer_of`, where answers are of a fixed set, the scores of the same answer add up.
    """
    candidates = [
        Candidate(text=text, passage=tuple(passage), critiques=said, score=score(said, weights))
        for passage, (text, said) in zip(passages, written, strict=True)
        if text and (value_of(said, "supported") or not supported)
    ]
    totals = dict[str, float]()
    keys = [answer_of(c.text) if answer_of else str(n) for n, c in enumerate(candidates)]
    for key, candidate in zip(keys, candidates, strict=True):
        totals[key] = totals.get(key, 0.0) + candidate.score
    places = sorted(range(len(keys)), key=lambda n: (-totals[keys[n]], -candidates[n].score))
    return [candidates[n] for n in places]


def find_doubts(best: Candidate) -> Iterator[str]:
    """What the critiques of the best answer hold against it."""
    for aspect, fault in (("relevant", "is not relevant"), ("supported", "does not bear it out")):
        if aspect not in best.critiques:
            yield f"whether the answer's passage is {aspect} was not judged"
        elif not value_of(best.critiques, aspect):
            yield f"by the answer's own critique, its passage {fault}"
