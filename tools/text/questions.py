"""Questions: what they are about, whether a text asks one, and what a bare answer to one says."""

import re
from collections.abc import Iterator

from errata.tools.text.clauses import FINITE, find_subject
from errata.tools.text.entities import Entity, find_entities
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import split_words

_COMMANDS = frozenset(
    """answer brief briefly bullet characterise characterize check compare compile compose continue
    create define describe detail discuss draft draw elaborate enumerate explain extract find fill
    generate give help highlight identify illustrate introduce list make mention name narrate note
    outline overview paraphrase please prepare present produce profile prove provide recap recount
    report rewrite say share short show sketch state sum summarise summarize summary suppose talk
    tell trace translate turn write""".split()
)
"""Words with which a command begins: a capital makes no names of them."""
_ASKING = frozenset(
    "who whom whose what which when where why how is are was were do does did can could will would "
    "should has have had am may might".split()
)
_QUESTION_MARKS = ("?", "？", "؟")
_STATEMENT_END = re.compile(r"[.!:;…\"”’)\]]\s*$")
_VERB = re.compile(rf"\b{FINITE}\b")
_ORDERS = frozenset(
    "tell write give describe explain list name summarise summarize compare define find show "
    "please discuss outline translate draft compose generate create help say".split()
)
"""Those with which a message begins that asks for a text; other commands begin statements, too."""
_LOOSE = 2
"""From how many content words outside names and numbers on an answer may be a sentence."""
_PRONOUNS = frozenset("i you he she it we they this that there".split())
_DONE = r"(?:[a-z]+ed|born|built|made|held|led|run|sold|found|set|lost|[a-z]+wn|[a-z]+tten)\b"
_BE = r"(?:is|are|was|were|has|have|had|can|will)\b"
_ASKED = re.compile(
    rf"(?:(?:who|what|which(?: \w+)+?) (?P<deed>(?!(?:do|does|did|{_BE})\b){FINITE}\b.*)"
    r"|how (?:many|much) (?:(?P<things>(?:\w+ )+?)(?:do|does|did) (?P<owner>.+)|(?P<counted>.+))"
    r"|(?:(?P<place>in|on|at|by|to|from) )?"
    r"(?P<ask>when|where|whom?|(?:what|which) (?:year|date|day)|what|which|how)\b(?: \w+)*? "
    rf"(?:(?:do|does|did) (?P<does>.+)"
    rf"|(?P<be>{_BE}) (?P<subject>.+?)(?: (?P<done>{_DONE}.*))?))",
    re.IGNORECASE,
)
_PLACED = re.compile(
    r"(?:in|on|at|by|to|from|near|since|around|during|after|before)\b", re.IGNORECASE
)
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)? [A-Z]|[A-Z][a-z]+ \d{1,2}\b(?!\d)")


def question_entity(question: str) -> str:
    """The last name in a question, which is what it asks about; empty without a name.

    >>> question_entity("In which city was Marie Curie born?")
    'Marie Curie'
    >>> question_entity("Summarise what you know of Vienna.")
    'Vienna'
    """
    return next((name.text for name in reversed(list(_names(question)))), "")


def question_names(question: str) -> list[str]:
    """All names in a question, in order.

    >>> question_names("Did Verdi meet Wagner in Venice?")
    ['Verdi', 'Wagner', 'Venice']
    """
    return [name.text for name in _names(question)]


def topic_stems(question: str) -> frozenset[str]:
    """The stems of all names in a question, which every claim may presuppose."""
    return frozenset(stem for name in _names(question) for stem in name.stems)


def answer_in_full(question: str, answer: str) -> str:
    """A bare answer as a statement with what was asked; empty if it is none to such a question.

    >>> answer_in_full("Who wrote it?", "Ada Lovelace.")
    'Ada Lovelace wrote it.'
    >>> answer_in_full("When was the Eiffel Tower opened?", "1889")
    'The Eiffel Tower was opened in 1889.'
    """
    words = answer.strip(" .")
    if not _is_bare(question, words):
        return ""
    asked = _ASKED.fullmatch(question.strip().rstrip("? "))
    full = _state(asked, words) if asked else ""
    return f"{full[:1].upper()}{full[1:]}." if full else ""


def _is_bare(question: str, answer: str) -> bool:
    """Whether an answer only names things, and nothing that the question speaks of."""
    words, entities = split_words(answer), find_entities(answer)
    named = sorted(e.start for e in entities if e.kind == "name")
    loose = [w for w in words if not any(e.start <= w.start < e.end for e in entities)]
    content = [word for word in loose if word.is_content]
    asked = {word.stem for word in split_words(question) if word.is_content}
    opens = bool(named) and named[0] == 0
    few = not content if opens else len(content) < _LOOSE
    has_verb = _VERB.search(answer) or any(w.text.lower() in _PRONOUNS for w in loose)
    return bool(words) and few and not has_verb and asked.isdisjoint(w.stem for w in content)


def _state(asked: re.Match[str], answer: str) -> str:
    """What a question asks and what answers it, as one statement."""
    if asked["deed"]:
        return f"{answer} {asked['deed']}"
    if asked["counted"]:
        return f"{answer} {asked['counted']}"
    if asked["things"]:
        things = (
            "" if _VERB.search(answer) or asked["things"].strip() in answer else asked["things"]
        )
        return f"{asked['owner']} {answer} {things}".strip()
    place = f"{_preposition(asked, answer)}{answer}"
    if asked["does"]:
        return f"{asked['does']} {place}"
    return " ".join(filter(None, (asked["subject"], asked["be"], asked["done"], place)))


def _preposition(asked: re.Match[str], answer: str) -> str:
    """What stands before the answer: the question's own preposition, or a time's or place's."""
    if _PLACED.match(answer):
        return ""
    if asked["place"]:
        return f"{asked['place'].lower()} "
    ask = asked["ask"].lower().split()[-1]
    if ask not in ("when", "where", "year", "date", "day"):
        return ""
    return "on " if ask != "where" and _DAY.search(answer) else "in "


def asks(message: str) -> bool:
    """Whether a person's message asks or commands, as a whole; statements are a draft.

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
    """Whether a sentence asks, even if its mark is lost, or commands."""
    first = next((word.text.lower() for word in split_words(sentence)), "")
    inverted = first in _ASKING and not _STATEMENT_END.search(sentence)
    return inverted or first in _ORDERS or sentence.rstrip().endswith(_QUESTION_MARKS)


def _names(question: str) -> Iterator[Entity]:
    """The names in a question, without the word that makes it a command."""
    for entity in find_entities(question):
        if entity.kind == "name" and entity.text.lower() not in _COMMANDS:
            yield entity
