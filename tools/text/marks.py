"""What a citation mark names: `[1, 3]`, `[^note]`, a link or `(Smith, 2020)`, read and tied."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Literal
from urllib.parse import quote, unquote_to_bytes

from errata.tools.text.citations import HEDGE
from errata.tools.text.works import URL, Work, read_entry_work, read_works

Form = Literal["number", "footnote", "link", "author_year", "html"]
HREF = re.compile(r"<\w+\b[^<>]*?\b(?:href|cite)\s*=\s*[\"']?(?P<url>[^\s\"'<>]+)", re.IGNORECASE)
_TARGET = re.compile(r"\]\(<?(?P<url>[^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)>?(?: [^()\n]*)?\)")
_TAGS = re.compile(r"<[^<>]*>")
_FOOTNOTE = re.compile(r"\[\^(?P<label>[^\]\s]+)\]")
_NUMBER = re.compile(r"\d{1,4}(?!\d)")
_RANGE = re.compile(r"(?P<first>\d{1,4})\s*[–-]\s*(?P<last>\d{1,4})")
_WIDEST = 50
"""The most numbers of a range such as `[2-4]`."""
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻˒", "0123456789-,")
_SOURCE = re.compile(r"(?:sources?|refs?|cite|citation)\s*:\s*", re.IGNORECASE)
_NAMELESS = re.compile(
    r"(?:citation|source) needed|sources?|refs?|references?|citations?|(?:pp?|pages?)\b.*",
    re.IGNORECASE,
)
"""What names no source: the lack of one, or a page of one named before."""
_NUMBERED = re.compile(r"[\[(\d\s,;)\]–-]+")
_FILE = re.compile(r"[^†]{1,80}\.(?:pdf|txt|md|docx?|html?|csv)\b")
_LOCAL = re.compile(r"(?!//|www\.|(?!file:)[a-z][a-z\d+-]+:)\S", re.IGNORECASE)
_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?", re.IGNORECASE)
_PARTS = re.compile(r"([^/?]*)([^?]*)(?:\?(.*))?", re.DOTALL)
_TRACKING = re.compile(
    r"(?:utm|mtm|pk|hsa|ga)_\w+|_g[al]|_hs(?:enc|mi)|[gdy]clid|(?:fb|tw|tt)clid|msclkid"
    r"|[gw]braid|gclsrc|mc_[ce]id|igsh(?:id)?|ref_(?:src|url)|mkt_tok|srsltid|li_fat_id|vero_id",
    re.IGNORECASE,
)
"""Fields of an address that say where a reader came from, not what the page is."""
_DEFINED = re.compile(r"\]\[(?P<label>[^\[\]]+)\]\Z")


@dataclass(frozen=True, kw_only=True)
class Reference:
    """A source that a draft names: an entry of its list, a footnote, or a link."""

    key: str
    """As in "3", "^note", "smith-2020"; a link's is its address."""
    text: str
    title: str
    url: str
    start: int = 0
    end: int = 0
    """Its place in the draft; (0, 0) for a link."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A citation mark, `draft[start:end]`; keys that are no reference's name a missing source."""

    start: int
    end: int
    text: str
    form: Form
    keys: tuple[str, ...]
    words: str = ""
    """What of it is words of the sentence: a link's label, the authors before a year."""


def read_numbers(text: str) -> list[str]:
    """The numbers that a mark lists, ranges in full.

    >>> read_numbers("[1, 3-5]"), read_numbers("²˒⁴")
    (['1', '3', '4', '5'], ['2', '4'])
    """
    plain = text.translate(SUPERSCRIPTS)

    def in_full(found: re.Match[str]) -> str:
        first, last = int(found["first"]), int(found["last"])
        if not first < last <= first + _WIDEST:
            return f"{first}, {last}"
        return ", ".join(map(str, range(first, last + 1)))

    return [number.lstrip("0") or "0" for number in _NUMBER.findall(_RANGE.sub(in_full, plain))]


