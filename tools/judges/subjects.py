"""What a question names and what it asks of it, and whether a titled text is about that thing."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from unicodedata import normalize

from errata.tools.text.questions import question_names
from errata.tools.text.words import content_stems, split_stems

_WORK = "film movie documentary short episode series serial sitcom show television drama play video"
_MUSIC = "song album single ep band group musician singer rapper record soundtrack opera musical"
_BOOK = "book novel novella memoir story poem comic manga trilogy biography autobiography anthology"
_LAND = (
    "country state province region district county republic kingdom empire governorate department "
    "territory island prefecture canton oblast municipality emirate commune voivodeship division"
)
_TOWN = "city town village capital settlement municipality commune"
_OTHER = "game character company magazine newspaper ship river mountain surname name station school"
_KINDS: dict[str, str] = {
    "director": _WORK,
    "screenwriter": _WORK,
    "producer": f"{_WORK} {_MUSIC} game",
    "author": f"{_BOOK} play series treatise essay work textbook",
    "composer": f"{_WORK} {_MUSIC} symphony ballet cantata oratorio suite anthem piece score game",
    "genre": f"{_WORK} {_MUSIC} {_BOOK} game artist magazine writer author",
    "capital": _LAND,
    "capital of": _TOWN,
}
"""The kinds of thing of which something is asked; of others anything can be asked."""
_ALL_KINDS = frozenset(f"{_WORK} {_MUSIC} {_BOOK} {_LAND} {_TOWN} {_OTHER}".split())
_VERBS = {"directed": "director", "wrote": "author", "composed": "composer", "produced": "producer"}
_NAME = r"(?:the )?(?P<name>[A-Z0-9À-Þ\"“'‘].*)"
_FORMS = tuple(
    re.compile(form.replace("NAME", _NAME))
    for form in (
        r"(?:who|what|which \w+) (?:is|was|are|were) the (?P<asked>[a-z][a-z ]*?) (?:of|for) NAME",
        r"who (?P<asked>directed|wrote|composed|produced) NAME",
        r"what (?:is|was) NAME the (?P<asked>capital of)",
        r"(?:who|what) (?:is|was) NAME['’]s? (?P<asked>[a-z][a-z ]*)",
        r"(?:what|which) (?P<asked>[a-z]+) (?:is|was|does|did) NAME(?<! play)(?: play)?",
        r"in (?:what|which) (?P<asked>[a-z]+) (?:is|was) NAME(?<! (?:born|made))(?: born| made)?",
        r"(?P<asked>who) (?:is|was) NAME",
    )
)
_BRACKETS = re.compile(r"\s*\(([^)]*)\)\s*$")
_DEFINED = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one)\b([^.]*)")
OPENING = 300
"""How many characters of a text can say what it is about."""
QUESTION_STEMS = frozenset(
    split_stems("who whom whose what which when where why how many much tell give describe explain")
)


Relation = Literal["own", "namesake", "mentioned", "partly", "absent"]
"""What a titled text is to a name: under it as title, or so but about a thing of another kind than
asked; with the whole name in it; with half of its words; or with fewer."""
SHIFTS: dict[Relation, float] = {
    "own": 0.0,
    "namesake": -1.0,
    "mentioned": -1.5,
    "partly": -2.0,
    "absent": -2.5,
}
"""What a relation adds to the log odds that a text is relevant; by the shared half of PopQA."""
UNREAD = 2.0
"""What it adds that a text is about a thing whose name has no content words."""
UNSURE: tuple[Relation, ...] = ("namesake", "partly", "absent")
"""The relations of texts that alone never make a retrieval correct."""


@dataclass(frozen=True)
class Subject:
    """What a question names, and what it asks of it."""

    name: str
    asked: str

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of thing that have what is asked; empty where anything has it."""
        return frozenset(_KINDS.get(self.asked, "").split())

    @cached_property
    def spelled(self) -> str:
        """The name's stems, with a space around each."""
        return _spelled(self.name)

    def _is(self, title: str) -> bool:
        """Whether a title is the name, with or without names in the middle."""
        ours, theirs = self.spelled.split(), title.split()
        ends = len(ours) == 2 and len(theirs) == 3 and [theirs[0], theirs[-1]] == ours  # noqa: PLR2004
        return ours == theirs or ends

    def is_all_of(self, text: str) -> bool:
        """Whether a text has no word beside the name, as a heading."""
        return set(_spelled(text).split()) <= set(self.spelled.split())

    def shift(self, relation: Relation) -> float:
        """What a relation adds to the log odds that a text is relevant.

        Of a name without content words, "All Over", the features that compare words know nothing.
        """
        return UNREAD if relation == "own" and not content_stems(self.name) else SHIFTS[relation]

    def _opens(self, text: str) -> bool:
        """Whether the beginning of a text without a title holds the name."""
        return self.spelled in _spelled(text[:OPENING]) and (
            len(content_stems(self.name)) > 1 or self._stands_alone(text[:OPENING])
        )

    def _stands_alone(self, text: str) -> bool:
        """Whether the name is somewhere no part of a longer one: "Cats", not "Wild Cats"."""
        uses = re.finditer(rf"(?:(\w+) )?\b{re.escape(self.name)}\b(?: (\w+))?", text)
        return any(not _is_capital(u[2]) and (u[1] == "The" or not _is_capital(u[1])) for u in uses)

    def relation(self, title: str, text: str) -> Relation:
        """What a titled text has to do with the named thing."""
        if self._is(_spelled(_BRACKETS.sub("", title))) if title else self._opens(text):
            said = _kind_words(title, text)
            return "namesake" if self.kinds and said and not said & self.kinds else "own"
        whole = _spelled(f"{title} . {text}")
        short = len(content_stems(self.name)) <= 1
        if self.spelled in whole and not (short and not self._stands_alone(f"{title} . {text}")):
            return "mentioned"
        own = frozenset(self.spelled.split())
        held = own & frozenset(whole.split())
        return "partly" if 2 * len(held) >= len(own) else "absent"


