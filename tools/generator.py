"""The local filler of the generate role: sentences of the documents that match the question."""

from collections.abc import Sequence

from errata.records import Document
from errata.tools.ranking import Ranking
from errata.tools.strips import strips
from errata.tools.words import words

SENTENCES = 3


def generate(question: str, documents: Sequence[Document]) -> str:
    """Give the best strips in the order they stand; empty where none shares a word."""
    found = [strip for document in documents for strip in strips(document)]
    asked = [word.stem for word in words(question) if word.content]
    best = Ranking([strip.stems for strip in found]).best(asked, SENTENCES)
    return " ".join(" ".join(found[i].text.split()) for i in sorted(i for i, _ in best))
