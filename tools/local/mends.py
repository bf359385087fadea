"""Put words in the place of others in a sentence, or take them out, where that is safe."""

import re
from collections.abc import Sequence
from itertools import pairwise

from errata.core.edits import Borders, Span
from errata.tools.text.clauses import FINITE, find_subject
from errata.tools.text.words import fix_article, replace_span

Mend = tuple[str, str]
"""Words of a claim, and what stands in their place: nothing where they are to go."""

_ALIKE = ("'’‘ʼ", '"“”„«»', "-‐‑–—")
"""Signs that are written for one another."""
_GAP = re.compile(r"\s*(?:\.{3,}|…|\[\.{3,}\]|\[…\])\s*")
_MOST_PARTS = 2
_PREPOSITION = (
    r"(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around"
    r"|about|into|under|over|through|throughout|among|against|within|without|alongside|despite"
    r"|because of|due to|according to)\b"
)
_LEAD = re.compile(rf"{_PREPOSITION} ", re.IGNORECASE)
_BARE = re.compile(r"\d|[A-Z]")
_YEAR = re.compile(r"\d{4}\b")
_ARTICLE = re.compile(r"(?:an?|the) ", re.IGNORECASE)
_DETERMINED = re.compile(r"\b(?:an?|the|his|her|its|their) $", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:who|which|where|whose)\b")
_JOINED = re.compile(r"(?:and|or|as well as)\b")
_OPENING = rf"(?:{_PREPOSITION}|(?:including|such as|along with|while|when|where|who|which)\b)"
_ADJUNCT = re.compile(rf"(?!(?:of|to|as|for|about|into)\b){_OPENING}", re.IGNORECASE)
"""What words begin with that say more of what is said; without others it is another thing."""
_GOES_ON = re.compile(rf" {_OPENING}|,? (?:where|who|which|while|but) | and {FINITE}\b")
"""What may follow words that were taken out of a sentence."""
_RANGE = re.compile(r"(?:from|between) ", re.IGNORECASE)
_STOP = re.compile(r"[.!?][\"”’')\]]*\s*\Z")
_END = re.compile(r"\s*(?:[.!?;:]|\Z)")
_INCOMPLETE = re.compile(
    rf"(?:\b(?:{_PREPOSITION}|(?:an?|the|and|or|but|nor|than|that|is|are|was|were|be|been|being"
    r"|become|became|becomes|has|have|had|his|her|its|their|also|not|both|either|more|most|who"
    r"|which|where|when|while|including)\b)|[,(–—-])\s*\Z",
    re.IGNORECASE,
)
"""An end that needs something after it."""
_WANTS_MORE = re.compile(
    r"\b(?:born|known|called|named|titled|entitled|based|located|situated|consists?|consisted"
    r"|interested|involved|included|includes)\Z",
    re.IGNORECASE,
)
"""An end that reads badly at the end of a sentence."""
_EPITHET = re.compile(
    r"(?:\w+ly )?(?:[A-Z][a-z]+(?:an|ish|ese)|French|Dutch|Welsh|Greek|\w+-[a-z]+(?:ing|ed)"
    r"|[a-z]+(?:ous|ful|less)|prominent|notable|former|acclaimed|celebrated|renowned)"
)
"""What may go from between an article and a noun."""
_NOUN = re.compile(r" (?!(?:and|or|but|known|born|in|on|of|at|by|for|who|which|to|from|with)\b)\w+")


def find_once(words: str, text: str) -> Span | None:
    """Where words stand in a text, in any case and with any marks; None unless they do so once.

    An ellipsis stands for the words between two parts.

    >>> find_once("born … 1849", "He was born in Lyon in 1849.")
    (7, 27)
    """
    parts = [part for part in _GAP.split(words.strip()) if part.strip()]
    if not 1 <= len(parts) <= _MOST_PARTS:
        return None
    pattern = r"\b.{1,200}?\b".join(r"\s+".join(map(_loosely, part.split())) for part in parts)
    borders = Borders(text)
    found = (match.span() for match in re.finditer(pattern, text, re.IGNORECASE | re.DOTALL))
    places = [place for place in found if borders.are_at(*place)]
    return places[0] if len(places) == 1 else None


