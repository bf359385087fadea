"""Which sentences of a draft cannot go, because others that stay would point to nothing."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from errata.bounds import check_time
from errata.tools.local.antecedents import THING_PRONOUNS, Sentence, is_name
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import ANY_PRONOUN

_PERIOD = r"(?:day|night|week|month|year|season|decade|century|centurie|hour|minute|game|match)s?"
_POINTS_BACK = re.compile(
    r"(?:this|these|that|those(?! who)|such(?! as)|another|others?|one|ones|neither|either"
    r"|both(?! \w+(?: \w+){0,3} and )|each of (?:these|them)|(?:one|some|most|many|all|none|both"
    r"|two|three|half) of (?:these|those|them|which)|the (?:former|latter|other|others|same|rest"
    r"|pair|two|three|first|second|third|last|next|following|previous|resulting|above)"
    r"|there(?! (?:is|are|was|were|has|have|had|will|would|can|may|might|must|remains?|exists?)\b)"
    r"|then|ever since|since(?: then)?,?|thereafter|afterwards?|thereby|therefore|thus|hence|so"
    r"|consequently|accordingly|as (?:a result|a consequence|such)|because of (?:this|that|it)"
    r"|for (?:this|that|these|those|example|instance)|instead|otherwise|however|nevertheless"
    r"|nonetheless|still,|yet|but|and|or|nor|though|conversely|likewise|similarly|indeed|namely"
    r"|specifically|in (?:this|that|these|those|turn|contrast|fact|particular|response|return|other"
    r" words|doing so|the same \w+)|on the (?:other hand|contrary)|by (?:this|that|then|contrast)"
    r"|(?:at|during|after|before|from|with|until|till|on|to|of|under|through|since)"
    r" (?:this|that|these|those|then|which|the (?:same|former|latter))"
    rf"|(?:the|that) (?:same|following|next|previous) |(?:a|\w+) (?:few |couple of )?{_PERIOD}"
    rf" (?:later|earlier|before|after)|(?:soon|shortly|immediately|not long) (?:after|before)"
    r"|who|which|whose)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(
    r"(?:also|moreover|furthermore|additionally|in addition|besides|what is more|finally|later"
    r"|second(?:ly)?|third(?:ly)?|again|further)\b|(?:\w+ ){1,4}?(?:also|too|as well)\b",
    re.IGNORECASE,
)
_OBJECT = re.compile(
    r"\b(?!(?:is|was|are|were|became|remains?|in|on|at|of|by|from|since|until|for|during|over|than"
    r"|near|between|after|before|about|as|under|with|to|into|through|within|across)\b)\w+"
    r" (?:an?|the|its|his|her|their|several|two|three|many) \w"
)
_THERE = re.compile(r"(?<=\w )(?:there(?! (?:is|are|was|were))|him|them|it)\b")
_PLACED = re.compile(
    r"\b(?:in|at|from|to|of|near|on|during|since|by|until|for|over|before|after|into|around)"
    r" (?:the |[A-Z]\w+, )?$|[A-Z]\w+, $"
)
_ARTICLE = re.compile(r"\b(?:an?|the)(?: [a-z-]+)? $")
_NOUN = re.compile(r" (?!(?:and|or|who|is|was|in|on|at|of|to|for|with|by|from|as)\b)[a-z]")
_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]")
_FAR = 3
"""How many sentences back a name may stand that takes a pronoun's place."""
_LONG = 60
"""Characters of a subject that is too long to be repeated."""
_PERSON = re.compile(r"(?:er|or|ist|ian|man|woman|husband|wife|son|king|queen|boy|girl)$")
_CLASSES = {"his": "he", "her": "she", "its": "it", "their": "they"}


@dataclass
class Support:
    """What must be done so that the sentences that stay can be read."""

    stay: dict[int, str] = field(default_factory=dict)
    """Sentences that were to go and cannot, by number, each with the reason."""
    names: dict[int, str] = field(default_factory=dict)
    """Sentences in which a leading pronoun becomes a name."""


def support(sentences: Sequence[Sentence], gone: Set[int], breaks: Set[int]) -> Support:
    """Find what the sentences that stay need of those that were to go.

    A sentence whose number is in `breaks` comes after a heading. A leading pronoun becomes a name
    if it is certain which; else what it points to stays.
    """
    found, left = Support(), set(gone)
    while True:
        check_time()
        reading = _Reading(sentences, left, breaks)
        found.names = reading.names
        if not reading.needed:
            return found
        found.stay |= reading.needed
        left -= reading.needed.keys()


