"""What the pronouns of a text stand for, by gender, number and the newest mention."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from errata.bounds import check_time
from errata.tools.text.clauses import find_subject
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.genders import Gender, find_gender, strip_title
from errata.tools.text.pronouns import ANY_PRONOUN, Antecedents, replace_pronoun

REACH = 12
"""How many sentences back a person may have been mentioned."""
LONGEST = 8
"""The most words of a subject that "it" can stand for."""
_THING_BEFORE = re.compile(r"\b[Tt]he $")
"""What stands before the name of a prize or a firm."""
_PLACE_BEFORE = re.compile(r"\b(?:in|from|at|to|near|of) $")
"""What often stands before a place, if its name is a single word."""
_GENDERS: dict[str, Gender] = {"he": "male", "his": "male", "she": "female", "her": "female"}
_QUOTED = re.compile(r"[\"“][^\"“”]+[\"”]")
"""Who or what is named in a title or a quotation is not spoken of."""
_OWNER = re.compile(r"['’](?:s\b|(?!\w))")
_POSSESSIVE = re.compile(r"['’]s?$")
_OWNED = re.compile(
    r"(?P<owner>.+?)(?:['’]s|(?<=s)['’]) (?P<thing>[a-z].*)"
    r"|[Tt]he (?!(?:city|town|village|island|state|kingdom|republic|province|county|district"
    r"|region|month|year|name) of [A-Z])"
    r"(?P<part>[a-z][\w-]*(?: [a-z][\w-]*){0,3}?) of (?P<whole>.+)"
)
"""A thing of another: "it" may then mean either."""
_ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_PAIR = re.compile(r"\band\b|^(?:both|two|three|four|five|all|most|some|many)\b", re.IGNORECASE)
_PLURAL_VERB = re.compile(r",? (?:are|were|have|do)\b")
_NOUN_PHRASE = re.compile(
    r"(?!(?:In|On|At|After|Before|During|From|Since|By|As|Over|With|Within|For|Among|Of|To|There"
    r"|No|Nobody|This|That|What|When|Where|Who|If)\b)"
    r"(?:[Tt]h(?:e|ese|ose)|[Ii]ts|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir|[A-Z][\w'’-]*)\b"
)
_SUBJECT_PRONOUN = re.compile(
    r"(?P<opening>(?:[A-Z]\w*ly|From|In|On|At|After|Before|During|Since|By|Until|Then|Later)\b"
    r"[^,;.]{0,40}?,? )(?=(?:he|she|it|they|his|her|its|their)\b)"
)


@dataclass(frozen=True)
class _Mention:
    """A name in a sentence that may be a person's."""

    name: str
    gender: Gender
    is_subject: bool


