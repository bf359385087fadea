"""What a question names, and whether a titled text is about that thing."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from unicodedata import normalize

from errata.tools.text.questions import question_names
from errata.tools.text.words import content_stems, split_stems, split_words

QUESTION_WORDS = frozenset(
    "who whom whose what which when where why how many much tell give describe explain bio "
    "biography".split()
)
_NAME = r"(?:the )?(?P<name>[A-Z0-9À-Þ\"“'‘].*)"
_FORMS = tuple(
    re.compile(form.replace("NAME", _NAME))
    for form in (
        r"(?:who|what|which \w+) (?:is|was|are|were) the [a-z][a-z ]*? (?:of|for) NAME",
        r"who (?:is|was|directed|wrote|composed|produced) NAME",
        r"what (?:is|was) NAME the capital of",
        r"(?:who|what) (?:is|was) NAME['’]s? [a-z][a-z ]*",
        r"(?:what|which) [a-z]+ (?:is|was|does|did) NAME(?<! play)(?: play)?",
        r"in (?:what|which) [a-z]+ (?:is|was) NAME(?<! (?:born|made))(?: born| made)?",
    )
)
_BRACKETS = re.compile(r"\s*\([^)]*\)\s*$")
OPENING = 300
"""How many characters of a text can say what it is about."""
Relation = Literal["own", "mentioned", "partly", "absent"]
"""What a titled text is to a name: under it as title; with the whole name in it; with half of its
words; or with fewer."""
SHIFTS: dict[Relation, float] = {"own": 0.0, "mentioned": -1.5, "partly": -2.0, "absent": -2.5}
"""What a relation adds to the log odds that a text is relevant; by the shared half of PopQA."""
UNREAD = 2.0
"""What it adds that a text is about a thing whose name has no content words."""
UNSURE: tuple[Relation, ...] = ("partly", "absent")
"""The relations of texts that alone never make a retrieval correct."""
BEARERS = 3
"""The most things of one name that an answer tells of."""


@dataclass(frozen=True)
class Subject:
    """What a question names."""

    name: str

    @cached_property
    def spelled(self) -> str:
        """The name's stems, with a space around each."""
        return _spelled(self.name)

    def shift(self, relation: Relation) -> float:
        """What a relation adds to the log odds that a text is relevant."""
        return UNREAD if relation == "own" and not content_stems(self.name) else SHIFTS[relation]

    def _stands_alone(self, text: str) -> bool:
        """Whether the name is somewhere no part of a longer one: "Cats", not "Wild Cats"."""
        uses = re.findall(rf"(?:(\w+) )?\b{re.escape(self.name)}\b(?: (\w+))?", text)
        return any(not a[:1].isupper() and (b == "The" or not b[:1].isupper()) for b, a in uses)

    def relation(self, title: str, text: str) -> Relation:
        """What a titled text has to do with the named thing; without a title by its beginning."""
        head = _spelled(bare_title(title) if title else text[:OPENING])
        is_short = len(content_stems(self.name)) <= 1
        opens = self.spelled in head and not (is_short and not self._stands_alone(text[:OPENING]))
        # Paul the Apostle is Paul.
        epithet = head.removeprefix(f"{self.spelled}the ").split()
        if (head == self.spelled or len(epithet) == 1 < len(head.split())) if title else opens:
            return "own"
        whole = _spelled(f"{title} . {text}")
        if self.spelled in whole and not (is_short and not self._stands_alone(f"{title} . {text}")):
            return "mentioned"
        own = frozenset(self.spelled.split())
        held = own & frozenset(whole.split())
        return "partly" if 2 * len(held) >= len(own) else "absent"


def find_asked_subject(question: str) -> Subject | None:
    """What a question names; None where it does not ask one thing of one name.

    >>> find_asked_subject("Who was the director of The International?")
    Subject(name='The International')
    """
    plain = question.strip().rstrip("?").strip()
    for form in _FORMS:
        if match := form.fullmatch(plain[:1].lower() + plain[1:]):
            # It is capitalized as a name is, function words aside: no "Ann Lee wrote".
            words = match["name"].split()
            small = [word for word in words if word[:1].islower()]
            if words[-1] not in small and not any(map(content_stems, small)):
                return Subject(match["name"])
    return None


def asked_stems(question: str) -> list[str]:
    """The distinct content stems in order, without question words."""
    words = (word for word in split_words(question) if word.is_content)
    return list(dict.fromkeys(w.stem for w in words if w.text.lower() not in QUESTION_WORDS))


def bare_title(title: str) -> str:
    """A title without the brackets after it: "Cats (musical)"."""
    return _BRACKETS.sub("", title)


def find_bearers(question: str, titles: Iterable[str]) -> list[str]:
    """The titles that are the name a question asks about, if one of them has brackets after it.

    These tell apart what bears one name: "Cats (film)". A page that lists bearers is none.

    >>> find_bearers("Who directed Cats?", ["Cats (film)", "Cats", "Dogs (film)"])
    ['Cats (film)', 'Cats']
    """
    subject = find_asked_subject(question)
    own = [t for t in dict.fromkeys(titles) if subject and subject.relation(t, "") == "own"]
    own = [title for title in own if not title.endswith(" (disambiguation)")]
    return own if any(bare_title(title) != title for title in own) else []


def names_subject(question: str, opening: str, text: str) -> bool:
    """Whether a text, or the title and opening of its document, names what the question does.

    That is the last word, or more than half of all words, of the one thing that it asks about, else
    of any name in it; without a name any word. True where the question has no word to look for.
    """
    subject = find_asked_subject(question)
    names = [subject.name] if subject else [n for n in question_names(question) if len(n) > 1]
    read = frozenset(_spelled(f"{opening} . {text}").split())
    spelled = [_spelled(name).split() for name in names]
    if names:
        return any(n[-1] in read or 2 * len(read.intersection(n)) > len(n) for n in spelled)
    words = asked_stems(question)
    return not words or not read.isdisjoint(words)


def _spelled(text: str) -> str:
    """The stems of all words without accents, with a space around each."""
    letters = normalize("NFKD", text.replace("&", " and ").replace("+", " plus "))
    plain = "".join(letter for letter in letters if not "\u0300" <= letter <= "\u036f")
    return f" {' '.join(split_stems(plain))} "
