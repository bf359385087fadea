"""Strike words out of a claim, with those that make no sense without them."""

import re

from errata.tools.text.clauses import FINITE, find_subject

PREPOSITION = (
    r"(?:in|on|at|by|from|since|until|during|for|to|of|with|near|between|as|after|before|around"
    r"|about|into|under|over|through|against|within|without|despite|because of|due to)\b"
)
OPENS = re.compile(
    rf"(?!(?:of|to|as|for|about|into)\b)(?:{PREPOSITION}|(?:who|which|where|while|including"
    r"|such as|although|besides)\b)",
    re.IGNORECASE,
)
"""What words begin with that say more of what is said."""
INCOMPLETE = re.compile(
    rf"\b(?:{PREPOSITION}|an?|the|and|or|but|than|that|his|her|its|their|also|not|more|most"
    rf"|who|which|where|while|first|only|even|born|known|{FINITE}"
    r"|(?<!\bhis )(?<!\bher )(?<!\bits )(?<!\btheir )\w+ing)\b"
    r"(?: (?:up|out|off|down|on|away|back))?[,\s]*\Z",
    re.IGNORECASE,
)
"""An end that needs something after it."""
_LEANS = re.compile(
    rf"(?:\A|,?\s)(?:as well as|such as|{PREPOSITION}|an?|the|his|her|its|their|not|more|most)"
    r"[\s,]*\Z"
)
"""Words at an end that stand for nothing without the words after them."""
_CLAUSE = re.compile(
    rf"(?:,?\s(?:being(?: \w+ed)?|(?:that|who|which)(?: {FINITE})?|{PREPOSITION} \w+ing|and|or"
    r"|but|than|where|when|while|also|he|she|it|they)|,\s\w+ing)[\s,]*\Z"
)
"""The same of words that may begin a clause, of which what follows is a part."""
_JOINT = re.compile(r",? (?:and|or)(?= \S)")
_LISTED = re.compile(r",(?= [A-Z\"“])")
_LEAD = re.compile(PREPOSITION)
_VERB = re.compile(rf"\b{FINITE}\b")
_AND = re.compile(r"(?:(?:and|or) )?")
_ADDS = re.compile(r"(?:who|which|that|where|when|while|including|such|\w+ing)\b|\w+ly\Z")
"""What may go without a word before it."""
_GOES_ON = re.compile(rf"[.,;:!?)]|\Z|(?:{PREPOSITION}|and|or|but|that|who|which|born|{FINITE})\b")
_PAIRS = ('""', "“”", "()", "[]")


def strike(text: str, start: int, end: int) -> str:
    """The claim without the words at a place and those that lean on them; empty if no sentence.

    >>> strike("She is known for her style that blends.", 32, 38), strike("She was in it.", 11, 13)
    ('She is known for her style.', '')
    >>> strike('He wrote "A", "B", and "C".', 24, 25)
    'He wrote "A" and "B".'
    """
    start += len(_AND.match(text, start, end)[0])  # type: ignore[index]
    words, before, after = text[start:end], text[:start].rstrip(), text[end:]
    while before[-1:] + after[:1] in _PAIRS:
        before, after = before[:-1].rstrip(), after[1:]
    if _GOES_ON.match(after.lstrip()):
        before, after = _close(words, before, after)
    elif INCOMPLETE.search(words) or _VERB.search(words):
        return ""
    before = before.rstrip(",") if after.startswith((",", ".")) else before
    joined = f"{before}{after}" if before else after.lstrip(" ,")
    joined = joined[:1].upper() + joined[1:] if text[:1].isupper() else joined
    return joined if find_subject(joined) and not after.startswith(" of ") else ""


def _close(words: str, before: str, after: str) -> tuple[str, str]:
    """What is left around words that end a phrase; nothing where either is left half."""
    lead, listed = _LEAD.match(words), _LISTED.match(after)
    leans = _LEANS.search(before) or _CLAUSE.search(before)
    adds = lead or before[-1:] == "," or _ADDS.match(words)
    if (joint := _JOINT.match(after)) and leans and not adds:
        after = after[joint.end() :]
        again = re.match(r" \w+ing ", after)
        return (again and before.rpartition(again[0])[0]) or before, after
    if before and listed and (lead or leans):
        return before, f" {lead[0]}{after[1:]}" if lead else after[1:]
    if not adds and (joint or not leans):
        return "", ""
    if not (lead and _LEAD.match(after.lstrip())):
        before, after = _without_leaning(before, after, is_item=not _VERB.match(words))
        return ("", "") if INCOMPLETE.search(before) else (before, after)
    return before, after


def _without_leaning(text: str, after: str, *, is_item: bool) -> tuple[str, str]:
    """A text without the words at its end that lean on what is gone, and what is left after it."""
    while found := _LEANS.search(text) or _CLAUSE.search(text):
        text = text[: found.start()]
        if found.re is _CLAUSE and _LEAD.match(after.lstrip()):
            after = re.sub(r"\A[^,;]*?(?=[,;]|\.?\Z)", "", after)
        items, _, last = text.rpartition(", ")
        if is_item and found[0].startswith((", and", ", or")) and not _VERB.search(last):
            text = f"{items}{found[0].strip(',')} {last}" if items else text
    after = re.sub(rf"\A,(?= {PREPOSITION})", "", after)
    return re.sub(r"[,;]([\"”]?)\Z", r"\1", text.rstrip()), after
