"""Lists within a predicate, each item of which is a claim of its own."""

import re
from collections.abc import Sequence
from itertools import pairwise

from errata.spans import Span
from errata.tools.text.entities import NAME, NUMBER_WORDS

QUOTED = r"[\"“][^\"“”]{1,80}[\"”]"
_NAMED = rf"(?:the )?{NAME.pattern}(?: {QUOTED} {NAME.pattern})?(?: \(\d{{4}}\))?"
_ITEM = rf"(?:{QUOTED}|(?!(?:He|She|It|They|His|Her|Their|Its|The|In|I)\b)\b{_NAMED})"
_SERIES = re.compile(rf"(?<![\"”] ){_ITEM}(?:(?:,? (?:and |or |as well as )?|,(?= )){_ITEM})+")
_ITEMS = re.compile(_ITEM)
_AFTER = re.compile(r"$| (?:in|at|on|during) [^,;]+$")
_COUNTED = re.compile(
    rf"\b(?:\d{{1,3}}|{'|'.join(NUMBER_WORDS)}|both|pair|duo|trio|couple)\b", re.IGNORECASE
)
_TOGETHER = re.compile(
    r"\b(?:between|among|both|either|neither|together|consist\w*|compris\w*|compos\w+ of|made up of"
    r"|merge\w*|combin\w+|unlike|except|without|not|never|no)\b|n't\b"
)
_INSIDE = re.compile(r"[A-Z]\w* (?:of|in|to|for|with) an? $")
"""A name goes on after these words: "The Life of an Actor"."""
_QUOTES = re.compile(r"[\"“”]")
_AND_THE = re.compile(r"^(?!the )[^,]*? and the ")
_WORK = re.compile(
    r"\b(?:films?|movies?|series|sitcom|novels?|books?|plays?|musicals?|shows?|albums?|songs?"
    r"|roles? (?:in|on)|starred in|appeared in|titled|called|named|wrote|author of) $"
)
_ROLES = re.compile(
    r"(?:[\w-]+ly )?(?:is|was|became) (?:(?:also|currently|then|best known as) )?"
    r"(?P<article>an?) (?P<nation>(?:[A-Z][\w-]+ )*)"
    r"(?P<roles>[a-z][\w-]+(?: [a-z][\w-]+){0,2}(?:, [a-z][\w-]+(?: [a-z][\w-]+){0,2})*,?"
    r" and (?:an? )?[a-z][\w-]+(?: [a-z][\w-]+){0,2}?)"
    r"(?P<tail>$| (?:from|at|in|who|based|known|born)\b.*$)"
)
_ROLE_JOINT = re.compile(r",? and (?:an? )?|, ")
_PERSON = re.compile(
    r"(?:\w{2,}(?:er|or|ist|ian|man|woman|ess|eur|graph|ant)|poet|coach|model|athlete|chef|judge"
    r"|diplomat|activist|academic|scholar|pilot|critic|host|star|advocate|monk|priest)$"
)
_TWO_PHRASES = re.compile(
    r"(?:is|was|became) (?:(?:also|currently) )?(?P<first>(?:an?|the) (?:(?!\ban? |between).)+?),?"
    r" and (?:also )?(?P<second>an? .+)$"
)


def split_names(text: str) -> list[Span]:
    """Where the names or quotations of a predicate's list stand; none where it is no plain list.

    A list that a number counts stays whole, as do what is said of several together, "A or B", and
    "A and the B", which may be the title of a work.

    >>> text = "starred in “One,” “Two” and “Three”"
    >>> [text[a:b] for a, b in split_names(text)]
    ['“One,”', '“Two”', '“Three”']
    """
    series = _SERIES.search(text)
    if not series or not _AFTER.match(text, series.end()):
        return []
    before = text[: series.start()]
    if (
        before.endswith(", ")
        or _INSIDE.search(before)
        or _TOGETHER.search(before)
        or _is_counted(before)
    ):
        return []
    if is_title(text, series.group()):
        return []
    items = [match.span() for match in _ITEMS.finditer(text, series.start(), series.end())]
    gaps = [text[a:b] for (_, a), (b, _) in pairwise(items)]
    return items if _is_plain(text, items, gaps) else []


def _is_plain(text: str, items: Sequence[Span], gaps: Sequence[str]) -> bool:
    """Whether a list has commas, and "and" before its last item alone."""
    names = [text[a:b] for a, b in items]
    is_shared = len(items) == 2 and " " not in names[0] and " " in names[1]  # noqa: PLR2004
    is_family = is_shared and not _QUOTES.search("".join(names))
    is_ended = bool(re.fullmatch(r",? (?:and|as well as) ", gaps[-1])) if gaps else False
    return is_ended and not is_family and all(gap.strip() in (",", "") for gap in gaps[:-1])


def _is_counted(before: str) -> bool:
    """Whether a number shortly before a list says how many items it has."""
    return bool(_COUNTED.search(re.split(r"[,;] ", before)[-1]))


def split_roles(text: str) -> list[tuple[Span, str]]:
    """The roles that a predicate lists: where each stands, and the predicate with it alone.

    >>> [claim for _, claim in split_roles("is a Greek poet, painter and actor from Volos")]
    ['is a Greek poet', 'is a painter', 'is an actor from Volos']
    """
    match = _ROLES.match(text)
    if not match:
        return _split_phrases(text)
    verb = text[: match.start("article")]
    start, end = match.span("roles")
    cuts = [joint.span() for joint in _ROLE_JOINT.finditer(text, start, end)]
    places = list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))
    roles = [text[a:b] for a, b in places]
    if not all(_PERSON.search(role) for role in roles) or _is_compound(roles):
        return []
    places = [(match.start("article"), places[0][1]), *places[1:-1], (places[-1][0], len(text))]
    claims = [text[: places[0][1]]] + [
        f"{verb}{_article(text[a:b])}{text[a:b]}" for a, b in places[1:]
    ]
    return list(zip(places, claims, strict=True))


def _is_compound(roles: Sequence[str]) -> bool:
    """Whether the last may go on for all: "computer and printer manufacturer"."""
    last = roles[-1].split()
    return len(last) > 1 and bool(_PERSON.search(last[0]))


def _split_phrases(text: str) -> list[tuple[Span, str]]:
    """Two things that a subject is, each with an article of its own."""
    match = _TWO_PHRASES.match(text)
    if not match or "," in match["first"]:
        return []
    first, second = match.span("first"), match.span("second")
    verb = text[: first[0]]
    return [(first, text[: first[1]]), (second, verb + match["second"])]


def _article(noun: str) -> str:
    return "an " if noun[:1] in "aeiou" else "a "


def is_title(predicate: str, names: str) -> bool:
    """Whether "and" may stand inside a title among the names of a predicate.

    >>> is_title("played in Sex and the City", "Sex and the City")
    True
    >>> is_title("lived in France and Spain", "France and Spain")
    False
    """
    if "," in names or _QUOTES.search(names):
        return False
    return bool(_AND_THE.search(names) or _WORK.search(predicate[: predicate.find(names)]))
