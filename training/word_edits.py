"""Rules that change words of a sentence: negation, opposites, quantifiers, modality, order."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from errata.tools.text.clauses import parse_clauses, without_denial
from errata.tools.text.words import (
    CONTRARIES,
    PHRASES,
    SYNONYMS,
    both_ways,
    fix_article,
    replace_span,
)
from errata.training.edits import Edit, Relation, Source, replace_match

_TABLE = json.loads(Path(__file__).with_name("words.json").read_text(encoding="utf-8"))
_CONVERSES = both_ways(_TABLE["converses"])
OPPOSITES = {
    word: CONTRARIES.get(word, ()) + _CONVERSES.get(word, ()) for word in CONTRARIES | _CONVERSES
}
"""Contraries, and words that hold of two sides of one thing or often stand for something else."""
WIDER: dict[str, str] = dict(_TABLE["wider"])
"""Words with a wider term, which holds wherever they hold."""
_NEGATABLE = re.compile(
    r"\b(?:is|are|was|were|can|could|will|would|should|must|does|did"
    r"|(?:has|have|had)(?= (?:been|become|won|made|taken|given|grown|shown|found|\w+ed)\b))\b"
    r"(?! (?:not|never|no|n't|the)\b)(?= \w)"
)
"""A verb after which "not" can stand."""
_FLAGS = re.IGNORECASE
_PASTS = {
    "founded": "found", "wrote": "write", "won": "win", "lost": "lose", "became": "become",
    "began": "begin", "played": "play", "studied": "study", "worked": "work", "moved": "move",
    "joined": "join", "died": "die", "served": "serve", "received": "receive",
    "published": "publish", "released": "release", "made": "make", "took": "take", "gave": "give",
    "led": "lead", "directed": "direct", "lived": "live", "left": "leave", "returned": "return",
    "married": "marry", "attended": "attend", "appeared": "appear", "started": "start",
    "ended": "end", "signed": "sign", "used": "use", "created": "create", "developed": "develop",
    "introduced": "introduce", "included": "include", "found": "find", "showed": "show",
    "reported": "report", "built": "build", "opened": "open", "closed": "close", "sold": "sell",
    "bought": "buy", "acquired": "acquire", "defeated": "defeat", "increased": "increase",
    "decreased": "decrease", "reached": "reach", "remained": "remain", "held": "hold",
    "graduated": "graduate", "announced": "announce", "accepted": "accept", "rejected": "reject",
    "supported": "support", "required": "require", "allowed": "allow", "helped": "help",
    "continued": "continue", "produced": "produce", "recorded": "record", "performed": "perform",
    "earned": "earn", "caused": "cause",
}  # fmt: skip
_SIMPLE_PAST = re.compile(rf"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|who|[A-Z]\w+) ({'|'.join(_PASTS)})\b")
_HEDGEABLE = re.compile(r"\b(?:is|are|was|were|has|have|had|will)\b(?= (?!not)\w)")
_HEDGES = ("probably", "reportedly", "perhaps", "allegedly", "possibly")
_HEDGED = re.compile(rf"\b(?:{'|'.join(_HEDGES)}|likely|presumably|apparently) ", _FLAGS)
_ORDER = re.compile(r"^([A-Z][^,;:]{15,}?) (before|after) ([^,;:]{10,})\.$")
_OPENING_WORD = re.compile(
    r"^(?:The|A|An|He|She|It|They|All|Some|Most|Many|This|These|His|Her|Its|Their)\b"
)
SHORTEST = 5
_PARENTHESES = re.compile(r" \([^()]*\)")
_RELATIVE = re.compile(
    r", (?:which|who|where|whose|when|with|including|such as) [^,;]*(?=[,.;](?!\d))"
)
_FRONTED = re.compile(r"^(?:In|On|During|At|After|Before|By|From|Since) [^,]{3,40}, (?=\w)")
_LAST_PHRASE = re.compile(
    r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!\bwere)(?<!\bbe)(?<!\bbeen)(?<!ed)(?<!born)(?<!\band)"
    r"(?<!\blies)(?<!\blive)(?<!\blives),? "
    r"(?:in|on|at|during|after|before|since|until|near|throughout) [^,;]{3,40}(?=\.$)"
)
"""A phrase of time or place at the end that no verb before it needs."""
_CONJUNCT = re.compile(
    r"(?<=\w{3}) and (?:(?:the|an?|his|her|its|their) )?[\w.-]+(?: [\w-]+){0,2}(?=\.$)"
)
_TOGETHER = re.compile(r"\b(?:both|between|either|neither|same|together|each)\b", _FLAGS)
"""Words with which one of two conjuncts does not do."""
_ADJECTIVE = re.compile(
    r"(?:(?<=\b[Aa] )|(?<=\b[Aa]n ))[\w-]+(?:ese|ish|ian|an|ic|al|ous|ful|ive) (?=[a-z])"
)
_DOWNWARD = re.compile(
    r"n['’]t\b|\b(?:not|no|never|none|without|all|every|each|only|few|if)\b", _FLAGS
)
"""Words that keep what holds of a kind from holding of a wider one."""
_CONTRACTIONS = {
    "did not": "didn't", "does not": "doesn't", "do not": "don't", "is not": "isn't",
    "are not": "aren't", "was not": "wasn't", "were not": "weren't", "has not": "hasn't",
    "have not": "haven't", "had not": "hadn't", "cannot": "can't", "could not": "couldn't",
    "will not": "won't", "would not": "wouldn't", "should not": "shouldn't",
}  # fmt: skip
_QUANTIFIERS: tuple[tuple[str, str, Relation], ...] = (
    (r"\ball (?=(?:the |of )?\w)", "none of ", "contradicts"),
    (r"\ball (?=\w+s\b)", "no ", "contradicts"),
    (r"\ball (?=\w+s\b)", "only some ", "contradicts"),
    (r"\bevery (?=\w)", "no ", "contradicts"),
    (r"\bmost (?=(?:of|\w+s)\b)", "few ", "contradicts"),
    (r"\bmany (?=\w)", "few ", "contradicts"),
    (r"\bmany (?=\w)", "no ", "contradicts"),
    (r"\bseveral (?=\w)", "no ", "contradicts"),
    (r"\bsome (?=\w)", "no ", "contradicts"),
    (r"\bfew (?=\w)", "many ", "contradicts"),
    (r"\bno (?=\w+s\b)", "many ", "contradicts"),
    (r"\bonly (?=\w)", "not only ", "contradicts"),
    (r"\bboth (?=of )", "neither ", "contradicts"),
    (r"\bsome (?=(?:of|\w+s)\b)", "all ", "unsupported"),
    (r"\bmost (?=\w+s\b)", "all ", "unsupported"),
    (r"\bmany (?=\w+s\b)", "all ", "unsupported"),
    (r"\bseveral (?=\w)", "all ", "unsupported"),
    (r"\bmost (?=\w+s\b)", "some ", "follows"),
    (r"\bmany (?=\w)", "some ", "follows"),
    (r"\bseveral (?=\w)", "some ", "follows"),
    (r"\bevery (?=\w)", "each ", "follows"),
    (r"\bmay (?!not)(?=\w)", "must ", "unsupported"),
    (r"\bmight (?=\w)", "will ", "unsupported"),
    (r"\bcan (?!not)(?=\w)", "must ", "unsupported"),
    (r"\bshould (?!not)(?=\w)", "must ", "unsupported"),
    (r"\bmust (?!not)(?=\w)", "need not ", "contradicts"),
    (r"\bmust (?!not)(?=\w)", "has to ", "follows"),
    (r"\bmay (?!not)(?=\w)", "can ", "follows"),
    (r"\bmight (?=\w)", "may ", "follows"),
)
"""Patterns, what stands in their place, and what the new sentence is to the old one."""
_COMPILED = [
    (re.compile(pattern, _FLAGS), new, relation) for pattern, new, relation in _QUANTIFIERS
]


def negate(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a 'not' or 'never' put in."""
    matches = list(_NEGATABLE.finditer(source.text))
    for match in matches[:1]:
        word = random.choice(("not", "not", "never"))
        text = f"{source.text[: match.end()]} {word}{source.text[match.end() :]}"
        yield Edit("negation", text, "contradicts", mutual=True)
    for match in list(_SIMPLE_PAST.finditer(source.text))[:1]:
        base = _PASTS[match[1].lower()]
        new = random.choice((f"did not {base}", f"never {match[1]}"))
        yield Edit("negation", replace_match(match, new, 1), "contradicts", mutual=True)


