"""Which language a text is in."""

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

LIKE_ENGLISH = ("en", "pcm")
"""English, and the pidgin that its short sentences are often taken for."""
SHORT = 60
"""Below this many characters only a very clear case counts."""
SURE, VERY_SURE = 0.6, 0.9
"""How probable another language must be before a text counts as not English."""
ENOUGH = 2000
"""How many characters are looked at."""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_foreign_language(text: str) -> str:
    """Give the code of a text's language if it is surely not English, else the empty string."""
    language, probability = _identifier().classify(text[:ENOUGH])
    enough = VERY_SURE if len(text) < SHORT else SURE
    return str(language) if language not in LIKE_ENGLISH and probability >= enough else ""
