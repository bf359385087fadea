"""Citation marks and the references that they name: `[1, 3]`, `[^note]`, links, `(Smith, 2020)`."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from errata.tools.text.citations import HEDGE, NAMELESS
from errata.tools.text.works import Work, read_entry_work, read_works

Form = Literal["number", "footnote", "link", "author_year"]
RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
LOWERED = str.maketrans(f"{RAISED}⁻˒", "0123456789-,")
_FOOTNOTE = re.compile(r"\[\^(?P<label>[^\]\s]+)\]")
_RUN = re.compile(
    rf"(?P<first>[\d{RAISED}]{{1,4}})(?:\s*[⁻–-]\s*(?P<last>[\d{RAISED}]{{1,4}}))?(?![\d{RAISED}])"
)
_WIDEST = 50  # numbers of a range such as `[2-4]`
_INNER = re.compile(
    r"[\s\[\](【]*(?:(?:sources?|refs?|cite|citation)\s*:\s*|(?:see|cf\.?) \[?)?(?P<said>.*?)"
    r"(?:, (?:pp?\.|chap\.)[\s\d–-]*)?[\s\[\])】]*",
    re.IGNORECASE | re.DOTALL,
)
_NAMELESS = re.compile(rf"{NAMELESS}|(?:pp?|pages?)\b.*", re.IGNORECASE)  # or only a page
_NUMBERED = re.compile(r"[\[(\d\s,;)\]–-]+")
NUMBER = re.compile(r"\W*(?P<number>\d{1,4})\W*")  # a label that is one
_FILE = re.compile(r"[^†]{1,80}\.(?:pdf|txt|md|docx?|html?|csv)\b")
_WHOLE = re.compile(r".+", re.DOTALL)
_BY_COMMA = re.compile(r"[^,;\s](?:[^,;]*[^,;\s])?")
_BY_SEMICOLON = re.compile(r"[^;\s](?:[^;]*[^;\s])?")
_LOCAL = re.compile(r"(?!//|www\.|(?!file:)[a-z][a-z\d+-]+:)\S", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)
_PARTS = re.compile(r"([^/?]*)([^?]*)(?:\?(.*))?", re.DOTALL)
_TRACKING = re.compile(
    r"(?:utm|mtm|pk|hsa|ga)_\w+|_g[al]|_hs(?:enc|mi)|[gdy]clid|(?:fb|tw|tt)clid|msclkid"
    r"|[gw]braid|gclsrc|mc_[ce]id|igsh(?:id)?|ref_(?:src|url)|mkt_tok|srsltid|li_fat_id|vero_id",
    re.IGNORECASE,
)  # fields of an address that say where a reader came from, not what the page is


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A source that a draft names: an entry of its list, a footnote, or a link."""

    key: str  # as in "3", "^note", "smith-2020"; a link's is its address
    text: str
    title: str
    url: str
    start: int = 0
    end: int = 0  # its place in the draft; (0, 0) for a link


@dataclass(frozen=True)
class MarkPart:
    """What of a mark, `text[start:end]`, names some sources: a number, a range, a link."""

    start: int
    end: int
    keys: tuple[str, ...]
    label: str = ""  # the words of a link


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A citation mark, `draft[start:end]`; keys that are no reference's name a missing source."""

    start: int
    end: int
    text: str
    form: Form
    pieces: tuple[MarkPart, ...]
    words: str = ""
    """What of it is words of the sentence: a link's label, the authors before a year."""

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The sources that it names, each once."""
        return tuple(dict.fromkeys(key for piece in self.pieces for key in piece.keys))


MarkReading = tuple[Form, tuple[MarkPart, ...]] | None


def read_numbers(text: str) -> list[str]:
    """The numbers that a mark lists, ranges in full: 1, 3, 4 and 5 of `[1, 3-5]`."""
    numbers = list[int]()
    for run in _RUN.finditer(text):
        plain = (run["first"], run["last"] or run["first"])
        first, last = (int(number.translate(LOWERED)) for number in plain)
        is_range = first < last <= first + _WIDEST
        numbers += range(first, last + 1) if is_range else dict.fromkeys((first, last))
    return [str(number) for number in numbers]


class Known:
    """The references of a draft, looked up by what a mark says."""

    def __init__(self, references: Sequence[Reference]) -> None:
        """Index references."""
        self.references = references
        self.keys = {reference.key: reference for reference in references}
        self._urls = {plain_url(r.url): r.key for r in reversed(references) if r.url}
        self._listed = [reference.key for reference in self.listed("number")]
        self._ordinal = not any(r.key[:1].isdigit() for r in references)
        self._works = defaultdict[tuple[str, str], list[tuple[str, Work]]](list)
        self._tied = dict[Work, str]()
        for reference in references:
            if (own := read_entry_work(reference.text)) and own.first:
                for word in {own.first[0], own.first[-1]}:
                    self._works[word, own.year[:4]].append((reference.key, own))

    def listed(self, form: Form) -> list[Reference]:
        """The entries of the draft's list, or its footnotes for marks of that form."""
        is_note = form == "footnote"
        return [r for r in self.references if r.end and r.key.startswith("^") == is_note]

    def number(self, number: str) -> str:
        """The key that a number stands for: without numbers in the list, by its place there."""
        if self._ordinal and number.isdigit() and 0 < int(number) <= len(self._listed):
            return self._listed[int(number) - 1]
        return number

    def label(self, key: str) -> str:
        """What a mark by number calls a reference."""
        placed = self._ordinal and key in self._listed
        return str(self._listed.index(key) + 1) if placed else key

    def url(self, url: str) -> str:
        """The key of the reference with an address; else the address."""
        return self._urls.get(plain_url(url), url)

    def work(self, work: Work) -> str:
        """The key of the reference that a work is; empty if it is none of them."""
        if work not in self._tied:
            first = [word for word in work.first if len(word) > 1]
            near = [each for word in first for each in self._works.get((word, work.year[:4]), ())]
            fits = sorted(
                (own.year != work.year, work.is_several != own.is_several, key)
                for key, own in near
                if own.first[: len(first)] == first or own.first[-1] == first[-1]
                if not work.missing_in(own)
            )
            self._tied[work] = fits[0][-1] if fits else ""
        return self._tied[work]