class _Reading:
    """A reading of the sentences that stay, as one reads who does not know the others."""

    def __init__(self, sentences: Sequence[Sentence], gone: Set[int], breaks: Set[int]) -> None:
        self.needed: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self._sentences, self._gone, self._breaks = sentences, gone, breaks
        self._known = {"person": "", "thing": ""}
        self._alone = True
        for number in range(len(sentences)):
            self._alone = self._alone or number in breaks
            if number not in gone:
                self._read(number, first=number in breaks)
                self._alone = False

    def _read(self, number: int, *, first: bool) -> None:
        """Read one sentence, the first after a heading or not."""
        sentence = self._sentences[number]
        orphaned = number - 1 in self._gone and not first
        if orphaned and _points_back(sentence, alone=self._alone):
            self._need(number - 1)
        if _pronoun(sentence):
            self._read_pronoun(number, sentence, orphaned=orphaned)
        elif sentence.subject:
            self._known["thing"] = sentence.subject
            if is_name(sentence.subject):
                self._known["person"] = sentence.subject

    def _need(self, number: int) -> None:
        """Keep a sentence, and what that goes on from."""
        while number in self._gone and number not in self.needed:
            self.needed[number] = "what follows it refers to it"
            goes_on = _POINTS_BACK.match(self._sentences[number].text)
            number -= bool(goes_on and number not in self._breaks)

    def _read_pronoun(self, number: int, sentence: Sentence, *, orphaned: bool) -> None:
        """Read a sentence that begins with a pronoun; it may need a name, or what was before."""
        kind = "thing" if _pronoun(sentence) in THING_PRONOUNS else "person"
        is_known = _same_name(self._known[kind], sentence.antecedent)
        before = self._sentences[number - 1]
        if orphaned and not (sentence.antecedent and _same_topic(before, sentence)):
            self.needed[number - 1] = "a pronoun after it may stand for something in it"
        elif sentence.source in self._gone and not is_known:
            if _is_certain(self._sentences, number):
                self.names[number] = sentence.antecedent
            else:
                self.needed[sentence.source] = "it is unclear what a pronoun after it stands for"
        elif sentence.source < 0 and not any(self._known.values()) and self._begins(number):
            self.names[number] = sentence.antecedent
        self._known[kind] = sentence.antecedent

    def _begins(self, number: int) -> bool:
        """Whether a sentence that names nothing comes first, since others are gone."""
        named = bool(self._sentences[number].antecedent)
        return named and bool(self._gone) and min(self._gone) < number


def _points_back(sentence: Sentence, *, alone: bool) -> bool:
    """Whether a sentence goes on from the one before, or, alone, from anything before."""
    if sentence.label:
        return False
    goes_on = _POINTS_BACK.match(sentence.text)
    return bool(goes_on or (alone and (_ADDS.match(sentence.text) or _THERE.search(sentence.text))))


def _pronoun(sentence: Sentence) -> str:
    """The pronoun at the beginning of the subject; empty without one."""
    match = ANY_PRONOUN.match(sentence.subject)
    return match.group().lower() if match else ""


def _same_topic(before: Sentence, sentence: Sentence) -> bool:
    """Whether a leading pronoun may stand for the subject of the sentence before, or its topic."""
    pronoun, earlier = (_CLASSES.get(p, p) for p in (_pronoun(sentence), _pronoun(before)))
    if earlier:
        return earlier == pronoun
    is_person = pronoun in ("he", "she")
    if not before.subject:
        return is_person
    return not (is_person and not is_name(before.subject) and _PERSON.search(before.subject))


def _same_name(known: str, name: str) -> bool:
    """Whether two names are the same, or one is part of the other."""
    words, others = set(known.split()), set(name.split())
    return bool(words and others) and (words <= others or others <= words)


def _is_certain(sentences: Sequence[Sentence], number: int) -> bool:
    """Whether nothing else than the antecedent can be what a leading pronoun stands for."""
    sentence = sentences[number]
    name, source = sentence.antecedent, sentence.source
    named = is_name(name) or name.startswith("The ")
    if not named or len(name) > _LONG or number - source > _FAR:
        return False
    is_many = name.endswith("s") or " and " in name
    pronoun = _pronoun(sentence)
    if pronoun in ("they", "their") and not is_many:
        return False
    is_thing = pronoun in THING_PRONOUNS
    between = sentences[source:number]
    return not any(_has_rival(other, name, is_thing=is_thing) for other in between)


def _has_rival(sentence: Sentence, name: str, *, is_thing: bool) -> bool:
    """Whether a sentence speaks of another person, or of another thing than its subject."""
    rest = sentence.text.removeprefix(sentence.subject)
    if is_thing and _OBJECT.search(rest):
        return True
    known = set(name.split())
    rest = _QUOTED.sub(lambda match: "x" * len(match.group()), rest)
    return any(
        entity.kind == "name"
        and not known & set(entity.text.split())
        and not _PLACED.search(rest[: entity.start])
        and not (_ARTICLE.search(rest[: entity.start]) and _NOUN.match(rest[entity.end :]))
        for entity in find_entities(rest)
    )
