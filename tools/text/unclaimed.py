"""What of a draft claims nothing, so that it is neither checked nor taken out, and why.

Headings, links and lists of sources are told by their place and form; greetings, questions,
opinions, instructions, lead-ins and remarks on the answer by their words. In doubt a sentence
claims something, and so does any but a question that has a figure or a date.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from errata.records import Skipped
from errata.spans import Span
from errata.tools.text.clauses import FINITE
from errata.tools.text.entities import find_entities
from errata.tools.text.markdown import READING
from errata.tools.text.prose import Passage, read_passages, read_sentences
from errata.tools.text.sentences import split_sentences

COURTESY, QUESTION, OPINION = "a courtesy", "a question", "an opinion"
INSTRUCTION, LEAD_IN, REMARK = "an instruction", "a lead-in", "a remark on the answer"
HEADING, SOURCE, EXCLAMATION = "a heading", "a link or a source", "an exclamation"

_ACTIONS = """
    add adjust apply arrange ask attach avoid bake begin boil bring browse brush bring buy choose
    click collect combine complete configure confirm connect consider consult contact continue copy
    create delete dissolve download drag drain eat edit enable ensure enter explore export fill find
    finish follow gather get give go grab hand heat hold import include insert inspect install
    invite join keep launch learn leave let locate log look make measure melt mix move navigate
    obtain pack paste pay peel pick place plug pour prepare preheat press pull push put read refer
    register remove repeat replace rinse scroll search select send serve shake share show sign
    simmer skip slice soak sprinkle stay stir stop submit swipe switch take tap tell tie tighten
    toggle transfer try turn type unlock unplug update upgrade upload use verify visit wait wash
    wear whisk wipe wrap write
"""
_NOUNS_TOO = """
    book build call carry change check clean clear close cook cover cut drink drive drop dry fit fix
    fold lay lift light list load lower mount open order plan record reduce release roll run save
    season set shut spread start store test touch walk warm watch
