"""RE-EX's explain role: what is wrong with refuted claims, placed in the draft."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from errata.core.edits import diff
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Edit, Explanation, Fix, Knowledge, Quote, SubAnswer
from errata.core.words import places_of
from errata.tools.judges.verifier import verify
from errata.tools.local.changes import is_swap
from errata.tools.local.correct import correct
from errata.tools.local.extract import place_claims
from errata.tools.text.sentences import Ranking, inside_quotes
from errata.tools.text.words import content_stems, content_words, split_stems

_NUMBERS = r"#?\d{1,3}(?:(?:\s*(?:,|;|&|/|and|or)\s*)+#?\d{1,3}\b)*"
_CITATION = re.compile(
    rf"[\[(]?\b(?:answers?|lines?)\W{{0,2}}({_NUMBERS})[\])]?|\[\W?({_NUMBERS})\W?\]", re.IGNORECASE
)
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,})[\"”]")
_WORDS = re.compile(r"[\"“][^\"“”]*[\"”]")
_WORD = re.compile(r"\w")
_MARKS = "\"“”„«»'‘’`"
_STRAIGHT = str.maketrans(dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’`", "'"))
_POINTS = ".,;:!?"
_REMARK = content_stems("answers evidence sources draft line unknown none nothing stated mentioned")
"""Stems of words by which a model speaks of what it read."""


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
    reasons = [fix_of.get(verdict.claim, verdict) for verdict in refuted]
    found = zip(wrong, reasons, strict=True)
    return [word_error(claim, why.explanation, why.evidence) for claim, why in found], fixes


def word_error(claim: Claim, reason: str, evidence: tuple[Quote, ...]) -> Explanation:
    """An explanation of what is wrong with a claim, at its sentence."""
    text, start, end = f"“{claim.text}”: {reason}", claim.start, claim.end
    return Explanation(text=text, start=start, end=end, claims=(claim.id,), evidence=evidence)


def place_explanations(
    draft: str, texts: Iterable[str], citable: Sequence[Sequence[Knowledge]]
) -> list[Explanation]:
    """Place a model's explanations: at the words they quote, else at the best matching sentence.

    The evidence of each is the line that it cites by its number, or the best matching strip of the
    answer that it cites; of all if it cites nothing.
    """
    explanations, strips = list[Explanation](), tuple(dict.fromkeys(chain.from_iterable(citable)))
    for text in texts:
        check_time()
        wrong, _, _ = read_change(text)
        # What is in the draft word for word comes first.
        quoted = sorted([wrong or text, *_QUOTED.findall(text)], key=lambda w: w not in draft)
        start, end = find_place(draft, quoted[0])
        cited = [citable[number - 1] for number in read_citations(text, len(citable))]
        quotes = dict[Quote, None]()
        for pool in cited or [strips]:
            own = map(as_quote, pool) if len(pool) == 1 else best_quotes([text], pool)[0]
            quotes |= dict.fromkeys(own)
        explanations.append(Explanation(text=text, start=start, end=end, evidence=tuple(quotes)))
    return explanations


def read_citations(text: str, count: int) -> list[int]:
    """The numbers of the answers or lines that an explanation names, of `count`.

    >>> read_citations('"1865" -> 1867 (answers 2 and 4; 1867 is also in answer #1)', 5)
    [2, 4, 1]
    >>> read_citations('"born in 1865 [3]" -> "born in 1867" [2, 5]', 5)
    [2, 5]
    """
    named = ["".join(found) for found in _CITATION.findall(_WORDS.sub("", text))]
    numbers = dict.fromkeys(int(number) for found in named for number in re.findall(r"\d+", found))
    return [number for number in numbers if 1 <= number <= count]


def read_change(text: str) -> tuple[str, str, bool]:
    """The wrong words of an explanation, those to put in their place, and if these are quoted.

    >>> read_change('"in 1865" -> "in 1867" [2]')
    ('in 1865', 'in 1867', True)
    >>> read_change("“1865” → 1867 (answer 2)."), read_change('"1865": she was born in 1867.')
    (('1865', '1867', False), ('', '', False))
    """
    arrow = re.search(r"→|⇒|[-–—=]{1,3}>", text)
    if not arrow:
        return "", "", False
    before, after = text[: arrow.start()].strip(" *_"), text[arrow.end() :].strip(" *_")
    last = max(map(after.rfind, _MARKS)) + 1
    if quoted := inside_quotes(after[:last], _MARKS):
        right, rest = quoted, after[last:]
    else:
        cited = _CITATION.search(after)
        place = cited.start() if cited else len(after)
        right, rest = after[:place].rstrip(" ."), after[place:]
    if _WORD.search(_CITATION.sub("", rest)) or (not quoted and _WORDS.search(right)):
        return "", "", False
    return inside_quotes(before, _MARKS) or before, right, bool(quoted)


def exact_edit(draft: str, explanation: Explanation, known: str) -> Edit | None:
    """The edit that an explanation words, if its wrong words stand in the draft exactly once.

    None if the new words may be a remark: they say nothing, speak of the evidence or, unless they
    are quoted and name a line, say what neither that nor `known` does; or if words that are not
    quoted change more than a date, a number or a name.
    """
    wrong, right, quoted = read_change(explanation.text)
    if wrong[-1:] in _POINTS and wrong[-1:] != right[-1:]:
        wrong = wrong.rstrip(_POINTS)
    if not (_WORD.search(wrong) and _WORD.search(right) and explanation.evidence):
        return None
    places = places_of(wrong.translate(_STRAIGHT), draft.translate(_STRAIGHT))
    if len(places) != 1:
        return None
    start, end = places[0], places[0] + len(wrong)
    if draft[end : end + 1] in _POINTS and wrong[-1:] not in _POINTS:
        right = right.rstrip(_POINTS)
    if right[:1].swapcase() == wrong[:1]:
        right = wrong[:1] + right[1:]
    before = draft[start:end]
    told = content_stems(" ".join([known, *(quote.text for quote in explanation.evidence)]))
    says, cites = content_stems(right), _CITATION.search(_WORDS.sub("", explanation.text))
    remarks = says & _REMARK if quoted and cites else says
    fits = quoted or all(map(is_swap, diff(before, right)))
    if not fits or remarks - told or (content_stems(before) and not says):
        return None
    return Edit(start=start, end=end, before=before, after=right)


def evidence_of(answers: Sequence[SubAnswer]) -> tuple[Knowledge, ...]:
    """The strips of all answers, each once."""
    return tuple(dict.fromkeys(strip for answer in answers for strip in answer.evidence))


def as_quote(strip: Knowledge) -> Quote:
    """A strip as a quote of its document."""
    return Quote(document=strip.document, start=strip.start, end=strip.end, text=strip.text)


def best_quotes(texts: Iterable[str], strips: Sequence[Knowledge]) -> list[tuple[Quote, ...]]:
    """For each text the strip that matches it best, if one shares a word; raises OutOfTimeError."""
    ranking, found = Ranking([split_stems(strip.text) for strip in strips]), []
    for text in texts:
        check_time()
        best = ranking.best(content_words(text), 1)
        found.append(tuple(as_quote(strips[i]) for i, _ in best))
    return found


def find_place(draft: str, words: str) -> tuple[int, int]:
    """Where words stand in a draft, else its best matching sentence."""
    if (start := draft.find(words)) >= 0:
        return start, start + len(words)
    [claim] = place_claims(draft, [words])
    return claim.start, claim.end
