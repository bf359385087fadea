"""Take words out of a sentence where what is left is one: an item, a clause, what is said aside."""

import re
from typing import NamedTuple

from errata.core.edits import Span
from errata.tools.text.clauses import FINITE, find_subject
from errata.tools.text.words import NEGATIONS, STOPWORDS, fix_article

PREPOSITION = (
    r"(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around"
    r"|about|into|under|over|through|throughout|among|against|within|without|alongside|despite"
    r"|because of|due to|according to)\b"
)
_HIDDEN = re.compile(r"\"[^\"]*\"|“[^“”]*”|\([^()]*\)|,(?= \d{4}\b)")
_STOP_INSIDE = re.compile(r"(,(?=.\s)|\.(?=.\Z))([\"”])")
_STOP_OUTSIDE = re.compile(r"([\"”])(,(?=\s)|\.\Z)")
_CONJUNCTION = r",? (?:and|or|as well as) "
_JOINS = re.compile(_CONJUNCTION)
_JOINED = re.compile(rf"(?:{_CONJUNCTION}|,? but )\Z")
_LEADING = re.compile(r"(?:and|or|but|as well as) ")
_EXAMPLES = re.compile(r",? (?:including|such as)\Z")
_LIST = re.compile(rf"(?:, [^,;:.]{{1,70}}?)*{_CONJUNCTION}")
_HAS_VERB = re.compile(rf"\b{FINITE}\b")
_PREDICATE = re.compile(
    rf"(?:(?:he|she|it|they) )?(?:(?:also|later|then|once|still|now|currently|\w+ly) )*(?:{FINITE}"
    r"|[a-z]{3,}s(?= (?:an?|the|his|her|its|their|several|many|more|about|\d)))\b"
)
_AUXILIARY = r"(?:is|are|was|were|has|have|had|can|could|will|would) "
_PASSIVE = re.compile(rf"{_AUXILIARY}(?:been )?(?:\w+ly )?\w+(?:ed|en)\b")
_OPENING = (
    rf"(?:{PREPOSITION}|(?:including|such as|while|when|where|who|which|aside|apart|off|outside"
    r"|following|although|besides|beyond)\b)"
)
_OPENS = re.compile(_OPENING, re.IGNORECASE)
_ADJUNCT = re.compile(rf"(?!(?:of|to|as|for|about|into)\b){_OPENING}", re.IGNORECASE)
"""What words begin with that say more of what is said; without others it is another thing."""
_ASIDE = re.compile(rf"{_OPENING}|(?:an?|the|his|her|its|their|one|whose|\w+ing)\b|[A-Z\"“]")
"""What words begin with that may go from after a comma."""
_GOES_ON = re.compile(rf" (?!of\b){_OPENING}|,? (?:where|who|which|while|but)\b|, ")
"""What may follow words that were taken out of a sentence."""
_LEAD = re.compile(rf"(?:{PREPOSITION}|including|such as) ")
_NEXT = re.compile(rf"{_CONJUNCTION}|, ")
_LED = re.compile(rf"\b(?:{PREPOSITION}|including|such as|{FINITE}) \Z")
_TOWN = re.compile(r"\b(?:in|at|from|near|to) \Z")
_END = re.compile(
    rf"\s*(?:[.!?;:]|\Z|,? (?:and|but) (?:(?:he|she|it|they) )?(?:later )?{FINITE}\b)"
)
"""What follows a clause that is over."""
_DEPENDS = re.compile(
    r",? (?:(?:\w+ )?wh(?:ich|om?|ose|ere)|such as|including|starring|featuring|(?:directed|written"
    r"|produced) by)\b"
)
"""What says more of the words before it."""
_NAMES = r"[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*"
_PLACE = re.compile(rf"(?:in|at|from|of|near|to) {_NAMES}\Z")
_REGION = re.compile(rf", {_NAMES}(?=[,.;]|\Z| (?:on|and)\b)")
_RANGE = re.compile(r"(?:from|between)\b.*\d\Z", re.IGNORECASE)
_LEADS = re.compile(rf",? ?\b(?:{PREPOSITION}|(?:an?|the|and|or|including|such as)\b)\Z")
_COUNTED = re.compile(
    r"\b(?:both|between|either|neither|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b"
    r"[^,.;]{0,60}\Z",
    re.IGNORECASE,
)
"""What says how many things follow."""
_INCOMPLETE = re.compile(
    rf"(?:\b(?:{PREPOSITION}|(?:an?|the|and|or|but|nor|than|that|is|are|was|were|be|been|being"
    r"|become|became|becomes|has|have|had|his|her|its|their|also|not|both|either|more|most"
    r"|who|which|where|when|while|including|such as|like|then)\b)|[,(–—-]|[’']s)\s*\Z",
    re.IGNORECASE,
)
"""An end that needs something after it."""
_WANTS_MORE = re.compile(
    rf"\b(?:{FINITE}|born|known|\w+ing)(?: (?:up|out|off|down|on|away|back|together))?\Z"
    r"|, \w+ing(?: \w+){0,3}\Z|\b(?:first|only|even)\b[^,;]*\Z",
    re.IGNORECASE,
)
"""The end of a clause that says little or nothing without more: a verb alone, an empty aside."""
_DETERMINED = re.compile(
    r"(?:\b(?:an?|the|his|her|its|their|several|many|various|numerous|other|some|as|of)|[’']s) \Z",
    re.IGNORECASE,
)
_EPITHET = re.compile(
    r"(?:\w+ly )?(?:[A-Z][a-z]+(?:an|ish|ese)|French|Dutch|Welsh|Greek|[a-z]+(?:-[a-z]+)*)"
)
"""What may go from between an article and a noun."""
_NOUN = re.compile(
    rf" (?!(?:and|or|but|known|born|who|which|that|\w+ing)\b|{PREPOSITION}|{FINITE}\b)"
    rf"(?:[a-z\d]|[A-Z][\w-]+ (?!{PREPOSITION}|{FINITE}\b)[a-z])"
)
_KINDS = {
    "title": re.compile(r"[\"“]"),
    "number": re.compile(r"\d"),
    "lead": re.compile(rf"{_OPENING}|\w+ing\b"),
    "name": re.compile(r"(?:the )?[A-Z]"),
    "phrase": re.compile(r"(?:an?|the|his|her|its|their) "),
    "verb": _PREDICATE,
}
"""What items begin with; others are words."""