"""
"""Verbs of instructions; those of the second list begin other sentences, too."""
_VERB_FORM = "|".join(_ACTIONS.split())
_NOUN_FORM = "|".join(_NOUNS_TOO.split())
_OBJECT = r"(?:the|an?|your|it|them|this|these|those|all|any|each|both|every|some)\b"
_SEQUENCE = (
    r"(?:(?:(?:and |but )?(?:then|next|first|second|third|finally|lastly|now|also|please|just"
    r"|simply|afterwards|after that|otherwise|alternatively|always|never|do not|don['’]t)"
    r"|step \d+[:.]|(?:to|once|when|if|before|after|as soon as) [^,:]{1,80}(?=,)),? )"
)
_HAS_VERB = re.compile(rf"\b{FINITE}\b")
_INSTRUCTION = re.compile(
    rf"{_SEQUENCE}*(?:{_VERB_FORM}|{_NOUN_FORM}) {_OBJECT}"
    rf"|{_SEQUENCE}+(?:{_VERB_FORM}|{_NOUN_FORM})\b(?! (?:of|{FINITE})\b)"
    rf"|{_SEQUENCE}*you(?:['’]ll| will| can| could| may| might| should| (?:want|need|have) to)+ "
    rf"(?:also |then |now |always |just |simply )*(?:see|{_VERB_FORM}|{_NOUN_FORM})\b",
    re.IGNORECASE,
)
_SHORT_INSTRUCTION = re.compile(
    rf"(?i:{_VERB_FORM})\b(?! of\b)|(?i:{_NOUN_FORM})(?= [A-Z\"“])", re.MULTILINE
)
"""The beginning of an instruction that has no finite verb."""
_TALK = re.compile(
    r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|night)|(?:good)?bye|see you"
    r"|thanks(?! to)|thank you|(?:you['’]re|you are|most) welcome|sorry|i apologi[sz]e"
    r"|(?:glad|happy|here) to|my pleasure|have a (?:nice|good|great)"
    r"|(?:sure|of course|certainly)(?=[,.!]? (?:i|glad|happy|let)\b|[.!]$)"
    r"|i (?:do not|don['’]t|cannot|can['’]t)|(?:can|could|may) i help"
    r"|(?:hope|hoping) (?:you|this|that|it)|wish(?:es|ing)? you|(?:good|best of) luck|take care"
    r"|congratulations|cheers|best wishes|(?:kind|best|warm) regards|enjoy your"
    r"|safe (?:travels|journey|trip))\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"(?:please )?(?:let me know|feel free|(?:do not|don['’]t) hesitate"
    r"|(?:i )?(?:really )?hope (?:this|that|it) (?:\w+ )?(?:helps?|was|is|clarifies|answers)"
    r"|(?:i['’](?:m|d)|i am|i would be) (?:glad|happy|here)"
    r"|if (?:you|there) .*(?:let me know|feel free|just ask|please ask|happy to))\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:i|we)(?:['’]d| would| really| just| personally| also| do| still)*"
    r" (?:think|believe|feel|love|like|adore|enjoy|hate|prefer|recommend|suggest|hope|wish|guess)\b"
    r"|^(?:if only|how (?:lovely|nice|sad|awful|beautiful|exciting|strange)|what an?)\b"
    r"|\bi(?:['’]m| am| was| find| found) (?:\w+ )?(?:so|very|really|quite|it|them|that \w+ly)\b"
    r"|\bin my (?:humble )?(?:opinion|view)\b",
    re.IGNORECASE,
)
_EVIDENCE = (
    r"(?:documents|sources|passages|texts|excerpts|(?:search )?results|materials|articles"
    r"|(?:provided|given|available|retrieved|supplied|your) (?:\w+ )?"
    r"(?:document|source|passage|text|excerpt|context|evidence|material|article|information))"
)
_REMARK = re.compile(
    r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b"
    r"|^(?:[^,.]{1,80}, )?(?:but )?i(?:['’]m| am|['’]ve| have| was| do| did| could| can| will"
    r"|['’]ll| would|['’]d)?(?: ?not|n['’]t)?(?: \w+ly| only| just| also)* (?:find|found|see"
    r"|locate|verify|confirm|tell|say|answer|provided?|know|access|browse|search(?:ed)?|help|assist|explain|sure"
    r"|summari[sz]ed?|list(?:ed)?|include[d]?|able|unable|certain|determine|check(?:ed)?|assumed?"
    r"|relied|looked|used|have (?:\w+ )?(?:access|information|details|data))\b(?! that\b)"
    rf"|\b{_EVIDENCE}(?: \w+){{0,3}} (?:does|do|did)(?: not|n['’]t)(?: \w+ly)? (?:mention|say"
    r"|contain|include|provide|specify|state|give|discuss|cover|address|indicate|list|describe|answer)"
    rf"|^(?:there (?:is|was)|i (?:have|found|see)) no (?:information|mention|evidence)\b"
    rf"|^no (?:information|mention|evidence)\b.* (?:in|by|from) (?:the |these |your )?{_EVIDENCE}"
    r"|^(?:this|my|the above) (?:answer|response|reply|summary|overview|explanation)\b",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"\b(?:follow\w*|below|here|like this|such as|namely|includ\w+|are|is|were|was)"
    r"(?: \w+){0,2}\s*:\Z|\A(?:sure|certainly|of course|okay|ok|great|here|below|i|we)\b.*:\Z",
    re.IGNORECASE | re.DOTALL,
)
_LABEL = re.compile(r"(?:\w+ ){0,3}\w+\s*:\Z")
_SOURCES = re.compile(
    r"(?:(?:list of )?(?:sources?|references|citations|bibliography|works cited|footnotes)"
    r"|(?:external |useful )?links|further reading|read more|learn more|see also)"
    r"(?: (?:used|cited|consulted))?",
    re.IGNORECASE,
)
_SOURCE_LINE = re.compile(rf"{_SOURCES.pattern}\s*:", re.IGNORECASE)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>]+")
_FACTUAL_QUESTION = re.compile(r"\bdid you know\b", re.IGNORECASE)
_WORD = re.compile(r"\w")
_DIGIT = re.compile(r"\d")
_STEP = re.compile(r"step \d+[:.]? ", re.IGNORECASE)
_TIMED = re.compile(
    r"\b(?:noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|daily|weekly|monthly|yearly"
    r"|once|twice|two|three|four|five|six|seven|eight|nine|ten|dozen|half)\b",
    re.IGNORECASE,
)
"""Figures and times in words, which make an instruction one that can be wrong."""


def is_small_talk(draft: str) -> bool:
    """Whether a draft only greets, thanks, asks or declines; False in doubt.

    >>> is_small_talk("You're welcome! Which city do you mean?")
    True
    >>> is_small_talk("Sure, the tower is 330 metres tall.")
    False
    """
    return all(_is_talk(draft[start:end].strip()) for start, end in split_sentences(draft))


def why_unclaimed(sentence: str) -> str:
    """What a sentence is that claims nothing; empty if it may claim something.

    >>> why_unclaimed("I think it is the best in Europe."), why_unclaimed("Then click Save.")
    ('an opinion', 'an instruction')
    >>> why_unclaimed("I think it was built in 1357.")
    ''
    """
    if sentence.endswith(("?", "？", "؟")):
        return "" if _FACTUAL_QUESTION.search(sentence) else QUESTION
    if _OFFER.match(sentence):
        return COURTESY
    plain = _STEP.sub("", sentence)
    if any(e.kind != "name" and _DIGIT.search(e.text) for e in find_entities(plain)):
        return ""
    return _by_words(plain)


def _by_words(sentence: str) -> str:
    """What a sentence without figures is by its words; empty if nothing tells."""
    verbless = not _HAS_VERB.search(sentence)
    if _LEAD_IN.search(sentence) or (verbless and _LABEL.match(sentence)):
        return LEAD_IN
    if _instructs(sentence, verbless=verbless):
        return INSTRUCTION
    if _REMARK.search(sentence):
        return REMARK
    if _is_talk(sentence):
        return COURTESY
    if verbless and sentence.endswith("!"):
        return EXCLAMATION
    return OPINION if _OPINION.search(sentence) else ""


def _instructs(sentence: str, *, verbless: bool) -> bool:
    if _TIMED.search(sentence):
        return False
    short = verbless and _SHORT_INSTRUCTION.match(sentence)
    return bool(short or _INSTRUCTION.match(sentence))


def _is_talk(sentence: str) -> bool:
    """Whether a sentence has no entity after its first word, and is a question or set phrase."""
    if _OFFER.match(sentence):
        return True
    has_entity = any(e.kind != "name" or e.start > 0 for e in find_entities(sentence))
    return not has_entity and (sentence.endswith("?") or bool(_TALK.search(sentence)))


@lru_cache(maxsize=READING)
def find_unclaimed(draft: str) -> tuple[Skipped, ...]:
    """What of a draft claims nothing, sentence by sentence, in reading order.

    Raises OutOfTimeError when the run's time is over.
    """
    found, in_sources = list[tuple[Span, str]](), False
    for passage in read_passages(draft):
        block = passage.block
        if block.kind == "heading":
            in_sources = bool(_SOURCES.fullmatch(passage.text.strip(" :")))
            found.append(((block.start, block.end), HEADING))
        elif block.kind == "paragraph":
            opens = bool(_SOURCE_LINE.match(passage.text))
            in_sources = opens or (in_sources and _is_source(draft, passage))
            own = [((block.start, block.end), SOURCE)] if in_sources else _unclaimed_in(passage)
            found.extend(own)
    return tuple(Skipped(start=a, end=b, text=draft[a:b], reason=r) for (a, b), r in found)


def _unclaimed_in(passage: Passage) -> Iterator[tuple[Span, str]]:
    """The sentences of a passage that claim nothing, each with the reason."""
    for start, end in read_sentences(passage):
        is_link = _is_link(passage, start, end)
        if reason := SOURCE if is_link else why_unclaimed(passage.text[start:end]):
            yield passage.span(start, end), reason


def _is_source(draft: str, passage: Passage) -> bool:
    """Whether a paragraph in a list of sources is one of them: no statement without a link."""
    if why_unclaimed(passage.text):
        return False
    first = passage.block.start
    opens = any(mark.kind == "citation" and mark.start == first for mark in passage.marks)
    linked = any(mark.kind == "link" for mark in passage.marks)
    named = re.search(r"\((?:19|20)\d\d", draft[first : passage.block.end])
    has_link = linked or bool(_URL.search(passage.text)) or bool(named)
    return opens or has_link or not _HAS_VERB.search(passage.text)


def _is_link(passage: Passage, start: int, end: int) -> bool:
    """Whether a sentence is nothing but a link."""
    text = passage.text[start:end]
    if not _WORD.search(_URL.sub("", text)):
        return True
    first, last = passage.places[start], passage.places[end - 1] + 1
    return any(m.kind == "link" and m.inner == (first, last) for m in passage.marks)
