"""RE-EX's explain role: what is wrong with refuted claims, placed in the draft."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from errata.core.limits import check_time
from errata.core.records import Claim, Document, Explanation, Fix, Knowledge, Quote, SubAnswer
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.local.extract import place_claims
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import split_stems, split_words

_NUMBERS = r"#?\d{1,3}(?:(?:\s*(?:,|;|&|/|and|or)\s*)+#?\d{1,3}\b)*"
_CITATION = re.compile(rf"\banswers?\W{{0,2}}({_NUMBERS})", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,})[\"”]")


def explain(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], weights: str = ""
) -> tuple[list[Explanation], list[Fix]]:
    """An explanation for every refuted claim, and the corrector's fixes for these claims.

    An explanation is placed at the claim's sentence and quotes the contradicting evidence. Raises
    OutOfTimeError if not every claim could be judged.
    """
    if not documents:
        return [], []
    by_id = {claim.id: claim for claim in claims}
    refuted = [v for v in verify(question, claims, documents, weights) if v.label == "refuted"]
    check_time()
    wrong = [by_id[verdict.claim] for verdict in refuted]
    others = [claim for claim in claims if claim not in wrong]
    fixes = correct(question, wrong, documents, weights, others)
    fix_of = {fix.claim: fix for fix in fixes}
    explanations = []
    for verdict in refuted:
        claim, reason = by_id[verdict.claim], fix_of.get(verdict.claim, verdict)
        text = f"“{claim.text}”: {reason.explanation}"
        known = Explanation(text=text, start=claim.start, end=claim.end, claims=(claim.id,))
        explanations.append(replace(known, evidence=reason.evidence))
    return explanations, fixes


def place_explanations(
    draft: str, texts: Iterable[str], answers: Sequence[SubAnswer]
) -> list[Explanation]:
    """Place a model's explanations: at the words they quote, else at the best matching sentence.

    The evidence of each is the best matching strip of every answer that it cites, or of all answers
    if it cites none.
    """
    explanations = []
    for text in texts:
        check_time()
        # What is in the draft word for word comes first.
        quoted = sorted(_QUOTED.findall(text), key=lambda words: words not in draft)
        start, end = find_place(draft, next(iter(quoted), text))
        cited = [answers[number - 1].evidence for number in read_citations(text, len(answers))]
        pools = cited or [evidence_of(answers)]
        best = [quotes for pool in pools for quotes in best_quotes([text], pool)]
        quotes = dict.fromkeys(quote for found in best for quote in found)
        explanations.append(Explanation(text=text, start=start, end=end, evidence=tuple(quotes)))
    return explanations


def read_citations(text: str, count: int) -> list[int]:
    """The numbers of the answers that an explanation names, of `count` answers.

    >>> read_citations('"1865" -> 1867 (answers 2 and 4; 1867 is also in answer #1)', 5)
    [2, 4, 1]
    """
    named = [number for match in _CITATION.findall(text) for number in _NUMBER.findall(match)]
    numbers = dict.fromkeys(map(int, named))
    return [number for number in numbers if 1 <= number <= count]


def evidence_of(answers: Sequence[SubAnswer]) -> tuple[Knowledge, ...]:
    """The strips of all answers."""
    return tuple(strip for answer in answers for strip in answer.evidence)


def best_quotes(texts: Iterable[str], strips: Sequence[Knowledge]) -> list[tuple[Quote, ...]]:
    """For each text the strip that matches it best; none if all share no word with it.

    Raises OutOfTimeError if not every text could be looked at.
    """
    ranking, found = Ranking([split_stems(strip.text) for strip in strips]), []
    for text in texts:
        check_time()
        best = ranking.best([word.stem for word in split_words(text) if word.is_content], 1)
        own = (strips[i] for i, _ in best)
        found.append(
            tuple(Quote(document=s.document, start=s.start, end=s.end, text=s.text) for s in own)
        )
    return found


def find_place(draft: str, words: str) -> tuple[int, int]:
    """Where words stand in a draft, else its best matching sentence."""
    if words in draft:
        start = draft.index(words)
        return start, start + len(words)
    [claim] = place_claims(draft, [words])
    return claim.start, claim.end
