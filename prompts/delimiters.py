"""What keeps untrusted text inside its tags: forged structure is neutralised, borders are marked.

A tag, a chat template's token or a document's number is found in any spelling that a reader may
take for it: texts are searched as they look, by Unicode's compatibility forms, without combining
marks and what nobody sees, with the look-alikes of UTS 39.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from itertools import accumulate

from errata.core.edits import Span

SIGN = "‹"
"""Stands in a prompt for the opening bracket of what is neutralised; no tokenizer reads it as <."""
_TOKENS = (
    r"<\|[^|<>\s]{1,60}\|>"
    r"|</?(?:s|[be]os|unk|pad|mask|sep|cls|[se]op|eo[adhtu]|think(?:ing)?|thoughts?"
    r"|reasoning|reflection|seed:think|tools|tool_(?:call|response)s?"
    r"|(?:start|end|begin)_of_[a-z_]{1,30}|unused\d{1,4}|extra_id_\d{1,4}|special_\d{1,4})>"
    r"|<</?sys>>|<(?:\|channel|channel\|)>|◁/?think▷"
    r"|\[/?(?:inst|system_prompt|available_tools|tool_(?:calls|results|content)|args|call_id"
    r"|model_settings|prefix|middle|suffix|img|img_break|img_end|audio|[be]os|cls|sep|pad|unk|g?mask"
    r"|think|\|[^|\[\]\s]{1,60}\|)\]"
)
"""Tokens of chat templates: of Llama, Mistral, Gemma, Qwen, DeepSeek, Phi, GLM, EXAONE and more."""
_NUMBER = re.compile(r"(?<!\s)(?=[^\S\n]*\n)\s++(?=\[\s*\d+\s*\])")
"""The break before a line that begins as a numbered document does."""
_LETTER = re.compile(r"(?:LATIN|SYMBOL) (?:\w+ )?LETTER (?:[A-Z]{2,} )*([A-Z])(?: |$)")
_SHAPES = {
    "<": re.compile(r"LESS-THAN|\bPRECEDES\b|\bLEFT.*\bANGLE\b"),
    "[": re.compile("^LEFT .*BRACKET"),
    "]": re.compile("^RIGHT .*BRACKET"),
    "|": re.compile(r"VERTICAL (?:LINE|BAR)|^DIVIDES$|DENTAL CLICK"),
    "/": re.compile("SOLIDUS|SLASH"),
}
"""Signs by the names of the characters that look like them, beyond UTS 39."""
_BLANK = "\u115f\u1160\u2800"
"""Letters and a symbol that show nothing."""


def neutralise(text: str, tags: Collection[str]) -> str:
    """The text with SIGN for the opening bracket of each such tag and token; still readable.

    All other characters stay, and places in the text count as before. Takes time linear in it.
    """
    brackets = ((start, start + 1) for start, _ in _find(text, _forged(frozenset(tags))))
    return _replace(text, brackets, SIGN)


def restore(reply: str, texts: Iterable[str], tags: Collection[str]) -> str:
    """A reply as if it had been given the texts as they are and tags without marks."""
    reply = re.sub(rf"(</?(?:{'|'.join(tags)})) [0-9a-f]{{16}}>", r"\1>", reply)
    for text in texts if SIGN in reply else ():
        for start, end in _find(text, _forged(frozenset(tags))):
            reply = reply.replace(SIGN + text[start + 1 : end], text[start:end])
    return reply


def mark_borders(prompt: str, tags: Collection[str]) -> str:
    """A filled prompt with a mark in the opening and closing tag of each text in it.

    The mark is a hash of the prompt up to the text's end. So no text can hold its own, and prompts
    that begin alike stay alike so far, as the caches of servers need.
    """

    def mark(block: re.Match[str]) -> str:
        nonce = blake2b(prompt[: block.end()].encode(), digest_size=8).hexdigest()
        return f"<{block[1]} {nonce}>\n{block[2]}\n</{block[1]} {nonce}>"

    block = rf"^<({'|'.join(tags)})>\n(.*?)\n</\1>$"
    return re.sub(block, mark, prompt, flags=re.MULTILINE | re.DOTALL)


def without_numbers(text: str) -> str:
    """The text without breaks before lines that begin as a numbered document does."""
    return _replace(text, _find(text, _NUMBER), " ")


def _replace(text: str, spans: Iterable[Span], new: str) -> str:
    """The text with something new in the place of each of some spans, which are in order."""
    parts, done = list[str](), 0
    for start, end in spans:
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


@cache
def _forged(tags: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"<[\s/]*(?:{'|'.join(sorted(tags))})(?!\w)|{_TOKENS}")


def _find(text: str, pattern: re.Pattern[str]) -> Iterator[Span]:
    """Where the text looks like the pattern, as places in the text itself."""
    spans = [match.span() for match in pattern.finditer(text.translate(_LOOKS))]
    ends = list(accumulate(len(_LOOKS[ord(char)]) for char in text)) if spans else []
    for start, end in spans:
        yield bisect_right(ends, start), bisect_left(ends, end) + 1


class _Looks(dict[int, str]):
    """What each character looks like, in small letters of ASCII where it looks like any."""

    def __missing__(self, code: int) -> str:
        seen = unicodedata.normalize("NFKD", chr(code))
        look = "".join(map(_look_of, seen))
        self[code] = look = look.strip("()") if len(look) > 1 else look
        return look


_LOOKS = _Looks()


def _look_of(char: str) -> str:
    """How one character of a decomposition looks; nothing if nobody sees it."""
    if char.isspace():
        return " " if char.splitlines()[0] else "\n"
    if unicodedata.category(char) in ("Mn", "Mc", "Me", "Cc", "Cf") or char in _BLANK:
        return ""
    if char.isascii():
        return "/" if char == "\\" else char.lower()
    if char in (known := _look_alikes()):
        return known[char]
    name = unicodedata.name(char, "")
    if letter := _LETTER.search(name):
        return letter[1].lower()
    return next((sign for sign, shape in _SHAPES.items() if shape.search(name)), char.lower())


@cache
def _look_alikes() -> dict[str, str]:
    """UTS 39's look-alikes of single letters and signs."""
    lines = files("errata.prompts").joinpath("look_alikes.txt").read_text(encoding="utf-8")
    rows = (line.split() for line in lines.splitlines() if not line.startswith("#"))
    return {char: plain for plain, chars in rows for char in chars}
