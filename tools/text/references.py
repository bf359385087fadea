"""A draft as its citations tie it: each sentence with its marks, and the references they name."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from html import unescape
from itertools import chain, groupby
from typing import NamedTuple

from errata.core.edits import Span, Spans, outside
from errata.tools.text.citations import find_marks as find_plain_marks
from errata.tools.text.citations import join_marks
from errata.tools.text.markdown import READING, Block, read_blocks
from errata.tools.text.marks import Known, Mark, MarkPart, Reference, clean_url, read_mark
from errata.tools.text.prose import Passage, read_passages, read_sentences
from errata.tools.text.reference_lists import find_references
from errata.tools.text.words import STOPWORDS
from errata.tools.text.works import URL, YEAR, Work, read_works

__all__ = ["CitedSentence", "Mark", "Reference", "read_cited"]
_NARRATIVE = re.compile(
    rf"(?P<authors>(?<![\w'’-])[A-Z][^()\n]{{0,80}}?)(?:['’]s?)? "
    rf"(?P<mark>\((?P<years>(?:{YEAR})(?:[,;] ?(?:{YEAR}))*)(?:[,:] ?[^()]*)?\))"
)
_BRACKETED = re.compile(r"\([^()\n]{4,300}\)|\[[^\[\]\n]{1,80}\](?![(\[:])")
_GROUP = re.compile(r"\((?:[^()\n]|\([^()\n]*\)){4,600}\)")
_AROUND = re.compile(r"\([\s,;&]*(?:and)?[\s,;]*\)")
"""What stands around and between the links of a group that has nothing else."""
_ADDRESS = re.compile(rf"<{URL.pattern}>|{URL.pattern}")
_LABEL = re.compile(r"[\s\[\](),;–-]*(?:\d{1,4}[\s\[\](),;–-]*|[*†‡§]+)+")
_ENDED = re.compile(r"[.!?][\"”’)*_]*\s*\Z")
_NEXT = re.compile(
    rf"[.!?;]?\s*\Z|\s*\n|\s+(?:{'|'.join(map(str.capitalize, sorted(STOPWORDS)))}|However|Many"
    r"|Though|Another)\b|[.!?;](?=\s)"
)  # what comes after a link that stands beside a sentence: the end, or the beginning of another
_FAR = 300  # characters before a link that are looked at
_ADDRESSES = re.compile(rf"(?:\s+{URL.pattern})+\s*\Z")
_OUTSIDE = re.compile(r"(?:mailto|javascript|tel|data):|#", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class CitedSentence:
    """A sentence, list item or table row, `draft[start:end]`, read without its marks."""

    start: int
    end: int
    text: str
    marks: tuple[Mark, ...]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The sources that its marks name, each once."""
        return tuple(dict.fromkeys(key for mark in self.marks for key in mark.keys))


@lru_cache(maxsize=READING)
def read_cited(draft: str) -> tuple[tuple[CitedSentence, ...], tuple[Reference, ...]]:
    """A draft's sentences with marks, and what it lists or links to; raises OutOfTimeError."""
    passages = read_passages(draft)
    known, places = find_references(draft, passages)
    sentences = list[CitedSentence]()
    for passage in passages:
        if not places.touching(passage.block.start, passage.block.start + 1):
            sentences += _cited(draft, passage, known)
    links = _linked(sentences, known)
    rows = [block for block in read_blocks(draft)[0].walk() if block.kind == "tr"]
    joined = _join_rows(sentences, Spans(rows, lambda row: (row.start, row.end)))
    return tuple(joined), (*known.references, *links)


def _cited(draft: str, passage: Passage, known: Known) -> list[CitedSentence]:
    """The sentences of a passage, each with the marks in it and after it."""
    found = find_cited_marks(draft, passage, known)
    plain = _without(passage, [hidden for _, hidden in found if hidden])
    spans = read_sentences(plain)
    if not spans or (passage.block.kind in ("heading", "th") and not any(m for m, _ in found)):
        return []
    places = [plain.span(*span) for span in spans]
    starts = [start for start, _ in places]
    owned: list[list[Mark]] = [[] for _ in spans]
    for mark in (mark for mark, _ in found if mark):
        owned[max(0, bisect_right(starts, mark.start) - 1)].append(mark)
    texts = [plain.text[a:b].replace("\n", " ") for a, b in spans]
    return [
        CitedSentence(start=start, end=end, text=text, marks=tuple(marks))
        for (start, end), text, marks in zip(places, texts, owned, strict=True)
    ]


def _without(passage: Passage, hidden: Sequence[Span]) -> Passage:
    """A passage without its marks and the white space beside them."""
    content, at = passage.block.content, passage.block.places
    spans = [(bisect_left(at, a), bisect_left(at, b)) for a, b in hidden]
    gone = {at[n] for a, b in join_marks(content, spans) for n in range(a, b)}
    kept = [n for n, place in enumerate(passage.places) if place not in gone]
    marks = [m for m in passage.marks if m.kind not in ("citation", "footnote")]
    text = "".join(passage.text[n] for n in kept)
    return Passage(passage.block, text, [passage.places[n] for n in kept], marks)


def _linked(sentences: Iterable[CitedSentence], known: Known) -> Iterator[Reference]:
    """A reference for each address that marks link to and no list has."""
    seen, marks = set(known.keys), (mark for sentence in sentences for mark in sentence.marks)
    for mark, piece in ((m, piece) for m in marks if m.form == "link" for piece in m.pieces):
        [key] = piece.keys
        if key not in seen:
            seen.add(key)
            title = "" if mark.words else unescape(piece.label).strip()
            yield Reference(key=key, text=title or key, title=title, url=key)


