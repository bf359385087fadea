"""Put words in the place of others in a sentence, or take them out, where that is plainly safe."""

import re
from collections.abc import Sequence
from itertools import pairwise

from errata.core.edits import Span
from errata.core.words import Borders, loosely
from errata.tools.local.cut import DETERMINERS, OWNED, PREPOSITION, cut
from errata.tools.text.clauses import HAS_VERB, find_subject
from errata.tools.text.entities import NAME
from errata.tools.text.words import fix_article, replace_span

Mend = tuple[str, str]
"""Words of a claim, and what stands in their place: nothing where they are to go."""

_GAP = re.compile(r"\s*(?:\.{3,}|…|\[\.{3,}\]|\[…\])\s*")
_MOST_PARTS = 2
_WORD = re.compile(r"\w")
_LEAD = re.compile(rf"{PREPOSITION} ", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the) ", re.IGNORECASE)
_DETERMINED = re.compile(rf"\b(?:{DETERMINERS}) $", re.IGNORECASE)
_INNER_STOP = re.compile(r"[.,](?=[\"”])")
"""A sign that American English puts inside quotation marks, whatever it ends."""
_STOPPED = re.compile(r"(?=\[[^\]]*”[^\]]*\]\Z)")
"""Before a pattern of a last quotation mark, where American English puts the sign."""
_ODD = re.compile(
    r"\s[,.;:)]|[(,;:]\s*[,.;:)]|\.,|\b(?:and|or|but|the|an?)[,.;:]|\b(\w+) \1\b| {2}"
)
"""Signs and words that stand where no sentence has them."""
_OTHERS = re.compile(r",? (?:and|but) (he|she|it|they)\b")
"""The beginning of a clause that has a subject of its own."""
_STOP = re.compile(r"[.!?][\"”’')\]]*\s*\Z")
GOES, GONE = "[[", "]]"  # what stands around words that are to go


def find_once(words: str, text: str) -> Span | None:
    """Where words stand in a text, in any case and with any marks; None unless they do so once.

    >>> find_once("born … 1849", "He was born in Lyon in 1849.")
    (7, 27)
    """
    parts = list(filter(_WORD.search, _GAP.split(_INNER_STOP.sub("", words.strip()))))
    if not 1 <= len(parts) <= _MOST_PARTS:
        return None
    pattern = r"\b.{1,200}?\b".join(_STOPPED.sub("[.,]?", loosely(part)) for part in parts)
    borders = Borders(text)
    found = (match.span() for match in re.finditer(pattern, text, re.IGNORECASE | re.DOTALL))
    places = [place for place in found if borders.are_at(*place)]
    return places[0] if len(places) == 1 else None


def find_clause(claim: str, text: str) -> Span | None:
    """Where a sentence says what a claim does, with the subject if it is the clause's own.

    >>> find_clause("Ada was rich.", "Ada sang well and was rich."), find_clause("Ada sang.", "Bo.")
    ((18, 26), None)
    """
    subject = find_subject(claim)
    said = claim[claim.index(subject) + len(subject) :].strip(" .") if subject else ""
    if not said or not (place := find_once(said, text)):
        return None
    start, end = place
    before = re.split(",? (?:and|but|while) |[;,] ", text[:start])[-1]
    first = start - len(before)
    is_own = before.strip() and find_subject(text[:first])
    if (other := _OTHERS.match(text, end)) and not is_own:
        if OWNED.match(before):
            return first, end
        # A name stays for the pronoun that can stand for nothing else.
        is_clear = NAME.fullmatch(before.strip()) and not NAME.search(text[start:end])
        return (start, other.end()) if is_clear and other[1] in ("he", "she") else None
    return (first if is_own else start), end


def restate(claim: str, fix: str) -> list[Mend]:
    """The words that a claim says of its subject, with those that a correction says of it.

    >>> restate("Ada sang in Rome.", "Ada danced in Rome."), restate("Ada sang.", "Bo sang.")
    ([('sang in Rome', 'danced in Rome')], [])
    """
    subject = find_subject(claim)
    start = claim.index(subject) + len(subject)
    if not subject or not fix.startswith(claim[:start]):
        return []
    return [(claim[start:].strip(" ."), fix[start:].strip(" ."))]


