"""Which drafts say nothing of the world, so that checking them would be waste."""

import re

from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import split_sentences

_FORMULA = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|night)|(?:good)?bye|see you"
    r"|thanks|thank you|(?:you['’]re|you are|most) welcome|sorry|i apologi[sz]e"
    r"|let me know|feel free|(?:glad|happy|here) to|my pleasure|have a (?:nice|good|great)"
    r"|(?:sure|of course|certainly)(?=[,.!]? (?:i|glad|happy|let)\b|[.!]$)"
    r"|i (?:do not|don['’]t|cannot|can['’]t)|(?:can|could|may) i help)\b",
    re.IGNORECASE,
)


def is_small_talk(draft: str) -> bool:
    """Tell whether a draft only greets, thanks, asks or declines; in doubt it does not.

    >>> small_talk("You're welcome! Which city do you mean?")
    True
    >>> small_talk("Sure, the tower is 330 metres tall.")
    False
    """
    return all(_talk(draft[start:end].strip()) for start, end in split_sentences(draft))


def _talk(sentence: str) -> bool:
    """Take a sentence for talk where it names nothing, and asks or is made of a set phrase."""
    named = any(span.kind != "name" or span.start > 0 for span in find_entities(sentence))
    return not named and (sentence.endswith("?") or bool(_FORMULA.search(sentence)))
