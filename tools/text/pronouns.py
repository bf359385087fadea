"""Names put in place of leading pronouns."""

import re

ANY_PRONOUN = re.compile(r"(?:he|she|it|they)\b|(?P<possessive>his|her|its|their)\b", re.IGNORECASE)
PERSONAL_PRONOUN = re.compile(r"(?:He|She|They)\b|(?P<possessive>His|Her|Their)\b")
"""Capitalised, as at the start of a sentence, and without "it"."""


def replace_pronoun(
    text: str, name: str, pronoun: re.Pattern[str] = ANY_PRONOUN, after_s: str = "'"
) -> str:
    """Replace a leading pronoun with a name; without a pronoun or a name the text stays as it is.

    `after_s` is the possessive ending of a name in -s.

    >>> replace_pronoun("Her work was admired.", "Ada Lovelace")
    "Ada Lovelace's work was admired."
    """
    match = pronoun.match(text)
    if not match or not name:
        return text
    ending = after_s if name.endswith("s") else "'s"
    return name + (ending if match["possessive"] else "") + text[match.end() :]
