"""Take words out of a sentence where what is left plainly is a sentence."""

import re
from typing import NamedTuple

from errata.tools.text.clauses import FINITE, HAS_VERB, find_subject
from errata.tools.text.words import NEGATIONS, PREPOSITIONS, fix_article

DETERMINERS = "an?|the|his|her|its|their"  # as a pattern
PREPOSITION = rf"(?:{PREPOSITIONS}|across|along|among|throughout|because of|due to)\b"
_RELATIVE = r"(?:who|which|that|where|when|while|although)\b"
_ADDS = re.compile(rf"(?:{PREPOSITION}|{_RELATIVE}|(?:including|such as|besides)\b)", re.IGNORECASE)
"""What words begin with that say more of what is said."""
_ASIDE = re.compile(rf"(?:{DETERMINERS}|one|\w+(?:ing|ed))\b")
"""What else may go from between commas, or after one."""
_NEEDED = re.compile(r"(?:of|to|into)\b")
"""What words begin with that belongs to the word before."""
_OPEN = (
    rf"\b(?:{PREPOSITION}|{DETERMINERS}|and|or|but|than|that|also|not|more|most|who|which|where"
    r"|while|first|only|even|known)"
)
_UNFINISHED = re.compile(rf"{_OPEN}\Z", re.IGNORECASE)
"""An end that needs more after it, whatever follows."""
_INCOMPLETE = re.compile(
    rf"(?:{_OPEN}|\b(?:born|{FINITE}|(?<!\bhis )(?<!\bher )(?<!\bits )(?<!\btheir )\w+ing)\b"
    r"(?: (?:up|out|off|down|on|away|back))?)\Z",
    re.IGNORECASE,
)
"""An end that the end of a sentence may not be."""
_AND = r"(?:and|or|but|as well as)"
_JOINT = rf",? {_AND}"
_LEAD = re.compile(rf"\A{_AND} ")
_LAST = re.compile(rf"{_JOINT}(?: (?:also|later|then))?\Z")
_JOINED, _JOINS = re.compile(rf"{_JOINT} \Z"), re.compile(rf"{_JOINT}(?= )")
_DETERMINER = re.compile(rf"(?:{DETERMINERS}) ", re.IGNORECASE)
_OWN = re.compile(rf" (?:[A-Z\d]|{_DETERMINER.pattern}|two|three|four|five|six)")
_APART = re.compile(r",[\"”]? \Z")
_COUNTED = re.compile(r"\b(?:both|between|either|neither|two|three|four|five)\b", re.IGNORECASE)
_SHARED = re.compile(r"\b(?:both|respectively|each other)\b")
_VERB = re.compile(rf" ?(?:(?:also|later|then|\w+ly) )?{FINITE}\b")
_PREDICATE = re.compile(rf"(?:(?:he|she|it|they) )?{_VERB.pattern}")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|been|be|being|has|have|had)\Z")
_ENDS_ITEM = re.compile(rf"[,.;!?]|\Z| (?:{PREPOSITION}|{_RELATIVE}|and|or|but|born|\w+ing)\b")
"""What follows the last of what is joined, if that is no word before another."""
_DETERMINED = re.compile(
    rf"\b(?:{DETERMINERS}|\w+['’]s?|\w+s['’]|two|three|four|five|six|seven|eight|nine)\Z",
    re.IGNORECASE,
)
_RANK = re.compile(r"(?:first|second|third|last|only|main|\d+(?:st|nd|rd|th))\b|.*est\b")
_QUANTITY = re.compile(
    r"(?:(?:over|about|some|almost|nearly|around|more than) )?\d[\d,.]*\Z"
    r"|(?:several|many|numerous|various|multiple)\Z"
)
_COUNTS = re.compile(rf"\b(?:{PREPOSITION}|{FINITE}|\w+ing)\Z", re.IGNORECASE)
_IN_PLACE = re.compile(r"\b(?:in|at|near|from|to)\Z", re.IGNORECASE)
_UNIT = re.compile(
    r" (?:second|minute|hour|day|week|month|year|percent|per cent|degree|dollar|euro|pound|mile"
    r"|(?:kilo|centi|milli)?(?:gram|metre|meter|litre|liter))"
)
_TITLES = re.compile(r"(.*,[\"”]) ([\"“][^\"“”]+),([\"”])", re.DOTALL)
_PARTICIPLE = re.compile(r" (?:\w+ed|known|born)\b")
_PARTICIPIAL = re.compile(r"(?:\w+ed|known|born) ")
_ADVERB = re.compile(
    r"(?!(?:nearly|hardly|barely|rarely|roughly|approximately|family|assembly|monopoly|supply|reply"
    r"|ally|fly|anomaly)\b)[a-z]+ly|soon|often|later|then|still|now|always|once|eventually|also"
)
_TURNS = re.compile(
    r"\b(?:few|little|less|former|acting|vice|deputy|ex|almost|nearly|hardly|barely"
    r"|rarely|roughly|approximately)\b",
    re.IGNORECASE,
)
"""What a statement says something else without, beside a denial."""
_CLOSED = re.compile(r"[;:–—“(\[.!?]\Z|\A\W\Z")
"""What stands before a place where a sentence begins anew."""
_LEADS = re.compile(r"\b(?:including|such as)\b")
"""What stands before examples."""
_SHORT = re.compile(rf"(?!(?:an?|the)\b|{PREPOSITION})[^\s,;]+(?: [^\s,;]+){{0,3}}")
_NOMINAL = rf"(?:he|she|it|they|{DETERMINERS}|this|these|there|we|you|I)\b"
_NOUN = re.compile(rf" (?!{PREPOSITION}|{_NOMINAL}|(?:and|or|alone|onwards?)\b)[a-z]")
_NAMED = re.compile(r"\b[A-Z]\w*\Z")
_END = re.compile(r"[.!?;]?[\"”]?\s*")
_CLOSING = {'"': '"', "“": "”"}