@lru_cache(maxsize=4096)
def plain_url(url: str) -> str:
    """An address without what does not tell pages apart.

    >>> plain_url("HTTPS://www.A.test:443/%7Eb/?utm_source=x&q=1#top")
    'a.test/~b?q=1'
    """
    bare = _SCHEME.sub("", url.partition("#")[0].strip()).rstrip("/.,;")
    host, path, query = _PARTS.fullmatch(bare).groups()  # type: ignore[union-attr]
    if not is_local_link(url):
        host = re.sub(r":(?:80|443)\Z", "", host.lower())
    with suppress(UnicodeError):
        host = host.encode("idna").decode()
    path = "/".join(map(_plain_part, path.rstrip("/").split("/")))
    fields = [field.partition("=") for field in (query or "").replace("+", "%20").split("&")]
    kept = sorted((f for f in fields if f[0] and not _TRACKING.fullmatch(f[0])), key=lambda f: f[0])
    query = "&".join(_plain_part(name) + sign + _plain_part(value) for name, sign, value in kept)
    return f"{host}{path}?{query}" if query else host + path


def _plain_part(part: str) -> str:
    """A part of an address with the same characters encoded, whoever wrote it."""
    return quote(unquote_to_bytes(part.encode(errors="replace")), safe="~!$'()*,;:@")


def is_local_link(target: str) -> bool:
    """Whether a link's target has no scheme or host: a file beside the draft, or a place in it."""
    return bool(_LOCAL.match(target))


def read_mark(raw: str, links: Iterable[MarkPart], known: Known) -> MarkReading:
    """The form of a mark and what of it names which sources; None if it names none.

    The links in it have their targets for keys.
    """
    if notes := tuple(MarkPart(*m.span(), (f"^{m['label']}",)) for m in _FOOTNOTE.finditer(raw)):
        return "footnote", notes
    # Two marks beside each other that have links of their own are no link with a number for words.
    is_listed = _NUMBERED.fullmatch(raw) and all(n in known.keys for n in read_numbers(raw))
    if not is_listed and (linked := tuple(_tied(link, known) for link in links)):
        return "link", linked
    return _read_named(raw, known)


def _tied(link: MarkPart, known: Known) -> MarkPart:
    """A link with the key of the reference that it leads to, else its address."""
    [target], number = link.keys, NUMBER.fullmatch(link.label)
    key = target if target in known.keys else known.url(target)
    if number and key.startswith("#"):
        key = known.number(number["number"])
    return replace(link, keys=(key,))


def _read_named(raw: str, known: Known) -> MarkReading:
    """A mark without links: works, keys of the list, a file, numbers, or a name as it stands."""
    inner = _INNER.fullmatch(raw)
    (start, end), said = inner.span("said"), inner["said"]  # type: ignore[union-attr, index]

    def pieces(
        pattern: re.Pattern[str], read: Callable[[str], Iterable[str]]
    ) -> tuple[MarkPart, ...]:
        found = [MarkPart(*m.span(), tuple(read(m[0]))) for m in pattern.finditer(raw, start, end)]
        return tuple(found) if all(piece.keys for piece in found) else ()

    def listed(name: str) -> list[str]:
        return [name] if name in known.keys else []

    def works(name: str) -> list[str]:
        return [known.work(work) or work.key for work in read_works(name)]

    if said not in known.keys:
        if cited := pieces(_BY_SEMICOLON, works):
            return "author_year", cited
        if HEDGE.fullmatch(f"[{said}]") or _NAMELESS.fullmatch(said):
            return None
    named = pieces(_WHOLE, listed) or pieces(_BY_COMMA, listed) or pieces(_FILE, lambda n: [n])
    if not named:
        end = start + len(re.split("[:†]", said)[0]) if "†" in said else end
        named = pieces(_RUN, lambda run: map(known.number, read_numbers(run)))
    named = named or pieces(_WHOLE, lambda name: [name])
    return ("number", named) if named else None


def clean_url(url: str) -> str:
    """A bare address without the punctuation after it."""
    return url.rstrip(".,;:!?'’”*_`}")
