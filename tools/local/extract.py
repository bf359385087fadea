"""RAC's extract role: a draft's sentences, what pronouns mean in them, claims and their places."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from errata.core.edits import Span, Spans
from errata.core.limits import check_time, note_undone
from errata.core.records import Claim, Skipped
from errata.tools.text.citations import find_marks, strip_marks
from errata.tools.text.clauses import find_subject, parse_clauses
from errata.tools.text.entities import find_entities
from errata.tools.text.language import detect_sentence
from errata.tools.text.markdown import read_blocks
from errata.tools.text.pronouns import ANY_PRONOUN, Antecedents, Mentions
from errata.tools.text.prose import Label, Passage, label_cells, read_passages, read_sentences
from errata.tools.text.questions import answer_in_full, question_entity, question_names
from errata.tools.text.sentences import Ranking
from errata.tools.text.unclaimed import INSTRUCTION, find_unclaimed
from errata.tools.text.words import content_stems, split_stems

_LEADING = re.compile(rf"(?:[^,;:]{{1,60}}, )?(?P<pronoun>{ANY_PRONOUN.pattern})", re.IGNORECASE)
"""A pronoun that begins a sentence, or follows the phrase that does."""
STEP_BACK = 0.5
"""By how much of the best match an earlier sentence must fit better than one further on."""
SKIP, _FARTHEST = 0.01, 10  # the same for each sentence that is passed over, at most so many
_CANDIDATES = 24  # how many sentences are compared for one claim


@dataclass(frozen=True)
class Sentence:
    """One sentence of a draft, or of a table's cell."""

    start: int
    end: int
    text: str
    """Its words without markdown; `passage.text[offset:]` begins with them."""
    antecedents: Antecedents
    """What its pronouns stand for."""
    source: int
    """The number of the sentence that names the antecedent; -1 if none does."""
    subject: str
    """Its grammatical subject, or a pronoun that begins it; empty if unknown."""
    passage: Passage
    offset: int
    label: Label | None = None
    """What its cell is about, by the heads of its row and column."""

    @property
    def antecedent(self) -> str:
        """What a leading pronoun stands for; empty if unknown."""
        return self.antecedents.of(self.subject.partition(" ")[0])


def split_draft(question: str, draft: str) -> list[Sentence]:
    """Split a draft into sentences; what is in headings, code and formulas is none.

    Before it names anybody, pronouns mean the name in the question.
    """
    begun = (name for name in question_names(question) if draft.startswith(name))
    plain = frozenset(re.findall(r"(?<!\w)[a-z]\w+", draft))
    mentions = Mentions(next(begun, question_entity(question)), plain)
    sources: dict[str, int] = {}
    """In which sentence each name and subject stands last, also if only a part of it does."""
    result: list[Sentence] = []
    for passage, start, end, label in _units(draft):
        check_time()
        text = passage.text[start:end]
        leading = _LEADING.match(text)
        subject = find_subject(text) or (leading["pronoun"] if leading else "")
        subject = "" if label else subject
        antecedents = Antecedents() if label else mentions.read(text, subject)
        source = sources.get(antecedents.of(subject.partition(" ")[0]), -1)
        places = passage.span(start, end)
        names = [entity.text for entity in find_entities(text) if entity.kind == "name"]
        for name in (*names, subject):
            fulls = (full for full in antecedents.names if full and name in full.split())
            sources |= dict.fromkeys((name, *fulls), len(result))
        result.append(Sentence(*places, text, antecedents, source, subject, passage, start, label))
    return result


def sentence_places(draft: str, language: str = "en") -> list[Span]:
    """Where the sentences of a draft stand; what is in headings, code and formulas is none."""
    return [passage.span(start, end) for passage, start, end, _ in _units(draft, language)]


def is_name(subject: str) -> bool:
    """Whether a subject is a name and nothing else."""
    return [(entity.kind, entity.text) for entity in find_entities(subject)] == [("name", subject)]


