"""Retrieved documents made related, faithful and short (RAC section 3.2, appendix A)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from errata.records import Document
from errata.tools.text.words import CHARACTERS_PER_TOKEN

LEAK_DOMAINS = ("huggingface", "paperswithcode", "kaggle", "openreview", "github", "arxiv")
"""Sites on which the paper found its test questions answered word for word (appendix A)."""
USELESS = (
    "references|footnotes|notes|notes and references|citations|sources|bibliography|external links|"
    "further reading|see also"
)
LISTS = "filmography|discography|production|career statistics|awards and nominations"
_MARKED = re.compile(r"^#{1,6} +(?P<title>[^\n]+?) *#* *$", re.MULTILINE)
# In plain text a short line that opens with a capital and ends without a stop is a heading.
_HEADING = re.compile(r"^(?P<title>[A-Z][^\n.!?]{0,60}?)(?: ?\[edit\])? *$", re.MULTILINE)


def assign_ids(documents: Iterable[Document]) -> list[Document]:
    """Give every document an id of its own, keeping those that are unique already."""
    result: list[Document] = []
    for count, document in enumerate(documents, start=1):
        taken = {other.id for other in result}
        name = document.id if document.id and document.id not in taken else f"d{count}"
        while name in taken:
            name += "'"
        result.append(replace(document, id=name))
    return result


def keep_mentioning(documents: Iterable[Document], entity: str) -> list[Document]:
    """Keep the documents that name what was asked for."""
    wanted = entity.casefold()
    return [d for d in documents if wanted in f"{d.title}\n{d.text}".casefold()]


class Addressed(Protocol):
    """Stand for what comes from an address."""

    @property
    def url(self) -> str:
        """Give the address, or the empty string."""


Source = TypeVar("Source", bound=Addressed)


def drop_domains(documents: Iterable[Source], domains: Sequence[str]) -> list[Source]:
    """Drop documents whose host has one of the given words in it; `leaks` stands for the list."""
    named = [*domains, *(LEAK_DOMAINS if "leaks" in domains else ())]
    return [d for d in documents if not any(word in _host(d.url) for word in named if word)]


def drop_sections(document: Document, titles: str = USELESS) -> Document:
    """Cut the sections under the given headings; quotes then count in the shorter text."""
    unwanted = re.compile(titles, re.IGNORECASE)
    marked = list(_MARKED.finditer(document.text))
    headings = marked or list(_HEADING.finditer(document.text))
    ends = [*(heading.start() for heading in headings[1:]), len(document.text)]
    if not headings:
        return document
    kept = document.text[: headings[0].start()]
    for heading, end in zip(headings, ends, strict=True):
        if not unwanted.fullmatch(heading["title"].strip()):
            kept += document.text[heading.start() : end]
    return replace(document, text=kept)


def cut_to_budget(documents: Iterable[Document], tokens: int) -> list[Document]:
    """Keep what fits a budget of tokens, at four characters each; the last one is cut short.

    Lists such as a filmography go first from a document that is still too long.
    """
    left, result = tokens * CHARACTERS_PER_TOKEN, []
    for document in documents:
        short = document if len(document.text) <= left else drop_sections(document, LISTS)
        if left > 0:
            result.append(replace(short, text=short.text[:left]))
        left -= len(short.text)
    return result


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "") if "//" in url else url.split("/", maxsplit=1)[0]
