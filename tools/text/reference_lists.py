"""The sources that a draft lists: under a heading, as footnotes or as definitions of links."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from errata.core.edits import Span, Spans
from errata.tools.text.clauses import HAS_VERB
from errata.tools.text.marks import LOWERED, RAISED, Known, Reference, clean_url
from errata.tools.text.prose import Passage
from errata.tools.text.unclaimed import SOURCE_LINE, SOURCES, why_unclaimed
from errata.tools.text.works import URL, YEAR, read_entry_work

LABEL = re.compile(
    r"[ \t>|]*(?:[-*+•] +)?(?:<a\b[^<>]*>(?:</a>)?)?\*{0,2}"
    r"(?:\[\^(?P<note>[^\]\s]{1,40})\](?::|(?=\s))|[\[【]\[?(?P<square>\d{1,4})\]?[\]】]:?"
    r"|\((?P<round>\d{1,4})\)|(?:(?i:source|ref(?:erence)?)\.? )?#?(?P<plain>\d{1,3})"
    r"(?:\\?[.):]| ?[–—|])(?=[\s*])"
    r"|(?P<super>[¹²³⁰⁴-⁹]+)|\^(?P<caret>\d{1,3}):?(?=\s)|<sup>\[?(?P<html>\d{1,4})\]?</sup>"
    r"|\[(?P<alpha>[^\]\n]{1,40})\](?::|(?=\s))|(?P<bullet>[-*+•–](?=\s)))(?:\*\*)?[ \t]*"
)  # how an entry of a list begins
_DEFINED = re.compile(r"^ {0,3}\[(?:\^[^\]\s]+|[^\]\n]{1,80})\]:[ \t]*(?=\S)", re.MULTILINE)
_DEFINED_END = re.compile(r"\n(?=[ \t]*(?:\n(?! {4}|\t)|\[)|[ \t]*\Z)|\Z")
_HEAD = re.compile(rf"^{SOURCES.pattern}[^\w\n]*$", re.IGNORECASE | re.MULTILINE)
_RULE = re.compile(r"^ {0,3}([-*_])(?: *\1){2,}[ \t]*$", re.MULTILINE)
_PLAIN = ("plain", "alpha", "bullet")  # labels that other lists have, too
_CITED = re.compile(rf"[\s\[(【]*(?:<sup>\s*\[?)?\^?[\d{RAISED}]")
"""How a mark begins that names an entry of a list by its number."""
_NAMED = re.compile(rf".{{0,200}}\((?:{YEAR})|[^\W\d_][\w'’-]+, [A-Z][\w.]*[,. ]")
"""How an entry begins that gives the author first."""
_SEVERAL = re.compile(
    r"(?<=[\w.,;)\]/])[,;]?[ \t]+(?P<label>(?=\[\d{1,4}\] ))|[,;|][ \t]+(?=\[[^\]\n]*\]\(|https?://)"
)  # what stands between the entries of a line
_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_LINKED = re.compile(r"\[(?P<title>[^\]\n]+)\]\(<?(?P<url>[^\s()<>]+(?:\([^\s()]*\))?)")
_QUOTED = re.compile(r"(?:^|[.,)] ?)[\"“](?P<title>[^\"“”]{3,300}?)[.,]?[\"”]")
_DATED = re.compile(rf"\((?:{YEAR})[^()]*\)[.:,]?\s+(?P<title>.+?)(?:\.\s|\.?\s*$|\?\s)", re.DOTALL)
_BRACKETED = re.compile(r" *\((?P<title>[^()]+)\) *$")
_DOI = re.compile(r"\b(?:doi:\s*|(?<!/))(?P<doi>10\.\d{4,9}/[^\s\"<>]+)", re.IGNORECASE)
_EMPHASIS = re.compile(r"[*_]{1,2}(?=\S)([^*_\n]+)(?<=\S)[*_]{1,2}")
_EDGES = re.compile(
    r"\A[\s.,:;–—)>|\"'“”*-]+|[\s.,:;–—(<|\"'“”*-]+\Z"
    r"|[.,;]? \(?(?:retrieved|accessed|available)\b[^.;]{0,40}\Z",
    re.IGNORECASE,
)  # what is none of a title at its beginning or end


def find_references(draft: str, passages: Sequence[Passage]) -> tuple[Known, Spans[Span]]:
    """The references of a draft, and where their entries and the headings over them stand."""
    heads, regions = _regions(draft, passages)
    entries = [*_entries(draft, regions), *_defined(draft)]
    labels = {entry.key for entry in entries}
    known, spans = dict[str, Reference](), heads
    for entry in sorted(entries, key=lambda entry: (entry.start, -entry.end)):
        if not known or entry.start >= spans[-1][1]:
            # A place in the list is no key where another entry has that number for a label.
            key = _own_key(entry, len(known) + 1, known if entry.key else {*known, *labels})
            known[key] = replace(entry, key=key)
            spans.append((entry.start, entry.end))
    return Known([*known.values()]), Spans(spans, lambda span: span)


def _regions(draft: str, passages: Sequence[Passage]) -> tuple[list[Span], list[Span]]:
    """The headings of lists of sources, and what stands below each up to the next heading."""
    heads, ends = list[Span](), [len(draft)]
    for block in (passage.block for passage in passages if passage.block.kind not in ("td", "th")):
        words = draft[block.start : block.end]
        opening = SOURCE_LINE.match(words) if block.kind == "paragraph" else None
        found = [opening] if opening else _HEAD.finditer(words)
        heads += [(block.start + head.start(), block.start + head.end()) for head in found]
        ends += [block.start] if block.kind == "heading" else []
    ends += [start for start, _ in heads]
    regions = [(end, min(place for place in ends if place >= end)) for _, end in heads]
    start = -1 if heads else _last_entries(draft, passages)
    return heads, [(start, len(draft))] if start >= 0 else regions


def _last_entries(draft: str, passages: Sequence[Passage]) -> int:
    """Where entries without a heading begin that end a draft whose marks are numbers; else -1."""
    ruled, first = max((m.end() for m in _RULE.finditer(draft)), default=len(draft)), -1
    for number, passage in reversed(list(enumerate(passages))):
        start = draft.rfind("\n", 0, passage.block.start) + 1
        words = draft[start : passage.block.end]
        label, has_url = LABEL.match(words), URL.search(words)
        is_sure = start >= ruled or has_url or (label and label.lastgroup not in _PLAIN)
        is_bare = has_url and not re.search(r"\w", URL.sub("", words))
        is_said = "](" in words and HAS_VERB.search(_LINKED.sub("", words))
        is_cell = passage.block.kind == "td"
        if (is_bare or (label and is_sure)) and not (is_said or is_cell or _is_prose(words)):
            first = start
        elif first >= 0 or not why_unclaimed(passage.text):
            marks = (m for p in passages[: number + 1] for m in p.marks if m.kind == "citation")
            return first if any(_CITED.match(draft, mark.start) for mark in marks) else -1
    return -1


def _entries(draft: str, regions: Iterable[Span]) -> Iterator[Reference]:
    """The entries of markdown or text: each begins with a label, or stands by itself."""
    for start, end in regions:
        lines = [m.span() for m in _LINE.finditer(draft, start, end) if m[0]]
        has_labels = any(LABEL.match(draft, *line) for line in lines)
        begun, blank = list[list[Span]](), True
        for line in lines:
            words, label = draft[slice(*line)].strip(), LABEL.match(draft, *line)
            if not words or (words[0] == "|" and not label):
                blank = blank or not words
                continue
            is_apart = not draft[line[0]].isspace()
            ends = _is_prose(words) or (begun and has_labels and is_apart)
            if blank and not label and ends:
                break
            if label or not begun or (not has_labels and (blank or is_apart)):
                begun.append([])
            begun[-1].append(line)
            blank = False
        for group in begun:
            places = [group[0][0], *_cuts(draft, *group[0]), group[-1][1]]
            yield from (_entry(draft, a, b) for a, b in pairwise(places))


def _cuts(draft: str, start: int, end: int) -> Iterator[int]:
    """Where further entries begin in a line."""
    for found in _SEVERAL.finditer(draft, start, end):
        before = draft[start : found.start()].strip()
        if before and (found["label"] is not None or URL.search(before)):
            start = found.end()
            yield start


def _is_prose(words: str) -> bool:
    """Whether a paragraph below a list is no entry of it."""
    if URL.search(words) or _NAMED.match(words) or "](" in words:
        return False
    return bool(why_unclaimed(words) or HAS_VERB.search(words))


def _entry(draft: str, start: int, end: int) -> Reference:
    """The entry in a stretch of lines, with its label for a key."""
    end = start + len(draft[start:end].rstrip(" \t\r\n,;|"))
    label = LABEL.match(draft, start, end)
    start += len(draft[start:end]) - len(draft[start:end].lstrip())
    kind = label.lastgroup if label else "bullet"
    name = label[kind].translate(LOWERED) if label and kind else ""
    key = {"bullet": "", "note": f"^{name}"}.get(kind or "", name)
    text = " ".join(draft[label.end() if label else start : end].split())
    title, url = _read_source(text)
    return Reference(key=key, text=text, title=title, url=url, start=start, end=end)


def _defined(draft: str) -> Iterator[Reference]:
    """Definitions of footnotes and links, wherever they stand."""
    for found in _DEFINED.finditer(draft):
        if stop := _DEFINED_END.search(draft, found.end()):
            yield _entry(draft, found.start(), stop.start())


def _own_key(entry: Reference, place: int, taken: Collection[str]) -> str:
    """The label of an entry, its authors and year, or its place; with a number if it is taken."""
    work = read_entry_work(entry.text)
    key = entry.key or (work.key if work else str(place))
    others = (f"{key}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (key, *others) if each not in taken)


def _read_source(text: str) -> tuple[str, str]:
    """The title and the address in an entry."""
    linked, bare, doi = _LINKED.search(text), URL.search(text), _DOI.search(text)
    url = linked["url"] if linked else clean_url(bare[0]) if bare else ""
    url = url or (f"https://doi.org/{clean_url(doi['doi'])}" if doi else "")
    if linked and not URL.match(linked["title"]):
        return _EMPHASIS.sub(r"\1", linked["title"]), url
    before, after = (text[: bare.start()], text[bare.end() :]) if bare else (text, "")
    words = before if re.search(r"\w", before) else after
    words = _EMPHASIS.sub(r"\1", re.sub(r"<[^<>]*>", "", words)).strip(" \t\n<>")
    title = _QUOTED.search(words) or _DATED.search(words) or _BRACKETED.match(words)
    return _EDGES.sub("", title["title"] if title else words), url