class _Place(NamedTuple):
    """Words with what stands before and after them, and the same with all hidden that is quoted."""

    before: str
    words: str
    after: str
    seen_before: str
    seen_after: str


def cut(text: str, start: int, end: int) -> str:
    """The text without the words at a place; empty where the rest would be no sentence.

    >>> cut("He met Ada, Bob, and Eve.", 17, 24)
    ''
    >>> cut("He met Ada, Bob, and Eve.", 21, 24)
    'He met Ada and Bob.'
    """
    plain = _STOP_INSIDE.sub(r"\2\1", text)
    seen = _HIDDEN.sub(lambda found: "x" * len(found[0]), plain)
    start, end = _own_span(plain, start, end)
    place = _Place(plain[:start], plain[start:end], plain[end:], seen[:start], seen[end:])
    rules = [_epithet]
    if not _DEPENDS.match(place.after):
        rules += [_opening, _predicate, _item, _aside]
    rest = next(filter(None, (rule(place) for rule in rules)), "") if place.words else ""
    return _STOP_OUTSIDE.sub(r"\2\1", rest) if plain != text else rest


def strike(text: str, start: int, end: int) -> str:
    """The text without the words at a place and what leads to them, for what it says alone.

    >>> strike("He met Ada in the town of Ulm.", 26, 29)
    'He met Ada in the town.'
    """
    left, after = text[:start].rstrip(" ,"), text[end:]
    while _END.match(after) and (lead := _LEADS.search(left)):
        left = left[: lead.start()]
    return left + after


def _own_span(text: str, start: int, end: int) -> Span:
    """The place of words with their quotation marks, and without what joins them to others."""
    while end > start and text[end - 1] in " ,;.":
        end -= 1
    while start < end and text[start] in " ,;":
        start += 1
    if start and text[start - 1] in '"“' and text[end : end + 1] in ('"', "”"):
        start, end = start - 1, end + 1
    if lead := _LEADING.match(text, start, end):
        start = lead.end()
    lead, examples = _LEAD.match(text, start, end), _EXAMPLES.search(text[:start].rstrip())
    following = _NEXT.match(text, end)
    if lead and following and _kind(text[lead.end() :]) == _kind(text[following.end() :]):
        start = lead.end()
    elif examples and _END.match(text, end):
        start = examples.end() - len(examples[0].lstrip(", "))
    return start, end


def _kind(words: str) -> str:
    return next((name for name, kind in _KINDS.items() if kind.match(words)), "word")


def _is_whole(left: str, after: str) -> bool:
    """Whether a text may end or go on so after words that were taken out."""
    ends = bool(_END.match(after))
    return not (_INCOMPLETE.search(left) or (ends and _WANTS_MORE.search(left)))


def _opening(place: _Place) -> str:
    """What comes before a comma at the beginning."""
    opens = not place.before.strip() and _OPENS.match(place.words)
    if not (opens and place.after.startswith(", ")) or _JOINS.match(place.after):
        return ""
    rest = place.after[2:3].upper() + place.after[3:]
    return rest if find_subject(rest) else ""


def _epithet(place: _Place) -> str:
    """A word between an article and a noun, or an adverb before a verb."""
    words, after = place.words, place.after
    if not _EPITHET.fullmatch(words) or words in STOPWORDS | NEGATIONS:
        return ""
    modifies = _DETERMINED.search(place.before) and _NOUN.match(after)
    if modifies or (words.endswith("ly") and re.match(rf" {FINITE}\b", after)):
        return fix_article(place.before + after.lstrip(), len(place.before))
    return ""


