"""Parsing of a sentence into clauses, each of which makes one claim.

A sentence is a head (its subject, after any opening phrase) with one or more predicates. A
predicate may list items ("starred in A, B, and C") or state facets ("born on D in P"). Every leaf
of the parse is one claim, and can be removed so that the rest still reads well (`clause_removal`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from errata.tools.text.circumstances import find_circumstance
from errata.tools.text.entities import DATE, NAME
from errata.tools.text.pronouns import Names, name_of, replace_pronoun
from errata.tools.text.titles import is_title

MARKS_OF_TWO_QUOTES = 4
"""How many quotation marks two quoted items have."""
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
    r"(?:(?:after|before|when|while|during|because|although|since|as) [^,;]{0,80}, )?"
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
# "dedicated his life" is a predicate, "dedicated journalist" is not: what follows -ed decides.
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
_AMONG = re.compile(r"(?:some|one|two|three|many|most|several|all|each|both) of ", re.IGNORECASE)
_PASSIVE = re.compile(
    rf"{_ADVERB}(?P<verb>(?:was|were|is|are|(?:has|have|had) been) ){_ADVERB}"
    r"(?:[a-z]+ed|built|made|held|led|run|sold|[a-z]+wn|written|drawn|cut|set) "
)
_PARTICIPLE = re.compile(rf"{_ADVERB}(?:[a-z]+ed|built|made|held|led|run|sold|cut|set) by ")
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
_LIFE_EVENT = re.compile(
    rf"(?P<lead>^(?:was|is) |)\b(?P<verb>born|died) "
    rf"(?P<first>(?:on|in) (?:{DATE.pattern}|\d{{4}})),? "
    rf"(?P<second>in {_NAMES}(?:(?:,| d[aeo]s?| del) {_NAMES})*)"
)
_RELATIVE = re.compile(
    rf"(?:,? (?=where)|, (?=when))(?P<adverb>where|when) (?=(?:he|she|it|they) {_ADVERB}{FINITE}\b)"
    rf"|,? (?P<pronoun>who|which) (?={_ADVERB}{FINITE}\b)"
)
_ASIDE = re.compile(
    r"(?P<subject>[^,;:]{1,80})(?P<aside>, "
    rf"(?:(?P<relative>(?:who|which) )(?={_ADVERB}{FINITE}\b)"
    r"|(?P<noun>(?=(?:the|an?) ))|(?=(?:\w+ed|\w+wn|written|built|made|born|led|held|run)"
    r" (?:by|in|on|at|as|from|for|with|to|near|after|during|of|into) ))"
    rf"(?P<words>[^,;:]{{1,100}}),)(?= {_ADVERB}{FINITE}\b)"
)
_PHRASE = re.compile(rf"(?:\b(?:the|a|an|his|her|their|its) [\w' -]+?|{_NAMES})(?: in \d{{4}})?$")
_COPULA = re.compile(rf"{_ADVERB}(?:is|was|are|were|became) {_ADVERB}(?:an?|the|one)\b")
_DANGLING_END = re.compile(r"(?:,| and|,? who (?:was|is)|,? (?:was|is))?\s*$")
_ANY_WORD = re.compile(r"\w")
_BRACKETED = re.compile(rf"{_QUOTED}|\([^()]*\)|\[[^\[\]]*\]")


@dataclass(frozen=True)
class Part:
    """A leaf of the parse: its place in the sentence, in characters, and its claim."""

    start: int
    end: int
    claim: str


@dataclass(frozen=True)
class Series:
    """An inner node of the parse: its place in the sentence and its parts from left to right."""

    start: int
    end: int
    parts: "Sequence[Part | Series]"
    needs_first: bool = False
    """Whether the other parts depend on the first and are removed with it."""
    needs_last: bool = False
    """Whether the other parts depend on the last and are removed with it."""

    def leaves(self) -> Iterator[Part]:
        """All leaves from left to right."""
        for part in self.parts:
            yield from part.leaves() if isinstance(part, Series) else (part,)


def parse_clauses(sentence: str, name: Names = "") -> Series:
    """Parse a sentence; in the claims, `name` replaces a pronoun that starts a clause.

    >>> tree = parse_clauses("She wrote notes and sang in Rome.", "Ada")
    >>> [leaf.claim for leaf in tree.leaves()]
    ['Ada wrote notes.', 'Ada sang in Rome.']
    """
    end = len(sentence.rstrip(".!? ")) or len(sentence)
    plain = _mask_brackets(sentence)
    places = _split(_INDEPENDENT, plain, 0, end)
    return Series(0, end, [_parse_clause(sentence, plain, a, b, name) for a, b in places])


def find_subject(sentence: str) -> str:
    """The grammatical subject: the words before the first finite verb; empty without one."""
    plain = _mask_brackets(sentence)
    opening = _OPENING.match(plain)
    after = opening.end() if opening else 0
    match = _ASIDE.match(plain, after) or _SUBJECT.match(plain, after)
    return sentence[match.start("subject") : match.end("subject")] if match else ""


def drop_inner_mark(item: str) -> str:
    """A quoted item without a comma or full stop before its closing quotation mark."""
    return re.sub(r"[,.](?=[\"”]$)", "", item)


def _mask_brackets(sentence: str) -> str:
    """The sentence with x for every character of quotations and brackets: no joint is in them."""
    return _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)


def _split(joint: re.Pattern[str], plain: str, start: int, end: int) -> list[tuple[int, int]]:
    """The places between joints."""
    cuts = [match.span() for match in joint.finditer(plain, start, end)]
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _parse_clause(sentence: str, plain: str, start: int, end: int, name: Names) -> Series:
    """One independent clause as a series of predicates."""
    opening = _OPENING.match(plain, start)
    after = opening.end() if opening else start
    aside = _ASIDE.match(plain, after, end)
    if aside:
        return _parse_aside(sentence, plain, start, end, aside, name)
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        claim = sentence[start:after] + replace_pronoun(sentence[after:end], name)
        return Series(start, end, [Part(start, end, f"{claim}.")])
    among = _AMONG.match(sentence, after)
    first = among.end() if among else after
    named, rest = replace_pronoun(sentence[first:end], name), end - subject.end("subject")
    head = sentence[start:first] + named[: len(named) - rest]
    parts = _parse_predicates(sentence, plain, subject.end(), end, head, name)
    return Series(start, end, parts)


def _parse_predicates(
    sentence: str, plain: str, start: int, end: int, head: str, name: Names
) -> "list[Part | Series]":
    """The predicates of one subject."""
    passive = _PASSIVE.match(sentence, start)
    return [
        _parse_predicate(sentence, plain, a, b, _with_verb(head, passive, sentence[a:b]), name)
        for a, b in _split(_JOIN, plain, start, end)
    ]


def _with_verb(head: str, passive: re.Match[str] | None, predicate: str) -> str:
    """The head of a predicate, with the verb that a participle shares with the first one."""
    shares = passive and _PARTICIPLE.match(predicate)
    return f"{head} {passive['verb'].strip()}" if passive and shares else head


def _parse_aside(
    sentence: str, plain: str, start: int, end: int, aside: re.Match[str], name: Names
) -> Series:
    """A clause with an aside between commas after its subject, which is a claim of its own."""
    opening = sentence[start : aside.start()]
    subject = replace_pronoun(sentence[slice(*aside.span("subject"))], name)
    verb = "" if aside["relative"] else "is " if aside["noun"] is not None else "was "
    claim = f"{subject} {verb}{sentence[slice(*aside.span('words'))]}."
    parts = _parse_predicates(sentence, plain, aside.end() + 1, end, opening + subject, name)
    main = Series(aside.end(), end, parts)
    return Series(start, end, [Part(*aside.span("aside"), claim), main], needs_last=True)


def _parse_predicate(
    sentence: str, plain: str, start: int, end: int, head: str, name: Names
) -> "Part | Series":
    """One predicate: its main part, and a relative clause that depends on it."""
    relative = _RELATIVE.search(plain, start, end)
    subject = (
        _antecedent(sentence[start : relative.start()], relative, head, name) if relative else ""
    )
    if not relative or not subject:
        return _parse_simple(sentence, start, end, head)
    main = _parse_simple(sentence, start, relative.start(), head)
    dependent: Part | Series
    if relative["adverb"]:
        clause = replace_pronoun(sentence[relative.end() : end], name)
        claim = (
            f"{find_circumstance(sentence[start : relative.start()], relative['adverb'])}{clause}."
        )
        dependent = Part(relative.start(), end, claim)
    else:
        aside = _parse_simple(sentence, relative.end(), end, subject)
        dependent = Series(relative.start(), end, [aside])
    return Series(start, end, [main, dependent], needs_first=True)


def _antecedent(before: str, relative: re.Match[str], head: str, name: Names) -> str:
    """What a relative pronoun or adverb stands for; empty where that is unclear."""
    if relative["adverb"]:
        return name_of(relative.string[relative.end() :].split()[0], name)
    if relative["pronoun"] == "who" and _COPULA.match(before):
        return head
    phrase = _PHRASE.search(before)
    return replace_pronoun(phrase.group(), name) if phrase else ""


def _parse_simple(sentence: str, start: int, end: int, head: str) -> "Part | Series":
    """A predicate without relative clauses: facets, items or one claim."""
    text = sentence[start:end]
    event = _LIFE_EVENT.search(text)
    if event:
        return _parse_facets(sentence, start, end, head, event)
    series = _SERIES.search(sentence, start, end)
    if series and _is_list(series.group()) and not is_title(text, series.group()):
        return _parse_items(sentence, start, end, head, series)
    return Part(start, end, f"{head} {text}.")


def _is_list(text: str) -> bool:
    has_conjunction = _CONJUNCTION.search(_BRACKETED.sub("x", text))
    return bool(has_conjunction) or text.count('"') > MARKS_OF_TWO_QUOTES


def _parse_items(sentence: str, start: int, end: int, head: str, series: re.Match[str]) -> Series:
    """A list: one claim for each item."""
    before, after = sentence[start : series.start()], sentence[series.end() : end]
    parts = [
        Part(item.start(), item.end(), f"{head} {before}{drop_inner_mark(item.group())}{after}.")
        for item in _ITEMS.finditer(sentence, series.start(), series.end())
    ]
    return Series(start, end, parts)


def _parse_facets(sentence: str, start: int, end: int, head: str, event: re.Match[str]) -> Series:
    """A birth or death: one claim each for the day, the place, what follows and what precedes."""
    lead = f"{head} {'was ' if event['verb'] == 'born' else ''}{event['verb']}"
    places = [event.span("first"), event.span("second")]
    tail = sentence[start + event.end() : end]
    if _ANY_WORD.search(tail):
        places.append((end - start - len(tail.lstrip(" ,")), end - start))
    parts = [
        Part(start + a, start + b, f"{lead} {sentence[start + a : start + b]}.") for a, b in places
    ]
    facets = Series(start + event.start(), end, parts)
    if event.start() == 0:
        return Series(start, end, [facets])
    before = _DANGLING_END.sub("", sentence[start : start + event.start()])
    main = Part(start, start + len(before), f"{head} {before}.")
    return Series(start, end, [main, facets], needs_first=True)