def _join_rows(sentences: Iterable[CitedSentence], rows: Spans[Block]) -> Iterator[CitedSentence]:
    """The sentences, those of a table's row as one."""

    def row_of(sentence: CitedSentence) -> Block | CitedSentence:
        return next(iter(rows.touching(sentence.start, sentence.end)), sentence)

    for row, group in groupby(sentences, row_of):
        cells = list(group)
        marks = tuple(mark for cell in cells for mark in cell.marks)
        whole = replace(cells[0], end=cells[-1].end, marks=marks)
        text = f"| {' | '.join(cell.text for cell in cells)} |"
        yield replace(whole, text=text) if isinstance(row, Block) else whole


class _Candidate(NamedTuple):
    """Where a mark may stand, what of it is hidden, and what of it is words of the sentence."""

    start: int
    end: int
    hidden: Span | None
    words: str = ""
    keys: tuple[str, ...] = ()
    """The works that it names, where the words before it say whose they are."""


def find_cited_marks(
    draft: str, passage: Passage, known: Known
) -> list[tuple[Mark | None, Span | None]]:
    """The marks of a passage in order, each with what of it is hidden where its sentence is read.

    Of those within each other the outermost; None for one that names no source, as
    `[citation needed]`.
    """
    code = [m for m in passage.marks if m.kind in ("code", "image", "data")]
    links = Spans(_links(draft, passage), _place)
    found, last = list[tuple[Mark | None, Span | None]](), -1
    candidates = _candidates(draft, passage, links, known)
    for each in sorted(candidates, key=lambda c: (c.start, -c.end)):
        start, end = each.start, each.end
        if start < last or any(m.start <= start and end <= m.end for m in code):
            continue
        raw, own = draft[start:end], links.within(start, end)
        pieces = [replace(link, start=link.start - start, end=link.end - start) for link in own]
        read = read_mark(raw, pieces, known)
        if each.keys:
            read = "author_year", (MarkPart(0, len(raw), each.keys),)
        mark = read and Mark(
            start=start, end=end, text=raw, form=read[0], pieces=read[1], words=each.words
        )
        found.append((mark or None, each.hidden))
        last = end
    return found


def _candidates(
    draft: str, passage: Passage, links: Spans[MarkPart], known: Known
) -> Iterator[_Candidate]:
    block, content = passage.block, passage.block.content
    brackets = (block.span(*group.span()) for group in _GROUP.finditer(content))
    groups = (place for place in brackets if _is_group(draft, place, links))
    marks = chain(find_plain_marks(content), _listed(content, known))
    for place in chain(groups, (block.span(*mark) for mark in marks)):
        yield _Candidate(*place, place)
    for link in links.within(0, len(draft)):
        place = _place(link)
        if _is_aside(block, link):
            yield _Candidate(*place, place)
        elif not _OUTSIDE.match(link.keys[0]):
            yield _Candidate(*place, None, link.label or draft[slice(*place)])
    for named in _NARRATIVE.finditer(content):
        if keys := _works_of(named, known):
            place = block.span(named.start("mark"), named.end())
            yield _Candidate(*place, place, named["authors"], keys)


def _is_group(draft: str, span: Span, links: Spans[MarkPart]) -> bool:
    """Whether nothing but links stands in brackets."""
    own = links.within(span[0] + 1, span[1] - 1)
    around = "".join(draft[a:b] for a, b in outside(span, map(_place, own)))
    return bool(own and _AROUND.fullmatch(around))


def _listed(content: str, known: Known) -> Iterator[Span]:
    """What is a mark because the list of references has it."""
    for group in _BRACKETED.finditer(content):
        inner = group[0][1:-1]
        is_known = all(part.strip() in known.keys for part in re.split("[,;]", inner))
        if is_known or any(known.work(work) for work in read_works(inner)):
            yield group.span()


def _links(draft: str, passage: Passage) -> list[MarkPart]:
    """The links and addresses of a passage, with their targets for keys."""
    marks = (mark for mark in passage.marks if mark.kind == "link")
    links = [MarkPart(m.start, m.end, (m.label,), draft[slice(*m.inner)]) for m in marks]
    marked = Spans(links, _place)
    for found in _ADDRESS.finditer(passage.block.content):
        url = clean_url(found[0])
        start, end = passage.block.span(found.start(), found.start() + len(url))
        if not marked.touching(start, end):
            links.append(MarkPart(start, end, (url.strip("<>"),)))
    return sorted(links, key=_place)


def _place(link: MarkPart) -> Span:
    return link.start, link.end


def _is_aside(block: Block, link: MarkPart) -> bool:
    """Whether a link stands beside the words of a sentence, and is none of them."""
    start, end = (bisect_left(block.places, place) for place in _place(link))
    shown, [target] = unescape(link.label).strip() or link.keys[0], link.keys
    is_work = "," in shown and read_works(shown)
    if _LABEL.fullmatch(shown) or shown[:1] + shown[-1:] == "()" or is_work:
        return True
    is_host = re.fullmatch(r"[\w-]+(?:\.[\w-]+)+", shown) and shown.lower() in target.lower()
    ends, before = _NEXT.match(block.content, end), block.content[max(0, start - _FAR) : start]
    told = (ends, _ENDED.search(_ADDRESSES.sub("", before)), URL.match(shown) or is_host)
    return len([each for each in told if each]) > 1


def _works_of(named: re.Match[str], known: Known) -> tuple[str, ...]:
    """The works of the authors before years in brackets that the list has."""
    words = re.sub(r" and colleagues\Z", " et al.", named["authors"])
    for start in re.finditer(r"(?:\A|\s)(?=[A-Z])", words):
        works = [Work(words[start.end() :], y) for y in re.findall(YEAR, named["years"])]
        if keys := tuple(filter(None, map(known.work, works))):
            return keys
    return ()
