"""Marks of sources on the sentences that quotes bear out, and a list of the sources below."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal
from urllib.parse import quote as encode

from errata.core.edits import Spans, apply_edits
from errata.core.limits import note_undone
from errata.core.records import Document, Edit, Quote
from errata.tools.text.references import CitedSentence, read_cited

CiteStyle = Literal["", "numbers", "footnotes", "links"]
_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s<>\"`\\^{}|\[\]]")
_MARKUP = re.compile(r"[\[\]()<>`|*_\\\s]+")
_NUMBERED = re.compile(r"d\d+'*")
_END = re.compile(r"[.!?…:]+\Z")
_LONGEST = 100
"""Characters of a source's name."""
_WHOLE, _ENDS = 12, 4
"""How many words a quote may have to stand whole in a link, and how many its ends have."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A claim of a text, in the sentence `text[start:end]`; no quote: nothing bears it out."""

    claim: str
    start: int
    end: int
    quote: Quote | None


_Borne = tuple[CitedSentence, Sequence[Statement]]


def write_marks(
    text: str, statements: Sequence[Statement], documents: Sequence[Document], style: CiteStyle
) -> list[Edit]:
    """The edits that put in marks and, last, a list of the sources; nothing else is changed.

    A sentence is marked if quotes of documents bear out all its claims, and it has no link yet, nor
    would then be read otherwise. A text with marks or references of its own is left as it is.
    Raises OutOfTimeError when the run's time is over.
    """
    sentences, references = read_cited(text)
    forms = {mark.form for sentence in sentences for mark in sentence.marks}
    if forms - {"link"} or any(reference.end for reference in references):
        note_undone("the sources were not marked: the text has marks or references of its own")
        return []
    sources = {d.id: d for d in documents if d.source != "model"}
    places = Spans(statements, lambda each: (each.start, each.end))
    borne = list[_Borne]()
    for sentence in sentences:
        own = places.touching(sentence.start, sentence.end)
        if own and not sentence.marks and all(s.quote and s.quote.document in sources for s in own):
            borne.append((sentence, own))
    for _ in range(2):
        edits = _write(text, borne, sources, style)
        spoiled = _spoiled(sentences, text, edits)
        borne = [(sentence, own) for sentence, own in borne if sentence.start not in spoiled]
        if not spoiled:
            return edits
    note_undone("the sources were not marked: with marks the text would be read otherwise")
    return []


def _spoiled(before: Sequence[CitedSentence], text: str, edits: Sequence[Edit]) -> set[int]:
    """Where sentences begin that are read otherwise with the edits; all, if their number is."""
    after, _ = read_cited(apply_edits(text, edits))
    if len(before) != len(after):
        return {sentence.start for sentence in before}
    return {old.start for old, new in zip(before, after, strict=True) if old.text != new.text}


def _write(
    text: str, borne: Sequence[_Borne], sources: Mapping[str, Document], style: CiteStyle
) -> list[Edit]:
    """The marks of sentences, and the list of their sources."""
    numbers, edits = dict[str, int](), list[Edit]()
    for sentence, own in borne:
        quotes = dict[str, Quote]()
        for quote in (each.quote for each in own if each.quote):
            quotes.setdefault(quote.document, quote)
        links, listed = list[str](), list[str]()
        for name, quote in quotes.items():
            url, number = address_of(sources[name]), numbers.setdefault(name, len(numbers) + 1)
            if style == "links" and url:
                links.append(f"[{name_of(sources[name])}]({link_to(url, quote.text)})")
            else:
                listed.append(f"[^{number}]" if style == "footnotes" else str(number))
        written = f" ({', '.join(links)})" if links else ""
        if listed:
            written += "".join(listed) if style == "footnotes" else f" [{', '.join(listed)}]"
        stop = _END.search(text, sentence.start, sentence.end)
        place = stop.start() if stop and style != "footnotes" else sentence.end
        called = ", ".join(f"“{name_of(sources[name])}”" for name in quotes)
        claims = tuple(dict.fromkeys(each.claim for each in own))
        mark = Edit(start=place, end=place, before="", after=written, claims=claims)
        why = f"borne out by {called}"
        edits.append(replace(mark, evidence=tuple(quotes.values()), explanation=why))
    if numbers:
        claims = tuple(dict.fromkeys(claim for edit in edits for claim in edit.claims))
        below = _list(text, [sources[name] for name in numbers], style)
        why, end = "the sources of the marks", len(text)
        listing = Edit(start=end, end=end, before="", after=below)
        edits.append(replace(listing, claims=claims, explanation=why))
    return edits


def _list(text: str, sources: Sequence[Document], style: CiteStyle) -> str:
    """The list of sources below a text, or its footnotes."""
    label = "[^{}]: " if style == "footnotes" else "{}. "
    lines = [] if style == "footnotes" else ["## References", ""]
    for number, each in enumerate(sources, start=1):
        entry = ". ".join(filter(None, (name_of(each).rstrip(" ."), address_of(each))))
        lines.append(label.format(number) + entry)
    end, is_ended = "\r\n" if "\r\n" in text else "\n", text.endswith("\n")
    return end.join(["", *[""] * (not is_ended), *lines, *[""] * is_ended])


def link_to(url: str, quote: str) -> str:
    """The address with a directive to the words of a quote: a WICG text fragment.

    >>> link_to("https://a.b/c#top", "It rose, too.")
    'https://a.b/c#top:~:text=It%20rose%2C%20too.'
    """
    words = quote.split()
    is_whole = len(words) <= _WHOLE and "\n" not in quote.strip()
    parts = [words] if is_whole else [words[:_ENDS], words[-_ENDS:]]
    said = (encode(" ".join(part), safe="").replace("-", "%2D") for part in parts if part)
    address, _, anchor = url.partition("#")
    return f"{address}#{anchor.partition(':~:')[0]}:~:text={','.join(said)}" if words else url


def name_of(document: Document) -> str:
    """The title of a document, its id or its first words, without markup."""
    given = "" if _NUMBERED.fullmatch(document.id) else document.id
    return as_words(document.title or given or document.text[: 2 * _LONGEST])


def as_words(text: str) -> str:
    """A text of others as words on one line, without markup and signs that are not seen.

    >>> as_words("[Python](javascript:x) *language*")
    'Python javascript:x language'
    """
    plain = _MARKUP.sub(" ", "".join(c for c in text if c.isprintable() or c.isspace()))
    return shorten(plain, _LONGEST, placeholder=" …")


def address_of(document: Document) -> str:
    """The address of a document on the web, fit for a link; empty if it has none."""
    if not _WEB.match(document.url):
        return ""
    url = _UNSAFE.sub(lambda m: encode(m[0]), document.url)
    is_even = url.count("(") == url.count(")")
    return url if is_even else url.replace("(", "%28").replace(")", "%29")
