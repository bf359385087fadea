"""Sentences taken apart into clauses that stand alone, and put together again without some.

A sentence is a head (what opens it, its subject) and a series of predicates; a predicate may hold
a series of items ("starred in A, B, and C") or of facets ("born on D in P"). Every leaf becomes a
claim, and can be taken out so that the rest still reads well.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from errata.tools.text.entities import DATE, NAME

TWO_QUOTED = 4
"""How many quotation marks two quoted items have."""
PAIR = 2
_VERBS = """
    is are was were has have had does did do can could will would may might must should isn't wasn't
    aren't weren't hasn't haven't hadn't didn't doesn't became began beat bore bought broke brought
    built came chose continue continues cost cut died drew drove feature features fell felt fought
    found gave gets got grew held hosts include includes kept knew lay led left lies lived lives
    lost made makes meant met moved owns paid plays put ran reached rose said sang sat saw sent
    serves set showed shot sold spent spoke stands stood swam taught thought told took tours
    underwent went won works writes wrote
"""
FINITE = (
    rf"(?:{'|'.join(_VERBS.split())}"
    r"|(?!(?:need|speed|breed|seed|feed|indeed|hundred|sacred|naked|wicked)\b)[a-z]{2,}ed)"
)
_ADVERB = r"(?:(?:also|later|then|once|still|now|\w+ly) )*"
_OPENING = re.compile(
    r"(?:In|On|At|After|Before|During|Throughout|From|Since|By|As|Over|Following|Besides|Within|"
    r"Between|Until|Alongside|Despite|Apart|Additionally|However|Later|Today|Currently|Overall)"
    r"\b[^,;]{0,80}, "
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
# "dedicated journalist" is no predicate, "dedicated his life" is: look at what follows -ed.
_OBJECT = (
    r"(?: (?:an?|the|his|her|their|its|in|on|at|to|for|with|as|by|from|of|into|over|up|out|"
    r"several|many|numerous|various|until|during|after|before|through|that|"
    r"alongside|\d|[A-Z\"“])|,|\.|$)"
)
_ADJECTIVE = (
    r"(?:talented|renowned|distinguished|acclaimed|skilled|accomplished|gifted|varied|united|"
    r"beloved|respected|detailed|advanced|complicated|sophisticated)\b"
)
_JOIN = re.compile(
    rf"(?<!ed)(?<!en),? (?:and|but) (?={_ADVERB}(?!{_ADJECTIVE}){FINITE}\b"
    rf"(?:(?<!ed)|(?={_OBJECT})))"
)
_INDEPENDENT = re.compile(
    rf",? (?:and|but) (?=(?:he|she|it|they) {_ADVERB}{FINITE}\b)"
    rf"|; (?:and |but )?(?=[^,;]{{1,60}} {_ADVERB}{FINITE}\b)"
)
_QUOTED = r"[\"“][^\"“”]{1,80}[\"”]"
_NAMES = NAME.pattern
_ITEM = (
    rf"(?:{_QUOTED}|(?!(?:He|She|It|They|His|Her|Their|Its|The|In|I)\b)"
    rf"\b(?:the )?{_NAMES}(?: \(\d{{4}}\))?)"
)
_SERIES = re.compile(rf"{_ITEM}(?:,? (?:and |or |as well as )?{_ITEM})+")
_ITEMS = re.compile(_ITEM)
_CONJUNCTION = re.compile(r"\b(?:and|or|as well as)\b")
_BORN = re.compile(
    rf"(?P<lead>^(?:was|is) |)\b(?P<verb>born|died) "
    rf"(?P<first>(?:on|in) (?:{DATE.pattern}|\d{{4}})),? "
    rf"(?P<second>in {_NAMES}(?:, {_NAMES})*)"
)
_RELATIVE = re.compile(
    rf",? (?:(?P<adverb>where|when) (?=(?:he|she|it|they) {_ADVERB}{FINITE}\b)"
    rf"|(?P<pronoun>who|which) (?={_ADVERB}{FINITE}\b))"
)
_PHRASE = re.compile(rf"(?:\b(?:the|a|an|his|her|their|its) [\w' -]+?|{_NAMES})(?: in \d{{4}})?$")
_COPULA = re.compile(rf"{_ADVERB}(?:is|was|are|were|became) {_ADVERB}(?:an?|the|one)\b")
_LOOSE_END = re.compile(r"(?:,| and|,? who (?:was|is)|,? (?:was|is))?\s*$")
_PRONOUN = re.compile(r"(?:(he|she|it|they)|(his|her|its|their))\b", re.IGNORECASE)
_WORDED = re.compile(r"\w")
_BRACKETED = re.compile(rf"{_QUOTED}|\([^()]*\)|\[[^\[\]]*\]")


@dataclass(frozen=True)
class Part:
    """Hold one leaf: its stretch of the sentence and the claim it makes."""

    start: int
    end: int
    claim: str


@dataclass(frozen=True)
class Series:
    """Hold parts that stand side by side within a stretch: leaves, or series again."""

    start: int
    end: int
    parts: "Sequence[Part | Series]"
    led: bool = False
    """Whether the first part carries the others, so that they go where it goes."""

    def leaves(self) -> Iterator[Part]:
        """Give every leaf from left to right."""
        for part in self.parts:
            yield from part.leaves() if isinstance(part, Series) else (part,)


def parse_clauses(sentence: str, name: str = "") -> Series:
    """Take a sentence apart; `name` stands in for a pronoun that leads a clause."""
    end = len(sentence.rstrip(".!? ")) or len(sentence)
    plain = _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)
    pieces = _split(_INDEPENDENT, plain, 0, end)
    return Series(0, end, [_clause(sentence, plain, a, b, name) for a, b in pieces])


def _split(joint: re.Pattern[str], plain: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts = [match.span() for match in joint.finditer(plain, start, end)]
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _clause(sentence: str, plain: str, start: int, end: int, name: str) -> Series:
    """Take one independent clause apart into its predicates."""
    opening = _OPENING.match(plain, start)
    after = opening.end() if opening else start
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        whole = sentence[start:after] + replace_pronoun(sentence[after:end], name)
        return Series(start, end, [Part(start, end, f"{whole}.")])
    head = sentence[start:after] + replace_pronoun(sentence[after : subject.end("subject")], name)
    parts = [
        _predicate(sentence, plain, a, b, head, name)
        for a, b in _split(_JOIN, plain, subject.end(), end)
    ]
    return Series(start, end, parts)


def find_subject(sentence: str) -> str:
    """Give the words before the first finite verb; empty where none is found."""
    plain = _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)
    opening = _OPENING.match(plain)
    match = _SUBJECT.match(plain, opening.end() if opening else 0)
    return sentence[match.start("subject") : match.end("subject")] if match else ""


def replace_pronoun(text: str, name: str) -> str:
    """Put the name in for a leading pronoun."""
    match = _PRONOUN.match(text)
    if not match or not name:
        return text
    owner = f"{name}'" if name.endswith("s") else f"{name}'s"
    return (name if match[1] else owner) + text[match.end() :]


def remove_clauses(sentence: str, node: "Part | Series", dropped: Collection[Part]) -> str | None:
    """Write a node's stretch without the dropped leaves; None where nothing is left."""
    if isinstance(node, Part):
        return None if node in dropped else sentence[node.start : node.end]
    written = [remove_clauses(sentence, part, dropped) for part in node.parts]
    kept = [i for i, text in enumerate(written) if text is not None]
    if not kept or (node.led and 0 not in kept):
        return None
    texts = [text for text in written if text is not None]
    before = sentence[node.start : node.parts[0].start]
    after = sentence[node.parts[-1].end : node.end]
    return before + _joined(sentence, node.parts, kept, texts) + after


