"""Marks of sources on the sentences that quotes bear out, and a list of the sources below."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal
from urllib.parse import quote as encode

from errata.core.edits import Spans, apply_edits
from errata.core.records import Document, Edit, Quote
from errata.tools.text.fragments import link_to
from errata.tools.text.mark_edits import add_references, insert_mark
from errata.tools.text.marks import Form, Reference, plain_url, slug
from errata.tools.text.pages import is_page
from errata.tools.text.references import CitedSentence, read_cited

CiteStyle = Literal["", "numbers", "footnotes", "links"]
FORMS: Mapping[str, Form] = {"numbers": "number", "footnotes": "footnote", "links": "number"}
"""The form of marks that a list explains; links have it for sources without an address."""
_WEB = re.compile(r"https?://[^\s/]+", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s<>\"`\\^{}|\[\]]")
_MARKUP = re.compile(r"[\[\]()<>`|*_\\\s]+")
_NUMBERED = re.compile(r"d\d+'*")
_LONGEST = 100
"""Characters of a source's name."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A claim of a text, in the sentence `text[start:end]`; no quote: nothing bears it out."""

    claim: str
    start: int
    end: int
    quote: Quote | None


def write_marks(
    text: str, statements: Sequence[Statement], documents: Sequence[Document], style: CiteStyle
) -> list[Edit]:
    """The edits that put in marks and, last, a list of the sources; nothing else is changed.

    A sentence is marked if all its claims are borne out, and it has no mark or link yet. In the
    source of a page none is. What would be read otherwise with its mark has none. Raises
    OutOfTimeError when the run's time is over.
    """
    if is_page(text):
        return []
    sentences, _ = read_cited(text)
    known = {document.id: document for document in documents if document.source != "model"}
    places = Spans(statements, lambda each: (each.start, each.end))
    borne = dict[int, list[Statement]]()
    for number, sentence in enumerate(sentences):
        own = places.touching(sentence.start, sentence.end)
        if own and not sentence.marks and all(_is_borne(each, known) for each in own):
            borne[number] = own
    writer = _Writer(text, known, style)
    edits = writer.write([(sentences[n], own) for n, own in borne.items()])
    spoiled = _spoiled(sentences, text, edits)
    if spoiled:
        kept = [(sentences[n], own) for n, own in borne.items() if n not in spoiled]
        edits = writer.write(kept)
    return [] if _spoiled(sentences, text, edits) else edits


def _is_borne(statement: Statement, known: Container[str]) -> bool:
    """Whether a document bears a statement out, not what a model said from memory."""
    return statement.quote is not None and statement.quote.document in known


def _spoiled(sentences: Sequence[CitedSentence], text: str, edits: Sequence[Edit]) -> set[int]:
    """The sentences that are read otherwise once the edits are made; all if their number is."""
    after, _ = read_cited(apply_edits(text, edits))
    if len(after) != len(sentences):
        return {*range(len(sentences))}
    pairs = zip(sentences, after, strict=True)
    return {n for n, (old, new) in enumerate(pairs) if old.text != new.text}


@dataclass(frozen=True)
class _Writer:
    """Writes marks into one text."""

    text: str
    documents: Mapping[str, Document]
    style: CiteStyle

    def write(self, borne: Sequence[tuple[CitedSentence, Sequence[Statement]]]) -> list[Edit]:
        """The edits for the sentences that are borne out."""
        _, references = read_cited(self.text)
        quotes = [q for _, own in borne for each in own if (q := each.quote)]
        cited = dict.fromkeys(quote.document for quote in quotes)
        keys = {name: self._listed(name, references) for name in cited}
        new = [name for name in cited if not keys[name]]
        entries = [self._entry(name) for name in new]
        form = FORMS[self.style]
        listing, added = add_references(self.text, entries, references, form)
        keys |= dict(zip(new, added, strict=True))
        edits = [e for each in borne for e in self._marks(*each, keys, references)]
        listing = replace(listing, explanation="the sources of the marks")
        claims = dict.fromkeys(claim for edit in edits for claim in edit.claims)
        return [*edits, replace(listing, claims=tuple(claims))] if new else edits

    def _marks(
        self,
        sentence: CitedSentence,
        own: Sequence[Statement],
        keys: Mapping[str, str],
        references: Sequence[Reference],
    ) -> Iterator[Edit]:
        """The marks of one sentence: links where there is an address and the style has them."""
        quotes = dict[str, Quote]()
        for quote in (each.quote for each in own if each.quote):
            quotes.setdefault(quote.document, quote)
        links = {n: self._link(q) for n, q in quotes.items() if self._address(n)}
        links = links if self.style == "links" else {}
        numbered = [name for name in quotes if name not in links]
        groups: list[tuple[list[str], list[str], Form]] = [
            ([*links], [link.key for link in links.values()], "link"),
            (numbered, [keys[name] for name in numbered], FORMS[self.style]),
        ]
        for names, named, form in groups:
            if names:
                known = [*references, *links.values()] if form == "link" else references
                edit = insert_mark(self.text, sentence, named, known, form)
                titles = (f"“{self._name(name)}”" for name in names)
                yield replace(
                    edit,
                    claims=tuple(dict.fromkeys(each.claim for each in own)),
                    evidence=tuple(quotes[name] for name in names),
                    explanation=f"borne out by {', '.join(titles)}",
                )

    def _listed(self, name: str, references: Sequence[Reference]) -> str:
        """The key of the reference that the text has to a document already; empty if none."""
        address, title = plain_url(self._address(name)), slug(self.documents[name].title)
        is_note = FORMS[self.style] == "footnote"
        own = (r for r in references if r.end and r.key.startswith("^") == is_note)
        return next(
            (
                r.key
                for r in own
                if (plain_url(r.url) == address if r.url and address else title == slug(r.title))
            ),
            "",
        )

    def _link(self, own: Quote) -> Reference:
        """A link to the very words of a quote."""
        document = self.documents[own.document]
        url = link_to(self._address(document.id), document.text, own.start, own.end)
        return Reference(key=url, text=url, title=self._name(document.id), url=url)

    def _entry(self, name: str) -> str:
        return ". ".join(filter(None, (self._name(name).rstrip(" ."), self._address(name))))

    def _name(self, name: str) -> str:
        """What a document is called, without markup: its title, its id or its first words."""
        document = self.documents[name]
        given = "" if _NUMBERED.fullmatch(name) else name
        called = document.title or given or document.text[: 2 * _LONGEST]
        return as_words(called)

    def _address(self, name: str) -> str:
        return address_of(self.documents[name])


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