class Mentions:
    """The people and things that a text has mentioned so far."""

    def __init__(self, about: str = "") -> None:
        """`about` is what the text is about, by its title or the question; empty if unknown."""
        names = _split_pair(about) if about else []
        self._about = about
        self._genders: dict[str, Gender] = {}
        self._by_word: dict[str, set[str]] = {}
        for name in names:
            self._remember(name, find_gender(name))
        self._sentences = [[_Mention(name, self._genders[name], True) for name in names]]
        is_person = " " in about and bool(find_gender(about))
        self._thing = "" if is_person or len(names) > 1 else about
        self._many = "" if is_person and len(names) == 1 else about

    def read(self, sentence: str) -> Antecedents:
        """What the pronouns of the next sentence stand for; its own mentions count from then on."""
        check_time()
        men, women = self._people("male"), self._people("female")
        antecedents = Antecedents(
            he=men[0] if len(men) == 1 else "",
            she=women[0] if len(women) == 1 else "",
            it=self._thing,
            they=self._many,
            rivals=self._rivals(sentence, men, women),
        )
        self._note(sentence, antecedents)
        return antecedents

    @staticmethod
    def _rivals(sentence: str, men: list[str], women: list[str]) -> tuple[str, ...]:
        """Those of whom the pronoun that leads a sentence may mean any, if they are several."""
        pronoun = ANY_PRONOUN.match(sentence)
        gender = _GENDERS.get(pronoun.group().lower(), "") if pronoun else ""
        fit = men if gender == "male" else women if gender == "female" else []
        return tuple(fit) if len(fit) > 1 else ()

    def _people(self, gender: Gender) -> list[str]:
        """The people of a gender in the newest sentence that has one."""
        for mentions in reversed(self._sentences[-REACH:]):
            genders = {m.name: self._genders.get(m.name, m.gender) for m in mentions}
            known = [m for m in mentions if genders[m.name] == gender]
            several = known or [m for m in mentions if not genders[m.name] and m.is_subject]
            if several:
                best = [m for m in several if m.is_subject] or several
                return list(dict.fromkeys(m.name for m in best))
        return []

    def _note(self, sentence: str, antecedents: Antecedents) -> None:
        """Remember whom and what a sentence mentions."""
        subject = find_subject(sentence) or _leading_name(sentence)
        after = sentence.partition(subject)[2] if subject else ""
        pronoun = ANY_PRONOUN.match(subject or sentence)
        if pronoun:
            resolved = list(self._resolved(pronoun.group().lower(), antecedents))
        else:
            resolved = []
            self._note_thing(subject, after)
        self._sentences.append([*resolved, *self._named(sentence, subject, after)])

    def _resolved(self, pronoun: str, antecedents: Antecedents) -> Iterator[_Mention]:
        """The person whom a pronoun means; it tells the gender, too."""
        name = antecedents.of(pronoun)
        if name and pronoun in _GENDERS:
            self._remember(name, _GENDERS[pronoun])
            yield self._mention(name, "", is_subject=True)

    def _note_thing(self, subject: str, after: str) -> None:
        """A new subject that is no single person is what "it" or "they" means next."""
        if not _NOUN_PHRASE.match(subject) or len(subject.split()) > LONGEST:
            return
        is_plural = bool(_PAIR.search(subject) or _PLURAL_VERB.match(after))
        if self._is_person(subject) and not is_plural:
            return
        if not is_plural and (owned := _OWNED.fullmatch(subject)):
            self._note_owned(subject, *filter(None, owned.groups()))
            return
        self._thing = self._thing if is_plural else subject
        self._many = subject

    def _note_owned(self, subject: str, *parts: str) -> None:
        """Of a thing and its owner, "it" means the one that the text is about, if any.

        A person is no "it".
        """
        if any(self._is_person(part) for part in parts):
            self._thing, self._many = subject, ""
            return
        known = {_plain(name) for name in (self._thing, self._about) if name}
        named = [name for name in (subject, *parts) if _plain(name) in known]
        self._thing = self._many = named[0] if named else ""

    def _remember(self, name: str, gender: Gender) -> None:
        self._genders[name] = gender
        for word in name.split():
            self._by_word.setdefault(word, set()).add(name)

    def _is_person(self, name: str) -> bool:
        """Whether a name is somebody's, of two words or of a person who was mentioned."""
        return bool(" " in name and find_gender(name)) or self._is_known_person(name)

    def _is_known_person(self, name: str) -> bool:
        """Whether a name is a part of the name of somebody whose gender is known."""
        shared = [self._by_word.get(word, set()) for word in name.split()]
        return any(self._genders[full] for full in set.intersection(*shared)) if shared else False

    def _named(self, sentence: str, subject: str, after: str) -> Iterator[_Mention]:
        """The names of a sentence that may be people's.

        Of several in a subject the first is meant, unless "and" joins them: others say what else
        that person is called.
        """
        start = sentence.find(subject) if subject else 0
        end, is_taken = start + len(subject), False
        for entity in _unquoted_names(sentence):
            before = sentence[: entity.start]
            if not _NOUN_PHRASE.match(entity.text) or _is_no_person(entity.text, before):
                continue
            is_owner = bool(_OWNER.search(entity.text + sentence[entity.end : entity.end + 2]))
            is_inside = start <= entity.start and entity.end <= end and not is_owner
            is_subject = is_inside and not (is_taken and " and " not in subject)
            is_taken = is_taken or is_inside
            names = _split_pair(_POSSESSIVE.sub("", entity.text))
            for name in names if is_subject or not is_inside else ():
                mention = self._mention(name, before, is_subject=is_subject)
                if " " in name or mention.gender or _is_single(name, subject, after):
                    yield mention

    def _mention(self, name: str, before: str, *, is_subject: bool) -> _Mention:
        """A mention by the full name, if only one person has been mentioned by it."""
        words = set(strip_title(name).split())
        shared = (self._by_word.get(word, set()) for word in words)
        longer = [full for full in set.intersection(*shared) if words < set(full.split())]
        known = longer[0] if len(longer) == 1 else name
        gender = self._genders.get(known) or find_gender(known, before)
        if gender or is_subject:
            self._remember(known, gender)
        return _Mention(known, gender, is_subject)