class _Place(NamedTuple):
    """Words to go, and what stands around them."""

    words: str
    before: str
    after: str
    joint: str
    """An "and" that goes along behind them."""

    @property
    def left(self) -> str:
        """What stands before them, without a comma."""
        return self.before.rstrip(" ,")


def cut(text: str, start: int, end: int) -> str:
    """The text without the words at a place; empty where the rest would not plainly be a sentence.

    >>> cut("He met Ada, Bob, and Eve.", 21, 24), cut("He met Ada and Eve.", 15, 18)
    ('', 'He met Ada.')
    >>> cut("She sang in Rome and wrote a novel.", 4, 20)
    'She wrote a novel.'
    """
    place = _find_place(text, start, end)
    if re.fullmatch(rf"{_AND}?", place.words) or _CLOSED.search(place.left):
        return ""
    if place.words.startswith("(") and place.words.endswith(")"):
        return place.before.rstrip() + place.after if place.left else ""
    if not place.left:
        rest = place.after[2:3].upper() + place.after[3:]
        opens = _ADDS.match(place.words) and place.after.startswith(", ")
        return rest if opens and find_subject(rest) else ""
    left = _without(place)
    return fix_article(left, len(place.before)) if left else ""


def _without(place: _Place) -> str:
    """A text without words by what stands beside them; empty where that is not plain."""
    joined, goes_on = _JOINED.search(place.before), _JOINS.match(place.after)
    if _ADVERB.fullmatch(place.words) and not place.joint:
        return _without_middle(place)
    if joined:
        return _without_last(place, joined)
    if place.joint or goes_on:
        joint = place.joint or (goes_on[0] if goes_on else "")
        return _without_first(place, joint, place.after.removeprefix("" if place.joint else joint))
    if _END.fullmatch(place.after):
        return _without_end(place)
    if _APART.search(place.before) and place.after.startswith(","):
        return _without_aside(place)
    return _without_middle(place)


