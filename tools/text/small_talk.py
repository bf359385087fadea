"""Sentences that state no facts, so that checking them would be wasted."""

import re

from errata.tools.text.clauses import FINITE
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import split_sentences

_SET_PHRASE = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|night)|(?:good)?bye|see you"
    r"|thanks|thank you|(?:you['’]re|you are|most) welcome|sorry|i apologi[sz]e"
    r"|let me know|feel free|(?:glad|happy|here) to|my pleasure|have a (?:nice|good|great)"
    r"|(?:sure|of course|certainly)(?=[,.!]? (?:i|glad|happy|let)\b|[.!]$)"
    r"|i (?:do not|don['’]t|cannot|can['’]t)|(?:can|could|may) i help"
    r"|(?:hope|hoping) (?:you|this|that|it)|wish(?:es|ing)? you|(?:good|best of) luck|take care"
    r"|congratulations|cheers|best wishes|(?:kind|best|warm) regards|enjoy your"
    r"|safe (?:travels|journey|trip))\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:i|we)(?:['’]d| would| really| just| personally| also| do| still)*"
    r" (?:think|believe|feel|love|like|adore|enjoy|hate|prefer|recommend|suggest|hope|wish|guess)\b"
    r"|^(?:if only|how (?:lovely|nice|sad|awful|beautiful|exciting|strange)|what an?)\b"
    r"|\bi(?:['’]m| am| was| find| found) (?:\w+ )?(?:so|very|really|quite|it|that|them)\b"
    r"|\bin my (?:humble )?(?:opinion|view)\b"
    r"|^you (?:really )?(?:should|must|have to|might want to|could) (?:definitely )?"
    r"(?:see|visit|try|go|read|watch|ask|consult|check)\b",
    re.IGNORECASE,
)
_FACTUAL_QUESTION = re.compile(r"\bdid you know\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_VERB = re.compile(rf"\b{FINITE}\b")
_LEAD_IN = re.compile(
    r"\b(?:follow\w*|below|here|like this|such as|namely|includ\w+|are|is|were|was)"
    r"(?: \w+){0,2}\s*:\Z",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:\w+ ){0,3}\w+\s*:\Z")


def is_small_talk(draft: str) -> bool:
    """Whether a draft only greets, thanks, asks or declines; False in doubt.

    >>> is_small_talk("You're welcome! Which city do you mean?")
    True
    >>> is_small_talk("Sure, the tower is 330 metres tall.")
    False
    """
    return all(_is_talk(draft[start:end].strip()) for start, end in split_sentences(draft))


def states_nothing(sentence: str) -> bool:
    """Whether a sentence greets, asks, praises or leads in to what follows; False in doubt.

    >>> states_nothing("What a city!"), states_nothing("I think it is the best in Europe.")
    (True, True)
    >>> states_nothing("I think it was built in 1357.")
    False
    """
    facts = any(e.kind != "name" and _DIGIT.search(e.text) for e in find_entities(sentence))
    if sentence.endswith("?"):
        return not _FACTUAL_QUESTION.search(sentence)
    if facts:
        return False
    verbless = not _VERB.search(sentence)
    if verbless and (sentence.endswith("!") or _LABEL.match(sentence)):
        return True
    leads = _OPINION.search(sentence) or _LEAD_IN.search(sentence)
    return bool(leads) or _is_talk(sentence)


def _is_talk(sentence: str) -> bool:
    """Whether a sentence has no entity after its first word, and is a question or set phrase."""
    has_entity = any(e.kind != "name" or e.start > 0 for e in find_entities(sentence))
    return not has_entity and (sentence.endswith("?") or bool(_SET_PHRASE.search(sentence)))