def _loosely(word: str) -> str:
    """A pattern for a word whatever form its marks have."""
    alike = {sign: f"[{re.escape(signs)}]" for signs in _ALIKE for sign in signs}
    return "".join(alike.get(sign, re.escape(sign)) for sign in word)


def apply_mends(text: str, mends: Sequence[Mend]) -> str | None:
    """The text with every mend made, empty where all of it goes; None where that is not safe.

    It is not where words do not stand in the text exactly once, where changes touch each other or
    disagree, or where what is left would be no sentence.

    >>> apply_mends("He went to Lyon by train.", [("Lyon", "Nantes"), ("by train", "")])
    'He went to Nantes.'
    """
    if list(mends) == [(text, "")]:
        return ""
    changes = dict[Span, str]()
    for wrong, right in mends:
        place = find_once(wrong, text)
        if not place or changes.setdefault(place, right) != right:
            return None
    spans, mended = sorted(changes), text
    if any(one[1] >= other[0] for one, other in pairwise(spans)):
        return None
    for start, end in reversed(spans):
        right = changes[start, end]
        mended = _replace(mended, start, end, right) if right else _cut(mended, start, end)
        if not mended:
            return None
    if _STOP.search(text) and not _STOP.search(mended):
        mended = f"{mended.rstrip()}."
    lost = find_subject(text) and not find_subject(mended)
    return None if lost and not all(changes.values()) else mended


def _replace(text: str, start: int, end: int, right: str) -> str:
    """The text with other words at a place; what stands before or after them is not said twice."""
    old, before, after = text[start:end], text[:start], text[end:]
    lead = _LEAD.match(old)
    if lead and _BARE.match(right) and not _LEAD.match(right):
        is_year = lead[0].lower() == "on " and _YEAR.fullmatch(right)
        right = (lead[0].replace("on", "in") if is_year else lead[0]) + right
    first, *others = right.split(" ")
    last = before.split()[-1:]
    doubles = last and last[0].casefold() == first.casefold()
    if others and (doubles or (_ARTICLE.match(right) and _DETERMINED.search(before))):
        right = " ".join(others)
    *others, last_word = right.split(" ")
    if others and after.split()[:1] and after.split()[0].casefold() == last_word.casefold():
        right = " ".join(others)
    text = replace_span(text, start, end, right)
    vowels = [words[:1].lower() in "aeio" for words in (old, right)]
    return fix_article(text, start) if vowels[0] != vowels[1] else text


def _cut(text: str, start: int, end: int) -> str:
    """The text without the words at a place; empty where the rest would be no sentence."""
    words, before, after = text[start:end], text[:start].rstrip(), text[end:]
    between, ends = before.endswith(","), bool(_END.match(after))
    bare = before.rstrip(",")
    goes_on = not between and not _RANGE.match(words) and _GOES_ON.match(after)
    rest = ""
    if not before:
        opens = _LEAD.match(words) and after.startswith(", ")
        rest = after[2:3].upper() + after[3:] if opens else ""
    elif _EPITHET.fullmatch(words) and _DETERMINED.search(text[:start]) and _NOUN.match(after):
        rest = fix_article(text[:start] + after.lstrip(), start)
    elif _INCOMPLETE.search(bare) or (ends and _WANTS_MORE.search(bare)):
        pass
    elif words.startswith("(") and words.endswith(")"):
        rest = before + after
    elif _RELATIVE.match(words) and between and after.startswith(","):
        rest = bare + after[1:]
    elif _JOINED.match(words):
        rest = bare + after if ends and "," not in bare else ""
    elif _ADJUNCT.match(words) and (ends or goes_on):
        rest = bare + after
    return rest
