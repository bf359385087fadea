"""Where a strip says what a claim says, in its words or in words that mean the same."""

import re
from collections.abc import Iterator, Sequence

from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.clauses import FINITE
from errata.tools.text.denials import deny_alike
from errata.tools.text.entities import DATE, NAME
from errata.tools.text.strips import Strip
from errata.tools.text.synonyms import synonyms_of
from errata.tools.text.words import Word, split_words

TELLING = frozenset(
    """he she it they no not never only all some none before after more less than may must
    can""".split()
)
"""Words that are no content words, but on which it depends what a sentence says."""
FEWEST = 2
"""The fewest words by which a strip can be told to say what a claim says."""
_WEAKENED = re.compile(
    r"\b(?:if|may|might|could|would|should|can|cannot|only|almost|nearly|not|never|no|unless|except"
    r"|until|planned|plans|tried|attempted|failed|refused|proposed|hoped|wanted|denied|rumou?red"
    r"|former|formerly|to be|allegedly|reportedly|said to|instead|rather|neither|nor|without|fewer"
    r"|less|few|hardly)\b",
    re.IGNORECASE,
)
"""What a strip must not say between a claim's words unless the claim says it, too."""
_RESERVED = re.compile(
    r"\b(?:allegedly|reportedly|supposedly|alleged|rumou?red|planned|to be|myth|hoax|denie[sd]"
    r"|lacks?|lacked|mistaken|rejected|idea that|claims? that|if|unless|but|except|vice|deputy"
    r"|former|formerly|assistant|honorary|acting|(?:second|third) \w+est"
    r"|(?:brother|sister|son|daughter|wife|husband|father|mother|friend) of)\b",
    re.IGNORECASE,
)
"""Words before or between a claim's words that make something else of them."""
_TAKEN_BACK = re.compile(
    r"\b(?:is|was|are|were) (?:false|untrue|wrong|a myth|denied|rejected|withdrawn|delayed"
    r"|cancelled)\b"
)
"""What takes back what stands before it."""
_BESIDE = re.compile(
    rf"\([^()]*\)|,[^,]*,|.*\b(?:and|or),? |^[^,]{{0,60}}, "
    rf"|\b(?:in|on|at|from|of|near|since|until) (?:the )?"
    rf"(?:{NAME.pattern}|{DATE.pattern}|\d{{4}})\b"
)
_VERB = re.compile(rf"{FINITE}|(?:weigh|cost|measure|need|contain|last|mean|stand|lie|run)s")
_OWNER = re.compile(r"['’]s?$")
_OTHER_SUBJECT = re.compile(
    rf"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|who|which|whose|[A-Z]\w+|the \w+) (?:{FINITE})\b"
)
"""Where another subject begins: what follows is said of that."""


def find_statement(claim: Reading, evidence: Evidence) -> Strip | None:
    """The strip that has all telling words of a claim in order and takes nothing back.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> evidence = Evidence(split_strips(Document(text="Ada Lind was a physician in Bergen.")))
    >>> find_statement(Reading("Ada Lind was a doctor."), evidence).text
    'Ada Lind was a physician in Bergen.'
    """
    strips = (strip for strip, _ in evidence.best(claim))
    return next((strip for strip in strips if _says(evidence.named(strip), claim)), None)


def find_reservation(claim: Reading, evidence: Evidence) -> str:
    """Why a strip that has all telling words of a claim in order does not say it; empty if none.

    >>> from errata.records import Document
    >>> from errata.tools.text.strips import split_strips
    >>> evidence = Evidence(split_strips(Document(text="The drug allegedly cures gout.")))
    >>> find_reservation(Reading("The drug cures gout."), evidence)
    'the evidence says so only with “allegedly”'
    """
    for strip, _ in evidence.best(claim):
        read = evidence.named(strip)
        found = list(_in_order(_telling(claim), read.words))
        if len(found) == len(_telling(claim)) >= FEWEST and (word := _reserve(read, claim, found)):
            return f"the evidence says so only with “{word}”"
    return ""


