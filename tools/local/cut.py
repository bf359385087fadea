"""Take words out of a sentence, of which somebody says that the rest is a sentence."""

import re

from errata.tools.text.clauses import FINITE, HAS_VERB, find_subject
from errata.tools.text.words import NEGATIONS, PREPOSITIONS, fix_article

DETERMINERS = "an?|the|his|her|its|their"  # as a pattern
PREPOSITION = rf"(?:{PREPOSITIONS}|across|along|among|throughout|via|because of|due to)\b"
_ADDS = re.compile(
    rf"(?:{PREPOSITION}|(?:who|which|that|where|when|while|although|because|unless|if|including"
    r"|such as|besides)\b)",
    re.IGNORECASE,
)
"""What words begin with that say more of what is said."""
_ASIDE = re.compile(rf"(?:{DETERMINERS}|one|all|most|as|also|together|\w+(?:ing|ed))\b")
"""What else begins words between commas that are no item of a list."""
_OPEN = re.compile(
    rf"\b(?:{PREPOSITION}|{DETERMINERS}|and|or|but|than|that|who|which|where|while|born|known|not"
    r"|is|are|was|were|be|been|has|have|had|became|including|such as)\Z",
    re.IGNORECASE,
)
"""An end that needs more after it."""
_NO_MORE = re.compile(rf"[,.;:!?)]|\Z|(?:{PREPOSITION}|and|or|but)\b")
"""What follows such an end in no sentence."""
_SUBJECT = r"(?:he|she|it|they|there)\b"
_NO_NOUN = re.compile(
    rf"\b(?:(?:{DETERMINERS}) {FINITE}|{PREPOSITION} {_SUBJECT})\b", re.IGNORECASE
)
TURNS = NEGATIONS | {
    *"""few fewer little less former acting vice deputy almost nearly hardly alleged allegedly
    reportedly attempted fake so-called unless except refused failed declined denied""".split()
}
"""Words without which a sentence says something else."""
_AND = "(?:and|or|but|as well as)"
_JOINED, _JOINS = re.compile(rf",? {_AND}\Z"), re.compile(rf",? ?{_AND} ")
_LEADS, _TRAILS = re.compile(rf"\A{_AND}(?: |\Z)"), re.compile(rf",? {_AND}\Z")
_ADVERB = re.compile("[a-z]+ly|also|later|then|soon|often|once")
_VERB = re.compile(rf"(?:(?:{_ADVERB.pattern}) )?{FINITE}\b")
_PREDICATE = re.compile(rf"{_VERB.pattern}|{_SUBJECT}")
_PARTICIPLE = re.compile(r"(?:born|known|\w+ed|\w+ing)\b")
_GOES_ON = re.compile(rf"(?!{_SUBJECT}|(?:{DETERMINERS}|so|but|\w+ing)\b)[a-z]")
"""How a sentence goes on after its subject, or one more phrase."""
_CLOSED = re.compile(r"(?:[;:–—“(\[.!?]|\A)\Z")
"""What stands before a place where a sentence begins anew."""
_NOMINAL = re.compile(rf"{_SUBJECT}|(?:{DETERMINERS})\b|[A-Z]")
_CLAUSES = re.compile(", (?:and|but|so) |[;:] ")
_SHARED = re.compile(r"\b(?:both|between|n?either|respectively|each other)\b", re.IGNORECASE)
"""What speaks of all that is joined."""
_SEVERAL = re.compile(r"[\w ]{1,40}? (?:are|were|have)\b")
OWNED = re.compile(r"(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)
"""What begins a subject that was named before."""
_ITEM, _WORD = 4, 2
"""Most words of an item of a list, and of what alone may turn a statement."""


def cut(text: str, start: int, end: int) -> str:
    """The text without the words at a place; empty where the rest would plainly be no sentence.

    >>> cut("She sang in Rome and wrote a novel.", 4, 20), cut("He met Ada, Bo, and Al.", 16, 22)
    ('She wrote a novel.', '')
    """
    copied = text[start:end].strip()
    before, words, after = _place(text, start, copied)
    in_quotes = before.endswith(("“", ' "'))
    if not words or in_quotes or _turns(before, words) or _halves(before, words, after, copied):
        return ""
    signs = (copied[:1], copied[-1:])
    beside = _join(before, words, after, listed="," in signs)
    if not beside or _is_broken(*beside, "" if signs == (",", ",") else words):
        return ""
    left, rest = beside
    if _CLOSED.search(left):
        rest = rest.lstrip(", ")
        rest = rest if left else rest[:1].upper() + rest[1:]
    if not re.match(r"[\w\"“(]", rest):
        left = left.rstrip(",;:")
    left += " " if left and re.match(r"[^\s,.;:!?)”]", rest) else ""
    return fix_article(left + rest, len(left))


def _turns(before: str, words: str) -> bool:
    """Whether what is left would say something else without words, or by the word before them."""
    own = words.lower().split()
    ends = own[-1] == "to" or own[-2:] in (["to", "have"], ["to", "be"])
    checked = {*own} if len(own) <= _WORD else {own[0]}
    return ends or not TURNS.isdisjoint(checked | {*before.lower().split()[-1:]})


def _halves(before: str, words: str, after: str, copied: str) -> bool:
    """Whether words are half of what something is said of together, such as "both"."""
    joined = copied.strip(" ,;") != words or _JOINED.search(before) or _JOINS.match(after)
    shared = _SHARED.search(f"{before} {after}") or _SEVERAL.match(after)
    return bool(joined and shared and not _PREDICATE.match(words))


def _is_broken(left: str, rest: str, words: str) -> bool:
    """Whether what is left has an open end, or a subject without its verb, or none."""
    plain, follows = left.rstrip(","), rest.lstrip(", ")
    if not left:
        named = find_subject(words) and not OWNED.match(words)
        return not find_subject(follows) or bool(named and OWNED.match(follows))
    open_end = _OPEN.search(left) and _NO_MORE.match(rest)
    lost = any(m.start() < len(left) < m.end() for m in _NO_NOUN.finditer(f"{left} {rest}"))
    if open_end or lost or _VERB.match(follows):
        return bool(open_end or lost)
    clause, tail = _CLAUSES.split(plain)[-1], plain.rpartition(", ")[2]
    has_verb = HAS_VERB.search(tail if OWNED.match(tail) else clause)
    is_lead = left.endswith(",") or _ADDS.match(left)
    own = _NOMINAL.match(rest) and find_subject(rest)
    two = not HAS_VERB.search(left) and not is_lead and own
    return bool(two or (_PREDICATE.match(words) and not has_verb))


def _place(text: str, start: int, copied: str) -> tuple[str, str, str]:
    """What stands before words, they without the signs and joints around them, what stands after.

    A joint behind the words goes if it was copied with them, and so does a comma on one side.
    """
    words = _TRAILS.sub("", _LEADS.sub("", copied.strip(" ,;") or copied))
    start = text.index(words, start)
    before, after = text[:start].rstrip(), text[start + len(words) :].lstrip()
    between = copied.startswith(",") and copied.endswith(",")
    joint = _TRAILS.search(copied)
    is_item = not (_PREDICATE.match(words) or _ASIDE.match(words))
    if joint and is_item and before.endswith(","):
        before = before[:-1]
    elif joint:
        after = _JOINS.sub("", after, count=1)
    elif between and not _JOINS.match(after):
        before, after = before.rstrip(","), after.lstrip(", ")
    elif copied.startswith(",") and not (after.startswith(",") or _JOINS.match(after)):
        before = before.rstrip(",")
    elif copied.endswith(",") and not (before.endswith(",") or _JOINED.search(before)):
        after = after[1:].lstrip()
    return before, words, after


def _join(before: str, words: str, after: str, *, listed: bool) -> tuple[str, str] | None:
    """What is left before and after words, with one joint less; None where that is not plain.

    Words that were copied with a comma, `listed`, leave the joint that follows where it is.
    """
    if joined := _JOINED.search(before):
        return _without_second(before, before[: joined.start()], words, after)
    if (joins := _JOINS.match(after)) and listed:
        several = after.startswith(",") and ", " in before
        return before.rstrip(","), after if several else after.lstrip(", ")
    if joins:
        return _without_first(before, words, after, after[joins.end() :])
    return _without_apart(before, words, after)


def _without_apart(before: str, words: str, after: str) -> tuple[str, str] | None:
    """What is left without what nothing is joined to, with one comma less where it has two."""
    adds, is_predicate = _ADDS.match(words) or _ASIDE.match(words), _PREDICATE.match(words)
    follows, has_verb = after.removeprefix(",").lstrip(), HAS_VERB.search(before)
    if before.endswith(",") and after.startswith(","):
        goes = adds or (_VERB.match(follows) and not has_verb)
        return before[:-1], follows if goes and _GOES_ON.match(follows) else after
    if not has_verb and is_predicate and _PREDICATE.match(follows):
        return None if _OPEN.search(before) else (before, follows)
    if after.startswith(",") and before and not (adds or is_predicate):
        return None
    is_list = before.endswith(",") and re.search(rf"\w,? {_AND} ", words)
    return None if is_list and not adds else (before, after)


def _without_second(before: str, left: str, words: str, after: str) -> tuple[str, str] | None:
    """What is left without what something else is joined to, which ends no list."""
    is_predicate, adverb = _PREDICATE.match(words), _ADVERB.fullmatch(words)
    if adverb or (after.startswith(",") and re.match(_SUBJECT, after[2:])):
        return before, after.lstrip(", ")
    ends = any(each.match(after) for each in (_ADDS, _JOINS, _PARTICIPLE))
    head, comma, item = left.rpartition(", ")
    adds = _ADDS.match(item) and item.split()[:1] != words.split()[:1]
    is_item = len(item.split()) <= _ITEM and not (adds or HAS_VERB.search(item) or '"' in item)
    broken = (comma and is_item) or left.endswith(',"') or _SHARED.search(f"{left} {after}")
    plain = not broken and (ends or not after[:1].isalnum())
    if is_predicate and not (comma and is_item and " " not in words):
        splices = before[len(left) :].startswith(",") or HAS_VERB.search(head)
        plain = not (comma and _PREDICATE.match(item) and splices)
    return (left, after) if plain else None


def _without_first(before: str, words: str, after: str, rest: str) -> tuple[str, str] | None:
    """What is left without what is joined to something that follows: one of two predicates."""
    is_clause = find_subject(words) and not _ADDS.match(words)
    is_predicate = is_clause or _PREDICATE.match(words)
    stays = is_predicate or _ADDS.match(words) or _ASIDE.match(words)
    if before.endswith(","):
        plain = stays and HAS_VERB.search(before)
        return (before[:-1], after.lstrip(", ")) if plain else None
    if not before or is_predicate:
        has_none = before and not HAS_VERB.search(before) and re.match(_SUBJECT, rest)
        return None if has_none else (before, rest)
    return (before, after) if _ADDS.match(words) and not _ADDS.match(rest) else None
