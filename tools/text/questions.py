"""Questions: what they are about, whether a text asks, what a bare answer says."""

import re

from errata.tools.text.clauses import HAS_VERB, find_subject
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.pronouns import ANY_PRONOUN
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

_COMMANDS = frozenset(
    """characterise characterize compare compile compose create define describe discuss draft
    elaborate enumerate explain extract find generate give help identify illustrate introduce list
    mention name narrate outline paraphrase please prepare recap recount rewrite say show summarise
    summarize tell trace translate write""".split()
)  # words with which a message begins that asks for a text: a capital makes no names of them
_ASKING = frozenset(
    "who whom whose what which when where why how is are was were do does did can could will would "
    "should has have had am may might".split()
)
_QUESTION_MARKS = ("?", "？", "؟")
_STATEMENT_END = re.compile(r"[.!:;…\"”’)\]]\s*$")
_MOST = 8  # words of a bare answer
_ASKED = re.compile(r"(?:\w+ )?(?:who|what|which|when|where|whom|how)\b.+", re.IGNORECASE)


def question_entity(question: str) -> str:
    """The last name in a question, which is what it asks about; empty without a name."""
    return ["", *question_names(question)][-1]


def question_names(question: str) -> list[str]:
    """All names in a question, in order."""
    return [name.text for name in _names(question)]


def topic_stems(question: str) -> frozenset[str]:
    """The stems of all names in a question, which every claim may presuppose."""
    return frozenset(stem for name in _names(question) for stem in name.stems)


def answer_in_full(question: str, answer: str) -> str:
    """A bare answer with what was asked before it; empty if it is none to such a question.

    >>> answer_in_full("When was the Eiffel Tower opened?", "1889")
    'When was the Eiffel Tower opened: 1889.'
    """
    asked, words = question.strip().rstrip("? "), answer.strip(" .")
    is_short = 0 < len(split_words(words)) <= _MOST
    is_bare = is_short and not (HAS_VERB.search(words) or ANY_PRONOUN.match(words))
    return f"{asked}: {words}." if is_bare and _ASKED.fullmatch(asked) else ""


def asks(message: str) -> bool:
    """Whether a person's message asks or commands, as a whole; statements are a draft."""
    sentences = [message[start:end] for start, end in split_sentences(message)]
    statements = [sentence for sentence in sentences if not _asks(sentence)]
    if len(sentences) < 2:  # noqa: PLR2004  a lone phrase without an end mark is a search
        return not statements or not _STATEMENT_END.search(message)
    return len(statements) * 2 <= len(sentences)


def states(message: str) -> bool:
    """Whether a message plainly states: it asks nowhere, and is several sentences or has a verb."""
    sentences = [message[start:end] for start, end in split_sentences(message)]
    if asks(message) or any(_asks(sentence) for sentence in sentences):
        return False
    return len(sentences) > 1 or bool(find_subject(message.strip()))


def _asks(sentence: str) -> bool:
    """Whether a sentence asks, even if its mark is lost, or commands."""
    first = next((word.text.lower() for word in split_words(sentence)), "")
    inverted = first in _ASKING and not _STATEMENT_END.search(sentence)
    return inverted or first in _COMMANDS or sentence.rstrip().endswith(_QUESTION_MARKS)


def _names(question: str) -> list[Entity]:
    """The names in a question, without the word that makes it a command."""
    names = [entity for entity in find_entities(question) if entity.kind == "name"]
    return [name for name in names if name.text.lower() not in _COMMANDS]
