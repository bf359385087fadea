"""Whether a name is a woman's or a man's, by its title, its relatives and its first name."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

Gender = Literal["female", "male", ""]
"""Empty where nothing tells."""
_FEMALE = (
    "Mrs Ms Miss Lady Dame Madame Queen Princess Duchess Countess Empress Baroness Sister "
    "sister wife mother daughter aunt niece grandmother granddaughter widow girlfriend actress "
    "queen princess woman stepmother heiress chairwoman businesswoman"
)
_MALE = (
    "Mr Sir Lord King Prince Duke Count Emperor Baron Father Pope brother husband father son uncle "
    "nephew grandfather grandson widower boyfriend actor king prince man stepfather chairman "
    "businessman"
)
_WORDS: dict[str, Gender] = {
    **dict.fromkeys(_FEMALE.split(), "female"),
    **dict.fromkeys(_MALE.split(), "male"),
}
_BESIDE = re.compile(rf"\b(?P<word>{'|'.join(_WORDS)})\.?,? $")
"""A word just before a name that says whose name it is."""
_TITLE = re.compile(
    r"^(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|President|Sir|Lady|Lord|Dame|Captain|General|Judge|King"
    r"|Queen|Prince|Princess|Saint|St|Pope|Senator|Father|Mother|Baron|Baroness|Count|Countess|Duke"
    r"|Duchess|Bishop|Cardinal)\.? )+"
)
_REACH = 16
"""How many characters before a name such a word may begin."""


def find_gender(name: str, before: str = "") -> Gender:
    """The gender of a person by name and by what stands before it; empty for other names.

    >>> find_gender("Anna Vroom"), find_gender("Vroom", "her brother "), find_gender("Vroom")
    ('female', 'male', '')
    """
    first, _, rest = name.partition(" ")
    if beside := _BESIDE.search(before[-_REACH:]):
        return _WORDS[beside["word"]]
    if rest and first.rstrip(".") in _WORDS:
        return _WORDS[first.rstrip(".")]
    return _first_names().get(first, "")


@cache
def _first_names() -> dict[str, Gender]:
    return dict(_read_names())


def _read_names() -> Iterator[tuple[str, Gender]]:
    text = files("errata.tools.text").joinpath("first_names.txt").read_text("utf-8")
    genders: tuple[Gender, ...] = ("female", "male")
    for gender in genders:
        section = text.partition(f"[{gender}]\n")[2].partition("[")[0]
        yield from ((name, gender) for name in section.split())


def strip_title(name: str) -> str:
    """A name without a title before it.

    >>> strip_title("Dr Nisha Patel")
    'Nisha Patel'
    """
    return _TITLE.sub("", name)
