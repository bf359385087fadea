"""RAC's extract role: claims by rules of English grammar."""

from errata.core.edits import Spans
from errata.core.limits import check_time, note_undone
from errata.core.records import Claim, Skipped
from errata.tools.local.antecedents import Sentence, sentence_places, split_draft
from errata.tools.local.placement import as_claims
from errata.tools.text.citations import strip_marks
from errata.tools.text.clauses import parse_clauses
from errata.tools.text.language import detect_sentence
from errata.tools.text.prose import count_html
from errata.tools.text.questions import answer_in_full
from errata.tools.text.unclaimed import find_unclaimed


def extract(question: str, draft: str, language: str = "en") -> list[Claim]:
    """Split a draft into self-contained claims, each with the start and end of its sentence.

    A leading pronoun is replaced by the last subject, or by the name in the question (RAC section
    3.3: independent facts without pronouns). A draft that only names what the question asks for is
    read with the question. In any language but English, every sentence is a claim as it stands.
    What claims nothing is left out, such as headings, instructions and code. Blocks of HTML are not
    read; a note says how many there are.
    """
    _note_html(draft)
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
    return as_claims(
        draft,
        [
            (claim[:1].upper() + claim[1:], (sentence.start, sentence.end))
            for sentence in sentences
            for claim in _split_claims(sentence)
        ],
    )


def stating_sentences(draft: str) -> list[Claim]:
    """The sentences of a draft that state something, each on one line, as claims."""
    unclaimed = _unclaimed(draft)
    places = [place for place in sentence_places(draft) if not unclaimed.touching(*place)]
    texts = [" ".join(strip_marks(draft[a:b]).split()) for a, b in places]
    return as_claims(draft, zip(texts, places, strict=True))


def _unclaimed(draft: str) -> Spans[Skipped]:
    return Spans(find_unclaimed(draft), lambda skipped: (skipped.start, skipped.end))


def _note_html(draft: str) -> None:
    number = count_html(draft)
    if number:
        blocks = "1 block of HTML was" if number == 1 else f"{number} blocks of HTML were"
        note_undone(f"{blocks} not checked")


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
