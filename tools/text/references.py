"""A draft as its citations tie it: each sentence with its marks, and the references they name."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import chain

from errata.core.edits import Span
from errata.tools.text.citations import find_marks, is_exponent, join_marks
from errata.tools.text.markdown import READING
from errata.tools.text.marks import (
    HREF,
    URL,
    YEAR,
    Known,
    Mark,
    Reference,
    Work,
    clean_url,
    read_mark,
    read_works,
)
from errata.tools.text.pages import is_page, read_html_in
from errata.tools.text.prose import Passage, read_passages, read_sentences
from errata.tools.text.reference_lists import find_references

__all__ = ["CitedSentence", "Mark", "Reference", "read_cited"]
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
_LINK = re.compile(r"\[[^\[\]]*\]\([^()\s]*[^()]*\)|<a\b.*?</a\s*>", re.IGNORECASE | re.DOTALL)
_OUTSIDE = re.compile(r"(?:mailto|javascript|tel|data):|#", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class CitedSentence:
    """A sentence, list item or table row, `draft[start:end]`, read without its marks."""

    start: int
    end: int
    text: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Found:
    """A mark, and what of the draft is hidden where the sentence is read: the mark or nothing."""

    mark: Mark | None
    """None if it names no source, as `[citation needed]`."""
    hidden: Span | None


def read_cited(draft: str) -> tuple[list[CitedSentence], list[Reference]]:
    """The sentences of a draft with their marks, and the references that it lists or links to.

    Text, Markdown or the source of a page. Raises OutOfTimeError when the run's time is over.
    """
    sentences, references = _read(draft)
    return list(sentences), list(references)


@lru_cache(maxsize=READING)
def _read(draft: str) -> tuple[tuple[CitedSentence, ...], tuple[Reference, ...]]:
    page = is_page(draft)
    html = read_html_in(draft)
    both = [] if page else [*read_passages(draft), *html]
    passages = sorted(both, key=lambda passage: passage.block.start) or html
    listed = find_references(draft, passages, page=page)
    sentences = list[CitedSentence]()
    for passage in passages:
        if not listed.places.touching(passage.block.start, passage.block.start + 1):
            sentences += _cited(draft, passage, listed.known)
    links = _linked(sentences, listed.known)
    return tuple(_join_rows(draft, sentences, passages)), (*listed.known.references, *links)


def _cited(draft: str, passage: Passage, known: Known) -> list[CitedSentence]:
    """The sentences of a passage, each with the marks in it and after it."""
    found = _find(draft, passage, known)
    plain = _without(passage, [f.hidden for f in found if f.hidden])
    spans = read_sentences(plain)
    if not spans or (passage.block.kind in ("heading", "th") and not any(f.mark for f in found)):
        return []
    starts = [plain.places[a] for a, _ in spans]
    marks: list[list[Mark]] = [[] for _ in spans]
    for mark, hidden in ((f.mark, f.hidden) for f in found):
        if not mark:
            continue
        place = len(plain.places) if hidden else bisect_left(plain.places, mark.start)
        first = plain.places[place] if place < len(plain.places) else mark.start
        marks[max(0, bisect_right(starts, first) - 1)].append(mark)
    sentences = list[CitedSentence]()
    for (a, b), own in zip(spans, marks, strict=True):
        start, end = plain.span(a, b)
        text = plain.text[a:b].replace("\n", " ")
        sentences.append(CitedSentence(start=start, end=end, text=text, marks=tuple(own)))
    return sentences


def _without(passage: Passage, hidden: Sequence[Span]) -> Passage:
    """A passage without its marks and the white space beside them."""
    content, at = passage.block.content, passage.block.places
    spans = [(bisect_left(at, a), bisect_left(at, b)) for a, b in hidden]
    gone = {at[n] for a, b in join_marks(content, spans) for n in range(a, b)}
    kept = [n for n, place in enumerate(passage.places) if place not in gone]
    marks = [m for m in passage.marks if m.kind not in ("citation", "footnote")]
    text = "".join(passage.text[n] for n in kept)
    return Passage(passage.block, text, [passage.places[n] for n in kept], marks)


def _find(draft: str, passage: Passage, known: Known) -> list[Found]:
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

    for a, b in chain(find_marks(content), _listed(content, known)):
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


def _linked(sentences: Iterable[CitedSentence], known: Known) -> Iterator[Reference]:
    """A reference for each address that marks link to and no list has."""
    seen = set(known.keys)
    for mark in (mark for sentence in sentences for mark in sentence.marks):
        labels = [plain_words(m[0]) for m in _LINK.finditer(mark.text)]
        for number, key in enumerate(mark.keys):
            if key in seen or not (mark.form == "link" or URL.match(key)):
                continue
            seen.add(key)
            title = labels[number] if number < len(labels) and not mark.words else ""
            yield Reference(key=key, text=title or key, title=title, url=key)


def _join_rows(
    draft: str, sentences: Sequence[CitedSentence], passages: Iterable[Passage]
) -> Iterator[CitedSentence]:
    """The sentences, those of a table's row as one."""
    cells = {p.block.start: p.block.end for p in passages if p.block.kind in ("td", "th")}
    starts, row = sorted(cells), list[CitedSentence]()
    for sentence in sentences:
        n = bisect_right(starts, sentence.start) - 1
        in_cell = n >= 0 and sentence.start < cells[starts[n]]
        gap = draft[row[-1].end : sentence.start] if row else ""
        if row and (not in_cell or "\n" in gap.strip("\n") or "<tr" in gap.lower()):
            yield _row(row)
            row = []
        if in_cell:
            row.append(sentence)
        else:
            yield sentence
    if row:
        yield _row(row)


def _row(cells: Sequence[CitedSentence]) -> CitedSentence:
    return CitedSentence(
        start=cells[0].start,
        end=cells[-1].end,
        text=f"| {' | '.join(cell.text for cell in cells)} |",
        marks=tuple(mark for cell in cells for mark in cell.marks),
    )
