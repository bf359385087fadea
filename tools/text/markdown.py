"""The blocks of a markdown text as a tree, each with its place in the text."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.texmath import texmath_plugin

from errata.core.limits import check_time
from errata.core.once import MadeOnce

READING = 8
"""How many texts are remembered as blocks: a run reads its draft at every step."""
LONGEST_READ = 20_000
"""Up to how many characters of a block are searched for marks and tags."""
_FIRST = "[a](b) <http://c>"
"""A text that a new parser reads before any other: at its first one it makes tables, and threads
that read with it meanwhile would find them half made."""
_NUMBER = re.compile(r"\d+[.)]")
"""A text that is nothing but a number, which is no list."""
_UNREAD = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|pre|code|svg|math|textarea)\b.*?(?:</\1\s*>|\Z)"
    r"|<(?:[a-z/?]|!doctype)[^<>]*(?:>|\Z)|&#?\w+;",
    re.IGNORECASE | re.DOTALL,
)
"""Tags, comments and elements that hold no sentences; one without an end goes on to the last."""
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
    info: str = ""
    """A heading's level, an item's number, a footnote's label."""

    def walk(self) -> "Iterator[Block]":
        """The block and all blocks in it, in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class _Open:
    """A block whose end has not been read."""

    token: Token
    start: int
    children: list[Block] = field(default_factory=list)
    inline: Token | None = None


@lru_cache(maxsize=READING)
def read_blocks(text: str) -> tuple[Block, dict[str, Any]]:
    """The text as a block of blocks, and the parser's environment with links that are defined.

    Raises OutOfTimeError when the run's time is over.
    """
    env: dict[str, Any] = {}
    plain = text.rstrip(".)") if _NUMBER.fullmatch(text) else text
    plain = plain.replace("\r\n", " \n").replace("\r", "\n").replace("\0", "\ufffd")
    tokens: list[Token] = []
    parser = _parser()
    parser.block.parse(plain, parser, env, tokens)
    lines = [0, *(match.end() for match in re.finditer("\n", plain)), len(plain) + 1]
    return _build(plain, lines, tokens), env


def new_parser(rules: Literal["block", "inline"], noting: Callable[[str, Any], Any]) -> MarkdownIt:
    """Markdown with tables, footnotes, formulas and front matter, whose rules also note things."""
    parser = MarkdownIt("commonmark").enable("table")
    for plugin in (footnote_plugin, front_matter_plugin, amsmath_plugin):
        parser.use(plugin)
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False)
    parser.use(texmath_plugin, delimiters="brackets")
    for rule in getattr(parser, rules).ruler.__rules__:
        rule.fn = noting(rule.name, rule.fn)
    parser.parse(_FIRST)
    return parser


@MadeOnce
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


def _build(text: str, lines: list[int], tokens: list[Token]) -> Block:
    """The tree of blocks from the parser's flat list of where blocks open and close."""
    root = _Open(Token("root_open", "", 1), 0)
    stack = [root]
    for token in tokens:
        around = stack[-1]
        if token.nesting == 1:
            start = token.meta.get("start", around.start)
            if token.type in ("td_open", "th_open"):
                # A table's cell begins after the bar that ends the one before.
                place = around.children[-1].end if around.children else around.start
                bar = re.compile(r"[^\S\n]*\|?[^\S\n]*").match(text, place)
                start = bar.end() if bar else place
            stack.append(_Open(token, start))
        elif token.nesting == -1:
            done = stack.pop()
            stack[-1].children.append(_close(text, lines, done))
        elif token.type == "inline":
            around.inline = token
        else:
            start, end = token.meta.get("start", 0), _line_end(text, lines, token)
            is_html = token.type == "html_block"
            is_text = is_html and re.search(r"\w", _UNREAD.sub(" ", text[start:end]))
            around.children.append(Block("html_text" if is_text else token.type, start, end))
    return Block("root", 0, len(text), tuple(root.children))


def _close(text: str, lines: list[int], block: _Open) -> Block:
    """A block with children, or with what is written in it."""
    kind = block.token.type.removesuffix("_open")
    info = str(block.token.meta.get("label", "")) or block.token.info
    if block.inline is None:
        end = max([block.start, *(child.end for child in block.children)])
        if kind == "tr" or not block.children:
            end = _line_end(text, lines, block.token)
        return Block(kind, block.start, end, tuple(block.children), info=info)
    content = block.inline.content
    if kind in ("td", "th"):
        places = _align(content, text, block.start)
        end = places[-1] + 1 if places else block.start
        return Block(kind, block.start, end, (), content, places)
    places = _place_lines(content, text, lines, block)
    end = _line_end(text, lines, block.token)
    if kind == "heading":
        sentence = _SENTENCE_END.search(content)
        kind, info = ("paragraph" if sentence else "heading"), block.token.tag[1:]
    return Block(kind, block.start, end, (), content, places, info)


def _line_end(text: str, lines: list[int], token: Token) -> int:
    """Where the last line of a block ends that is not blank."""
    first, last = token.map or [0, 1]
    start = lines[first]
    return start + len(text[start : lines[last] - 1].rstrip())


def _place_lines(content: str, text: str, lines: list[int], block: _Open) -> tuple[int, ...]:
    """Where each character of a paragraph or heading stands; its lines end as the text's do."""
    places: list[int] = []
    number = bisect_left(lines, block.start + 1) - 1
    for line in content.split("\n"):
        begins = max(lines[number], block.start)
        ends = lines[number + 1] - 1
        at = text.rfind(line, begins, ends) if line else ends
        places += _align(line, text, begins) if at < 0 else range(at, at + len(line))
        places.append(ends)
        number += 1
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