def affirm(source: Source, _: Random) -> Iterator[Edit]:
    """The sentence without its 'not' or 'never'."""
    for text in without_denial(source.text):
        yield Edit("negation", text, "contradicts", mutual=True)


def replace_opposite(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with one word or phrase replaced by its opposite."""
    for family, table in (("opposite", OPPOSITES), ("phrase", PHRASES)):
        for text in _replace_by(table, source.text, random):
            yield Edit(family, text, "contradicts", mutual=True)


def replace_synonym(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with one word replaced by a synonym, or by a wider term."""
    tables = (SYNONYMS,) if _DOWNWARD.search(source.text) else (SYNONYMS, WIDER)
    for table in tables:
        many = {word: (other,) for word, other in table.items()}
        for text in _replace_by(many, source.text, random):
            yield Edit("synonym", text, "follows")


def _replace_by(table: Mapping[str, Sequence[str]], text: str, random: Random) -> Iterator[str]:
    """A text with one of a table's words replaced, for up to two of them."""
    found = [w.span("run") for w in _spans(text) if w["run"].lower() in table]
    random.shuffle(found)
    for start, end in found[:2]:
        new = random.choice(table[text[start:end].lower()])
        yield fix_article(replace_span(text, start, end, new), start)


def _spans(text: str) -> Iterator[re.Match[str]]:
    """Words, and all runs of two to four words."""
    for size in (1, 2, 3, 4):
        yield from re.finditer(rf"(?<![\w-])(?=(?P<run>\w[\w-]*(?: \w[\w-]*){{{size - 1}}}))", text)


def requantify(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with another quantifier or modal verb."""
    found = [(m, new, rel) for p, new, rel in _COMPILED if (m := p.search(source.text))]
    random.shuffle(found)
    for match, new, relation in found[:3]:
        text = replace_match(match, new)
        yield Edit("quantifier", text, relation, mutual=relation == "contradicts")


def hedge(source: Source, random: Random) -> Iterator[Edit]:
    """The sentence with a word of doubt, or without its own."""
    for match in list(_HEDGEABLE.finditer(source.text))[:1]:
        text = f"{source.text[: match.end()]} {random.choice(_HEDGES)}{source.text[match.end() :]}"
        yield Edit("hedge", text, "follows")
    if _HEDGED.search(source.text):
        yield Edit("hedge", _HEDGED.sub("", source.text, count=1), "unsupported")


def reorder(source: Source, _: Random) -> Iterator[Edit]:
    """The sentence with 'before' or 'after' in front, and with the other of the two."""
    if match := _ORDER.match(source.text):
        main, link, clause = match.groups()
        other = {"before": "after", "after": "before"}[link]
        inner = _OPENING_WORD.sub(lambda word: word.group().lower(), main)
        yield Edit("order", f"{link.capitalize()} {clause}, {inner}.", "follows")
        yield Edit("order", f"{other.capitalize()} {clause}, {inner}.", "contradicts")
        yield Edit("order", f"{main} {other} {clause}.", "contradicts", mutual=True)


def shorten(source: Source, _: Random) -> Iterator[Edit]:
    """The sentence with less in it: one of its clauses, or without what only adds something."""
    text = _PARENTHESES.sub("", source.text)
    plain = _RELATIVE.sub("", text)
    main = _capitalise(_FRONTED.sub("", plain))
    clauses = parse_clauses(text)
    bare = (
        []
        if _DOWNWARD.search(main)
        else [_strip_additions(shorter) for shorter in (main, *clauses)]
    )
    for shorter in (text, plain, main, *clauses, *bare):
        if shorter != source.text and len(shorter.split()) >= SHORTEST:
            yield Edit("shorter", _capitalise(shorter), "follows")


def _strip_additions(sentence: str) -> str:
    """A sentence without its last phrase of time or place, last conjunct, and first adjective."""
    text = _LAST_PHRASE.sub("", sentence)
    text = text if _TOGETHER.search(text) else _CONJUNCT.sub("", text)
    match = _ADJECTIVE.search(text)
    return (
        fix_article(text[: match.start()] + text[match.end() :], match.start()) if match else text
    )


def contract(source: Source, _: Random) -> Iterator[Edit]:
    """The sentence with a contracted 'not', or a full one."""
    for full, short in _CONTRACTIONS.items():
        for old, new in ((full, short), (short, full)):
            if f" {old} " in source.text:
                yield Edit("contraction", source.text.replace(old, new, 1), "follows")


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
