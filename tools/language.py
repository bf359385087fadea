"""Which language a text is in."""

from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

SURE = 0.5
"""How probable another language must be before a text counts as not English."""
ENOUGH = 2000
"""How many characters are looked at."""


@cache
def _identifier() -> LanguageIdentifier:
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def foreign(text: str) -> str:
    """Give the code of a text's language if it is surely not English, else the empty string."""
    language, probability = _identifier().classify(text[:ENOUGH])
    return str(language) if language != "en" and probability >= SURE else ""