def _predicate(place: _Place) -> str:
    """A verb with what depends on it, beside another one of the same subject."""
    before, words, after = place.before, place.words, place.after
    joint, following = _JOINED.search(place.seen_before), _JOINS.match(place.seen_after)
    if not _PREDICATE.match(words) or not before:
        return ""
    left = before[: joint.start()] if joint else before
    rest = after[following.end() :] if following else ""
    if _INCOMPLETE.search(left.rstrip()) or any(map(_PREDICATE.match, left.split(", ")[1:])):
        return ""
    if joint:
        return left + after if _END.match(after) and _HAS_VERB.search(left) else ""
    shared = _PASSIVE.match(words) and not re.match(_AUXILIARY, rest)
    clause = re.match(r"(?:he|she|it|they)\b", rest)
    return before + rest if _PREDICATE.match(rest) and not (shared or clause) else ""


def _list_commas(seen: str) -> list[int]:
    """Where the commas of a list stand that ends with a text, the last one first."""
    commas, end = list[int](), len(seen)
    while (comma := seen.rfind(", ", 0, end)) >= 0:
        item = seen[comma + 2 : end]
        if _kind(item) in ("lead", "verb") or _HAS_VERB.search(item):
            break
        commas.append(comma)
        end = comma
    return commas[:-1] if commas and _PLACE.search(seen[: commas[-1]]) else commas


def _item(place: _Place) -> str:
    """One or more items of a list, beside one of their kind; the others are joined as it is."""
    joint, following = _JOINED.search(place.seen_before), _NEXT.match(place.seen_after)
    kind, before, after = _kind(place.words), place.before, place.after
    listed = bool(_LIST.match(place.seen_after) and following)
    if kind == "verb" or _COUNTED.search(before) or find_subject(place.words):
        return ""
    if joint or not (listed and following):
        return "" if listed or not joint or "but" in joint[0] else _last_item(place, joint[0])
    rest, commas = after[following.end() :], _list_commas(place.seen_before + "x")
    apart = _kind(rest) != kind or find_subject(rest) or re.search(rf"\s{PREPOSITION}", place.words)
    if before.endswith(", ") and commas and not apart:
        two = len(following[0]) > len(", ") and len(commas) == 1
        return before[:-2] + (after.removeprefix(",") if two else after)
    led = kind not in ("title", "name") or _LED.search(before)
    lead = re.search(rf"\b{PREPOSITION} \Z", before)
    again = lead and lead[0] in _NEXT.split(rest)[0]
    if apart or again or not led or before.endswith(", ") or not _HAS_VERB.search(before):
        return ""
    if following[0] == ", ":
        rest = re.sub(r"\A([^,;:.]{1,70}),(?= (?:and|or) )", r"\1", rest)
    return fix_article(before + rest, len(before))


def _last_item(place: _Place, joint: str) -> str:
    left, after, words = place.before.removesuffix(joint), place.after, place.words
    commas, several = _list_commas(place.seen_before[: len(left)]), joint.startswith(",")
    goes_on = _END.match(after) or (_GOES_ON.match(after) and not words.endswith(("ing", "ed")))
    # "Irish and Scottish songs" has one noun for both.
    shares = left.split()[-1].istitle() and words.split()[-1].islower() and _kind(words) == "name"
    if not goes_on or shares or _INCOMPLETE.search(left):
        return ""
    if "as well as" in joint or not commas:
        alone = not _HAS_VERB.search(left) or (several and ", " in left)
        return "" if alone or not _is_whole(left, after) else left + after
    if not several and len(commas) == 1:
        return ""
    between = joint if len(commas) > 1 else joint.removeprefix(",")
    return f"{left[: commas[0]]}{between}{left[commas[0] + 2 :]}{after}"


def _aside(place: _Place) -> str:
    """What is said aside: in brackets, after a comma or between two, or at the end."""
    words, after, left = place.words, place.after, place.before.rstrip()
    between, bare = left.endswith(","), left.rstrip(",")
    aside = between and _ASIDE.match(words) and not _list_commas(place.seen_before + "x")[1:]
    if _TOWN.search(place.before) and _kind(words) == "name" and _REGION.match(after):
        return place.before + after[2:]  # What the town lies in stays.
    if not _is_whole(bare, after):
        return ""
    if words.startswith("(") and words.endswith(")"):
        return left + after
    if aside and after.startswith(", "):
        goes_on = re.match(rf", (?:{FINITE}\b|{_OPENING})", after)
        return bare + (after[1:] if goes_on and not re.search(r"\d{4}\Z", bare) else after)
    adjunct = _ADJUNCT.match(words)
    free = not between and not _RANGE.match(words) and not after.startswith(", ")
    goes = (aside or adjunct) and _END.match(after)
    return bare + after if goes or (adjunct and free and _GOES_ON.match(after)) else ""
