"""Citation marks, such as `[1]`, `.¹` or `(Smith, 2019)`: they name a source and claim nothing.

A mark is told by its form and by what stands around it. In doubt it is none: then its characters
are read as words.
"""

import re
from collections.abc import Iterable

from errata.core.edits import Span, outside
from errata.tools.text.entities import MONTHS

_WORDS = (
    "documents?|docs?|sources?|src|references?|refs?|passages?|chunks?|contexts?|results?|pages?"
    "|pp?|notes?|cite|citations?|footnotes?|web|excerpts?|snippets?|context"
)  # what a source is called before its number, as in `[doc 1]`
_LIST = r"[1-9]\d{0,2}(?:\s*(?:[,;–-]|and|&)\s*[1-9]\d{0,2})*"
_LABEL = rf"(?:{_WORDS})[\s.:#_-]*\d{{1,4}}(?:\s*[,;–-]\s*(?:(?:{_WORDS})[\s.:#_-]*)?\d{{1,4}})*"
_NAME = r"[A-Z][\w'’-]+"
_AUTHOR = (
    rf"(?!(?:{'|'.join(MONTHS)}|In|Since|Until|U\.[SK])\b)(?:[A-Z]\. ?){{0,3}}{_NAME}(?: {_NAME})?"
)
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_PAGES = r"(?:, (?:pp?\.|chap\.) ?\d+(?:[–-]\d+)?)?"
_WORK = (
    rf"(?:{_AUTHOR}(?:,? et al\.?,? |(?:, {_AUTHOR})*,? (?:and|&) {_AUTHOR},? )|{_AUTHOR}, )"
    rf"{_YEAR}{_PAGES}"
)
_WORKS = rf"(?:(?:see|cf\.?|e\.g\.,?) )?{_WORK}(?:; {_WORK})*"
_URL = r"(?:https?://|www\.)[^\s()<>\[\]]+"
_LINK = r"\((?:[^\s()]|\([^\s()]*\))+(?: \"[^\"\n]*\")?\)"
_PAGE = (
    r"(?:<?(?:https?://|www\.)[^\s()<>\[\]]*[^\s()<>\[\].,;]>?"
    rf"|\[[^\[\]\n]{{1,200}}\]{_LINK})"
)
_NAMED_PAGES = (
    rf"(?:(?<=[.!?\"”)] )|(?<=[.!?\"”)]\n))(?i:sources?|refs?|references?): {_PAGE}"
    rf"(?:[,;]? (?:and )?{_PAGE})*"
)  # what names the pages of the sentence before it, after its stop
_SUPERSCRIPT = r"[¹²³⁰⁴-⁹]+(?:[,˒⁻–][¹²³⁰⁴-⁹]+)*"
_POINT = r"[.,;:!?\"”’)]"
_BEFORE_RAISED = (
    rf"(?<=[^\W_])|(?<=[%™®♭♯])|(?<=[^\W\d_]{_POINT})|(?<=[%)'\"”’]{_POINT})|(?<=\d[.!?\"”)])"
    r"|(?<=[.!?][\"”’)])|(?<=[¹²³⁰⁴-⁹] )"
)
_FILE = r"[^\[\]\n]{1,80}\.(?:pdf|txt|md|docx?|html?|csv)\b[^\[\]\n]{0,20}"
_NAMED = rf"(?i:{_LABEL}|(?:sources?|refs?): [^()\[\]\n]{{1,200}})|{_WORKS}"
NAMELESS = "(?:citation|source) needed|sources?|refs?|references?|citations?"
"""What a mark says that names no source, as a pattern."""
_TURN = r"turn\d{1,3}[a-z]{2,20}\d{1,3}"
_SQUARE = (
    rf"(?:see |cf\.? )?{_LIST}{_PAGES}|\[(?:{_LIST})\]"
    rf"|\^[^\]\s]{{1,40}}(?=\](?!:))|(?i:[sd]\d{{1,3}})|{_NAMED}|{_FILE}"
    rf"|ID: ?\d{{1,4}}|{_TURN}(?:[,;] ?{_TURN})*"
    r"|oai_citation:\d{1,4}‡[^\[\]\n]{1,80}"
    rf"|(?i:{NAMELESS})"
)
_PROVIDERS = (
    r"\ue200[^\ue200\ue201\n]{0,300}\ue201"
    r"|:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?"
    rf"|\b(?:file)?cite(?:{_TURN})+|##\d{{1,4}}\$\$|</?co(?:: ?[\d,:\[\] ]{{1,40}})?>"
    r"|\[cite_start\]"
    r"|[(<]cite index=\"[\d,:–-]{1,40}\">|</cite>"
)  # how ChatGPT, RAGFlow, Cohere, Gemini and Claude write marks that a page was to show as links
_HEDGE = r"\[(?:partly )?(?:unverified|contradicted)\]"
HEDGE = re.compile(rf"\s*{_HEDGE}")
"""A mark of ours on what has no support, with the white space before it."""
_ENDS = rf"(?=(?: ?\((?:{_LIST})\)){{0,9}}\s*(?:[.!?;]|$))"
"""A number in round brackets, or several, counts only where a sentence or clause ends: elsewhere it
may count items, be an age or a version."""
_INDEXED = re.compile(r"(?:\b[A-Za-z]|[A-Za-z]\w*[\d_]|_)\Z")
"""What stands before square brackets in code."""
_MARK = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`{1,9})[^`].{0,500}?(?P=ticks)(?!`))"
    rf"|(?P<hedge>{_HEDGE})"
    rf"|(?:{_PROVIDERS})"
    rf"|<sup>\s*\[?(?:{_LIST})\]?\s*</sup>|【[^【】\n]{{1,80}}】"
    rf"|\[(?:{_SQUARE})\](?:{_LINK})?(?!\s*[=+*/])"
    rf"|\((?:see |cf\.? )\[(?:{_LIST})\](?:, \[(?:{_LIST})\])*\)"
    rf"|\((?:{_NAMED}|(?<!\]\(){_URL}|(?:\[[^\[\]\n]+\]{_LINK}[,;]? ?)+)\)"
    rf"|(?:(?<=[^\W\d_] )|(?<=[.!?\"”’)])|(?<=[\d)\"”’%] ))\((?:{_LIST})\){_ENDS}"
    rf"|(?:(?<=[.!?\"”’)] )|(?<=[.!?]))\((?:{_LIST})\)(?=\s|$)"
    rf"|{_NAMED_PAGES}|(?:{_BEFORE_RAISED})(?:{_SUPERSCRIPT})",
    re.MULTILINE,
)
_SUPERSCRIPTS = re.compile(rf"{_SUPERSCRIPT}|<sup>")
BETWEEN = re.compile(r"[^\S\n]*[,;]?[^\S\n]*(?:(?:and|&)[^\S\n]+)?")
"""What stands between neighbouring marks."""
_GLUED = re.compile(r"[\w\"“‘'(]")
"""What begins a word: the space before a mark that stands right before it parts it from others."""
NEAR = 40  # characters beside a mark that are looked at
_SPACE = " \t\u00a0\u2009\u202f"
_UNIT = re.compile(
    r"(?:\d[\d.,]* ?(?:[a-z]+ )?(?:[a-z]*met(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?"
    r"|seconds?|light[- ]years?|parsecs?|units?|[a-zµ]{1,2})"
    r"|(?<![^\W\d_])(?:[^\W\d_]|[kcmdnµ]m|[kmµ]g|mc|ft|yd|in|mi|ha|[A-Z]{2}))\Z"
)  # what stands before an exponent: a unit, or a variable


def find_marks(text: str) -> list[Span]:
    """Where the citation marks of a text stand, in order.

    None is an index in code, as in "a[1]", or the exponent of a unit, as in "330 metres²".
    """
    marks = list[Span]()
    for mark in _MARK.finditer(text):
        before = text[max(0, mark.start() - NEAR) : mark.start()]
        is_index = not mark["hedge"] and mark[0].startswith("[") and _INDEXED.search(before)
        is_power = _SUPERSCRIPTS.match(mark[0]) and is_exponent(before, mark[0])
        is_end = mark[0] == "</cite>" and "cite index=" not in text
        if not (mark["code"] or is_index or is_power or is_end):
            marks.append(mark.span())
    return marks


def find_marked(text: str) -> list[Span]:
    """Where marks stand with the white space before them; neighbours are one stretch.

    At the beginning of a line with the space after them. Without these stretches the text reads as
    if nobody had cited anything.
    """
    return join_marks(text, find_marks(text))


def join_marks(text: str, marks: Iterable[Span]) -> list[Span]:
    """The stretches that marks, in order, make with the white space beside them."""
    stretches = list[Span]()
    for mark in marks:
        joins = stretches and BETWEEN.fullmatch(text, stretches[-1][1], mark[0])
        first = stretches.pop() if joins else mark
        stretches.append((first[0], mark[1]))
    for number, (start, end) in enumerate(stretches):
        before, after = text[max(0, start - NEAR) : start], text[end : end + NEAR]
        left = start - len(before) + len(before.rstrip(_SPACE))
        right = end + len(after) - len(after.lstrip(_SPACE))
        is_inside = left > 0 and text[left - 1] != "\n"
        if is_inside and left < start and _GLUED.match(text, end):
            stretches[number] = (start, end)
        else:
            stretches[number] = (left, end) if is_inside else (start, right)
    return stretches


def strip_marks(text: str) -> str:
    """A text without its citation marks and the white space before them."""
    return "".join(text[a:b] for a, b in outside((0, len(text)), find_marked(text)))


def is_exponent(before: str, raised: str) -> bool:
    """Whether a raised number after some words is an exponent, as in "330 metres²" or "E = mc²"."""
    if "[" in raised:
        return False
    if number := re.search(r"(?<![^\W_])\d+\Z", before):
        return not re.fullmatch(r"(?:1\d|20)\d\d", number[0])
    return bool(re.search("[²³23]", raised) and _UNIT.search(before))
