"""CRAG's local code for generate and rewrite: sentences word for word, choices, keywords."""

from collections.abc import Sequence

from errata.core.records import Document
from errata.tools.judges.cross_encoder import MODEL, load_cross_encoder
from errata.tools.judges.entailment import under_title
from errata.tools.judges.evaluator import Evaluator, Text
from errata.tools.judges.logistic import sigmoid
from errata.tools.judges.subjects import QUESTION_WORDS, find_asked_subject
from errata.tools.local.refine import best_matches
from errata.tools.text.entities import find_entities
from errata.tools.text.questions import question_entity
from errata.tools.text.sentences import Ranking, Strip, split_strips
from errata.tools.text.words import split_words

SENTENCES = 3
CANDIDATES = 20
"""Sentences that are scored: so many that match the question best, and so many at the start."""
MARGIN = 0.5  # how far below the best score another sentence of the answer may be
READ = 0.8  # what a sentence gains at most by words that the cross-encoder reads as the answer
KEYWORDS = 3  # most keywords in one query (CRAG table 7)


def generate(question: str, documents: Sequence[Document]) -> str:
    """The three sentences that match the question best, in order; empty if none shares a word."""
    strips = [strip for document in documents for strip in split_strips(document)]
    best = best_matches(question, Ranking([strip.stems for strip in strips]), SENTENCES)
    return " ".join(word for i in best for word in strips[i].text.split())


def generate_answer(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """The sentence that answers best, and at most two that come close to it, in text order.

    Those of several titles are a line for each, after its title. It is by the evaluator, and by
    whether the cross-encoder finds an answer in a sentence.
    """
    strips = [(document, strip) for document in documents for strip in split_strips(document)]
    matching = best_matches(question, Ranking([strip.stems for _, strip in strips]), CANDIDATES)
    first = dict[str, tuple[Document, Strip]]()
    for i in sorted({*matching, *range(min(CANDIDATES, len(strips)))}):
        first.setdefault(f" {' '.join(dict.fromkeys(strips[i][1].stems))} ", strips[i])
    subject, texts = find_asked_subject(question), list[Text]()
    for words, (document, strip) in first.items():
        # Repetitions and headings have no words but those in a row in another strip.
        if not any(words in other for other in first if other != words):
            # An untitled text that holds the subject's name may say "he" in its sentences.
            holds = subject and subject.relation("", document.text) in ("own", "mentioned")
            name = subject.name if subject and holds else ""
            texts.append((document.title or name, " ".join(strip.text.split())))
    scores = evaluator.score(question, texts)
    read = load_cross_encoder(MODEL).read([(question, under_title(*text)) for text in texts])
    found = [sigmoid(one.answer.odds) if one.answer else 0.0 for one in read]
    scores = [score + READ * own for score, own in zip(scores, found, strict=True)]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])[:SENTENCES]
    told = dict[str, str]()
    for title, text in (texts[i] for i in sorted(order) if scores[i] >= scores[order[0]] - MARGIN):
        told[title] = f"{told.get(title, '')} {text}".strip()
    if len(told) == 1:
        return next(iter(told.values()))
    own = {title: text.removeprefix(title).strip() for title, text in told.items()}
    return "\n".join(f"{title}: {text}" if title else text for title, text in own.items())


def rewrite_question(question: str, earlier: Sequence[str] = ()) -> str:
    """At most three keywords: the names in the question, then its other content words as one.

    >>> rewrite_question("What is Henry Feilden's occupation?")
    'Henry Feilden, occupation'
    >>> rewrite_question("What genre is Being There?")
    'Being There, genre'
    >>> rewrite_question("Who was the 16th King of Rome?")
    '16th King of Rome'
    >>> rewrite_question("Where was he born?", ["Who was Ada Lovelace?", "A mathematician."])
    'Ada Lovelace, born'
    """
    if subject := find_asked_subject(question):
        start = question.index(subject.name)
        names = [(start, start + len(subject.name))]
    else:
        found = (entity for entity in find_entities(question) if entity.kind == "name")
        names = [(e.start, e.end) for e in found if e.text.lower() not in QUESTION_WORDS]
    rest, last_end = "", 0
    for word in split_words(question):
        is_named = any(start <= word.start < end for start, end in names)
        if word.is_content and word.text.lower() not in QUESTION_WORDS and not is_named:
            rest += (" " if rest and word.start > last_end else "") + word.text
            last_end = word.end
    keywords = [question[a:b].removesuffix("'s").removesuffix("’s") for a, b in names]
    topic = next(filter(None, map(question_entity, reversed(earlier))), "")
    keywords = keywords or [topic] if topic else keywords
    last = [rest] if rest else []
    return ", ".join([*keywords[: KEYWORDS - len(last)], *last]) or question