def _find_place(text: str, start: int, end: int) -> _Place:
    """The words without signs and joints around them, and with their own quotation marks."""
    stretch = text[start:end].lstrip(" ,;")
    words = _LEAD.sub("", stretch.strip(" ,;."))
    joint = last[0] if (last := _LAST.search(words)) else ""
    words = words.removesuffix(joint)
    start = text.index(words, end - len(stretch))
    end = start + len(words + joint)
    close = _CLOSING.get(text[start - 1 : start])
    if close and not joint and (sign := re.match(rf"([.,]?){close}", text[end:])):
        start, after = start - 1, sign[1].replace(".", "") + text[end + sign.end() :]
        return _Place(text[start : end + sign.end()], text[:start], after, "")
    return _Place(words, text[:start], text[end:], joint)


def _in_list(left: str, words: str = "") -> bool:
    """Whether a text's last comma stands before an item of a list, such as the words after it."""
    head, comma, item = left.rpartition(", ")
    is_word = re.fullmatch(r"[a-z-]+", item)
    if not (comma and head) or is_word or item.split()[:1] == words.split()[:1]:
        return bool(comma and head)
    is_clause = re.match(r"(?:he|she|it|they|the|an?|[A-Z]\w+)\b", item) and HAS_VERB.search(item)
    other = re.match(r"(?:and|or|but)\b", item) or _ADDS.match(item)
    is_verb = bool(_VERB.match(item))
    is_first = is_verb and ", " in head and not HAS_VERB.search(head)
    return not (is_clause or other or is_first or (_VERB.match(words) and not is_verb))


def _without_last(place: _Place, joined: re.Match[str]) -> str:
    """A text without the last of what is joined; of three or more the last two are joined anew."""
    words, after, left = place.words, place.after, place.before[: joined.start()]
    ends = _END.fullmatch(after)
    # "Irish and Scottish songs" has one noun for both.
    are_kinds = _NAMED.search(left) and re.search(r"\b[a-z]+\Z", words)
    shares = ends and are_kinds and not _PREDICATE.match(words)
    counted = _COUNTED.search(left) or _SHARED.search(after)
    if _ADDS.match(words) and after.startswith(", "):
        return ""  # the joint is the clause's
    if shares or counted or not HAS_VERB.search(left) or not _ENDS_ITEM.match(after):
        return ""
    if titles := _TITLES.fullmatch(left):
        left = f"{titles[1]} and {titles[2]}{titles[3]}"
    elif _in_list(left, words) and not re.match(rf", {FINITE}\b", after):
        head, _, item = left.rpartition(", ")
        first, earlier = item.split()[:1], head.rpartition(", ")[2].split()
        are_alike = first == words.split()[:1] and not {*first}.isdisjoint(earlier)
        is_plain = item[:1].islower() and not _NAMED.search(head)
        if not (is_plain or are_alike or _LEADS.search(head) or item[:1] in _CLOSING):
            return ""
        # No comma stands between the last two.
        joint = joined[0] if _in_list(head, item) else joined[0].lstrip(",")
        left = f"{head}{joint}{item}"
    return "" if ends and _INCOMPLETE.search(left) else left + after


def _without_first(place: _Place, joint: str, rest: str) -> str:
    """A text without what something is joined to."""
    words, left, apart = place.words, place.left, _APART.search(place.before)
    if _PREDICATE.match(words) and not HAS_VERB.search(left):
        return place.before.rstrip() + rest if _VERB.match(rest) else ""
    owned = _DETERMINER.match(words) and not (apart or _OWN.match(rest))
    denied = "but" in joint and re.search(r"\bnot\b", left)
    several = re.match(r" [\w ]{1,40}? (?:are|were|have)\b", rest)
    if owned or denied or several or _SHARED.search(rest) or (_COUNTED.search(left) and not apart):
        return ""
    if apart:
        joint = joint if not _ADDS.match(words) and _in_list(left, words) else joint.lstrip(",")
        is_aside = not HAS_VERB.search(left) and re.search(rf", {FINITE}\b", rest)
        return "" if is_aside or _INCOMPLETE.search(left) else left + joint + rest
    if _VERB.match(rest) and not _AUXILIARY.search(left):
        return left + joint + rest if _ADDS.match(words) and HAS_VERB.search(left) else ""
    if _ADDS.match(words):
        both = "" if _ADDS.match(rest.lstrip()) else joint
        return "" if _UNFINISHED.search(left) else left + both + rest
    return left + rest if HAS_VERB.search(left) and not re.match(rf" {PREPOSITION}", rest) else ""


