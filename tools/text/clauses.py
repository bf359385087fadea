"""Parsing of a sentence into clauses and predicates, each of which is one claim."""

import re
from collections.abc import Iterator

from errata.core.edits import Span
from errata.tools.text.entities import NAME
from errata.tools.text.pronouns import Names, replace_pronoun, take_up

_SURE_VERBS = """
    is are was were has have had became began bore broke came chose drew drove fell gave grew kept
    knew rose sang saw spoke swam took underwent went wrote lasts stands can could will would may
    might must does did appeared collaborated competed continued died emigrated graduated joined
    lived moved participated performed played remained resigned retired returned served settled
    starred studied succeeded toured traveled travelled worked
"""  # no participles of a passive and no nouns
_VERBS = f"""{_SURE_VERBS}
    do should isn't wasn't aren't weren't hasn't haven't hadn't didn't doesn't beat bought brought
    built continue continues cost cut feature features felt fought found gets got held hosts include
    includes lay led left lies lives lost made makes meant met owns paid plays put ran said sat sent
    serves set showed shot sold spent stood taught thought told tours won works writes becomes
    begins belongs comes consists contains goes provides remains takes
"""
FINITE = (
    rf"(?:{'|'.join(_VERBS.split())}"
    r"|(?!(?:need|speed|breed|seed|feed|indeed|hundred|sacred|naked|wicked)\b)[a-z]{2,}ed)"
)
HAS_VERB = re.compile(rf"\b{FINITE}\b")
_ADVERB = r"(?:(?:also|later|then|once|still|now|currently|never|always|often|soon|\w+ly) )*"
_SURE = rf"(?:{'|'.join(_SURE_VERBS.split())})\b"
_OPENING = re.compile(
    r"(?:Also [ioa][nt]|In|On|At|After|Before|During|Throughout|From|Since|By|As|Over|Following"
    r"|Besides|Within|Between|Until|Alongside|Despite|Apart|Aside|Outside|Off|Along|When|While"
    r"|Although|Though|Because|Once|Additionally|However|Later|Today|Currently|Overall)"
    r"\b[^,;]{0,80}(?:, \d{4})?, "
    r"(?:(?:after|before|when|while|during|because|although|since|as) [^,;]{0,80}, )?"
)
_SUBJECT = re.compile(rf"(?P<subject>[^,;:]{{1,80}}?),? (?={_ADVERB}{FINITE}\b)")
_PREDICATE = (
    rf"{_ADVERB}(?:{_SURE}|{FINITE}(?<!ed)\b"
    r"|[a-z]{3,}s(?= (?:an?|the|about|over|its|more|\d[\d.,]*)\b))"
)
_JOIN = re.compile(
    rf",? (?:and|but) (?={_ADVERB}{_SURE})"
    rf"|, and (?={_PREDICATE})"
    rf"|, (?={_PREDICATE}.*? and {_PREDICATE})"
)
_OWN_TIME = re.compile(r"(?:later|then|since|now|still|subsequently|eventually)\b")
"""What begins a predicate at another time than the opening of its sentence names."""
_OPEN_CLAUSE = re.compile(
    r" (?:that|who|whom|whose|which|whether|because|if|how|why|where|when|while|although|unless|so"
    r"|(?:said|says|thinks?|thought|believed?s?|claimed|claims) (?!to\b)"
    r"|(?:after|before|since|until|as|once|than) (?:he|she|it|they|the \w+|[A-Z]\w+)(?= "
    rf"{_ADVERB}{FINITE}))\b"
)  # words after which a joint may belong to a clause that depends on another
_NOMINAL = (
    rf"(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hese|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|{NAME.pattern})\b"
    r"(?:(?! (?:and|or|who|which|that|where|when|whose|to|in which)\b)[^,;:]){0,60}?"
)
_INDEPENDENT = re.compile(
    rf",? (?:and|but) (?=(?:he|she|it|they|there) {_ADVERB}{FINITE}\b)"
    rf"|; (?:and |but )?(?=[^,;]{{1,60}} {_ADVERB}{FINITE}\b)"
    rf"|, (?:and|but|while|whereas) (?={_NOMINAL} {_ADVERB}{_SURE})"
)
_BRACKETED = re.compile(r"[\"“][^\"“”]{1,80}[\"”]|\([^()]*\)|\[[^\[\]]*\]")
_WHOLE = re.compile(r"(?:If|Unless|Whether|Suppose)\b|.*\brespectively\b|.*\?$", re.DOTALL)


def parse_clauses(sentence: str, name: Names = "") -> list[str]:
    """What each predicate claims with its subject; `name` replaces a pronoun that begins it."""
    end = len(sentence.rstrip(".!? ")) or len(sentence)
    if _WHOLE.match(sentence):
        return [_close(sentence[:end])]
    plain, claims = _mask_brackets(sentence), list[str]()
    for start, stop in _split(_INDEPENDENT, plain, (0, end)):
        claims += _parse_clause(sentence, plain, (start, stop), name)
        name = take_up(find_subject(sentence[start:stop]), name)
    return claims


def _close(clause: str) -> str:
    """A clause with a full stop after it; a sign inside its last quotation marks ended another."""
    return re.sub(r"[.,]([\"”])\Z", r"\1", clause) + "."


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


def _split(joint: re.Pattern[str], plain: str, place: Span) -> list[Span]:
    """The places between joints; before each is a subject with a verb and no dependent clause."""
    start, end = place
    after = _opening_end(plain, start)
    subject = _SUBJECT.match(plain, after, end)
    opened = _OPEN_CLAUSE.search(plain, subject.end() if subject else after, end)
    last = opened.start() if opened else end
    cuts = [
        match.span()
        for match in joint.finditer(plain, after, end)
        if match[0].startswith(";")
        or (match.start() < last and _SUBJECT.match(plain, after, match.start()))
    ]
    return list(zip([start, *(b for _, b in cuts)], [*(a for a, _ in cuts), end], strict=True))


def _parse_clause(sentence: str, plain: str, place: Span, name: Names) -> Iterator[str]:
    """The predicates of one independent clause, each with its subject."""
    start, end = place
    after = _opening_end(plain, start)
    clause = replace_pronoun(sentence[after:end], name)
    subject = _SUBJECT.match(plain, after, end)
    if not subject:
        yield _close(f"{sentence[start:after]}{clause}")
        return
    head = clause[: len(clause) - (end - subject.end("subject"))]
    for a, b in _split(_JOIN, plain, place):
        first = max(a, subject.end())
        opening = "" if _OWN_TIME.match(plain, first) else sentence[start:after]
        yield _close(f"{opening}{head} {sentence[first:b]}")
