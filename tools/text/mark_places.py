"""Where the marks of a passage stand, and what of each is no word of its sentence."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import chain

from errata.core.edits import Span
from errata.tools.text.citations import find_marks as find_plain_marks
from errata.tools.text.exponents import is_exponent
from errata.tools.text.marks import HREF, Known, Mark, clean_url, read_mark
from errata.tools.text.prose import Passage
from errata.tools.text.works import URL, YEAR, Work, read_works

_NAME = (
    r"(?:[A-Z]\. ?)*[A-Z][\w'’-]+"
    r"(?: (?:(?:of|for|the|de|van|von|der|la) )*(?:[A-Z]\. ?)*[A-Z][\w'’-]+){0,6}['’]?"
)
_NARRATIVE = re.compile(
    rf"(?P<authors>{_NAME}(?:(?:,? (?:and|&) |, ){_NAME})*(?:,? et al\.?| and colleagues)?)"
    rf"(?:['’]s?)? \((?P<years>(?:{YEAR})(?:[,;] ?(?:{YEAR}))*)(?:[,:] ?[^()]*)?\)"
)
_ROUND = re.compile(r"\((?P<inner>[^()\n]{4,300})\)")
_SQUARE = re.compile(r"\[(?P<inner>[^\[\]\n]{1,80})\](?![(\[:])")
_ELEMENT = re.compile(r"<(?P<name>a|sup|cite|q)\b", re.IGNORECASE)
_LABEL = re.compile(r"[\s\[\](),;–-]*(?:\d{1,4}[\s\[\](),;–-]*|[*†‡§]+)+")
_BETWEEN = re.compile(r"[\s,;&]*(?:and)?[\s,;]*")
_ENDED = re.compile(r"[.!?][\"”’)*_]*\s*\Z")
_NEXT = re.compile(
    r"[.!?;]?\s*\Z|\s*\n|\s+(?:The|This|That|These|Those|It|Its|He|She|They|We|His|Her|Their|In"
    r"|On|At|By|An?|As|For|From|To|After|Before|During|Since|While|When|If|There|But|And|However|Some"
    r"|Many|Most|Other|Both|All|With|Although|Though|Also|Another)\b|[.!?;](?=\s)"
)
"""What comes after a link that stands beside a sentence: the end, or the beginning of another."""
_FAR = 300
"""How many characters before a link are looked at."""
_ADDRESSES = re.compile(rf"(?:\s+{URL.pattern})+\s*\Z")
_WORDS = re.compile(
    r"\[(.*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])"
    r"|<\w+\b[^<>]*>(.*)</\w+\s*>|(.*?) \([^()]*\)",
    re.DOTALL,
)
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+")
_OUTSIDE = re.compile(r"(?:mailto|javascript|tel|data):|#", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A mark, and what of the draft is hidden where the sentence is read: the mark or nothing."""

    mark: Mark | None
    """None if it names no source, as `[citation needed]`."""
    hidden: Span | None


def find_marks(draft: str, passage: Passage, known: Known) -> list[Found]:
    """The marks of a passage in order; of those within each other the outermost."""
    content, at = passage.block.content, passage.block.places
    code = [m for m in passage.marks if m.kind in ("code", "image", "data")]
    found, last = list[Found](), -1
    for start, end, hidden in sorted(
        _candidates(draft, passage, known), key=lambda c: (c[0], -c[1])
    ):
        inside = any(m.start <= start and end <= m.end and draft[m.start] != "<" for m in code)
        if start < last or inside:
            continue
        shown = content[bisect_left(at, start) : bisect_left(at, end)]
        mark = _mark(draft, (start, end), shown, known, aside=hidden == (start, end))
        found.append(Found(mark, hidden))
        last = end
    return found


def _mark(draft: str, span: Span, shown: str, known: Known, *, aside: bool) -> Mark | None:
    raw = draft[slice(*span)]
    read = read_mark(raw, shown, known)
    if not read:
        return None
    words = "" if aside else _words_of(raw)
    return Mark(start=span[0], end=span[1], text=raw, form=read[0], keys=read[1], words=words)


def _words_of(raw: str) -> str:
    """What is words of the sentence in a mark that stands around some, or is an address."""
    linked = _WORDS.fullmatch(raw)
    return next((words for words in linked.groups() if words), "") if linked else raw


