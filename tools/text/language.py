"""Detection of texts that are not English."""

import re
from typing import TYPE_CHECKING

from errata.core.once import made_once
from errata.tools.text.prose import read_passages
from errata.tools.text.sentences import split_sentences

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH_CODES = ("en", "pcm")
"""English and Nigerian Pidgin; short English sentences are often classified as the latter."""
MAX_CHARACTERS = 2000  # that are classified
MAX_MARKDOWN = 6000  # characters that these are found in, code and data aside
FEWEST = 3  # words of a sentence that can be English for certain
FEWEST_PLAIN = 2  # words without capitals that tell a language
POSSIBLE, IMPOSSIBLE = 0.03, 0.003
"""The probability of English from which on a sentence may be English, and below which it is not."""
PER_WORDS = 12  # one in so many is an English function word in every English text
UNKNOWN = "und"  # the code of a language that is in another script, but not known
_ENGLISH = re.compile(
    r"\b(?:the|and|from|his|were|with|that|which|been|this|they|she|are|who|its?|their|would|was"
    r"|is an?)\b",
    re.IGNORECASE,
)  # function words that no other language in this script has
_WORD = re.compile(r"[^\W\d_]+")


@made_once
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def detect_foreign_draft(draft: str) -> str:
    """The code of the language of what a text says at its beginning, if no sentence is English."""
    passages = read_passages(draft[:MAX_MARKDOWN])
    start = "\n".join(passage.text for passage in passages)[:MAX_CHARACTERS]
    language = detect_sentence(start)
    if not language:
        return ""
    sentences = (start[a:b] for a, b in split_sentences(start))
    long = (each for each in sentences if len(_WORD.findall(each)) >= FEWEST)
    return "" if any(map(_has_function_words, long)) else language


def detect_sentence(sentence: str) -> str:
    """The code of a sentence's language if it is clearly not English, else the empty string."""
    letters = "".join(_WORD.findall(sentence))
    is_latin = len(re.findall(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]", letters)) * 2 >= len(letters)
    if not letters or (is_latin and _has_function_words(sentence)):
        return ""
    ranked = _identifier().rank(sentence)
    language, _ = ranked[0]
    if not is_latin:
        return str(language) if language not in ENGLISH_CODES else UNKNOWN
    lower = [word for word in _WORD.findall(sentence) if word.islower()]
    plain, _ = _identifier().classify(" ".join(lower))
    english = sum(p for code, p in ranked if code in ENGLISH_CODES)
    is_clear = (language == plain and len(lower) >= FEWEST_PLAIN) or english < IMPOSSIBLE
    return str(language) if is_clear and plain not in ENGLISH_CODES and english < POSSIBLE else ""


def _has_function_words(sentence: str) -> bool:
    """Whether a sentence has as many English function words as an English text."""
    return len(_ENGLISH.findall(sentence)) * PER_WORDS >= len(_WORD.findall(sentence))
