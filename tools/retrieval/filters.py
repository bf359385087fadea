"""Filters that make retrieved documents relevant, fair and short (RAC section 3.2, appendix A)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from errata.core.limits import cache_in_bounds
from errata.core.records import Document, Hit
from errata.core.urls import split_url
from errata.tools.text.questions import question_names, topic_stems
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import CHARACTERS_PER_TOKEN, split_stems

LEAK_DOMAINS = ("huggingface", "paperswithcode", "kaggle", "openreview", "github", "arxiv")
"""Sites where the paper's test questions appear with their answers (RAC appendix A)."""
REFERENCE_SECTIONS = (
    "references|footnotes|notes|notes and references|citations|sources|bibliography|external links|"
    "further reading|see also"
)
LIST_SECTIONS = "filmography|discography|production|career statistics|awards and nominations"
_MARKDOWN_HEADING = re.compile(r"^#{1,6} +(?P<title>[^\n]+?) *#* *$", re.MULTILINE)
# In plain text a short line that opens with a capital and ends without a full stop is a heading.
_PLAIN_HEADING = re.compile(r"^(?P<title>[A-Z][^\n.!?]{0,60}?)(?: ?\[edit\])? *$", re.MULTILINE)
WithUrl = TypeVar("WithUrl", Document, Hit)


def assign_ids(documents: Iterable[Document]) -> list[Document]:
    """The documents, each with a unique id; ids that are unique already stay."""
    result: list[Document] = []
    used: set[str] = set()
    for number, document in enumerate(documents, start=1):
        name = document.id if document.id and document.id not in used else f"d{number}"
        while name in used:
            name += "'"
        used.add(name)
        result.append(replace(document, id=name))
    return result


def keep_mentioning(documents: Iterable[Document], entity: str) -> list[Document]:
    """The documents whose title or text contains the entity's name, in any case."""
    name = entity.casefold()
    return [d for d in documents if name in f"{d.title}\n{d.text}".casefold()]


def keep_on_subject(documents: Sequence[Document], texts: Iterable[str]) -> list[Document]:
    """The documents that name what a text names, or names first, as well as others do, or all."""
    bags = [_stems_of(document) for document in documents]
    names = [own for own in map(question_names, texts) if own]
    named = [topic_stems(" ; ".join(part)) for own in names for part in (own, own[:1])]
    kept = set[int]()
    for stems in named:
        counts = [len(stems & bag) for bag in bags]
        kept |= {n for n, count in enumerate(counts) if 2 * count > max(counts)}
    return [d for n, d in enumerate(documents) if n in kept or not named]


# Many claims are compared with the same documents.
@cache_in_bounds(64)
def _stems_of(document: Document) -> frozenset[str]:
    return frozenset(split_stems(f"{document.title} {document.text}"))


def keep_longer(documents: Iterable[Document]) -> list[Document]:
    """The documents of more than one sentence: a single one is mostly a page's bare title."""
    return [document for document in documents if len(split_sentences(document.text)) > 1]


def drop_domains(items: Iterable[WithUrl], domains: Sequence[str]) -> list[WithUrl]:
    """The items whose host contains none of the words; `leaks` stands for LEAK_DOMAINS."""
    blocked = [*filter(None, domains), *(LEAK_DOMAINS if "leaks" in domains else ())]
    return [item for item in items if not any(word in _host(item.url) for word in blocked)]


def drop_sections(document: Document, titles: str = REFERENCE_SECTIONS) -> Document:
    """The document without its sections under the titles, given as a regular expression."""
    text, dropped = document.text, re.compile(titles, re.IGNORECASE)
    heading = _MARKDOWN_HEADING if _MARKDOWN_HEADING.search(text) else _PLAIN_HEADING
    starts = [0, *(found.start() for found in heading.finditer(text)), len(text)]
    kept = list[str]()
    for part in (text[start:end] for start, end in pairwise(starts)):
        found = heading.match(part)
        if not (found and dropped.fullmatch(found["title"].strip())):
            kept.append(part)
    return replace(document, text="".join(kept))


def cut_to_budget(documents: Iterable[Document], tokens: int) -> list[Document]:
    """The first documents that fit a budget of tokens; a long one loses lists, then its end."""
    characters, result = tokens * CHARACTERS_PER_TOKEN, []
    for document in documents:
        fits = len(document.text) <= characters
        short = document if fits else drop_sections(document, LIST_SECTIONS)
        if characters > 0:
            result.append(replace(short, text=_whole_sentences(short.text, characters)))
        characters -= len(short.text)
    return result


def cut_evenly(documents: Sequence[Document], tokens: int) -> list[Document]:
    """The beginnings of all documents within a budget; what short ones leave is shared."""
    left, cut = tokens * CHARACTERS_PER_TOKEN, dict[int, Document]()
    for n, place in enumerate(sorted(range(len(documents)), key=lambda i: len(documents[i].text))):
        text = _whole_sentences(documents[place].text, left // (len(documents) - n))
        left -= len(text)
        cut[place] = replace(documents[place], text=text)
    return [cut[place] for place in range(len(documents))]


def _whole_sentences(text: str, characters: int) -> str:
    """The sentences of a text that fit; of a first one that does not, the words that do."""
    if len(text) <= characters:
        return text
    start = text[: characters + 1]
    ends = [end for _, end in split_sentences(start)[:-1]]
    return start[: ends[-1]] if ends else start.rpartition(" ")[0] or text[:characters]


def _host(url: str) -> str:
    return (split_url(url).hostname or "") if "//" in url else url.split("/", maxsplit=1)[0]