def _belongs(words: str, left: str) -> bool:
    """Whether words belong to the one before them: of or to something, as tall as somebody."""
    compares = words.startswith("as ") and re.search(r"\bas \w+\Z", left)
    return bool(_NEEDED.match(words) or compares)


def _without_end(place: _Place) -> str:
    """A text without what it says more at its end."""
    words, apart = place.words, _APART.search(place.before)
    if _ADDS.match(words) or _PARTICIPIAL.match(words):
        goes = bool(apart or not _belongs(words, place.left))
    elif re.search(r" (?:and|or) ", words):
        goes = bool(apart) and not _in_list(place.left)
    else:
        goes = bool(apart and _ASIDE.match(words))
    return place.left + place.after if goes and not _INCOMPLETE.search(place.left) else ""


def _without_aside(place: _Place) -> str:
    """A text without what stands between commas; none stays between its subject and verb."""
    words, left, after = place.words, place.left, place.after
    clause = not re.search(rf"\b{_RELATIVE}|\bthat\b", words) and " " in find_subject(words)
    if _INCOMPLETE.search(left) or not (_ADDS.match(words) or (_ASIDE.match(words) and not clause)):
        return ""
    if re.match(rf", {PREPOSITION}", after) and HAS_VERB.search(left):
        return left + after[1:]
    is_bare = not (HAS_VERB.search(left) or _ADDS.match(left) or ", " in left)
    precedes_verb = re.match(
        rf", (?:{FINITE}\b{rf'|(?!{_NOMINAL})[a-z]' if is_bare else ''})", after
    )
    return left + (after[1:] if precedes_verb else after)


def _without_middle(place: _Place) -> str:
    """A text without words that add something, or describe or count what follows."""
    words, left, after = place.words, place.left, place.after
    if _ADVERB.fullmatch(words):
        determines = _DETERMINED.search(left) and not _NOUN.match(after)
        return "" if determines else place.before.rstrip() + after
    is_list = re.match(r", [^,]+,? (?:and|or) [A-Z\d]", after)
    if _IN_PLACE.search(left) and words.istitle() and re.match(r", [A-Z]", after) and not is_list:
        return left + after[1:]
    if (leads := list(_LEADS.finditer(words))) and leads[-1].end() == len(words):
        return "" if _INCOMPLETE.search(left) and not _COUNTS.search(left) else left + after
    if not _ADDS.match(words) or _QUANTITY.match(words):
        return left + after if _describes(words, left, after) else ""
    is_range = _belongs(words, left) or (words.startswith("from ") and after.startswith(" to "))
    follows = re.match(rf",| {PREPOSITION}", after) or _VERB.match(after)
    is_open = (_INCOMPLETE if after.startswith(",") else _UNFINISHED).search(left)
    return left + after if follows and not is_range and not is_open else ""


def _describes(words: str, left: str, after: str) -> bool:
    """Whether words describe or count what follows, which stands as well without them."""
    is_word, determined = re.fullmatch(r"[a-z]+", words), _DETERMINED.search(left)
    if _TURNS.search(words) or NEGATIONS & {word.lower() for word in words.split()}:
        return False
    if words in ("best", "well", "most") and _AUXILIARY.search(left) and _PARTICIPLE.match(after):
        return True
    is_quantity = _QUANTITY.match(words) and not re.fullmatch(r"[12]\d{3}", words)
    if not (is_quantity or _SHORT.fullmatch(words)) or not _NOUN.match(after) or _VERB.match(after):
        return False
    if determined:
        sounds = re.search(r"\ban?\Z", left, re.IGNORECASE) and after[1:2] == "u"
        return not (sounds or (left.lower().endswith("the") and _RANK.match(words)))
    return bool((is_quantity or is_word) and _COUNTS.search(left) and not _UNIT.match(after))
