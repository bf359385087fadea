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
_QUOTED = re.compile(r"([\"“])([^\"“”]*)([\"”])")
_HIDDEN = re.compile(r"\"[^\"]*\"|“[^“”]*”|\([^()]*\)|,(?= \d{4}\b)")
_STOP_INSIDE = re.compile(r"(,(?=.\s)|\.(?=.\Z))([\"”])")
_STOP_OUTSIDE = re.compile(r"([\"”])(,(?=\s)|\.\Z)")
_CONJUNCTION = r",? (?:and|or|as well as) "
_JOINED = re.compile(rf"(?:{_CONJUNCTION}|,? but )\Z")
_JOINS = re.compile(_CONJUNCTION)
_LEADING = re.compile(r"(?:and|or|but|as well as) ")
_TRAILING = re.compile(r",? (?:and|or|as well as)\Z")
_EXAMPLES = re.compile(r",? (?:including|such as|like|for example|namely)\Z")
_ITEM = r"[^,;:.]{1,70}?"
_LIST = re.compile(rf"(?:, {_ITEM})*{_CONJUNCTION}")
_ADVERB = r"(?:(?:also|later|then|once|still|now|currently|first|\w+ly) )*"
_PREDICATE = re.compile(
    rf"{_ADVERB}(?:{FINITE}"
    r"|[a-z]{3,}s(?= (?:an?|the|his|her|its|their|several|many|more|about|\d)))\b"
)
_HAS_VERB = re.compile(rf"\b{FINITE}\b")
_PARTICIPLE = re.compile(rf"{_ADVERB}\w+(?:ed|ing|en)\b")
_PASSIVE = re.compile(
    r"(?:is|are|was|were|has|have|had|did|does|can|could|will|would) (?:been )?"
    + _PARTICIPLE.pattern
)
_OPENING = rf"(?:{PREPOSITION}|(?:including|such as|along with|while|when|where|who|which|that)\b)"
_OPENS = re.compile(_OPENING, re.IGNORECASE)
_HEADS = re.compile(rf"{_OPENING}|\w+ing\b", re.IGNORECASE)
_RELATIVE = re.compile(r"(?:who|which) (?=\w)")
_GIVING = re.compile(r"(?:including|such as) ")
_CLAUSAL = re.compile(r"(?:including|such as|while|when|where|who|which|that)\b")
_SIGNS = '"”)0123456789'
_ADJUNCT = re.compile(rf"(?!(?:of|to|as|for|about|into|that)\b){_OPENING}", re.IGNORECASE)
"""What words begin with that say more of what is said; without others it is another thing."""
_ASIDE = re.compile(
    rf"{PREPOSITION}|(?:an?|the|his|her|its|their|one|who|which|where|whose|including|\w+ing)\b"
    r"|[A-Z\"“]"
)
"""What words begin with that may go from after a comma."""
_ARTICLE = re.compile(r"(?:an?|the) ")
_JOINT_NAME = re.compile(r"\bthe (?:[A-Z][\w’'-]* )*[A-Z][\w’'-]*\Z")
_STATES = re.compile(rf"[A-Z\"“].*\b{FINITE}\b")
_OPENER = re.compile(
    rf"(?:{PREPOSITION}|(?:aside|apart|off|outside|following|when|while|although|besides|beyond)\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    rf" {_OPENING}|,? (?:where|who|which|while|but)\b | and {FINITE}\b|, "
    rf"| (?:born|known|[a-z]+ed) {PREPOSITION}"
)
"""What may follow words that were taken out of a sentence."""
_RANGE = re.compile(r"(?:from|between) ", re.IGNORECASE)
_PLACE = re.compile(r"(?:in|at|from|of|near|to) [A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*)*\Z")
_LEAD = re.compile(rf"{PREPOSITION} (?:the )?(?=[A-Z])")
_END = re.compile(r"\s*(?:[.!?;:]|\Z|,? (?:and|but) (?:he|she|it|they|his|her|its|their)\b)")
_DEPENDS = re.compile(
    r",? (?:(?:\w+ )?wh(?:ich|om?|ose|ere)|such as|including|starring|featuring|(?:directed|written"
    r"|produced) by)\b"
)
"""What says more of the words before it."""
_COUNTED = re.compile(
    r"\b(?:both|between|either|neither|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})\b"
    r"(?! (?:and|or|as well as)\b)(?:(?! (?:including|such as)\b)[^,.;]){0,60}\Z",
    re.IGNORECASE,
)
"""What says how many things follow."""
_INCOMPLETE = re.compile(
    rf"(?:\b(?:{PREPOSITION}|(?:an?|the|and|or|but|nor|than|that|is|are|was|were|be|been|being"
    r"|become|became|becomes|has|have|had|his|her|its|their|also|not|both|either|more|most|who"
    r"|which|where|when|while|including|such as|like|then)\b)|[,(–—-]|[’']s)\s*\Z",
    re.IGNORECASE,
)
"""An end that needs something after it."""
_WANTS_MORE = re.compile(
    r"\b(?:born|known|called|named|titled|entitled|based|located|situated|consists?|consisted"
    r"|interested|involved|included|includes|won|received|wrote|made|released|published|used)\Z",
    re.IGNORECASE,
)
"""An end that reads badly at the end of a sentence."""
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
_SAYING_MORE = re.compile(rf"that (?:{FINITE}|\w+s)\b")
_PARTICIPIAL = re.compile(rf"(?:born|known|[a-z]+ed) {PREPOSITION}")
_VERB_LAST = re.compile(rf"\b{FINITE}\Z")
_PRONOUN = re.compile(r"(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)
CLAUSE = re.compile(r",? (?:and|but) (?=(?:he|she|it|they) )")
_MOST_WORDS = 8
"""How many words an item of a list may have."""


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
    start, end = _own_span(plain, start, end)
    seen = _HIDDEN.sub(lambda found: "x" * len(found[0]), plain)
    place = _Place(plain[:start], plain[start:end], plain[end:], seen[:start], seen[end:])
    rules = [_epithet]
    if not _DEPENDS.match(place.after):
        rules += [_opening, _predicate, _item, _examples, _aside]
    rest = next(filter(None, (rule(place) for rule in rules)), "") if place.words else ""
    return _STOP_OUTSIDE.sub(r"\2\1", rest) if plain != text else rest


def _own_span(text: str, start: int, end: int) -> Span:
    """The place of words with their quotation marks, and without what joins them to others."""
    while end > start and text[end - 1] in " ,;.":
        end -= 1
    while start < end and text[start] in " ,;":
        start += 1
    if text[start - 1 : start] in ('"', "“") and text[end : end + 1] in ('"', "”") and start:
        start, end = start - 1, end + 1
    if lead := _LEADING.match(text, start, end):
        start = lead.end()
    clause, joint = _RELATIVE.match(text, start, end), _JOINS.match(text, end)
    if clause and joint and _PREDICATE.match(text, joint.end()):
        start = clause.end()
    if (lead := _GIVING.match(text, start, end)) and _LIST.match(text, end):
        start = lead.end()
    if trail := _TRAILING.search(text, start, end):
        end = trail.start()
    return start, end


def _is_whole(left: str, after: str) -> bool:
    """Whether a text may end or go on so after words that were taken out."""
    ends = bool(_END.match(after))
    return not (_INCOMPLETE.search(left) or (ends and _WANTS_MORE.search(left)))


def _opening(place: _Place) -> str:
    """Words at the beginning: what comes before a comma, or a clause of its own."""
    if place.before.strip():
        return ""
    after, rest = place.after, ""
    if _OPENER.match(place.words) and after.startswith(", ") and not _JOINS.match(after):
        rest = after[2:]
    elif (joint := CLAUSE.match(after)) and _PRONOUN.match(place.words):
        rest = after[joint.end() :]
    rest = rest[:1].upper() + rest[1:]
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
    before, after = place.before, place.after
    own_clause = re.fullmatch(rf"(?P<subject>.{{1,60}}?) {_PREDICATE.pattern}.*", place.words)
    joint = _JOINED.search(place.seen_before)
    if joint and _END.match(after) and (_PREDICATE.match(place.words) or own_clause):
        left = before[: joint.start()]
        commas = _list_commas(place.seen_before[: joint.start()], of_verbs=True)
        if joint[0].startswith(",") and commas and _PREDICATE.match(left[commas[0] + 2 :]):
            left = f"{left[: commas[0]]} and {left[commas[0] + 2 :]}"
        return left + after if _HAS_VERB.search(left) and _is_whole(left, after) else ""
    joint = _JOINS.match(place.seen_after)
    if joint and _PREDICATE.match(place.words) and _PREDICATE.match(after[joint.end() :]):
        shared = _PASSIVE.match(place.words) and _PARTICIPLE.match(after[joint.end() :])
        return "" if shared or not before else before + after[joint.end() :]
    return ""


def _list_commas(seen: str, *, of_verbs: bool = False) -> list[int]:
    """Where the commas of a list stand that ends with a text, the last one first."""
    commas, end = list[int](), len(seen)
    while (comma := seen.rfind(", ", 0, end)) >= 0:
        item, first = seen[comma + 2 : end], seen[:comma]
        opens = _OPENER.match(first) and not _HAS_VERB.search(first) and ", " not in first
        if opens or _HEADS.match(item) or len(item.split()) > _MOST_WORDS:
            break
        if _HAS_VERB.search(item) and not (of_verbs and _PREDICATE.match(item)):
            break
        commas.append(comma)
        end = comma
    return commas


def _item(place: _Place) -> str:
    """One or more items of a list; the others are joined as a list is."""
    joint, listed = _JOINED.search(place.seen_before), _LIST.match(place.seen_after)
    if _PREDICATE.match(place.words):
        return ""
    if joint and "but" not in joint[0]:
        goes_on = listed and not place.seen_after.startswith(", as well as ")
        return "" if goes_on or find_subject(place.words) else _last_item(place, joint[0])
    inside = _JOINS.search(place.words) if place.seen_before.endswith(", ") else None
    if inside and not (listed or _HEADS.match(place.words) or _ARTICLE.match(place.words)):
        # Several items that end a list.
        return _last_item(place._replace(before=place.before[:-2]), inside[0])
    following = place.after[listed.end() :] if listed else ""
    if not listed or _PREDICATE.match(following) or find_subject(following):
        return ""
    if place.seen_before.endswith(", ") and _list_commas(place.seen_before + "x"):
        return _middle_item(place)
    return _first_item(place)


def _last_item(place: _Place, joint: str) -> str:
    left, after, words = place.before.removesuffix(joint), place.after, place.words
    commas, joined = _list_commas(place.seen_before[: len(left)]), joint.strip(", ")
    goes_on = _GOES_ON.match(after) and not re.search(r"(?:ing|ed)\Z", words)
    if not (_END.match(after) or goes_on) or _shares_noun(left, words) or _INCOMPLETE.search(left):
        return ""
    has_comma = joint.startswith(",")
    if joined == "as well as" or not commas:
        alone = _COUNTED.search(left) or not _HAS_VERB.search(left) or (has_comma and ", " in left)
        return "" if alone or not _is_whole(left, after) else left + after
    first, item = left[: commas[-1]], left[commas[0] + 2 :]
    alike = len({_shape(each) for each in (first.split()[-1], item, words)}) == 1
    is_list = has_comma or len(commas) > 1 or alike
    if _PLACE.search(first) or _COUNTED.search(first) or not is_list:
        return ""
    between = ", " if has_comma and len(commas) > 1 else " "
    return f"{left[: commas[0]]}{between}{joined} {item}{after}"


def _shares_noun(left: str, words: str) -> bool:
    """Whether the last item of a list may have the noun that the one before needs."""
    ends = [each.split()[-1] for each in (left, words) if each[-1] not in _SIGNS]
    modifies = re.search(r"\b(?:most|more|very|his|her|its|their) [a-z-]+\Z", left)
    has_article = re.match(r"(?:an?|the|his|her|its|their) ", words)
    several = " " in words and not has_article
    named = _JOINT_NAME.search(left) and words[0].isupper()
    differ = len({end[0].isupper() for end in ends}) > 1
    return bool(
        (differ and not has_article)
        or named
        or words.startswith("other ")
        or (modifies and several)
    )


def _shape(words: str) -> str:
    """Whether words are a title in quotation marks, a name, or neither."""
    return "title" if words[0] in '"“' or words[-1] in '"”' else "name" * words[0].isupper()


def _middle_item(place: _Place) -> str:
    left, after = place.before[:-2], place.after
    if joint := _JOINS.match(place.seen_after):
        two = not _list_commas(place.seen_before[:-2])
        after = after.removeprefix(",") if two and joint[0].startswith(",") else after
    first = left[: (_list_commas(place.seen_before[:-2]) or [len(left)])[-1]]
    unsafe = (
        _HEADS.match(place.words)
        or _PLACE.search(first)
        or _COUNTED.search(first)
        or _INCOMPLETE.search(left)
    )
    return "" if unsafe else left + after


def _first_item(place: _Place) -> str:
    before, after = place.before, place.after
    introduced = _HAS_VERB.search(before) or _EXAMPLES.search(before.rstrip())
    unclear = re.search(rf"\s{PREPOSITION}", place.words) or _RANGE.match(place.words)
    named = place.words[0] in '"“' or place.words[0].isupper()
    led = not named or _INCOMPLETE.search(before) or _VERB_LAST.search(before.rstrip())
    if not (introduced and led) or unclear or _CLAUSAL.match(place.words):
        return ""
    joint = _JOINS.match(place.seen_after)
    if joint:
        rest = "" if _COUNTED.search(before) else after[joint.end() :]
    else:
        rest = after[2:]
        last = re.match(rf"{_ITEM}(?P<comma>,) (?:and|or) ", place.seen_after[2:])
        rest = rest[: last.start("comma")] + rest[last.end("comma") :] if last else rest
    if lead := re.match(PREPOSITION + " ", place.words):
        rest = rest if re.match(PREPOSITION, rest) else lead[0] + rest
        rest = "" if re.match(r"\w+ \w+ing\b", rest) else rest
    if not rest or (_ARTICLE.match(rest) and _DETERMINED.search(before)):
        return ""
    return fix_article(before + rest, len(before))


def _examples(place: _Place) -> str:
    """All examples that a text gives, with the words that say that they are some."""
    lead = _EXAMPLES.search(place.before.rstrip())
    inside = _EXAMPLES.match(place.before[-1:] + place.words) if not lead else None
    lead = lead or re.search(r",? ?\Z", place.before) if inside or lead else None
    ends = _END.match(place.after) or _GOES_ON.match(place.after)
    if not lead or not ends or _LIST.match(place.seen_after):
        return ""
    left, after = place.before[: lead.start()], place.after
    if lead[0].startswith(",") and after.startswith(", "):
        after = after[1:]
    return left + after if _is_whole(left, after) else ""


def _aside(place: _Place) -> str:
    """What is said aside: in brackets, after a comma or between two, or at the end."""
    words, after, left = place.words, place.after, place.before.rstrip()
    between, ends, bare = left.endswith(","), bool(_END.match(after)), left.rstrip(",")
    rest = ""
    if not _is_whole(bare, after):
        pass
    elif words.startswith("(") and words.endswith(")"):
        rest = left + after
    elif (lead := _LEAD.match(words)) and re.match(r", [A-Z]", after):
        # The town goes, what it lies in stays.
        rest = place.before + lead[0] + after[2:]
    elif between and after.startswith(", ") and _ASIDE.match(words) and not _STATES.match(words):
        goes_on = re.match(rf", (?:{FINITE}|who|which)\b", after) or _OPENS.match(after[2:])
        closes = goes_on and not re.search(r"\d{4}\Z", bare)
        rest = bare + (after[1:] if closes else after)
    elif between and ends and _ASIDE.match(words) and not _STATES.match(words):
        rest = bare + after
    elif _ADJUNCT.match(words) or (ends and _says_more(bare, words)):
        free = not between and not _RANGE.match(words) and not after.startswith(", ")
        rest = bare + after if ends or (free and _GOES_ON.match(after)) else ""
    return rest


def _says_more(left: str, words: str) -> bool:
    """Whether a clause says more of a thing, such as one with "that", and not what someone said."""
    that = _SAYING_MORE.match(words) and not _VERB_LAST.search(left)
    return bool(that or (_PARTICIPIAL.match(words) and _HAS_VERB.search(left)))
