"""Pairs made by rule: every false claim beside a true twin, so that no word gives it away.

Where an edit contradicts in both directions, the evidence is edited as well: then the same two
claims stand in both roles.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from errata.core.records import Document
from errata.evals.datasets.rows import read_rows
from errata.tools.text.sentences import split_strips
from errata.tools.text.words import SYNONYMS
from errata.training import date_edits, number_edits, role_edits, word_edits
from errata.training.claim_sets import TITLE_SHARE
from errata.training.edits import Edit, Relation, Rule, Source
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, UNSUPPORTED, Labels, Pair
from errata.training.splits import is_reserved

LABELS: dict[Relation, Labels] = {
    "contradicts": REFUTED,
    "follows": SUPPORTED,
    "open": NOT_MENTIONED,
    "unsupported": UNSUPPORTED,
}
RULES: tuple[Rule, ...] = (
    word_edits.negate,
    word_edits.affirm,
    word_edits.replace_opposite,
    word_edits.replace_synonym,
    word_edits.requantify,
    word_edits.hedge,
    word_edits.reorder,
    word_edits.contract,
    number_edits.change_number,
    number_edits.round_number,
    number_edits.spell_number,
    number_edits.change_ordinal,
    number_edits.rescale,
    number_edits.change_percent,
    number_edits.change_money,
    number_edits.change_unit,
    date_edits.change_year,
    date_edits.change_span,
    date_edits.change_date,
    number_edits.neighbour,
    role_edits.turn_passive,
    role_edits.swap_names,
    role_edits.neighbour_name,
    role_edits.foreign_name,
    role_edits.foreign_subject,
    role_edits.change_list,
)
NEGATIONS: tuple[Rule, ...] = (
    word_edits.negate,
    word_edits.affirm,
    word_edits.replace_opposite,
)
"""What they make of a consequence of a sentence contradicts the sentence, too."""
WORDS = range(6, 36)
"""How many words a sentence may have."""
BUNDLES = 2
"""How many bundles are made of one sentence."""
UNMENTIONED_SHARE = 0.3
"""How many of the bundles also have a claim beside the rest of its paragraph."""
MUTUAL_SHARE = 0.6
"""How many of the bundles have edited evidence, too."""
REWORDED_SHARE = 0.6
"""How often a word of both claims is replaced by a synonym."""
SHORTER_SHARE = 0.6
"""How often a claim leaves out clauses of its sentence."""


@dataclass(frozen=True)
class Passage:
    """A paragraph to make claims of."""

    group: str
    title: str
    text: str


def twin_pairs(passages: Sequence[Passage], random: Random) -> Iterator[Pair]:
    """Pairs from the sentences of paragraphs, in bundles."""
    for passage in passages:
        foreign = random.choice(passages)
        for source in _sources(passage, foreign if foreign.group != passage.group else None):
            edits = draw_edits(source, random)
            for number, edit in enumerate(edits):
                bundle = f"{passage.group}:{hash_text(source.text)}:{number}"
                for first, second, labels in _bundle(source, edit, random):
                    name = f"rule {edit.family}"
                    yield Pair(passage.group, name, first, second, labels, bundle)


def hash_text(text: str) -> str:
    """A short name for a sentence."""
    return text[:24] + str(len(text))


def draw_edits(source: Source, random: Random) -> list[Edit]:
    """Up to two edits of a sentence, of different families, rare families first."""
    by_rule = [list(rule(source, random)) for rule in RULES]
    edits = [random.choice(edits) for edits in by_rule if edits]
    edits = [edit for edit in edits if edit.text != source.text]
    weights = {id(edit): random.random() * RARITY.get(edit.family, 1.0) for edit in edits}
    return sorted(edits, key=lambda edit: -weights[id(edit)])[:BUNDLES]


RARITY = {
    "negation": 0.9,
    "opposite": 0.9,
    "synonym": 0.8,
    "roles": 0.7,
    "other number": 0.6,
    "other year": 0.6,
    "spelling": 0.6,
    "year": 0.5,
    "foreign subject": 0.5,
    "other name": 0.45,
    "foreign name": 0.4,
    "hedge": 0.35,
}
"""Families that fit many sentences are drawn less often."""


def _sources(passage: Passage, foreign: Passage | None) -> Iterator[Source]:
    sentences = [s.text for s in split_strips(Document(id="d", text=passage.text))]
    others = [s.text for s in split_strips(Document(id="d", text=foreign.text))] if foreign else []
    for sentence in sentences:
        if len(sentence.split()) in WORDS and sentence[-1] in ".!" and "?" not in sentence:
            rest = tuple(other for other in sentences if other != sentence)
            yield Source(sentence, rest, passage.title, tuple(others))


def _bundle(source: Source, edit: Edit, random: Random) -> Iterator[tuple[str, str, Labels]]:
    """Claims, evidence and labels that one edit gives, with a true twin for a false claim."""
    evidence = draw_evidence(source, random)
    if edit.relation == "follows":
        claims = edit.text, _contradict(edit.text, random)
        yield claims[0], evidence, SUPPORTED
        if claims[1]:
            yield claims[1], evidence, REFUTED
    else:
        claims = _reword(*(_draw_shorter(source, edit, random) or (source.text, edit.text)), random)
        yield claims[0], evidence, SUPPORTED
        yield claims[1], evidence, LABELS[edit.relation]
        if edit.mutual and random.random() < MUTUAL_SHARE:
            edited = evidence.replace(source.text, edit.text)
            yield claims[1], edited, SUPPORTED
            yield claims[0], edited, REFUTED
    if source.others and random.random() < UNMENTIONED_SHARE:
        rest = random.sample(source.others, min(2, len(source.others)))
        yield claims[0], join(source, rest, random), NOT_MENTIONED


def _contradict(claim: str, random: Random) -> str:
    """The claim negated or with an opposite; empty if no rule fits."""
    edits = [edit for rule in NEGATIONS for edit in rule(Source(claim), random)]
    return random.choice(edits).text if edits else ""


def _reword(true: str, false: str, random: Random) -> tuple[str, str]:
    """Both claims with the same word replaced by a synonym, sometimes."""
    words = [word for word in SYNONYMS if f" {word} " in true and f" {word} " in false]
    if not words or random.random() > REWORDED_SHARE:
        return true, false
    old = random.choice(words)
    new = SYNONYMS[old]
    return true.replace(f" {old} ", f" {new} ", 1), false.replace(f" {old} ", f" {new} ", 1)


def draw_evidence(source: Source, random: Random) -> str:
    """The sentence alone or among others of its paragraph."""
    count = min(len(source.others), random.choice((0, 0, 1, 1, 2)))
    chosen = [source.text, *random.sample(source.others, count)]
    random.shuffle(chosen)
    return join(source, chosen, random)


def join(source: Source, sentences: Iterable[str], random: Random) -> str:
    """Sentences, sometimes after the title of their page."""
    text = " ".join(sentences)
    named = source.title and source.title not in text and random.random() < TITLE_SHARE
    return f"{source.title}: {text}" if named else text


def _draw_shorter(source: Source, edit: Edit, random: Random) -> tuple[str, str] | None:
    """Both claims without the same clause; None if the edit is in that clause."""
    if random.random() > SHORTER_SHARE:
        return None
    own = [e.text for e in word_edits.shorten(source, random)]
    theirs = [e.text for e in word_edits.shorten(Source(edit.text), random)]
    pairs = [pair for pair in zip(own, theirs, strict=False) if pair[0] != pair[1]]
    return random.choice(pairs) if pairs and len(own) == len(theirs) else None


def read_passages(data: Path) -> list[Passage]:
    """Paragraphs under CC BY-SA, Apache-2.0 or ODC-By, in a fixed order."""
    extra = data / "extra"
    passages = [
        Passage(row["group"], row["title"] or "", row["text"])
        for name in ("squad/train_paragraphs", "extra/multilingual/tydi_goldp_paragraphs")
        for row in read_rows(data / f"{name}.jsonl.gz")
        if row.get("lang", "en") == "en" and not is_reserved(row["group"])
    ]
    passages += [
        Passage(row["group"], row["title"], " ".join([row["evidence"], *row["retrieved"]]))
        for row in read_rows(extra / "claim-evidence" / "fm2_dev.jsonl.gz")
    ]
    passages += [
        Passage(row["group"], row["title"], " ".join(row["sentences"]))
        for row in read_rows(extra / "claim-evidence" / "scifact_train.jsonl.gz")
    ]
    passages += [
        Passage(row["group"], "", row["passage"])
        for row in read_rows(extra / "retrieval" / "boolq_dev.jsonl.gz")
    ]
    return list({passage.text: passage for passage in passages}.values())
