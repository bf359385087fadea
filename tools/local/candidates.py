"""The texts that are worth a closer look: those that share most words with a question."""

from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words


def best_matches(question: str, ranking: Ranking, count: int) -> list[int]:
    """Indices of at most `count` texts that match best by BM25; in text order."""
    stems = [word.stem for word in split_words(question) if word.is_content]
    return sorted(i for i, _ in ranking.best(stems, count))
