"""Names put in place of leading pronouns."""

import re
from typing import NamedTuple

_NO_THING = (
    r"(?! (?:(?:is|was|will be|would be) (?:also |not )?\w+ (?:to|that|for)|takes|took|seems)\b)"
)
"""What follows an "it" that stands for nothing: "it is possible to", "it took ten years"."""
ANY_PRONOUN = re.compile(
    rf"(?:he|she|it{_NO_THING}|they)\b|(?P<possessive>his|her|its|their)\b", re.IGNORECASE
)
PERSONAL_PRONOUN = re.compile(r"(?:He|She|They)\b|(?P<possessive>His|Her|Their)\b")
"""Capitalised, as at the start of a sentence, and without "it"."""


class Antecedents(NamedTuple):
    """What the pronouns of a sentence stand for; empty where that is not certain."""

    he: str = ""
    she: str = ""
    it: str = ""
    they: str = ""
    rivals: tuple[str, ...] = ()
    """The people of whom "he" or "she" may be any, if several fit."""

    @property
    def names(self) -> tuple[str, str, str, str]:
        """What each pronoun stands for, in the order of the fields."""
        return self.he, self.she, self.it, self.they

    def of(self, pronoun: str) -> str:
        """What a pronoun, or a possessive, stands for; empty for any other word.

        >>> Antecedents(she="Ada Lovelace").of("Her")
        'Ada Lovelace'
        """
        forms = (("he", "his"), ("she", "her"), ("it", "its"), ("they", "their"))
        pairs = zip(forms, self.names, strict=True)
        return next((name for words, name in pairs if pronoun.lower() in words), "")


Names = str | Antecedents
"""One name for every pronoun, or one for each kind of them."""


def name_of(pronoun: str, names: Names) -> str:
    """What a pronoun stands for; empty if nothing is known."""
    return names if isinstance(names, str) else names.of(pronoun)


def replace_pronoun(
    text: str,
    name: Names,
    pronoun: re.Pattern[str] = ANY_PRONOUN,
    after_s: str = "'",
) -> str:
    """Replace a leading pronoun with what it stands for; without either the text stays as it is.

    `after_s` is the possessive ending of a name in -s.

    >>> replace_pronoun("Her work was admired.", "Ada Lovelace")
    "Ada Lovelace's work was admired."
    """
    match = pronoun.match(text)
    known = name_of(match.group(), name) if match else ""
    if not match or not known:
        return text
    ending = after_s if known.endswith("s") else "'s"
    return known + (ending if match["possessive"] else "") + text[match.end() :]