def _candidates(
    draft: str, passage: Passage, known: Known
) -> Iterator[tuple[int, int, Span | None]]:
    """Where marks may stand, each with what of it is no word of the sentence."""
    content, at = passage.block.content, passage.block.places

    def placed(a: int, b: int) -> Span:
        return at[a], at[b - 1] + 1

    for a, b in chain(find_plain_marks(content), _listed(content, known)):
        yield *placed(a, b), placed(a, b)
    links = sorted(_links(draft, passage))
    for start, end in links:
        hides = _is_aside(content, (bisect_left(at, start), bisect_left(at, end)), draft[start:end])
        yield start, end, (start, end) if hides else None
    for start, end in _bracketed(draft, passage, links):
        yield start, end, (start, end)
    for named in _NARRATIVE.finditer(content):
        if authors := _author_in(named, known):
            year = placed(content.index("(", named.end("authors")), named.end())
            yield placed(named.end("authors") - len(authors), named.end())[0], year[1], year


def _bracketed(draft: str, passage: Passage, links: Sequence[Span]) -> Iterator[Span]:
    """Where links stand in round brackets with nothing else."""
    at = passage.block.places
    for group in _ROUND.finditer(passage.block.content):
        start, end = at[group.start()], at[group.end() - 1] + 1
        rest, place = "", start + 1
        for a, b in links:
            if place <= a and b < end:
                rest, place = rest + draft[place:a], b
        if place > start + 1 and _BETWEEN.fullmatch(rest + draft[place : end - 1]):
            yield start, end


def _listed(content: str, known: Known) -> Iterator[Span]:
    """What is a mark because the list of references has it."""
    for group in _ROUND.finditer(content):
        works = read_works(group["inner"])
        if any(map(known.work, works)) or any(known.is_author(w.authors) for w in works):
            yield group.span()
    for group in _SQUARE.finditer(content):
        parts = [part.strip() for part in re.split("[,;]", group["inner"])]
        if all(part in known.keys for part in parts):
            yield group.span()


def _links(draft: str, passage: Passage) -> Iterator[Span]:
    """Where links, and elements that cite, stand in a passage."""
    content, at = passage.block.content, passage.block.places
    for mark in passage.marks:
        raw = draft[mark.start : mark.end]
        target = raw.rpartition("](")[2] if mark.kind == "link" else ""
        element = _ELEMENT.match(raw) if mark.kind == "emphasis" else None
        if (
            (mark.kind == "link" and not _OUTSIDE.match(target))
            or (mark.kind == "code" and URL.match(raw, 1))
            or (
                element
                and _cites(element["name"].lower(), raw, content[: bisect_left(at, mark.start)])
            )
        ):
            yield mark.start, mark.end
    for found in URL.finditer(content):
        url = clean_url(found[0])
        yield at[found.start()], at[found.start() + len(url) - 1] + 1


def _cites(name: str, raw: str, before: str) -> bool:
    """Whether an element is a mark: a link, a raised number, a work that is cited."""
    shown, href = plain_words(raw), HREF.search(raw)
    if href and not _OUTSIDE.match(href["url"]):
        return True
    if name == "cite" and read_works(shown):
        return True
    return bool(_LABEL.fullmatch(shown)) and (
        bool(href) or name != "sup" or not is_exponent(before, shown)
    )


def plain_words(raw: str) -> str:
    """What is read of a link or element."""
    words = re.sub(r"<[^<>]*>", "", raw)
    linked = re.match(r"\[(?P<label>.*)\](?:\(.*\)|\[.*\])", words, re.DOTALL)
    return unescape(linked["label"] if linked else words).strip()


def _is_aside(content: str, span: Span, raw: str) -> bool:
    """Whether a link stands beside the words of a sentence, and is none of them."""
    start, end = span
    shown = plain_words(raw)
    if _LABEL.fullmatch(shown) or (shown.startswith("(") and shown.endswith(")")):
        return True
    if "," in shown and read_works(shown):
        return True
    ends = bool(_NEXT.match(content, end))
    is_address = bool(URL.match(shown)) or (_HOST.fullmatch(shown) and shown.lower() in raw.lower())
    before = _ADDRESSES.sub("", content[max(0, start - _FAR) : start])
    after = bool(_ENDED.search(before))
    return (is_address and (ends or after)) or (ends and after)


def _author_in(named: re.Match[str], known: Known) -> str:
    """The authors before a year in brackets, if the list has them or they are several."""
    words, year = named["authors"], named["years"][:5].rstrip(",; ")
    ends = [m.end() for m in re.finditer(r"(?:\A|\s)(?=[A-Z])", words)]
    parts = [words[end:] for end in ends]
    tied = [part for part in parts if known.work(Work(part, year)) or known.is_author(part)]
    whole = next((part for part in tied if known.is_author(part, whole=True)), "")
    several = parts[-1] if parts and re.search("et al|colleagues", words) else ""
    return whole or (tied[-1] if tied else several)
