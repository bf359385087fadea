"""Drafts that state no facts, so that checking them would be wasted."""

import re

from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import split_sentences

_SET_PHRASE = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|night)|(?:good)?bye|see you"
    r"|thanks|thank you|(?:you['’]re|you are|most) welcome|sorry|i apologi[sz]e"
    r"|let me know|feel free|(?:glad|happy|here) to|my pleasure|have a (?:nice|good|great)"
    r"|(?:sure|of course|certainly)(?=[,.!]? (?:i|glad|happy|let)\b|[.!]$)"
    r"|i (?:do not|don['’]t|cannot|can['’]t)|(?:can|could|may) i help)\b",
    re.IGNORECASE,
)


def is_small_talk(draft: str) -> bool:
    """Whether a draft only greets, thanks, asks or declines; False in doubt.

    >>> is_small_talk("You're welcome! Which city do you mean?")
    True
    >>> is_small_talk("Sure, the tower is 330 metres tall.")
    False
    """
    return all(_is_talk(draft[start:end].strip()) for start, end in split_sentences(draft))


def _is_talk(sentence: str) -> bool:
    """Whether a sentence has no entity after its first word, and is a question or set phrase."""
    has_entity = any(e.kind != "name" or e.start > 0 for e in find_entities(sentence))
    return not has_entity and (sentence.endswith("?") or bool(_SET_PHRASE.search(sentence)))
