"""Marks of sources on the sentences that quotes support, and a list of the sources below."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Literal
from urllib.parse import quote as encode

from errata.core.edits import Spans, apply_edits
from errata.core.limits import note_undone
from errata.core.records import Document, Edit, Quote
from errata.tools.text.mark_edits import MarkWriter
from errata.tools.text.marks import Form, Known, Reference, plain_url
from errata.tools.text.references import CitedSentence, read_cited
from errata.tools.text.works import slug

CiteStyle = Literal["", "numbers", "footnotes", "links"]
FORMS: Mapping[str, Form] = {"numbers": "number", "footnotes": "footnote", "links": "number"}
"""The form of marks that a list explains; links have it for sources without an address."""
_UNSAFE = re.compile(r"[\s<>\"`\\^{}|\[\]]")
_MARKUP = re.compile(r"[\[\]()<>`|*_\\\s]+")
_LONGEST = 100  # characters of a source's name
_WHOLE, _ENDS = 12, 4
"""How many words a quote may have to stand whole in a link, and how many its ends have else."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A claim of a text, in the sentence `text[start:end]`; no quote: nothing supports it."""

    claim: str
    start: int
    end: int
    quote: Quote | None


_Borne = tuple[CitedSentence, Sequence[Statement]]


def write_marks(
    text: str, statements: Sequence[Statement], documents: Sequence[Document], style: CiteStyle
) -> list[Edit]:
    """The edits that put in marks and, last, a list of the sources; nothing else is changed.

    A sentence is marked if quotes of documents support all its claims, and it has no mark or link
    yet, nor would then be read otherwise. Raises OutOfTimeError when the run's time is over.
    """
    sources = {document.id: document for document in documents if document.source != "model"}
    places = Spans(statements, lambda each: (each.start, each.end))
    borne = list[_Borne]()
    for sentence in read_cited(text)[0]:
        own = places.touching(sentence.start, sentence.end)
        if own and not sentence.marks and all(s.quote and s.quote.document in sources for s in own):
            borne.append((sentence, own))
    for _ in range(2):
        edits = _write(text, borne, sources, style)
        spoiled = _spoiled(text, edits)
        borne = [(sentence, own) for sentence, own in borne if sentence.start not in spoiled]
        if not spoiled:
            return edits
    note_undone("the sources were not marked: with marks the text would be read otherwise")
    return []


def _spoiled(text: str, edits: Sequence[Edit]) -> set[int]:
    """Where sentences begin that are read otherwise; all, if their number or a source is lost."""
    (before, ours), (after, theirs) = read_cited(text), read_cited(apply_edits(text, edits))
    if len(before) != len(after) or {r.key for r in ours} - {r.key for r in theirs}:
        return {sentence.start for sentence in before}
    return {old.start for old, new in zip(before, after, strict=True) if old.text != new.text}


def _write(
    text: str, borne: Sequence[_Borne], sources: Mapping[str, Document], style: CiteStyle
) -> list[Edit]:
    """The marks of sentences, and a list of the sources that the text's own list has not."""
    form, (_, references) = FORMS[style], read_cited(text)
    listed = Known(references).listed(form)
    cited = dict.fromkeys(s.quote.document for _, own in borne for s in own if s.quote)
    keys = {n: next((r.key for r in listed if _is(r, sources[n])), "") for n in cited}
    new = [name for name in cited if not keys[name]]
    listing, added = MarkWriter(text).add_entries([_entry(sources[n]) for n in new], form)
    keys |= dict(zip(new, added, strict=True))
    kinds: tuple[Form, Form] = ("link", form)
    edits = list[Edit]()
    for sentence, own in borne:
        claims = tuple(dict.fromkeys(each.claim for each in own))
        first = dict[str, Quote]()
        for quote in (each.quote for each in own if each.quote):
            first.setdefault(quote.document, quote)
        linked = {n for n in first if style == "links" and address_of(sources[n])}
        for kind in kinds:
            shown = {n: q for n, q in first.items() if (n in linked) == (kind == "link")}
            if not shown:
                continue
            links = [_link(sources[n], q.text) for n, q in shown.items() if n in linked]
            names = [link.key for link in links] or [keys[name] for name in shown]
            edit = MarkWriter(text, links).insert(sentence, names, kind)
            called = ", ".join(f"“{name_document(sources[name])}”" for name in shown)
            why, evidence = f"supported by {called}", tuple(shown.values())
            edits.append(replace(edit, claims=claims, evidence=evidence, explanation=why))
    claims = tuple(dict.fromkeys(claim for edit in edits for claim in edit.claims))
    why = "the sources of the marks"
    return [*edits, *([replace(listing, claims=claims, explanation=why)] if new else [])]


def _entry(document: Document) -> str:
    """What a list says of a document."""
    return ". ".join(filter(None, (name_document(document).rstrip(" ."), address_of(document))))


def _is(reference: Reference, document: Document) -> bool:
    """Whether a reference is a document: by the address, or where one has none by the title."""
    address = address_of(document)
    if reference.url and address:
        return plain_url(reference.url) == plain_url(address)
    return slug(reference.title) == slug(name_document(document))


def _link(document: Document, words: str) -> Reference:
    """A link to the very words of a document."""
    url = link_to(address_of(document), words)
    return Reference(key=url, text=url, title=name_document(document), url=url)


def name_document(document: Document) -> str:
    """The title of a document, its id or its first words, without markup."""
    given = "" if re.fullmatch(r"d\d+'*", document.id) else document.id
    return as_words(document.title or given or document.text[: 2 * _LONGEST])


def as_words(text: str) -> str:
    """A text of others as words on one line, without markup and signs that are not seen."""
    plain = _MARKUP.sub(" ", "".join(c for c in text if c.isprintable() or c.isspace()))
    return shorten(plain, _LONGEST, placeholder=" …")


def address_of(document: Document) -> str:
    """The address of a document on the web, fit for a link; empty if it has none."""
    if not re.match(r"https?://[^\s/]+", document.url, re.IGNORECASE):
        return ""
    url = _UNSAFE.sub(lambda m: encode(m[0]), document.url)
    is_even = url.count("(") == url.count(")")
    return url if is_even else url.replace("(", "%28").replace(")", "%29")


def link_to(url: str, words: str) -> str:
    """The address with a text fragment (WICG) for a quote of its page.

    >>> link_to("https://a.b/c#top", "It rose, too.")
    'https://a.b/c#top:~:text=It%20rose%2C%20too.'
    """
    lines = [line.split() for line in words.splitlines() if line.strip()]
    if not lines:
        return url
    is_whole = len(lines) == 1 and len(lines[0]) <= _WHOLE
    ends = lines if is_whole else [lines[0][:_ENDS], lines[-1][-_ENDS:]]
    parts = (encode(" ".join(each), safe="").replace("-", "%2D") for each in ends)
    address, _, anchor = url.partition("#")
    return f"{address}#{anchor.partition(':~:')[0]}:~:text={','.join(parts)}"