def _reserve(strip: Strip, claim: Reading, found: Sequence[Word]) -> str:
    """The word of a strip by which it does not say what the claim's words say."""
    if strip.text.rstrip().endswith("?") and not claim.text.rstrip().endswith("?"):
        return "?"
    ours = {word.text.lower() for word in claim.words}
    after = strip.text[found[-1].end :]
    told = (m[0] for gap in _gaps(found, strip.text) for m in _RESERVED.finditer(gap))
    late = (m[0] for m in _TAKEN_BACK.finditer(after))
    return next((word for word in (*told, *late) if word.strip().lower() not in ours), "")


def _telling(claim: Reading) -> list[Word]:
    """The words of a claim on which it depends what it says."""
    return [w for w in claim.words if w.is_content or w.text.lower() in TELLING]


def _says(strip: Strip, claim: Reading) -> bool:
    telling = _telling(claim)
    found = list(_in_order(telling, strip.words))
    if len(found) < max(FEWEST, len(telling)) or strip.text.rstrip().endswith("?"):
        return False
    gaps = list(zip(_gaps(found, strip.text), found, strict=True))
    is_turned = any(_turns(gap, claim) or _restricts(gap, word) for gap, word in gaps)
    is_turned = is_turned or _is_borrowed(strip, found) or bool(_reserve(strip, claim, found))
    return deny_alike(claim.words, strip.words, claim.bag) and not is_turned


def _is_borrowed(strip: Strip, found: Sequence[Word]) -> bool:
    """Whether a value of the claim stands behind another one, and nothing else of the claim does.

    In "Finland followed in 1906, and Norway in 1913" Finland did not follow in 1913.
    """
    values = [(e.start, e.end) for e in strip.entities if e.kind != "name"]
    ours = [(a, b) for a, b in values if any(a <= word.start < b for word in found)]
    others = [value for value in values if value not in ours]
    rest = [word for word in found if not any(a <= word.start < b for a, b in ours)]
    return any(
        end <= start and not any(word.start >= end for word in rest)
        for start, _ in ours
        for _, end in others
    )


def _in_order(telling: Sequence[Word], words: Sequence[Word]) -> Iterator[Word]:
    """For each telling word of a claim the next word of a strip that means the same."""
    rest = iter(words)
    for word in telling:
        match = next((other for other in rest if _means(word, other)), None)
        if match is None:
            return
        yield match


def _means(word: Word, other: Word) -> bool:
    """Whether two words mean the same; of "Ada's spouse" nothing is said of Ada."""
    is_alike = other.stem == word.stem or other.stem in synonyms_of(word.stem)
    return is_alike and bool(_OWNER.search(word.text)) >= bool(_OWNER.search(other.text))


def _gaps(found: Sequence[Word], text: str) -> Iterator[str]:
    """What a strip says before each word of a claim, with that word."""
    for end, word in zip([0, *(word.end for word in found)], found, strict=False):
        yield text[end : word.end]


def _turns(gap: str, claim: Reading) -> bool:
    """Whether what stands before a word weakens what is said, or says it of another."""
    weak = _WEAKENED.findall(gap)
    ours = {word.text.lower() for word in claim.words}
    is_weak = any(word.lower() not in ours for word in weak)
    return is_weak or bool(_OTHER_SUBJECT.search(gap))


def _restricts(gap: str, word: Word) -> bool:
    """Whether content words stand before a word that they may restrict: "vice" before "president".

    Nothing restricts a number, or a verb behind its subject. What is in brackets, between commas,
    joined by "and", or says when or where stands beside the word.
    """
    is_verb = bool(_VERB.fullmatch(word.text))
    is_behind = len(gap) < word.end and (word.text[0].isdigit() or is_verb)
    before = "" if is_behind else gap.removesuffix(word.text)
    return any(other.is_content for other in split_words(_BESIDE.sub(" ", before)))
