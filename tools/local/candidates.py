"""The texts that are worth a closer look: those that share most words with a question."""

from collections.abc import Sequence

from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words


def best_matches(question: str, texts: Sequence[Sequence[str]], count: int) -> list[int]:
    """Indices of at most `count` texts, given as stems, that match best by BM25; in text order."""
    stems = [word.stem for word in split_words(question) if word.is_content]
    return sorted(i for i, _ in Ranking(texts).best(stems, count))
