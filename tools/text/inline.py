"""The marks inside a block of markdown: links, images, emphasis, code, formulas, footnotes."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import unescape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from errata.core.edits import Span
from errata.core.limits import check_time
from errata.core.once import made_once
from errata.tools.text.markdown import LONGEST_READ, Block, new_parser

PROTECTED = frozenset(("image", "tag", "data"))
"""What nothing may change or remove: images, comments, single tags, data that are no words."""
_HIDDEN = PROTECTED | {"footnote", "citation", "bullet"}
_KINDS = (
    {"link": "link", "image": "image", "html_inline": "tag"}
    | {"backticks": "code", "autolink": "code"}
    | {"footnote_ref": "footnote", "footnote_inline": "footnote"}
)
_DATA = re.compile(
    r"(?:data:[\w/+.;=-]{1,80},)?[A-Za-z0-9+/_-]{60,}={0,2}"
    r"(?:[^\S\n]*\n[^\S\n]*[A-Za-z0-9+/_-]{1,100}={0,2}(?=[^\S\n]*(?:\n|\Z)))*"
)
_TAG = re.compile(r"<(?P<closing>/?)(?P<name>[A-Za-z][\w-]*)")
_HREF = re.compile(r"<a\b[^<>]*?\bhref\s*=\s*[\"']?(?P<url>[^\s\"'<>]+)", re.IGNORECASE)
_TARGET = re.compile(
    r"\](?:\(\s*(?:<(?P<angle>[^<>\n]*)>|(?P<url>\S*?))(?:\s.*)?\)|\[(?P<defined>.*)\])", re.DOTALL
)  # what a link has after its words
_EMPTY = frozenset(("br", "wbr", "hr", "img", "input", "col", "embed", "source", "track", "area"))
"""Elements without an end tag."""
_LITERAL = frozenset(("code", "kbd", "samp", "var", "tt", "pre", "script", "style", "math", "svg"))
"""Elements that hold code or formulas."""
_Rule = Callable[[StateInline, bool], bool]


@dataclass(frozen=True)
class InlineMark:
    """A stretch that is marked as something: `text[start:end]`, its words `text[inner]`."""

    kind: str
    start: int
    end: int
    inner: Span  # empty for what has no words: images, comments, tags, footnotes, line breaks
    label: str = ""  # a footnote's label; a link's target, or the label under which it is defined


def find_inline_marks(block: Block, env: dict[str, Any]) -> list[InlineMark]:
    """The marks in a block, by their places in the text; raises OutOfTimeError."""
    content, found = block.content, list[InlineMark]()
    # Reading many marks that are never closed is quadratic.
    length = len(_DATA.sub("", content))
    if length <= LONGEST_READ and re.search(r"[\[\]*_`<$\\^]", content):
        state = StateInline(content, _parser(), {**env, "marks": found, "src": content}, [])
        _parser().inline.tokenize(state)
        for rule in _parser().inline.ruler2.getRules(""):
            rule(state)
        found = [*_elements(content, found), *_emphasis(state)]
    found += [InlineMark("data", *m.span(), (m.end(), m.end())) for m in _DATA.finditer(content)]
    return [_placed(mark, block) for mark in sorted(found, key=lambda m: (m.start, -m.end))]


def _placed(mark: InlineMark, block: Block) -> InlineMark:
    """A mark of a block's content by its place in the text."""
    (start, end), (first, last) = block.span(mark.start, mark.end), mark.inner
    inner = block.span(first, last) if first < last else (end, end)
    return replace(mark, start=start, end=end, inner=inner)


def hidden(mark: InlineMark) -> list[Span]:
    """The stretches of a mark that are no words."""
    if mark.kind in _HIDDEN:
        return [(mark.start, mark.end)]
    if mark.kind == "break":
        return [(mark.start + 1, mark.end)]
    return [(mark.start, mark.inner[0]), (mark.inner[1], mark.end)]


@made_once
def _parser() -> MarkdownIt:
    return new_parser("inline", _noting_marks)


def _noting_marks(name: str, rule: _Rule) -> _Rule:
    """A rule that also notes marks, and where signs stand that may open or close emphasis."""
    kind = "code" if name.startswith("math") else _KINDS.get(name)

    def noting(state: StateInline, silent: bool) -> bool:
        check_time()
        start, signs = state.pos, len(state.delimiters)
        found = rule(state, silent)
        if not found or silent or state.env.get("src") != state.src:
            return found
        for number, sign in enumerate(state.delimiters[signs:]):
            state.tokens[sign.token].meta["place"] = start + number
        end = state.pos
        inner = (start, end) if kind == "code" else (end, end)
        label = str(state.tokens[-1].meta.get("label", "")) if kind == "footnote" else ""
        if kind == "link":
            inner = start + 1, state.md.helpers.parseLinkLabel(state, start)
            label = _target(state.src[start:end], inner[1] - start)
        if kind:
            state.env["marks"].append(InlineMark(kind, start, end, inner, label))
        return found

    return noting


def _target(link: str, end: int) -> str:
    """What a link, whose words end at a place, leads to."""
    found = _TARGET.fullmatch(link, end)
    return unescape(next(filter(None, found.groups()), "") if found else "") or link[1:end]


def _elements(content: str, marks: list[InlineMark]) -> list[InlineMark]:
    """The marks, with one for an element in place of its two tags."""
    found, opened = list[InlineMark](), list[InlineMark]()
    for mark in marks:
        tag = _TAG.match(content, mark.start) if mark.kind == "tag" else None
        name = tag["name"].lower() if tag else ""
        if name == "br":
            found.append(replace(mark, kind="break"))
        elif not tag or name in _EMPTY:
            found.append(mark)
        elif not tag["closing"]:
            opened.append(replace(mark, label=name))
        elif opened and opened[-1].label == name:
            first = opened.pop()
            link = _HREF.match(content, first.start)
            kind = "link" if link else "code" if name in _LITERAL else "emphasis"
            target = unescape(link["url"]) if link else ""
            found.append(InlineMark(kind, first.start, mark.end, (first.end, mark.start), target))
        else:
            found.append(mark)
    return [*found, *opened]


def _emphasis(state: StateInline) -> list[InlineMark]:
    """The emphasised stretches; a strong one has two signs on either side."""
    marks, opened = [], list[int]()
    for token in state.tokens:
        place = token.meta.get("place")
        if place is None or token.type == "text":
            continue
        if token.nesting == 1:
            opened.append(place)
        elif opened:
            first, width = opened.pop(), len(token.markup)
            before = first - (width - 1)
            marks.append(InlineMark("emphasis", before, place + width, (before + width, place)))
    return marks