def find_subject(question: str) -> Subject | None:
    """What a question names and asks; None where it does not ask one thing of one name.

    >>> find_subject("Who was the director of The International?")
    Subject(name='The International', asked='director')
    """
    plain = question.strip().rstrip("?").strip()
    for form in _FORMS:
        match = form.fullmatch(plain[:1].lower() + plain[1:])
        if match and _is_name(match["name"]):
            asked = match["asked"].lower()
            return Subject(match["name"], _VERBS.get(asked, asked))
    return None


def names_subject(question: str, opening: str, text: str) -> bool:
    """Whether a text, or the title and opening of its document, names what the question does.

    That is the last word, or more than half of all words, of the one thing that it asks about, else
    of any name in it; without a name any word. True where the question has no word to look for.
    """
    subject = find_subject(question)
    names = [subject.name] if subject else [n for n in question_names(question) if len(n) > 1]
    read = frozenset(_spelled(f"{opening} . {text}").split())
    if names:
        return any(_holds(read, _spelled(name).split()) for name in names)
    words = content_stems(question) - QUESTION_STEMS
    return not words or not words.isdisjoint(read)


def _holds(read: frozenset[str], name: list[str]) -> bool:
    return name[-1] in read or 2 * len(read.intersection(name)) > len(name)


def _is_name(text: str) -> bool:
    """Whether a text is capitalized as a name is, function words aside: no "Ann Lee wrote"."""
    words = text.split()
    small = [word for word in words if word[:1].islower()]
    return words[-1] not in small and not any(map(content_stems, small))


def _is_capital(word: str | None) -> bool:
    return (word or "")[:1].isupper()


def _spelled(text: str) -> str:
    """The stems of all words without accents, with a space around each."""
    letters = normalize("NFKD", text.replace("&", " and ").replace("+", " plus "))
    plain = "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f")
    return f" {' '.join(split_stems(plain))} "


def _kind_words(title: str, text: str) -> frozenset[str]:
    """The kinds that a title's brackets name, or else a text that begins with the title."""
    brackets = _BRACKETS.search(title)
    said = _words(brackets[1]) & _ALL_KINDS if brackets else frozenset()
    opens = _spelled(text[:OPENING]).startswith(_spelled(title))
    defined = _DEFINED.search(text[:OPENING]) if opens and not said else None
    return _words(defined[1]) & _ALL_KINDS if defined else said


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]+", text.lower()))
