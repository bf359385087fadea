"""Parsing of a sentence into clauses, and of these into predicates, each of which is one claim."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from errata.spans import Span
from errata.tools.text.entities import NAME
from errata.tools.text.pronouns import Names, replace_pronoun, take_up

_VERBS = """
    is are was were has have had did does do can could will would may might must should isn't wasn't
    aren't weren't hasn't haven't hadn't didn't doesn't became began beat bore bought broke brought
    built came chose continue continues cost cut died drew drove feature features fell felt fought
    found gave gets got grew held hosts include includes kept knew lay led left lies lived lives
    lost made makes meant met moved owns paid plays put ran reached rose said sang sat saw sent
    serves set showed shot sold spent spoke stands stood swam taught thought told took tours
    underwent went won works writes wrote
    becomes begins belongs comes consists contains goes lasts makes provides remains takes
"""
FINITE = (
    rf"(?:{'|'.join(_VERBS.split())}"
    r"|(?!(?:need|speed|breed|seed|feed|indeed|hundred|sacred|naked|wicked)\b)[a-z]{2,}ed)"
)
_ADVERB = r"(?:(?:also|later|then|once|still|now|currently|\w+ly) )*"
_SURE = (
    r"(?:is|are|was|were|has|have|had|became|began|bore|broke|came|chose|drew|drove|fell|gave|grew"
    r"|kept|knew|rose|sang|saw|spoke|swam|took|underwent|went|wrote|lasts|stands|can|could|will|would|may|might|must|does|did"
    r"|appeared|collaborated|competed|continued|died|emigrated|graduated|joined|lived|moved"
    r"|participated|performed|played|remained|resigned|retired|returned|served|settled|starred"
    r"|studied|succeeded|toured|travell?ed|worked)\b"
)
"""Verbs that are no participles of a passive and no nouns."""
_OPENING = re.compile(
    r"(?:Also [ioa][nt]|In|On|At|After|Before|During|Throughout|From|Since|By|As|Over|Following"
    r"|Besides|Within|Between|Until|Alongside|Despite|Apart|Aside|Outside|Off|Along|When|While"
    r"|Although|Though|Because|Once|Additionally|However|Later|Today|Currently|Overall)"
    r"\b[^,;]{0,80}(?:, \d{4})?, "
    r"(?:(?:after|before|when|while|during|because|although|since|as) [^,;]{0,80}, )?"
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
_JOIN = re.compile(
    rf",? (?:and|but) (?={_ADVERB}{_SURE})"
    rf"|, (?={_ADVERB}{_SURE}.*? and {_ADVERB}{FINITE})"
)
_PASSIVE = re.compile(
    rf"{_ADVERB}(?:was|were|is|are|(?:has|have|had) been) {_ADVERB}"
    r"(?:[a-z]+ed|born|built|made|held|led|run|sold|[a-z]+wn|written|drawn|given|cut|set) "
)
_BARE_END = re.compile(
    rf"(?:^{_ADVERB}(?:(?:is|was|are|were|has|have|had|been) )*[\w-]+|\w+(?:ed|en)|born|made"
    r"|\b(?:in|on|at|by|to|for|of|from|with|and|or))$"
)
"""The end of a predicate whose object is still to come: "was born and raised in", "wrote and"."""
_OPEN_CLAUSE = re.compile(
    r" (?:that|who|whom|whose|which|whether|because|if|how|why|where|when|while|although|unless|so"
    r"|(?:said|says|thinks?|thought|believed?s?|claimed|claims) (?!to\b)"
    r"|(?:after|before|since|until|as|once|than) (?:he|she|it|they|the \w+|[A-Z]\w+)(?= "
    rf"{_ADVERB}{FINITE}))\b"
)
"""Words after which a joint may belong to a clause that depends on another."""
_NOMINAL = (
    rf"(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|{NAME.pattern})\b"
    r"(?:(?! (?:and|or|who|which|that|where|when|whose|to|in which)\b)[^,;:]){0,60}?"
)
_INDEPENDENT = re.compile(
    rf",? (?:and|but) (?=(?:he|she|it|they|there) {_ADVERB}{FINITE}\b)"
    rf"|; (?:and |but )?(?=[^,;]{{1,60}} {_ADVERB}{FINITE}\b)"
    rf"|, (?:and|but|while|whereas) (?={_NOMINAL} {_ADVERB}{_SURE})"
)
_QUOTED = r"[\"“][^\"“”]{1,80}[\"”]"
_BRACKETED = re.compile(rf"{_QUOTED}|\([^()]*\)|\[[^\[\]]*\]")
_WHOLE = re.compile(r"(?:If|Unless|Whether|Suppose)\b|.*\brespectively\b|.*\?$", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A predicate: its place in the sentence, in characters, and its claim with the subject."""

    start: int
    end: int
    claim: str


