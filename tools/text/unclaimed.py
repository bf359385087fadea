"""What of a draft claims nothing, so that it is not taken out for lack of support, and why.

Headings, links and lists of sources are told by their place and form; greetings, questions,
opinions, instructions, lead-ins and remarks on the answer by their words. In doubt a sentence
claims something, and so does any but a question that has a figure or a date. An instruction is
checked all the same: a document may rule it out.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from errata.core.edits import Span
from errata.core.records import Skipped
from errata.tools.text.clauses import FINITE, HAS_VERB
from errata.tools.text.entities import find_entities
from errata.tools.text.markdown import READING
from errata.tools.text.prose import Passage, read_passages, read_sentences
from errata.tools.text.sentences import split_sentences
from errata.tools.text.works import URL

COURTESY, QUESTION, OPINION = "a courtesy", "a question", "an opinion"
INSTRUCTION, LEAD_IN, REMARK = "an instruction", "a lead-in", "a remark on the answer"
HEADING, SOURCE, EXCLAMATION = "a heading", "a link or a source", "an exclamation"

_ACTIONS = """
    add adjust apply arrange ask attach avoid bake begin boil book bring brush build buy call change
    check choose clean clear click close collect combine complete configure confirm connect consider
    contact continue cook copy cover create cut delete download drain drink drop dry eat edit enable
    ensure enter explore fill find finish fix fold follow gather get give go grab hold include
    insert install invite keep launch learn leave let lift log look lower make measure melt mix move
    navigate open order paste pay peel pick place plan plug pour preheat prepare press pull push put
    read record refer register release remove repeat replace rinse run save scroll search select
    send serve set shake share show shut sign simmer skip slice soak sprinkle start stay stir stop
    store submit swipe switch take tap tell test tie touch transfer try turn type unlock unplug
    update upload use verify visit wait walk wash watch wear whisk wipe wrap write
