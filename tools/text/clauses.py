"""Parsing of a sentence into clauses, each of which makes one claim.

A sentence has one or more clauses, and a clause a head (its subject, after any opening phrase) with
one or more predicates. A predicate may list items ("starred in A, B, and C") or tell the day and
the place of a birth or death. Every leaf of the parse is one claim, and can be removed so that the
rest still reads well (`clause_removal`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from errata.spans import Span
from errata.tools.text.entities import DATE, NAME, NUMBER_WORDS
from errata.tools.text.pronouns import Names, replace_pronoun, take_up

_VERBS = """
    is are was were has have had did does do can could will would may might must should isn't wasn't
    aren't weren't hasn't haven't hadn't didn't doesn't became began beat bore bought broke brought
    built came chose continue continues cost cut died drew drove feature features fell felt fought
    found gave gets got grew held hosts include includes kept knew lay led left lies lived lives
    lost made makes meant met moved owns paid plays put ran reached rose said sang sat saw sent
    serves set showed shot sold spent spoke stands stood swam taught thought told took tours
    underwent went won works writes wrote
    becomes begins belongs comes consists contains goes lasts makes provides remains takes
"""
FINITE = (
    rf"(?:{'|'.join(_VERBS.split())}"
    r"|(?!(?:need|speed|breed|seed|feed|indeed|hundred|sacred|naked|wicked)\b)[a-z]{2,}ed)"
)
_ADVERB = r"(?:(?:also|later|then|once|still|now|currently|\w+ly) )*"
_SURE = (
    r"(?:is|are|was|were|has|have|had|became|began|bore|broke|came|chose|drew|drove|fell|gave|grew"
    r"|kept|knew|rose|sang|saw|spoke|swam|took|underwent|went|wrote|lasts|stands|can|could|will|would|may|might|must|does|did"
    r"|appeared|collaborated|competed|continued|died|emigrated|graduated|joined|lived|moved"
    r"|participated|performed|played|remained|resigned|retired|returned|served|settled|starred"
    r"|studied|succeeded|toured|travell?ed|worked)\b"
)
"""Verbs that are no participles of a passive and no nouns."""
_OPENING = re.compile(
    r"(?:Also [ioa][nt]|In|On|At|After|Before|During|Throughout|From|Since|By|As|Over|Following"
    r"|Besides|Within|Between|Until|Alongside|Despite|Apart|Aside|Outside|Off|Along|When|While"
    r"|Although|Though|Because|Once|Additionally|However|Later|Today|Currently|Overall)"
    r"\b[^,;]{0,80}(?:, \d{4})?, "
    r"(?:(?:after|before|when|while|during|because|although|since|as) [^,;]{0,80}, )?"
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
# "dedicated his life" is a predicate, "dedicated journalist" is not: what follows -ed decides.
_DEED = (
    r"(?!(?:works|plays|tours|features|hosts|lives|sets|shows|means|leads)\b)"
    rf"{FINITE}\b(?:(?<!ed)|(?= (?:(?:an?|the|his|her|their|its|several|many|numerous|various|two"
    r"|three|more|over|that)\b|[\d\"“A-Z])))"
)
_JOIN = re.compile(
    rf",? (?:and|but) (?={_ADVERB}(?:{_SURE}|{_DEED}))"
    rf"|, (?={_ADVERB}{_SURE}.*? and {_ADVERB}{FINITE})"
)
_OWN_TIME = re.compile(
    r"(?:(?:has|have|is|are|was) )?(?:later|then|since|now|still|subsequently|eventually)\b"
)
"""What begins a predicate at another time than the opening of its sentence names."""
_PASSIVE = re.compile(
    rf"{_ADVERB}(?:was|were|is|are|(?:has|have|had) been) {_ADVERB}"
    r"(?:[a-z]+ed|born|built|made|held|led|run|sold|[a-z]+wn|written|drawn|given|cut|set) "
)
_BARE_END = re.compile(
    rf"(?:^{_ADVERB}(?:(?:is|was|are|were|has|have|had|been) )*[\w-]+|\w+(?:ed|en)|born|made"
    r"|\b(?:in|on|at|by|to|for|of|from|with|and|or))$"
)
"""The end of a predicate whose object is still to come: "was born and raised in", "wrote and"."""
_OPEN_CLAUSE = re.compile(
    r" (?:that|who|whom|whose|which|whether|because|if|how|why|where|when|while|although|unless|so"
    r"|(?:said|says|thinks?|thought|believed?s?|claimed|claims) (?!to\b)"
    r"|(?:after|before|since|until|as|once|than) (?:he|she|it|they|the \w+|[A-Z]\w+)(?= "
    rf"{_ADVERB}{FINITE}))\b"
)
"""Words after which a joint may belong to a clause that depends on another."""
_NOMINAL = (
    rf"(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|{NAME.pattern})\b"
    r"(?:(?! (?:and|or|who|which|that|where|when|whose|to|in which)\b)[^,;:]){0,60}?"
)
_INDEPENDENT = re.compile(
    rf",? (?:and|but) (?=(?:he|she|it|they|there) {_ADVERB}{FINITE}\b)"
    rf"|; (?:and |but )?(?=[^,;]{{1,60}} {_ADVERB}{FINITE}\b)"
    rf"|, (?:and|but|while|whereas) (?={_NOMINAL} {_ADVERB}{_SURE})"
)
_LIFE_EVENT = re.compile(
    rf"(?P<lead>(?:(?:was|is) )?born|died) (?P<day>(?:on|in) (?:{DATE.pattern}|\d{{4}})),? "
    rf"(?P<place>in {NAME.pattern}(?:(?:,| d[aeo]s?| del) {NAME.pattern})*)"
)
_QUOTED = r"[\"“][^\"“”]{1,80}[\"”]"
_ITEM = rf"(?:{_QUOTED}|(?:the )?{NAME.pattern}(?: \(\d{{4}}\))?)"
_ITEMS = re.compile(_ITEM)
_GAP = re.compile(r",? (?:(?P<last>and|as well as) )?")
_AFTER_LIST = re.compile(r"$| (?:in|at|on|during) [^,;]+$")
_TOGETHER = re.compile(
    r"\b(?:between|among|both|either|neither|together|consist\w*|compris\w*|compos\w+ of|made up of"
    r"|merge\w*|combin\w+|unlike|except|without|not|never|no|pair|duo|trio|couple|\d{1,3}"
    rf"|{'|'.join(NUMBER_WORDS)})\b|n't\b|, $",
    re.IGNORECASE,
)
"""What is said of several together, or counts them, so that a list stays whole."""
_ANY_WORD = re.compile(r"[^\W\d_]")
_BRACKETED = re.compile(rf"{_QUOTED}|\([^()]*\)|\[[^\[\]]*\]")
_WHOLE = re.compile(r"(?:If|Unless|Whether|Suppose)\b|.*\brespectively\b|.*\?$", re.DOTALL)


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
    if _WHOLE.match(sentence):
        return Series(0, end, [Part(0, end, f"{sentence[:end]}.")])
    parts = []
    for start, stop in _split(_INDEPENDENT, plain, (0, end), _ends_clause):
        parts.append(_parse_clause(sentence, plain, (start, stop), name))
        name = take_up(find_subject(sentence[start:stop]), name)
    return Series(0, end, parts)


def find_subject(sentence: str) -> str:
    """The grammatical subject: the words before the first finite verb; empty without one."""
    plain = _mask_brackets(sentence)
    match = _SUBJECT.match(plain, _opening_end(plain, 0))
    return sentence[match.start("subject") : match.end("subject")] if match else ""


def drop_inner_mark(item: str) -> str:
    """A quoted item without a comma or full stop before its closing quotation mark."""
    return re.sub(r"[,.](?=[\"”]$)", "", item)


def _mask_brackets(sentence: str) -> str:
    """The sentence with x for every character of quotations and brackets: no joint is in them."""
    return _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)


def _opening_end(plain: str, start: int) -> int:
    opening = _OPENING.match(plain, start)
    return opening.end() if opening else start


def _split(
    joint: re.Pattern[str], plain: str, place: Span, parts: Callable[[str, str], bool]
) -> list[Span]:
    """The places between joints; `parts` says of the texts beside a joint whether it is one."""
    start, end = place
    cuts: list[Span] = []
    for match in joint.finditer(plain, start, end):
        left = plain[cuts[-1][1] if cuts else start : match.start()]
        if match.group().startswith(";") or parts(left, plain[match.end() : end]):
            cuts.append(match.span())
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _ends_clause(left: str, _right: str) -> bool:
    """Whether a clause of its own ends before a joint."""
    after = _opening_end(left, 0)
    return bool(_SUBJECT.match(left, after)) and not _OPEN_CLAUSE.search(left, after)


def _ends_predicate(left: str, right: str) -> bool:
    """Whether a predicate ends before a joint, and what follows is no participle that goes on."""
    if _OPEN_CLAUSE.search(left) or (_BARE_END.search(left) and not re.fullmatch(r"\w+", right)):
        return False
    return bool(re.match(_ADVERB + _SURE, right)) or not _PASSIVE.match(left)


def _parse_clause(sentence: str, plain: str, place: Span, name: Names) -> Series:
    """One independent clause as a series of predicates."""
    start, end = place
    after = _opening_end(plain, start)
    clause = replace_pronoun(sentence[after:end], name)
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        return Series(start, end, [Part(start, end, f"{sentence[start:after]}{clause}.")])
    head = clause[: len(clause) - (end - subject.end("subject"))]
    parts: list[Part | Series] = []
    for a, b in _split(_JOIN, plain, (subject.end(), end), _ends_predicate):
        own_time = parts and _OWN_TIME.match(plain, a)
        opening = "" if own_time else sentence[start:after]
        parts.append(_parse_predicate(sentence, a, b, opening + head))
    return Series(start, end, parts)


def _parse_predicate(sentence: str, start: int, end: int, head: str) -> "Part | Series":
    """One predicate: the facets of a birth or death, the items of a list, or one claim."""
    text = sentence[start:end]
    leaves = _split_facets(text) or _split_items(text)
    if not leaves:
        return Part(start, end, f"{head} {text}.")
    parts = [Part(start + a, start + b, f"{head} {claim}.") for (a, b), claim in leaves]
    return Series(start, end, parts)


def _split_facets(text: str) -> list[tuple[Span, str]]:
    """The day and the place of a birth or death and what follows, each with the predicate."""
    event = _LIFE_EVENT.match(text)
    if not event:
        return []
    places, tail = [event.span("day"), event.span("place")], text[event.end() :]
    if _ANY_WORD.search(tail):
        places.append((len(text) - len(tail.lstrip(" ,")), len(text)))
    return [(place, f"{event['lead']} {text[slice(*place)]}") for place in places]


def _split_items(text: str) -> list[tuple[Span, str]]:
    """The names or quotations of a list with commas or quotes, each with the predicate.

    "Sex and the City" may be one name.
    """
    items = _list_items(text)
    if not items or _TOGETHER.search(text[: items[0][0]]):
        return []
    before, after = text[: items[0][0]], text[items[-1][1] :]
    return [(item, before + drop_inner_mark(text[slice(*item)]) + after) for item in items]


def _list_items(text: str) -> list[Span]:
    """Where the items of the first list with "and" stand; none where two may be one name."""
    items = list[Span]()
    for match in _ITEMS.finditer(text):
        gap = _GAP.fullmatch(text, items[-1][1], match.start()) if items else None
        if not gap:
            items = []
        items.append(match.span())
        if gap and gap["last"]:
            is_list = len(items) > 2 or text[items[0][0]] in '"“'  # noqa: PLR2004
            return items if is_list and _AFTER_LIST.match(text, match.end()) else []
    return []