def parse_clauses(sentence: str, name: Names = "") -> list[Part]:
    """Parse a sentence; in the claims, `name` replaces a pronoun that starts a clause.

    >>> [part.claim for part in parse_clauses("She wrote notes and sang in Rome.", "Ada")]
    ['Ada wrote notes.', 'Ada sang in Rome.']
    """
    end = len(sentence.rstrip(".!? ")) or len(sentence)
    if _WHOLE.match(sentence):
        return [Part(0, end, f"{sentence[:end]}.")]
    plain, parts = _mask_brackets(sentence), list[Part]()
    for start, stop in _split(_INDEPENDENT, plain, (0, end), _ends_clause):
        parts += _parse_clause(sentence, plain, (start, stop), name)
        name = take_up(find_subject(sentence[start:stop]), name)
    return parts


def find_subject(sentence: str) -> str:
    """The grammatical subject: the words before the first finite verb; empty without one."""
    plain = _mask_brackets(sentence)
    match = _SUBJECT.match(plain, _opening_end(plain, 0))
    return sentence[match.start("subject") : match.end("subject")] if match else ""


def _mask_brackets(sentence: str) -> str:
    """The sentence with x for every character of quotations and brackets: no joint is in them."""
    return _BRACKETED.sub(lambda match: "x" * len(match.group()), sentence)


def _opening_end(plain: str, start: int) -> int:
    opening = _OPENING.match(plain, start)
    return opening.end() if opening else start


def _split(
    joint: re.Pattern[str], plain: str, place: Span, parts: Callable[[str, str], bool]
) -> list[Span]:
    """The places between joints; `parts` says of the texts beside a joint whether it is one."""
    start, end = place
    cuts: list[Span] = []
    for match in joint.finditer(plain, start, end):
        left = plain[cuts[-1][1] if cuts else start : match.start()]
        if match.group().startswith(";") or parts(left, plain[match.end() : end]):
            cuts.append(match.span())
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _ends_clause(left: str, _right: str) -> bool:
    """Whether a clause of its own ends before a joint."""
    after = _opening_end(left, 0)
    return bool(_SUBJECT.match(left, after)) and not _OPEN_CLAUSE.search(left, after)


def _ends_predicate(left: str, right: str) -> bool:
    """Whether a predicate ends before a joint, and what follows is no participle that goes on."""
    if _OPEN_CLAUSE.search(left) or (_BARE_END.search(left) and not re.fullmatch(r"\w+", right)):
        return False
    return bool(re.match(_ADVERB + _SURE, right)) or not _PASSIVE.match(left)


def _parse_clause(sentence: str, plain: str, place: Span, name: Names) -> Iterator[Part]:
    """The predicates of one independent clause, each with its subject."""
    start, end = place
    after = _opening_end(plain, start)
    clause = replace_pronoun(sentence[after:end], name)
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        yield Part(start, end, f"{sentence[start:after]}{clause}.")
        return
    head = clause[: len(clause) - (end - subject.end("subject"))]
    for a, b in _split(_JOIN, plain, (subject.end(), end), _ends_predicate):
        yield Part(a, b, f"{sentence[start:after]}{head} {sentence[a:b]}.")