def apply_mends(text: str, mends: Sequence[Mend]) -> str | None:
    """The text with every mend made, empty where all of it goes; None where that is not safe.

    It is not where words do not stand in the text exactly once, where changes touch each other or
    disagree, or where what is left would be no sentence.

    >>> apply_mends("He went to Lyon by train.", [("Lyon", "Nantes"), ("by train", "")])
    'He went to Nantes.'
    """
    if list(mends) == [(text, "")]:
        return ""
    changes, mended = _changes(text, mends), text
    for place, right in sorted(changes.items(), reverse=True):
        # An item that was cut may have changed how the ones before it are joined.
        as_was = mended.startswith(text[: place[1]])
        own = place if as_was else find_once(text[slice(*place)], mended)
        if own and right:
            mended = _replace(mended, *own, right)
        elif own:
            mended = cut(mended, *own)
        if not own or not mended:
            return None
    if (stop := _STOP.search(text)) and not _STOP.search(mended):
        mended = mended.rstrip() + (stop[0] if len(stop[0].strip()) == 1 else ".")
    subject = find_subject(text)
    _, _, said = mended.partition(subject or mended)
    lost = subject and not (HAS_VERB.search(said) or find_subject(mended) or all(changes.values()))
    return mended if changes and reads_like(text, mended) and not lost else None


def mark_mends(text: str, mends: Sequence[Mend]) -> str:
    """The text with what mends put in, and in double brackets what is to go, for a reviser.

    Empty where words do not stand in it exactly once, or changes touch each other or disagree.

    >>> mark_mends("She is an Irish tutor of a king.", [("Irish", ""), ("a king", "an earl")])
    'She is an [[Irish]] tutor of an earl.'
    """
    changes, marked = _changes(text, mends), text
    for (start, end), right in sorted(changes.items(), reverse=True):
        gone = f"{GOES}{text[start:end]}{GONE}"
        put = _replace if right else replace_span
        marked = put(marked, start, end, right or gone)
    return marked if changes else ""


def without_marked(marked: str) -> str:
    """A text of `mark_mends` without what is to go: often no sentence, empty if no word is left.

    >>> without_marked("She became [[a tutor]] of a duke."), without_marked("[[She sang]].")
    ('She became of a duke.', '')
    """
    left = re.sub(r" ?\[\[.*?\]\]", "", marked, flags=re.DOTALL)
    return left if _WORD.search(left) else ""


def disagree(text: str, mends: Sequence[Mend]) -> bool:
    """Whether mends, each of which can be made, touch each other or put in different words."""
    return bool(mends) and not _changes(text, mends)


def _changes(text: str, mends: Sequence[Mend]) -> dict[Span, str]:
    """What is put at which places; none where one is unclear, or they touch or disagree."""
    changes = dict[Span, str]()
    for wrong, right in mends:
        place = find_once(wrong, text) or find_once(wrong.strip(", "), text)
        place = place or (None if right else find_clause(wrong, text))
        if not place or changes.setdefault(place, right) != right:
            return {}
    return {} if any(a[1] > b[0] for a, b in pairwise(sorted(changes))) else changes


def reads_like(text: str, mended: str) -> bool:
    """Whether a mended sentence begins and ends as one, with signs that a sentence has."""
    begins = mended[:1].isupper() or not text[:1].isupper()
    odd = len(_ODD.findall(mended)) > len(_ODD.findall(text))
    pairs = [
        (text.count(a) == text.count(b)) <= (mended.count(a) == mended.count(b))
        for a, b in ("()", "[]", "“”")
    ]
    even = text.count('"') % 2 or not mended.count('"') % 2
    return bool(begins and all(pairs) and even and not odd)


def _replace(text: str, start: int, end: int, right: str) -> str:
    """The text with other words at a place; what stands before or after them is not said twice."""
    old, before, after = text[start:end], text[:start], text[end:]
    lead = _LEAD.match(old)
    is_other = right.split(maxsplit=1)[0] not in old.split()
    if lead and is_other and re.match(r"[\dA-Z]", right) and not _LEAD.match(right):
        is_year = lead[0].lower() == "on " and re.fullmatch(r"\d{4}", right)
        right = (lead[0].replace("on", "in") if is_year else lead[0]) + right
    first, *others = right.split(" ")
    last = before.split()[-1:]
    doubles = last and last[0].casefold() == first.casefold()
    if others and (doubles or (_ARTICLE.match(right) and _DETERMINED.search(before))):
        right = " ".join(others)
    *others, last_word = right.split(" ")
    if others and after.split()[:1] and after.split()[0].casefold() == last_word.casefold():
        right = " ".join(others)
    if after.strip(" .") and not _INNER_STOP.search(old):
        right = _INNER_STOP.sub("", right)
    text = replace_span(text, start, end, f" {right}" if old.startswith(",") else right)
    vowels = [words[:1].lower() in "aeio" for words in (old, right)]
    return fix_article(text, start) if vowels[0] != vowels[1] else text
