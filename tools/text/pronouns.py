"""What leading pronouns stand for, and names put in their place."""

import re
from typing import NamedTuple

from errata.tools.text.entities import NAME, find_entities

ANY_PRONOUN = re.compile(r"(?:he|she|it|they)\b|(?P<possessive>his|her|its|their)\b", re.IGNORECASE)
PERSONAL_PRONOUN = re.compile(r"(?:He|She|They)\b|(?P<possessive>His|Her|Their)\b")
"""Capitalised, as at the start of a sentence, and without "it"."""
_PRONOUNS = ("he", "she", "it", "they")
_MANY = re.compile(
    r".*\band\b|(?i:both|two|three|four|five|all|most|some|many)\b|(?:[Tt]he )?[a-z]\w+s$"
)
_NO_NAME = re.compile(r"(?:The|A|An|This|That|These|Those|There)\b|.*['’]s?$")
_THING = re.compile(r"(?:[Tt]h(?:e|is|at)|[Aa]n?) |[A-ZÀ-Þ]")
_EMPTY = re.compile(
    r"It (?:is|was|ha[sd](?: not)? been"
    r"|(?:can|could|may|might|must|should|will|would)(?: ?not)? (?:be|have been)) "
    r"(?:not |only )?(?:the \w+(?: \w+)? who|(?:\w+ly )?[a-z]+ (?:that|whether))\b"
)  # the beginning of a sentence whose "it" stands for nothing: "It was the fastest who suffered"
_PLACED = re.compile(r"\b(?:the|in|at|of|from|to|near|for|on|an?)(?: [a-z-]+)? $", re.IGNORECASE)


class Antecedents(NamedTuple):
    """What the pronouns of a sentence stand for; empty where that is not certain."""

    he: str = ""
    she: str = ""
    it: str = ""
    they: str = ""
    rivals: str = ""  # the people of whom "he" or "she" may be any, if several fit

    @property
    def names(self) -> tuple[str, ...]:
        """What each pronoun stands for, in the order of the fields."""
        return self[: len(_PRONOUNS)]

    def of(self, pronoun: str) -> str:
        """What a pronoun, or a possessive, stands for; empty for any other word."""
        return str(self._asdict().get(_plain_form(pronoun), ""))


Names = str | Antecedents  # one name for every pronoun, or one for each kind of them


def replace_pronoun(
    text: str, name: Names, pronoun: re.Pattern[str] = ANY_PRONOUN, after_s: str = "'"
) -> str:
    """Replace a leading pronoun with what it stands for; without either the text stays as it is.

    `after_s` is the possessive ending of a name in -s.
    """
    match = pronoun.match(text)
    if not match or not (known := name if isinstance(name, str) else name.of(match.group())):
        return text
    ending = after_s if known.endswith("s") else "'s"
    return known + (ending if match["possessive"] else "") + text[match.end() :]


def take_up(subject: str, names: Names) -> Names:
    """What pronouns stand for in the next clause of a sentence, after a clause on this subject."""
    pronoun = _plain_form(subject)
    if pronoun and isinstance(names, Antecedents):
        return Antecedents(**{pronoun: names.of(pronoun)})
    if pronoun or not subject:
        return names
    if _MANY.match(subject):
        return Antecedents(they=subject)
    person = subject if _is_name(subject) else ""
    return Antecedents(he=person, she=person, it="" if " " in person else subject)


class Mentions:
    """What a text is about and the subject of its last sentence: pronouns mean one of them."""

    def __init__(self, about: str = "", plain: frozenset[str] = frozenset()) -> None:
        """`about` is what the text is about, by the question; empty if unknown.

        `plain` has the words that it writes in small letters: none of them is somebody's name.
        """
        self._plain = plain
        self._about = self._topic = self._last = about
        self._others: list[str] = []
        self._called: dict[str, str] = {}
        self._plural: set[str] = set()

    def read(self, sentence: str, subject: str) -> Antecedents:
        """What the pronouns of the next sentence stand for; its own mentions count from then on.

        >>> mentions = Mentions("Anna Vroom")
        >>> mentions.read("Piet Vroom drew maps.", "Piet Vroom").she
        'Anna Vroom'
        >>> mentions.read("He died in 1930.", "He").rivals
        'Piet Vroom or Anna Vroom'
        """
        fits = {pronoun: self._fitting(pronoun) for pronoun in _PRONOUNS}
        sole = {pronoun: names[0] for pronoun, names in fits.items() if len(names) == 1}
        # What a sentence names besides its subject may be a person.
        if sole.get("it") not in (self._last, self._topic):
            sole.pop("it", "")
        pronoun = _plain_form(subject or sentence)
        if _EMPTY.match(sentence):
            sole.pop("it", "")
            return Antecedents(**sole)
        if not pronoun or pronoun in sole:
            self._note(sentence, subject, pronoun, sole.get(pronoun, ""))
        is_open = pronoun in ("he", "she") and pronoun not in sole
        return Antecedents(**sole, rivals=" or ".join(fits[pronoun]) if is_open else "")

    def _fitting(self, pronoun: str) -> list[str]:
        """The names that a pronoun can stand for; of "Vroom" and "Anna Vroom" the longer one."""
        names = dict.fromkeys((self._last, self._topic, *self._others))
        fitting = [name for name in names if name and self._fits(pronoun, name)]
        words = {name: set(name.removeprefix("The ").split()) for name in fitting}
        return [n for n in fitting if not any(words[n] < other for other in words.values())]

    def _fits(self, pronoun: str, name: str) -> bool:
        if called := self._called.get(name):
            return called == pronoun
        if pronoun == "they" or name in self._plural:
            return pronoun == "they" and name in self._plural
        if pronoun != "it":
            return _is_name(name) and name.lower() not in self._plain
        return name == self._about or bool(_THING.match(name))

    def _note(self, sentence: str, subject: str, pronoun: str, meant: str) -> None:
        """Remember whom and what a sentence mentions."""
        rest = sentence.partition(subject)[2] if subject else sentence
        if pronoun:
            self._called[meant], self._last = pronoun, meant
        elif subject and subject not in ("I", "We", "You"):
            self._last = re.sub(r" ?\([^()]*\)", "", subject)
            self._topic = self._topic or self._last
            if _MANY.match(self._last) or re.match(r" (?:are|were|have)\b", rest):
                self._plural.add(self._last)
        self._others = subject.split(" and ") if " and " in subject else []
        # Names of several words may be people's, where no place or thing is named.
        long = [e for e in find_entities(rest) if e.kind == "name" and " " in e.text]
        if not self._about:
            self._others += [e.text for e in long if not _PLACED.search(rest[: e.start])]


def _is_name(mention: str) -> bool:
    return bool(NAME.fullmatch(mention)) and not _NO_NAME.match(mention)


def _plain_form(subject: str) -> str:
    """The pronoun that a subject is or begins with, as he, she, it or they; empty without one."""
    match = ANY_PRONOUN.match(subject)
    word = match.group().lower() if match else ""
    return {"his": "he", "her": "she", "its": "it", "their": "they"}.get(word, word)
