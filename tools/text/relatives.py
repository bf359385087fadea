"""What a relative clause, or a phrase in apposition, is about."""

import re

from errata.tools.text.entities import NAME

_PLACE = re.compile(
    rf"\b(?P<word>in|to|at|from|near) (?P<name>{NAME.pattern}(?:, {NAME.pattern})*)"
    r"(?:,? in \d{4})?$"
)
_TIME = re.compile(
    r"\b(?:in|until|since|by|on|before|after) (?P<time>(?:[A-Z]\w+ )?(?:\d{1,2}, )?\d{4})$"
)
_PHRASE = re.compile(
    r"(?P<link>\b[a-z'’]+ )?"
    rf"(?P<phrase>(?:\b(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir|[Ii]ts)"
    r" (?:(?!(?:of|in|at|by|for|from|on|with|to|and|or|called|named|titled|as) )"
    r"[\w\"“”.'’-]+ ?){1,6}"
    rf"|{NAME.pattern}))(?: in \d{{4}})?$"
)
_MANY = re.compile(r"(?:are|were|have|do)\b")
_ONE = re.compile(r"(?:is|was|has|does)\b")
_PLURAL = re.compile(r"(?:[a-z]{2,}(?<!s)s|people|men|women|children)$")
_COPULA = re.compile(
    r"(?:[\w-]+ly )?(?:is|was|are|were|became|has been) (?:(?:also|currently) )?"
    r"(?:an?|the|one)\b(?! (?:son|daughter|father|mother|brother|sister|wife|husband|child) of)"
)


def find_circumstance(before: str, adverb: str) -> str:
    """The place or the time that ends the words before where or when; empty where unclear.

    >>> find_circumstance("moved to Paris", "where")
    'In Paris, '
    """
    if adverb == "when":
        time = _TIME.search(before)
        return f"In {time['time']}, " if time else ""
    place = _PLACE.search(before)
    preposition = "At" if place and place["word"] in ("at", "near") else "In"
    return f"{preposition} {place['name']}, " if place else ""


def find_described(before: str, pronoun: str, after: str, *, is_aside: bool) -> str:
    """The noun phrase nearest before a relative pronoun, if it fits in number; else empty.

    `after` is what follows the pronoun, and `is_aside` says that a comma stands before it.

    >>> find_described("The head of the bank", "which", "was founded in 1900", is_aside=True)
    'the bank'
    >>> find_described("sang the song by Ann Lee", "which", "was a hit", is_aside=True)
    ''
    """
    match = _PHRASE.search(before)
    if not match or before[match.end("phrase") :].strip(" 0123456789in"):
        return ""
    phrase, link = match["phrase"].strip(), (match["link"] or "").strip()
    is_name = bool(re.match(NAME, phrase))
    if link in ("and", "or", "between") or (pronoun == "which" and link == "by"):
        return ""
    if not is_aside and not (pronoun == "who" and is_name):
        return ""
    is_many = bool(_PLURAL.search(phrase)) and not is_name
    if (is_many and _ONE.match(after)) or (not is_many and not is_name and _MANY.match(after)):
        return ""
    return phrase


def tells_of_subject(before: str, after: str) -> bool:
    """Whether a relative clause after a predicate says what its subject is, "is a poet who …"."""
    if not _COPULA.match(before) or re.search(r"\b(?:not|never|no)\b", before):
        return False
    return not (re.match(r"(?:is|was|became) ", before) and _MANY.match(after))