def _predicate(
    sentence: str, plain: str, start: int, end: int, head: str, name: str
) -> "Part | Series":
    """Take one predicate apart: relative clauses first, then facets or items."""
    relative = _RELATIVE.search(plain, start, end)
    subject = (
        _antecedent(sentence[start : relative.start()], relative, head, name) if relative else ""
    )
    if not relative or not subject:
        return _simple(sentence, start, end, head)
    main = _simple(sentence, start, relative.start(), head)
    if relative["adverb"]:
        claim = f"{replace_pronoun(sentence[relative.end() : end], name)}."
        return Series(start, end, [main, Part(relative.start(), end, claim)], led=True)
    told = _simple(sentence, relative.end(), end, subject)
    return Series(start, end, [main, Series(relative.start(), end, [told])], led=True)


def _antecedent(before: str, relative: re.Match[str], head: str, name: str) -> str:
    """Give what a relative clause speaks of; empty where that cannot be told."""
    if relative["adverb"]:
        return name
    if relative["pronoun"] == "who" and _COPULA.match(before):
        return head
    phrase = _PHRASE.search(before)
    return replace_pronoun(phrase.group(), name) if phrase else ""


def _simple(sentence: str, start: int, end: int, head: str) -> "Part | Series":
    text = sentence[start:end]
    born = _BORN.search(text)
    if born:
        return _facets(sentence, start, end, head, born)
    series = _SERIES.search(sentence, start, end)
    if series and _is_list(series.group()):
        return _items(sentence, start, end, head, series)
    return Part(start, end, f"{head} {text}.")


