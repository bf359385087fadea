"""Detection of texts that are not English."""

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

from errata.tools.text.prose import prose_of

ENGLISH_CODES = ("en", "pcm")
"""English and Nigerian Pidgin; short English sentences are often classified as the latter."""
SHORT_TEXT = 60
"""Texts of fewer characters need the higher of the two probabilities."""
MIN_PROBABILITY, MIN_PROBABILITY_SHORT = 0.6, 0.9
"""The probability of another language from which on a text counts as not English."""
MAX_CHARACTERS = 2000
"""Characters that are classified."""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_foreign_language(text: str) -> str:
    """The code of a text's language if it is clearly not English, else the empty string.

    >>> detect_foreign_language("Marie Curie est née à Varsovie et a étudié à Paris.")
    'fr'
    """
    language, probability = _identifier().classify(text[:MAX_CHARACTERS])
    least = MIN_PROBABILITY_SHORT if len(text) < SHORT_TEXT else MIN_PROBABILITY
    return str(language) if language not in ENGLISH_CODES and probability >= least else ""


def detect_foreign_draft(draft: str) -> str:
    """The code of the language of what a draft says, code and data aside, if not English."""
    return detect_foreign_language(prose_of(draft))
