"""Whether a person's message asks for an answer, or is a text to check."""

import re

from errata.tools.text.clauses import find_subject
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

_ASKING = frozenset(
    "who whom whose what which when where why how is are was were do does did can could will would "
    "should has have had am may might".split()
)
_COMMAND = frozenset(
    "tell write give describe explain list name summarise summarize compare define find show "
    "please discuss outline translate draft compose generate create help say".split()
)
_QUESTION_MARKS = ("?", "？", "؟")
_STATEMENT_END = re.compile(r"[.!:;…\"”’)\]]\s*$")


def asks(message: str) -> bool:
    """Whether a message asks or commands, as a whole; statements are a draft.

    >>> asks("Tell me about Marie Curie.")
    True
    >>> asks("Marie Curie was born in 1865. She kept bees.")
    False
    """
    sentences = [message[start:end] for start, end in split_sentences(message)]
    statements = [sentence for sentence in sentences if not _asks(sentence)]
    if len(sentences) < 2:  # noqa: PLR2004  a lone phrase without an end mark is a search
        return not statements or not _STATEMENT_END.search(message)
    return len(statements) * 2 <= len(sentences)


def states(message: str) -> bool:
    """Whether a message plainly states: it asks nowhere, and is several sentences or has a verb.

    >>> states("Marie Curie was born in 1865.")
    True
    >>> states("The life of Marie Curie.")
    False
    """
    sentences = [message[start:end] for start, end in split_sentences(message)]
    if asks(message) or any(_asks(sentence) for sentence in sentences):
        return False
    return len(sentences) > 1 or bool(find_subject(message.strip()))


def _asks(sentence: str) -> bool:
    words = split_words(sentence)
    first = words[0].text.lower() if words else ""
    return (
        sentence.rstrip().endswith(_QUESTION_MARKS)
        or first in _COMMAND
        or _inverted(sentence, first)
    )


def _inverted(sentence: str, first: str) -> bool:
    """Whether a question lost its mark: it opens with a question word and ends without a stop."""
    return first in _ASKING and not _STATEMENT_END.search(sentence)