def _is_list(text: str) -> bool:
    return bool(_CONJUNCTION.search(_BRACKETED.sub("x", text))) or text.count('"') > TWO_QUOTED


def _items(sentence: str, start: int, end: int, head: str, series: re.Match[str]) -> Series:
    """Make a claim of every item of a list."""
    before, after = sentence[start : series.start()], sentence[series.end() : end]
    parts = [
        Part(
            match.start(),
            match.end(),
            f"{head} {before}{_bare(match.group())}{after}.",
        )
        for match in _ITEMS.finditer(sentence, series.start(), series.end())
    ]
    return Series(start, end, parts)


def _facets(sentence: str, start: int, end: int, head: str, born: re.Match[str]) -> Series:
    """Make a claim of the day, of the place, of what follows, and of what stands before."""
    lead = f"{head} {'was ' if born['verb'] == 'born' else ''}{born['verb']}"
    stretches = [born.span("first"), born.span("second")]
    tail = sentence[start + born.end() : end]
    if _WORDED.search(tail):
        stretches.append((end - start - len(tail.lstrip(" ,")), end - start))
    parts = [
        Part(start + a, start + b, f"{lead} {sentence[start + a : start + b]}.")
        for a, b in stretches
    ]
    facets = Series(start + born.start(), end, parts)
    if born.start() == 0:
        return Series(start, end, [facets])
    before = _LOOSE_END.sub("", sentence[start : start + born.start()])
    return Series(
        start, end, [Part(start, start + len(before), f"{head} {before}."), facets], led=True
    )


def _bare(item: str) -> str:
    return re.sub(r"[,.](?=[\"”]$)", "", item)


def _joined(
    sentence: str, parts: "Sequence[Part | Series]", kept: Sequence[int], texts: Sequence[str]
) -> str:
    """Join the kept texts by the separators they had, with the last conjunction kept last."""
    gaps = [sentence[a.end : b.start] for a, b in pairwise(parts)]
    if len(kept) == len(parts):
        return "".join(text + gap for text, gap in zip(texts, [*gaps, ""], strict=True))
    pair = len(kept) == PAIR
    last = gaps[-1].lstrip(",") if pair else gaps[-1]
    chosen = [gaps[i] for i in kept[:-2]] + ([last] if len(kept) > 1 else [])
    texts = [*texts[:-1], _closed(texts[-1], sentence[parts[-1].start : parts[-1].end])]
    if pair and "," not in last:
        texts[0] = _bare(texts[0])
    return "".join(text + gap for text, gap in zip(texts, [*chosen, ""], strict=True))


def _closed(item: str, last: str) -> str:
    """Give a quoted item that now comes last the mark that the old last one had."""
    mark = re.search(r"([,.]?)[\"”]$", last)
    return re.sub(r"[,.]?([\"”])$", rf"{mark[1] if mark else ''}\1", item)