"""
_VERB = f"(?:{'|'.join(_ACTIONS.split())})"
_SEQUENCE = (
    r"(?:(?:(?:and |but )?(?:then|next|first|second|third|finally|lastly|now|also|please|just"
    r"|simply|afterwards|otherwise|alternatively|always|never|do not|don['’]t)"
    r"|step \d+[:.]|(?:to|once|when|if|before|after|as soon as) [^,:]{1,80}(?=,)),? )"
)
_INSTRUCTION = re.compile(
    rf"{_SEQUENCE}*{_VERB} (?:the|an?|your|it|them|this|these|those|all|any|each|both|every|some)\b"
    rf"|{_SEQUENCE}+{_VERB}\b(?! (?:of|{FINITE})\b)"
    rf"|{_SEQUENCE}*you(?:['’]ll| will| can| could| may| might| should) "
    rf"(?:also |then |now |always |just |simply )*(?:see|{_VERB})\b",
    re.IGNORECASE,
)
_COMMAND = re.compile(rf"(?i:{_VERB})(?= [A-Z\"“])")
"""The beginning of an instruction that has no finite verb, as in "Click Save"."""
_TALK = re.compile(
    r"(?:hello|hi|hey|good (?:morning|afternoon|evening|night|luck)|(?:good)?bye|see you"
    r"|thanks(?! to)|thank you|(?:you['’]re|you are|most) welcome|sorry|i apologi[sz]e"
    r"|(?:glad|happy) to|my pleasure|have a (?:nice|good|great)|take care|congratulations|cheers"
    r"|(?:sure|of course|certainly)(?=[,.!]? (?:i|glad|happy|let)\b|[.!]$)"
    r"|(?:kind|best|warm) (?:regards|wishes)|enjoy your|safe (?:travels|journey|trip))\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"(?:please )?(?:let me know|feel free|(?:do not|don['’]t) hesitate"
    r"|(?:i )?(?:really )?hope (?:this|that|it|you)\b|(?:i )?wish you"
    r"|(?:i['’](?:m|d)|i am|i would be) (?:glad|happy|here)"
    r"|if (?:you|there) .*(?:let me know|feel free|just ask|please ask|happy to))\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:i|we)(?:['’]d| would| really| just| personally| also| do| still)*"
    r" (?:think|believe|feel|love|like|enjoy|hate|prefer|recommend|suggest|hope|wish|guess)\b"
    r"|^(?:if only|how [a-z]+|what an?)\b.*!$|\bin my (?:humble )?(?:opinion|view)\b",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b"
    r"|^(?:[^,.]{1,80}, )?(?:but )?i(?:['’]\w+| am| have| was| do| did| could| can| will| would)?"
    r"(?: ?not|n['’]t)?(?: \w+ly| only| just| also)* (?:find|found|see|verify|confirm|tell|say"
    r"|answer|provided?|know|access|browse|search(?:ed)?|help|assist|explain|summari[sz]ed?"
    r"|list(?:ed)?|included?|sure|able|unable|certain|determine|check(?:ed)?|assumed?|relied|used"
    r"|have (?:\w+ )?(?:access|information|details|data))\b(?! that\b)"
    r"|\b(?:documents|sources|passages|texts|excerpts|results|materials|articles"
    r"|(?:provided|given|available|retrieved|supplied|your) \w+)(?: \w+){0,3}"
    r" (?:does|do|did)(?: not|n['’]t)(?: \w+ly)? (?:mention|say|contain|include|provide|specify"
    r"|state|give|discuss|cover|address|indicate|list|describe|answer)"
    r"|^(?:(?:there (?:is|was)|i (?:have|found|see)) )?no (?:information|mention|evidence)\b"
    r"|^(?:this|my|the above) (?:answer|response|reply|summary|overview|explanation)\b",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"\b(?:follow\w*|below|here|like this|such as|namely|includ\w+|are|is|were|was)"
    r"(?: \w+){0,2}\s*:\Z|\A(?:sure|certainly|of course|okay|ok|great|here|below|i|we)\b.*:\Z",
    re.IGNORECASE | re.DOTALL,
)
_SOURCES = (
    r"(?:(?:list of )?(?:sources?|references?|citations|bibliography|works cited|(?:foot|end)?notes"
    r"|literature(?: cited)?|reference list)"
    r"|(?:external |useful )?links|further reading|read more|learn more|see also)"
)
SOURCES = re.compile(
    rf"[\W\d_]*{_SOURCES}(?:(?: and|,| ?[&/]) {_SOURCES})*(?: (?:used|cited|consulted))?",
    re.IGNORECASE,
)  # what a list of sources is headed by
SOURCE_LINE = re.compile(rf"{SOURCES.pattern}\s*:[*_]*", re.IGNORECASE)
"""How a paragraph begins that is such a list as a whole."""
_TOPIC = re.compile(r"(?:What|How|Why)(?: [\w'’-]+){1,4}\.?")
"""A heading that runs in: "What it cost."."""
_STEP = re.compile(r"step \d+[:.]? ", re.IGNORECASE)
_TIMED = re.compile(
    r"\b(?:noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|daily|weekly|monthly|yearly"
    r"|once|twice|two|three|four|five|six|seven|eight|nine|ten|dozen|half)\b",
    re.IGNORECASE,
)  # figures and times in words, which make an instruction one that can be wrong


def is_small_talk(draft: str) -> bool:
    """Whether a draft only greets, thanks, asks or declines; False in doubt."""
    return all(_is_talk(draft[start:end].strip()) for start, end in split_sentences(draft))


def why_unclaimed(sentence: str) -> str:
    """What a sentence is that claims nothing; empty if it may claim something."""
    if sentence.endswith(("?", "？", "؟")):
        return "" if "did you know" in sentence.lower() else QUESTION
    if _OFFER.match(sentence):
        return COURTESY
    plain = _STEP.sub("", sentence)
    topic = HEADING if _TOPIC.fullmatch(plain) else ""
    return topic or ("" if re.search(r"\d", plain) else _by_words(plain))


def _by_words(sentence: str) -> str:
    """What a sentence without figures is by its words; empty if nothing tells."""
    verbless = not HAS_VERB.search(sentence)
    if _LEAD_IN.search(sentence) or (verbless and sentence.endswith(":")):
        return LEAD_IN
    command = _INSTRUCTION.match(sentence) or (verbless and _COMMAND.match(sentence))
    if command and not _TIMED.search(sentence):
        return INSTRUCTION
    if _REMARK.search(sentence):
        return REMARK
    if _is_talk(sentence):
        return COURTESY
    if verbless and sentence.endswith("!"):
        return EXCLAMATION
    return OPINION if _OPINION.search(sentence) else ""


def _is_talk(sentence: str) -> bool:
    """Whether a sentence has no entity after its first word, and is a question or set phrase."""
    if _OFFER.match(sentence):
        return True
    has_entity = any(e.kind != "name" or e.start > 0 for e in find_entities(sentence))
    return not has_entity and (sentence.endswith("?") or bool(_TALK.match(sentence)))


@lru_cache(maxsize=READING)
def find_unclaimed(draft: str) -> tuple[Skipped, ...]:
    """What of a draft claims nothing, by sentence, in reading order; raises OutOfTimeError."""
    found, in_sources = list[tuple[Span, str]](), False
    for passage in read_passages(draft):
        block = passage.block
        if block.kind == "heading":
            in_sources = bool(SOURCES.fullmatch(passage.text.strip(" :")))
            found.append(((block.start, block.end), HEADING))
        elif block.kind == "paragraph":
            opens = bool(SOURCE_LINE.match(passage.text))
            in_sources = opens or (in_sources and _is_source(draft, passage))
            found += [((block.start, block.end), SOURCE)] if in_sources else _unclaimed_in(passage)
    return tuple(Skipped(start=a, end=b, text=draft[a:b], reason=r) for (a, b), r in found)


def _unclaimed_in(passage: Passage) -> Iterator[tuple[Span, str]]:
    """The sentences of a passage that claim nothing, each with the reason."""
    for start, end in read_sentences(passage):
        text, place = passage.text[start:end], (passage.places[start], passage.places[end - 1] + 1)
        is_link = any(mark.kind == "link" and mark.inner == place for mark in passage.marks)
        is_link = is_link or not re.search(r"\w", re.sub(r"(?:https?://|www\.)[^\s<>]+", "", text))
        if reason := SOURCE if is_link else why_unclaimed(text):
            yield passage.span(start, end), reason


def _is_source(draft: str, passage: Passage) -> bool:
    """Whether a paragraph in a list of sources is one of them: no statement without a link."""
    if why_unclaimed(passage.text):
        return False
    first, marks = passage.block.start, passage.marks
    linked = any(m.kind == "link" or (m.kind == "citation" and m.start == first) for m in marks)
    dated = re.search(r"\((?:19|20)\d\d", draft[first : passage.block.end])
    named = dated or URL.search(passage.text)
    return linked or bool(named) or not HAS_VERB.search(passage.text)
