"""RAC's extract role: claims by rules of English grammar, and places for those of a model."""

from collections.abc import Iterable, Sequence

from errata.core.edits import Span, Spans
from errata.core.limits import check_time, note_undone
from errata.core.records import Claim, Skipped
from errata.tools.local.antecedents import Sentence, sentence_places, split_draft
from errata.tools.text.citations import find_marks, strip_marks
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.language import detect_sentence
from errata.tools.text.prose import count_html
from errata.tools.text.questions import answer_in_full
from errata.tools.text.sentences import Ranking
from errata.tools.text.unclaimed import find_unclaimed
from errata.tools.text.words import content_stems, split_stems


def extract(question: str, draft: str, language: str = "en") -> list[Claim]:
    """Split a draft into self-contained claims, each with the start and end of its sentence.

    A leading pronoun is replaced by the last subject, or by the name in the question (RAC section
    3.3: independent facts without pronouns). A draft that only names what the question asks for is
    read with the question. In any language but English, every sentence is a claim as it stands.
    What claims nothing is left out, such as headings, instructions and code. Blocks of HTML are not
    read; a note says how many there are.
    """
    if number := count_html(draft):
        blocks = "1 block of HTML was" if number == 1 else f"{number} blocks of HTML were"
        note_undone(f"{blocks} not checked")
    if language != "en":
        places = sentence_places(draft, language)
        return as_claims(draft, [(strip_marks(draft[a:b]), (a, b)) for a, b in places])
    unclaimed = _unclaimed(draft)
    sentences = [
        sentence
        for sentence in split_draft(question, draft)
        if sentence.label or not unclaimed.touching(sentence.start, sentence.end)
    ]
    if len(sentences) == 1 and (full := answer_in_full(question, sentences[0].text)):
        return as_claims(draft, [(full, (sentences[0].start, sentences[0].end))])
    placed = [
        (claim[:1].upper() + claim[1:], (sentence.start, sentence.end))
        for sentence in sentences
        for claim in _split_claims(sentence)
    ]
    return as_claims(draft, placed)


def stating_sentences(draft: str) -> list[Claim]:
    """The sentences of a draft that state something, each on one line, as claims."""
    unclaimed = _unclaimed(draft)
    places = [place for place in sentence_places(draft) if not unclaimed.touching(*place)]
    texts = [" ".join(strip_marks(draft[a:b]).split()) for a, b in places]
    return as_claims(draft, zip(texts, places, strict=True))


def _unclaimed(draft: str) -> Spans[Skipped]:
    return Spans(find_unclaimed(draft), lambda skipped: (skipped.start, skipped.end))


def _split_claims(sentence: Sentence) -> list[str]:
    """What a sentence claims, by its clauses; a note says whose name is open."""
    check_time()
    if rivals := sentence.antecedents.rivals:
        note_undone(f"who is meant is open ({rivals}): “{sentence.text}”")
    if detect_sentence(sentence.text):
        return [sentence.text]
    if sentence.label:
        return [sentence.label.read(sentence.text)]
    return parse_clauses(sentence.text, sentence.antecedents)


STEP_BACK = 0.5
"""By how much of the best match an earlier sentence must fit better than one further on."""
SKIP = 0.01
"""The same for each sentence that is passed over, at most ten of them."""
_FARTHEST = 10
_CANDIDATES = 24
"""How many sentences are compared for one claim."""


def place_claims(draft: str, texts: Sequence[str]) -> list[Claim]:
    """Turn texts into claims, each placed at its sentence; they come in the draft's order.

    A claim's sentence is not before the one of the claim before it, unless it clearly fits only
    there. A text that shares no word with the draft is placed at all of it.
    """
    spans = sentence_places(draft) or [(0, len(draft))]
    texts = [strip_marks(text) for text in texts]
    ranking = Ranking([split_stems(strip_marks(draft[start:end])) for start, end in spans])
    bags = [content_stems(text) for text in texts]
    repeated = _repeated(bags)
    places, last = list[Span](), 0
    for text, bag in zip(texts, bags, strict=True):
        check_time()
        telling = sorted(bag - repeated) or split_stems(text)
        found = dict(ranking.best(telling, _CANDIDATES))
        top = max(found.values(), default=1.0)
        last = max(found, key=lambda n: found[n] / top - _cost(n - last), default=last)
        places.append(spans[last] if found else (0, len(draft)))
    return as_claims(draft, zip(texts, places, strict=True))


def as_claims(draft: str, placed: Iterable[tuple[str, Span]]) -> list[Claim]:
    """Texts and the places of their sentences as claims, with the sentences' citation marks."""
    claims = list[Claim]()
    for number, (text, (start, end)) in enumerate(placed, start=1):
        marks = tuple(draft[start + a : start + b] for a, b in find_marks(draft[start:end]))
        claims.append(Claim(id=f"c{number}", text=text, start=start, end=end, citations=marks))
    return claims


def _cost(distance: int) -> float:
    """What it costs to go on to another sentence, forward or back."""
    return STEP_BACK if distance < 0 else SKIP * min(max(distance - 1, 0), _FARTHEST)


def claim_spoken_of(claims: Sequence[Claim], text: str) -> Claim | None:
    """The claim that a text speaks of: the one whose words it has, rare ones before common ones.

    None if it has no word of any but those that all claims have, which tell none from another.
    """
    bags = [content_stems(claim.text) for claim in claims]
    ranking = Ranking([sorted(bag) for bag in bags])
    found = ranking.best(sorted(content_stems(text) - _repeated(bags)), 1)
    return claims[found[0][0]] if found else None


def _repeated(bags: Sequence[frozenset[str]]) -> frozenset[str]:
    """The stems that all of several texts have: a name in every claim tells none from another."""
    return frozenset.intersection(*bags) if len(bags) > 1 else frozenset()
