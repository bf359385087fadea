"""Which sentences of a draft cannot go, because others that stay would point to nothing."""

import re
from collections.abc import Sequence, Set
from typing import NamedTuple

from errata.core.limits import check_time
from errata.tools.local.antecedents import Sentence, is_name
from errata.tools.text.pronouns import ANY_PRONOUN, Mentions, replace_pronoun

REFERS = "what follows it refers to it"
UNCLEAR = "it is unclear what a pronoun after it stands for"
_POINTS_BACK = re.compile(
    r"(?:(?:in|at|on|by|for|to|of|from|with|under|until|during|because|as|ever|the|all|any|some|many"
    r"|most|both|each|one|two|three|none|half) )*"
    r"(?:this|that|these|those|such|then|there(?! (?:is|are|was|were|has|have|had)\b)|another"
    r"|others?|ones?|same|former|latter|rest|next|following|previous|result|consequence|contrary"
    r"|example|instance|contrast|turn|fact|particular|response|return|addition|neither|either"
    r"|instead|otherwise|therefore|thus|hence|so|thereby|thereafter|consequently|accordingly"
    r"|however|nevertheless|nonetheless|yet|but|and|or|nor|though|likewise|similarly|conversely"
    r"|indeed|namely|specifically|since|later|afterwards?|who|which|whose)\b"
    r"|(?:\w+ ){1,3}(?:later|earlier|afterwards)\b",
    re.IGNORECASE,
)
"""A beginning that goes on from the sentence before."""
_PERSONS = frozenset(("he", "she", "his", "her"))


class Needs(NamedTuple):
    """What must be done so that the sentences that stay can be read."""

    stay: dict[int, str]
    """Sentences that were to go and cannot, by number, each with the reason."""
    names: set[int]
    """Sentences in which a leading pronoun becomes a name."""


def find_needs(sentences: Sequence[Sentence], gone: Set[int], breaks: Set[int]) -> Needs:
    """Find what the sentences that stay need of those that are to go.

    They are read as by one who does not know the others. A sentence whose number is in `breaks`
    comes after a heading. A leading "he" or "she" becomes a name where that alone can be meant;
    else what it points to stays.
    """
    needs, kept = Needs({}, set()), Mentions(_topic(sentences))
    first = next((n for n in range(len(sentences)) if n not in gone), 0)
    for number, sentence in enumerate(sentences):
        check_time()
        if number in gone or sentence.label:
            continue
        is_orphan = number - 1 in gone and number not in breaks
        pronoun, name = leading_pronoun(sentence), sentence.antecedent
        means = kept.read(sentence.text, sentence.subject).of(pronoun)
        if is_orphan and _needs_last(sentences[number - 1], sentence):
            _keep(needs, sentences, number - 1, gone)
        elif pronoun and (means != name or 0 < number == first):
            if pronoun in _PERSONS and is_name(name):
                needs.names.add(number)
                kept.read(replace_pronoun(sentence.text, name), name)
            elif sentence.source in gone:
                needs.stay[sentence.source] = UNCLEAR
    return needs


def _topic(sentences: Sequence[Sentence]) -> str:
    """Whom pronouns mean before anybody is named."""
    first = next((sentence for sentence in sentences if not sentence.label), None)
    return next(filter(None, first.antecedents.names), "") if first else ""


def leading_pronoun(sentence: Sentence) -> str:
    """The pronoun at the beginning of the subject; empty without one."""
    match = ANY_PRONOUN.match(sentence.subject)
    return match.group().lower() if match else ""


def _needs_last(last: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence goes on from the one before, or has a pronoun for something in it."""
    if _POINTS_BACK.match(sentence.text):
        return True
    pronoun, earlier = leading_pronoun(sentence), leading_pronoun(last)
    if not pronoun or pronoun == earlier:
        return False
    is_person = pronoun in _PERSONS and (earlier in _PERSONS or is_name(last.subject))
    return not (sentence.antecedent and is_person)


def _keep(needs: Needs, sentences: Sequence[Sentence], number: int, gone: Set[int]) -> None:
    """Keep a sentence, and what that goes on from."""
    while number in gone and number not in needs.stay:
        needs.stay[number] = REFERS
        number -= bool(_POINTS_BACK.match(sentences[number].text))
