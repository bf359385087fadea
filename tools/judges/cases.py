"""A case that a judge decides, and the verdict on it, as they are kept."""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256

from errata.core.records import Document, Quote, Verdict


def digest_of(*parts: str) -> str:
    """One digest of some texts, in order."""
    return sha256(json.dumps(parts).encode()).hexdigest()


def digest_document(document: Document) -> str:
    """What makes a document the same: its words, title and address."""
    return digest_of(document.title, document.url, document.text)


def normal(text: str) -> str:
    """A text in one form, whatever its white space; no sign that tells values apart is changed.

    >>> normal(" It covers  10 m².")
    'It covers 10 m².'
    """
    return " ".join(unicodedata.normalize("NFC", text).split())


def now() -> str:
    """This moment as the store writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class Case:
    """All that a verdict depends on."""

    claim: str = ""
    question: str
    language: str
    """That of the draft, if it is known not to be English."""
    judge: str
    """A digest of what the judge's verdicts depend on beside the case."""
    filler: str
    """The judge's name."""
    documents: tuple[str, ...]
    """The digests of the documents that were read, in order."""

    @property
    def basis(self) -> str:
        """The set of documents."""
        return digest_of(*sorted(set(self.documents)))

    @property
    def key(self) -> str:
        """What the verdict is kept under."""
        texts = (normal(self.claim), normal(self.question))
        return digest_of(*texts, self.language, self.judge, self.basis)


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A case and the verdict on it, whose quotes name documents by their digests."""

    case: Case
    verdict: Verdict
    mends: tuple[tuple[str, str], ...] = ()
    """What stands in the place of wrong words."""
    judged: str


def localize(judgement: Judgement, claim: str, documents: Mapping[str, Document]) -> Verdict | None:
    """A kept verdict as one on a run's claim, by its id, and by the run's documents.

    None if a quote does not stand in its document, whoever wrote it.
    """
    quotes = list[Quote]()
    for quote in judgement.verdict.evidence:
        document = documents.get(quote.document)
        if not document or document.text[quote.start : quote.end] != quote.text:
            return None
        quotes.append(replace(quote, document=document.id))
    return replace(judgement.verdict, claim=claim, evidence=tuple(quotes))
