"""CRAG's local fillers of generate and rewrite: sentences word for word, choices, keywords."""

import re
from collections.abc import Sequence

from errata.core.records import Claim, Document
from errata.tools.judges.cross_encoder import is_available, load_cross_encoder
from errata.tools.judges.entailment import under_title
from errata.tools.judges.evaluator import Evaluator, Text
from errata.tools.judges.logistic import sigmoid
from errata.tools.judges.subjects import BEARERS, QUESTION_WORDS, find_bearers, find_subject
from errata.tools.judges.verifier import verify
from errata.tools.local.refine import best_matches
from errata.tools.text.entities import find_entities
from errata.tools.text.questions import question_entity, split_choices
from errata.tools.text.sentences import Ranking, Strip, split_strips
from errata.tools.text.words import PREFIX, content_stems, split_stems, split_words, stem_prefixes

SENTENCES = 3
CANDIDATES = 20
"""Sentences that are scored: so many that match the question best, and so many at the start."""
MARGIN = 0.5
"""How far below the best score another sentence of the answer may be."""
READ = 0.8
"""What a sentence gains at most by words that the cross-encoder reads as the answer."""
_SPORT = re.compile(r"\b(?:what|which) sport\b", re.IGNORECASE)
_PLAYER = re.compile(
    r"\b(?:(\w*ball|cricket|golf)|((?:ski |speed |figure )?(?:bobsledd|box|climb|div|fenc|jump|"
    r"kayak|row|skat|snowboard|surf|swimm|wrestl)))ers?\b",
    re.IGNORECASE,
)
"""Who plays a ball game, or does a sport that is named by its verb."""
KEYWORDS = 3
"""Most keywords in one query (CRAG table 7)."""


def generate(question: str, documents: Sequence[Document]) -> str:
    """The three sentences that match the question best, in the documents' order.

    Empty if no sentence shares a word with the question.
    """
    strips = [strip for document in documents for strip in split_strips(document)]
    best = best_matches(question, Ranking([strip.stems for strip in strips]), SENTENCES)
    return " ".join(_on_one_line(strips[i].text) for i in best)


def generate_answer(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """The sentence that answers best, and those that come close to it, in text order.

    These are the next two, and the best of each of three things that bear the name asked about.
    Those of several titles are a line for each, after its title. It is by the evaluator, and by
    whether the cross-encoder finds an answer in a sentence.
    """
    strips = [(document, strip) for document in documents for strip in split_strips(document)]
    matching = best_matches(question, Ranking([strip.stems for _, strip in strips]), CANDIDATES)
    first = dict[str, tuple[Document, Strip]]()
    for i in sorted({*matching, *range(min(CANDIDATES, len(strips)))}):
        first.setdefault(f" {' '.join(dict.fromkeys(strips[i][1].stems))} ", strips[i])
    subject, texts = find_subject(question), list[Text]()
    for words, (document, strip) in first.items():
        # Repetitions and headings have no words but those in a row in another strip.
        if not any(words in other for other in first if other != words):
            # An untitled text that holds the subject's name may say "he" in its sentences.
            holds = subject and subject.relation("", document.text) in ("own", "mentioned")
            name = subject.name if subject and holds else ""
            texts.append((document.title or name, _on_one_line(strip.text)))
    scores = evaluator.score(question, texts)
    if is_available():
        read = load_cross_encoder("").read([(question, under_title(*text)) for text in texts])
        found = [sigmoid(one.answer.odds) if one.answer else 0.0 for one in read]
        scores = [score + READ * own for score, own in zip(scores, found, strict=True)]
    order = sorted(range(len(scores)), key=lambda i: -scores[i])
    close = [i for i in order if scores[i] >= scores[order[0]] - MARGIN]
    bearers = find_bearers(question, [texts[i][0] for i in close])[:BEARERS]
    chosen = {*close[:SENTENCES], *(next(i for i in close if texts[i][0] == b) for b in bearers)}
    told = {texts[i][0]: "" for i in close if i in chosen}
    for title, text in (texts[i] for i in sorted(chosen)):
        told[title] = f"{told[title]} {text}".strip()
    if len(told) == 1:
        return _name_sport(question, *told.values())
    own = {title: text.removeprefix(title).strip() for title, text in told.items()}
    named = {title: _name_sport(question, text) for title, text in own.items()}
    return "\n".join(f"{title}: {text}" if title else text for title, text in named.items())


def _name_sport(question: str, answer: str) -> str:
    """The answer after the sport asked for, if it says only who plays that: "footballer"."""
    player = _PLAYER.search(answer) if _SPORT.search(question) else None
    if not player:
        return answer
    sport = player[1] or f"{player[2]}ing"
    is_said = re.search(rf"\b{sport}\b", answer, re.IGNORECASE)
    return answer if is_said else f"{sport.capitalize()}. {answer}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def judge_statement(statement: str, documents: Sequence[Document]) -> str:
    """`true` if the documents bear a statement out, `false` if they refute it, else nothing."""
    claim = Claim(id="c1", text=statement, start=0, end=len(statement))
    [verdict] = verify("", [claim], documents)
    return {"supported": "true", "refuted": "false"}.get(verdict.label, "")


def choose(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """The key of the choice that the documents speak of most; empty if the question has none."""
    asked, choices = split_choices(question)
    texts = [(document.title, document.text) for document in documents]
    scores = {key: max(evaluator.score(f"{asked} {c}", texts)) for key, c in choices.items()}
    return max(scores, key=lambda key: scores[key], default="")


def find_unread(answer: str, texts: Sequence[str]) -> list[str]:
    """The names, dates and numbers of an answer of which no text holds a word, or not each figure.

    >>> find_unread("Ada Lovelace, in Paris.", ["Lovelace was born in London."])
    ['Paris']
    >>> find_unread("On 8 May 1866.", ["Born on 8 May 1867."])
    ['8 May 1866']
    """
    read = frozenset(stem for text in texts for stem in split_stems(text))
    prefixes = stem_prefixes(read)
    named = {entity.text: content_stems(entity.text) for entity in find_entities(answer)}
    return [
        name
        for name, stems in named.items()
        if stems
        and (
            any(stem[0].isdigit() and stem not in read for stem in stems)
            or not any(stem in read or stem[:PREFIX] in prefixes for stem in stems)
        )
    ]


def rewrite(question: str, earlier: Sequence[str] = ()) -> str:
    """At most three keywords: the names in the question, then its other content words as one.

    A question without a name is about the last name of the earlier turns.

    >>> rewrite("What is Henry Feilden's occupation?")
    'Henry Feilden, occupation'
    >>> rewrite("Where was he born?", ["Who was Ada Lovelace?", "A mathematician."])
    'Ada Lovelace, born'
    """
    names = [
        entity
        for entity in find_entities(question)
        if entity.kind == "name" and entity.text.lower() not in QUESTION_WORDS
    ]
    rest = " ".join(
        word.text
        for word in split_words(question)
        if word.is_content
        and word.text.lower() not in QUESTION_WORDS
        and not any(name.start <= word.start < name.end for name in names)
    )
    keywords = [name.text.removesuffix("'s").removesuffix("’s") for name in names]
    topic = next(filter(None, map(question_entity, reversed(earlier))), "")
    keywords = keywords or [topic] if topic else keywords
    last = [rest] if rest else []
    return ", ".join([*keywords[: KEYWORDS - len(last)], *last]) or question
