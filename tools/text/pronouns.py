"""What leading pronouns stand for, and names put in their place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from errata.tools.text.entities import NAME, find_entities

_NO_THING = (
    r"(?! (?:(?:is|was|will be|would be) (?:also |not )?\w+"
    r" (?:to|that|for|how|who|when|where|why|what|whether)|takes|took|seems)\b)"
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


def take_up(subject: str, names: Names) -> Names:
    """What pronouns stand for in the next clause of a sentence, after a clause on this subject.

    >>> take_up("The mill", Antecedents(it="Oslo")).of("it")
    'The mill'
    """
    pronoun = _plain_form(subject)
    if pronoun and isinstance(names, Antecedents):
        he, she, it, they = (
            name if word == pronoun else ""
            for word, name in zip(("he", "she", "it", "they"), names.names, strict=True)
        )
        return Antecedents(he, she, it, they)
    if pronoun or not subject:
        return names
    if _MANY.match(subject):
        return Antecedents(they=subject)
    person = subject if _Mention(subject).is_name else ""
    is_thing = not _OWNED.search(subject) and (not person or " " not in person)
    return Antecedents(he=person, she=person, it=subject if is_thing else "")


_KIN = re.compile(
    r"(?:his|her|their) (?:\w+ )*?(?:father|mother|parent|brother|sister|son|daughter|child|husband"
    r"|wife|spouse|partner|uncle|aunt|cousin|friend|teacher|mentor|successor|predecessor)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r".*\band\b|(?:both|two|three|four|five|all|most|some|many)\b|(?:the )?[a-z]\w+s$",
    re.IGNORECASE,
)
_MANY_VERB = re.compile(r",? (?:are|were|have|do)\b")
_ONE_VERB = re.compile(r",? (?:is|was|has|does)\b")
_NO_NAME = re.compile(r"(?:The|A|An|This|That|These|Those|There)\b|.*['’]s?$")
_THING = re.compile(r"(?:[Tt]h(?:e|is|at)|[Aa]n?) |[A-ZÀ-Þ]")
_OWNED = re.compile(r"['’]s? [a-z]|[Tt]he [a-z][\w ]*? of ")
"""A thing of another: "it" may then mean either."""
_BRACKETS = re.compile(r" ?\([^()]*\)")
_QUOTED = re.compile(r"[\"“][^\"“”]+[\"”]")
_PLACED = re.compile(r"\b(?:the|in|at|of|from|to|near|for|on|an?)(?: [a-z-]+)? $", re.IGNORECASE)


@dataclass(frozen=True)
class _Mention:
    """Somebody or something that a text speaks of; `is_many` is None where that is open."""

    name: str
    is_many: bool | None = None

    @property
    def is_name(self) -> bool:
        return bool(NAME.fullmatch(self.name)) and not _NO_NAME.match(self.name)


class Mentions:
    """What a text is about and the subject of its last sentence: pronouns mean one of them."""

    def __init__(self, about: str = "") -> None:
        """`about` is what the text is about, by the question; empty if unknown."""
        self._topic = self._last = _Mention(about)
        self._others: list[_Mention] = []
        self._called: dict[str, str] = {}
        self._full: list[str] = [about]

    def read(self, sentence: str, subject: str) -> Antecedents:
        """What the pronouns of the next sentence stand for; its own mentions count from then on.

        >>> mentions = Mentions("Anna Vroom")
        >>> mentions.read("Piet Vroom drew maps.", "Piet Vroom").she
        'Anna Vroom'
        >>> mentions.read("He died in 1930.", "He").rivals
        ('Piet Vroom', 'Anna Vroom')
        """
        fits = {pronoun: self._fitting(pronoun) for pronoun in ("he", "she", "it", "they")}
        sole = {pronoun: names[0] for pronoun, names in fits.items() if len(names) == 1}
        pronoun = _plain_form(subject or sentence)
        rivals = fits[pronoun] if pronoun in ("he", "she") and len(fits[pronoun]) > 1 else []
        self._note(sentence, subject, pronoun, sole.get(pronoun, ""))
        return Antecedents(
            he=sole.get("he", ""),
            she=sole.get("she", ""),
            it=sole.get("it", ""),
            they=sole.get("they", ""),
            rivals=tuple(rivals),
        )

    def _fitting(self, pronoun: str) -> list[str]:
        """The names that a pronoun can stand for."""
        known = [name for name, called in self._called.items() if called == pronoun]
        others = [] if known and pronoun in ("he", "she") else self._others
        mentions = [m for m in (self._last, self._topic, *others) if m.name]
        names = list(dict.fromkeys(m.name for m in mentions if self._fits(pronoun, m)))
        words = [set(name.removeprefix("The ").split()) for name in names]
        longest = [
            n for n, own in zip(names, words, strict=True) if not any(own < w for w in words)
        ]
        return longest or names

    def _fits(self, pronoun: str, mention: _Mention) -> bool:
        if self._called.get(mention.name, pronoun) != pronoun:
            return False
        if pronoun == "they":
            return mention.is_many is True or mention.name in self._called
        if mention.is_many:
            return False
        if pronoun in ("he", "she"):
            return mention.is_name or bool(_KIN.match(mention.name))
        is_about = mention.name == self._full[0]
        return is_about or bool(_THING.match(mention.name) and not _OWNED.search(mention.name))

    def _note(self, sentence: str, subject: str, pronoun: str, meant: str) -> None:
        """Remember whom and what a sentence mentions; an open pronoun leaves all as it was."""
        if pronoun and not meant:
            return
        rest = sentence.partition(subject)[2] if subject else sentence
        if pronoun:
            if not self._called.get(meant):
                self._called[meant] = pronoun
            self._last = next(
                (m for m in (self._last, self._topic, *self._others) if m.name == meant), self._last
            )
        elif subject:
            name = _BRACKETS.sub("", subject)
            self._last = self._known(_Mention(name, _number(name, rest)))
            self._topic = self._topic if self._topic.name else self._last
        pair = subject.split(" and ") if " and " in subject else []
        self._others = [_Mention(name) for name in pair or [subject] if pair or _KIN.match(name)]
        names = [name for name in _full_names(rest) if not self._is_known(name)]
        self._others += [_Mention(name) for name in names if not self._full[0]]
        self._full += names

    def _known(self, mention: _Mention) -> _Mention:
        """A mention by the full name, if the text has only one with these words."""
        words = set(mention.name.split())
        longer = {full for full in (*self._full, self._topic.name) if words < set(full.split())}
        full = longer.pop() if len(longer) == 1 else ""
        if full and not (_MANY.match(full) or mention.is_many):
            return _Mention(full, mention.is_many)
        self._full += [mention.name] if mention.is_name else []
        return mention

    def _is_known(self, name: str) -> bool:
        words = set(name.split())
        return any(words & set(m.name.split()) == words for m in (self._last, self._topic))


def _plain_form(subject: str) -> str:
    """The pronoun that a subject is or begins with, as he, she, it or they; empty without one."""
    match = ANY_PRONOUN.match(subject)
    word = match.group().lower() if match else ""
    return {"his": "he", "her": "she", "its": "it", "their": "they"}.get(word, word)


def _number(subject: str, after: str) -> bool | None:
    """Whether a subject is in the plural, by its words and the verb after it; None if open."""
    if _ONE_VERB.match(after):
        return False
    return True if _MANY.match(subject) or _MANY_VERB.match(after) else None


def _full_names(text: str) -> Sequence[str]:
    """The names of several words, which may be people's, where no place or thing is named."""
    text = _QUOTED.sub(lambda match: "x" * len(match.group()), text)
    return [
        entity.text
        for entity in find_entities(text)
        if entity.kind == "name" and " " in entity.text and not _PLACED.search(text[: entity.start])
    ]