def _units(draft: str, language: str = "en") -> Iterator[tuple[Passage, int, int, Label | None]]:
    """The sentences of each passage, and the cells of tables with their labels."""
    labels = label_cells(draft)
    for passage in read_passages(draft):
        kind, place = passage.block.kind, passage.block.start
        label = labels.get(place) if kind == "td" else None
        if label or kind == "paragraph":
            for start, end in read_sentences(passage, language):
                yield passage, start, end, label


def extract(question: str, draft: str, language: str = "en") -> list[Claim]:
    """Split a draft into self-contained claims, each with the start and end of its sentence.

    A leading pronoun is replaced by the last subject, or by the name in the question (RAC section
    3.3: independent facts without pronouns). A draft that only names what the question asks for is
    read with the question. In any language but English, every sentence is a claim as it stands.
    What claims nothing is left out, such as headings, questions and code. Blocks of HTML are not
    read; a note says how many there are.
    """
    note_html(draft)
    if language != "en":
        places = sentence_places(draft, language)
        return as_claims(draft, [(strip_marks(draft[a:b]), (a, b)) for a, b in places])
    unclaimed = _unclaimed(draft)
    read = split_draft(question, draft)
    sentences = [s for s in read if s.label or not unclaimed.touching(s.start, s.end)]
    if len(sentences) == 1 and (full := answer_in_full(question, sentences[0].text)):
        return as_claims(draft, [(full, (sentences[0].start, sentences[0].end))])
    placed = [
        (claim[:1].upper() + claim[1:], (sentence.start, sentence.end))
        for sentence in sentences
        for claim in _split_claims(sentence)
    ]
    return as_claims(draft, placed)


def note_html(draft: str) -> None:
    """Say how many blocks of HTML a draft has, which nobody reads."""
    root, _ = read_blocks(draft)
    if number := sum(block.kind == "html_text" for block in root.walk()):
        blocks = "1 block of HTML was" if number == 1 else f"{number} blocks of HTML were"
        note_undone(f"{blocks} not checked")


def stating_sentences(draft: str) -> list[Claim]:
    """The sentences of a draft that state something, each on one line, as claims."""
    unclaimed = _unclaimed(draft)
    places = [place for place in sentence_places(draft) if not unclaimed.touching(*place)]
    texts = [" ".join(strip_marks(draft[a:b]).split()) for a, b in places]
    return as_claims(draft, zip(texts, places, strict=True))


def _unclaimed(draft: str) -> Spans[Skipped]:
    """What is not read: no instruction, which can be wrong, though it stays without support."""
    silent = [skipped for skipped in find_unclaimed(draft) if skipped.reason != INSTRUCTION]
    return Spans(silent, lambda skipped: (skipped.start, skipped.end))


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


def place_claims(draft: str, texts: Sequence[str]) -> list[Claim]:
    """Turn texts into claims, each placed at its sentence; they come in the draft's order.

    A claim's sentence is not before the one of the claim before it, unless it clearly fits only
    there. A text that shares no word with the draft is placed at all of it.
    """
    spans = sentence_places(draft) or [(0, len(draft))]
    texts = [strip_marks(text) for text in texts]
    ranking = Ranking([split_stems(strip_marks(draft[start:end])) for start, end in spans])
    bags = [content_stems(text) for text in texts]
    repeated = repeated_stems(bags)
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

    @cache  # a long sentence has many claims
    def marks_of(start: int, end: int) -> tuple[str, ...]:
        return tuple(draft[start:end][a:b] for a, b in find_marks(draft[start:end]))

    return [
        Claim(id=f"c{number}", text=text, start=start, end=end, citations=marks_of(start, end))
        for number, (text, (start, end)) in enumerate(placed, start=1)
    ]


def _cost(distance: int) -> float:
    """What it costs to go on to another sentence, forward or back."""
    return STEP_BACK if distance < 0 else SKIP * min(max(distance - 1, 0), _FARTHEST)


def repeated_stems(bags: Sequence[frozenset[str]]) -> frozenset[str]:
    """The stems that all of several texts have: a name in every claim tells none from another."""
    return frozenset.intersection(*bags) if len(bags) > 1 else frozenset()