def _plain(name: str) -> str:
    """A name without its article and the ending of an owner, in small letters."""
    return _ARTICLE.sub("", name, count=1).lower().removesuffix("'s")


def _leading_name(sentence: str) -> str:
    """The full name that a sentence begins with; empty without one."""
    first = next(iter(find_entities(sentence)), None)
    if first is None or first.kind != "name" or first.start or first.text.isupper():
        return ""
    return first.text if " " in first.text else ""


def _unquoted_names(sentence: str) -> Iterator[Entity]:
    """The names of a sentence, without those in titles and quotations, and without pairs."""
    quotes = list(_QUOTED.finditer(sentence))
    for entity in find_entities(sentence):
        is_quoted = any(quote.start() < entity.start < quote.end() for quote in quotes)
        is_pair = " and " in entity.text and len(_split_pair(entity.text)) == 1
        if entity.kind == "name" and not is_quoted and not is_pair:
            yield entity


def _is_no_person(name: str, before: str) -> bool:
    """Whether a name stands where things stand, or is a single word where places do."""
    is_place = bool(_PLACE_BEFORE.search(before)) and " " not in name
    return is_place or bool(_THING_BEFORE.search(before))


def _is_single(name: str, subject: str, after: str) -> bool:
    """Whether a single word is all of a subject in the singular."""
    return name == subject and not _PLURAL_VERB.match(after)


def _split_pair(name: str) -> list[str]:
    """The names of two people: of "Tove and Maren Eide" Tove Eide and Maren Eide."""
    first, joint, second = name.partition(" and ")
    if not (joint and find_gender(first) and find_gender(second)):
        return [name]
    family = second.partition(" ")[2]
    return [f"{first} {family}" if family and " " not in first else first, second]


def resolve_pronouns(sentences: Iterable[str], about: str = "") -> Iterator[Antecedents]:
    """What the pronouns of each sentence stand for; `about` is what the text is about.

    >>> text = ["Anna Vroom drew the plans and her brother Piet the lenses.", "He died in 1930."]
    >>> [antecedents.he for antecedents in resolve_pronouns(text)]
    ['', 'Piet']
    """
    mentions = Mentions(about)
    yield from map(mentions.read, sentences)


def name_subject(sentence: str, antecedents: Antecedents) -> str:
    """A sentence with what it stands for in place of a pronoun that is its subject.

    >>> name_subject("From 1952 she drew maps.", Antecedents(she="Marie Tharp"))
    'From 1952 Marie Tharp drew maps.'
    """
    match = _SUBJECT_PRONOUN.match(sentence)
    start = match.end("opening") if match else 0
    return sentence[:start] + replace_pronoun(sentence[start:], antecedents)
