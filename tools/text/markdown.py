"""The blocks of a markdown text as a tree, each with its place in the text."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.texmath import texmath_plugin

from errata.core.edits import Span
from errata.core.limits import check_time
from errata.core.once import made_once

READING = 8  # texts remembered as blocks: a run reads its draft at every step
LONGEST_READ = 20_000  # characters of a block that are searched for marks and tags
_UNREAD = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|pre|code|svg|math|textarea)\b.*?(?:</\1\s*>|\Z)"
    r"|<(?:[a-z/?]|!doctype)[^<>]*(?:>|\Z)|&#?\w+;",
    re.IGNORECASE | re.DOTALL,
)  # tags, comments and elements that hold no sentences; one without an end goes on to the last
_BAR = re.compile(r"[^\S\n]*\|?[^\S\n]*")
_SENTENCE_END = re.compile(r"[.!][\"”)*_]*\s*\Z")
_Rule = Callable[[StateBlock, int, int, bool], bool]


@dataclass(frozen=True, eq=False)
class Block:
    """A block: `text[start:end]`, without the marks of the blocks around it."""

    kind: str
    """As markdown-it has it: heading, paragraph, ordered_list, list_item, tr, td, fence, …

    HTML with words between its tags is html_text, other HTML html_block.
    """
    start: int
    end: int
    children: "tuple[Block, ...]" = ()
    content: str = ""
    """What is written in a block without children, without marks at the beginning of lines."""
    places: tuple[int, ...] = ()
    """Where each character of the content stands in the text."""
    info: str = ""  # a heading's level, an item's number, a footnote's label

    def span(self, start: int, end: int) -> Span:
        """Where `content[start:end]`, which is not empty, stands in the text."""
        return self.places[start], self.places[end - 1] + 1

    def walk(self) -> "Iterator[Block]":
        """The block and all blocks in it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@lru_cache(maxsize=READING)
def read_blocks(text: str) -> tuple[Block, dict[str, Any]]:
    """The text as a block of blocks, and the links that it defines; raises OutOfTimeError."""
    env: dict[str, Any] = {}
    # A text that is nothing but a number is no list.
    plain = text.rstrip(".)") if re.fullmatch(r"\d+[.)]", text) else text
    plain = plain.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse(plain, parser, env, tokens)
    lines = [0, *(match.end() for match in re.finditer("\n", plain)), len(plain) + 1]
    children = tuple(_blocks(plain, lines, SyntaxTreeNode(tokens), 0))
    return Block("root", 0, len(plain), children), env


def new_parser(rules: Literal["block", "inline"], noting: Callable[[str, Any], Any]) -> MarkdownIt:
    """Markdown with tables, footnotes, formulas and front matter, whose rules also note things."""
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (footnote_plugin, front_matter_plugin, amsmath_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False)
    parser.use(texmath_plugin, delimiters="brackets")
    for rule in getattr(parser, rules).ruler.__rules__:
        rule.fn = noting(rule.name, rule.fn)
    # At its first text it makes tables, which threads that read meanwhile would find half made.
    parser.parse("[a](b) <http://c>")
    return parser


@made_once
def _parser() -> MarkdownIt:
    return new_parser("block", _noting_starts)


def _noting_starts(name: str, rule: _Rule) -> _Rule:
    """A rule of the parser that also notes where in the text each block begins that it finds."""

    def noting(state: StateBlock, first: int, last: int, silent: bool) -> bool:
        check_time()
        begun, starts = len(state.tokens), _begins(state, first)
        found = rule(state, first, last, silent)
        if not found or silent:
            return found
        if name == "reference":
            state.tokens.append(Token("definition", "", 0))
        if len(state.tokens) == begun + 1:
            state.tokens[begun].map = [first, state.line]
        for token in state.tokens[begun:]:
            if token.map and "start" not in token.meta:
                line = token.map[0]
                token.meta["start"] = starts if line == first else _begins(state, line)
        return found

    return noting


def _begins(state: StateBlock, line: int) -> int:
    return state.bMarks[line] + state.tShift[line]


def _blocks(text: str, lines: list[int], around: SyntaxTreeNode, start: int) -> Iterator[Block]:
    """The blocks in a node of the parser's tree, which starts at a place."""
    before = start
    for node in around.children:
        block = _block(text, lines, node, node.meta.get("start", start), before)
        yield block
        before = block.end


def _block(text: str, lines: list[int], node: SyntaxTreeNode, start: int, before: int) -> Block:
    """A node as a block: with children, with what is written in it, or with neither."""
    kind = node.type
    if kind in ("td", "th"):
        return _cell(text, node, before)
    end = _line_end(text, lines, node)
    if not node.is_nested:
        is_text = kind == "html_block" and re.search(r"\w", _UNREAD.sub(" ", text[start:end]))
        return Block("html_text" if is_text else kind, start, end)
    info = str(node.meta.get("label", "")) or node.info
    if not node.children or node.children[0].type != "inline":
        children = tuple(_blocks(text, lines, node, start))
        if children and kind != "tr":
            end = max(start, *(child.end for child in children))
        return Block(kind, start, end, children, info=info)
    content = node.children[0].content
    if kind == "heading":
        kind, info = "paragraph" if _SENTENCE_END.search(content) else kind, node.tag[1:]
    places = _place_lines(content, text, lines, start)
    return Block(kind, start, end, (), content, places, info)


def _cell(text: str, node: SyntaxTreeNode, before: int) -> Block:
    """A table's cell, which begins after the bar that ends the one before."""
    bar = _BAR.match(text, before)
    start = bar.end() if bar else before
    content = node.children[0].content
    places = _align(content, text, start)
    return Block(node.type, start, places[-1] + 1 if places else start, (), content, places)


def _line_end(text: str, lines: list[int], node: SyntaxTreeNode) -> int:
    """Where the last line of a block ends that is not blank."""
    first, last = node.map or (0, 1)
    start = lines[first]
    return start + len(text[start : lines[last] - 1].rstrip())


def _place_lines(content: str, text: str, lines: list[int], start: int) -> tuple[int, ...]:
    """Where each character of a paragraph or heading stands; its lines end as the text's do."""
    places: list[int] = []
    for number, line in enumerate(content.split("\n"), bisect_right(lines, start)):
        begins, ends = max(lines[number - 1], start), lines[number] - 1
        at = text.rfind(line, begins, ends) if line else ends
        places += _align(line, text, begins) if at < 0 else range(at, at + len(line))
        places.append(ends)
    return tuple(places[:-1])


def _align(content: str, text: str, start: int) -> tuple[int, ...]:
    """Where each character stands, if the text has them in this order with others between."""
    places = []
    for character in content:
        found = text.find(character, start)
        start = start if found < 0 else found
        places.append(start)
        start += 1
    return tuple(min(place, len(text) - 1) for place in places)