class Known:
    """The references of a draft, looked up by what a mark says."""

    def __init__(self, references: Sequence[Reference]) -> None:
        """Index references."""
        self.references = references
        self.keys = {reference.key: reference for reference in references}
        self._urls = {plain_url(r.url): r.key for r in reversed(references) if r.url}
        self._listed = [r.key for r in references if r.end and not r.key.startswith("^")]
        self._works = defaultdict[str, list[tuple[str, Work]]](list)
        self._tied = dict[Work, str]()
        for reference in references:
            own = read_entry_work(reference.text)
            if own and own.first:
                for word in {own.first[0], own.first[-1], own.whole[0]}:
                    self._works[word].append((reference.key, own))
        self._ordinal = not any(r.key[:1].isdigit() for r in references)

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
            fits = [
                (
                    own.year != work.year,
                    work.missing_in(own),
                    work.is_several != own.is_several,
                    key,
                )
                for key, own in self._by_author(work)
                if own.year[:4] == work.year[:4]
            ]
            best = min(fits, default=None)
            self._tied[work] = best[-1] if best and not best[1] else ""
        return self._tied[work]

    def is_author(self, name: str, *, whole: bool = False) -> bool:
        """Whether the first author of a reference is called so, or `whole`, nothing but so."""
        named = Work(name, "")
        return any(not whole or own.first == named.first for _, own in self._by_author(named))

    def _by_author(self, work: Work) -> list[tuple[str, Work]]:
        """The references whose first author a work has."""
        first = [word for word in work.first if len(word) > 1]
        if not first:
            return []
        near = dict.fromkeys([*self._works.get(first[0], ()), *self._works.get(first[-1], ())])
        return [
            (key, own)
            for key, own in near
            if own.whole[: len(first)] == first or own.first[-1:] == first[-1:]
        ]


@lru_cache(maxsize=4096)
def plain_url(url: str) -> str:
    """An address without what does not tell pages apart.

    >>> plain_url("HTTPS://www.A.test:443/%7Eb/?utm_source=x&q=1#top")
    'a.test/~b?q=1'
    """
    bare = _SCHEME.sub("", url.partition("#")[0].strip()).rstrip("/.,;")
    host, path, query = _PARTS.fullmatch(bare).groups()  # type: ignore[union-attr]
    if not is_local(url):
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


def is_local(target: str) -> bool:
    """Whether a link's target has no scheme and no host: a file beside the draft, or a place in it.

    >>> is_local("../facts/x.txt"), is_local("#end"), is_local("www.a.test/x")
    (True, True, False)
    """
    return bool(_LOCAL.match(target))


def read_mark(raw: str, shown: str, known: Known) -> tuple[Form, tuple[str, ...]] | None:
    """The form and keys of a mark as it is written and as it reads; None if it names nothing."""
    if notes := _FOOTNOTE.findall(raw):
        return None if HEDGE.fullmatch(raw) else ("footnote", tuple(f"^{n}" for n in notes))
    html = raw.lstrip("([")[:1] == "<" or bool(HREF.search(raw))
    form: Form = "html" if html else "number"
    numbers = read_numbers(raw) if _NUMBERED.fullmatch(raw) else []
    # Two marks beside each other that have links of their own are no link with a number for words.
    several = len(numbers) > 1 and all(number in known.keys for number in numbers)
    if (defined := _DEFINED.search(raw)) and not several:
        form, keys = "link", [defined["label"]]
    elif urls := list(_addresses(raw)):
        form, keys = "html" if html else "link", _linked_keys(urls, shown, known)
    else:
        inner = _SOURCE.sub("", shown.strip("[]()【】 \n"))
        works = [] if inner in known.keys else read_works(inner)
        form = "author_year" if works and not html else form
        keys = [known.work(work) or work.key for work in works] or _named_keys(inner, known)
    return (form, tuple(dict.fromkeys(keys))) if keys else None


def _linked_keys(urls: Sequence[str], shown: str, known: Known) -> list[str]:
    """The keys of a mark with links: the numbers that it shows if the list has them."""
    numbers = read_numbers(shown) if _NUMBERED.fullmatch(shown) else []
    if len(numbers) == len(urls) and all(number in known.keys for number in numbers):
        return numbers
    keys = [known.url(url) for url in urls]
    if numbers and any(key.startswith("#") for key in keys):
        return [known.number(number) for number in numbers]
    return keys


def _named_keys(inner: str, known: Known) -> list[str]:
    """The keys of a mark without links or authors: numbers, or a name as it stands."""
    if inner in known.keys:
        return [inner]
    if HEDGE.fullmatch(f"[{inner}]") or _NAMELESS.fullmatch(inner):
        return []
    parts = [part.strip() for part in re.split("[,;]", inner)]
    if all(part in known.keys for part in parts):
        return parts
    if named := _FILE.search(inner):
        return [named[0]]
    numbers = read_numbers(re.split("[:†]", inner)[0] if "†" in inner else inner)
    return [known.number(number) for number in numbers] or [inner]


def _addresses(raw: str) -> Iterator[str]:
    """The addresses that a mark links to, in order."""
    for pattern in (HREF, _TARGET):
        if found := [unescape(match["url"]) for match in pattern.finditer(raw)]:
            yield from found
            return
    for match in URL.finditer(_TAGS.sub("", raw) if "</" in raw else raw):
        yield clean_url(match[0])


def clean_url(url: str) -> str:
    """A bare address without the punctuation after it."""
    return url.rstrip(".,;:!?'’”*_`}")
