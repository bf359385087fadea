"""Parts of a model's reply: what stands after a heading, a list, a label on the last line."""

import re
from collections.abc import Mapping, Sequence

from errata.core.records import VerdictLabel
from errata.nodes.shared.listing import read_claims

_NONE = re.compile(
    r"\W*(?:(?:there (?:are|is)|i (?:found|see)) )?(?:(?:none|nothing)(?! (?:of|in)\b)|n/a"
    r"|no (?:\w+ )?(?:problems?|issues?|errors?|mistakes?))\b(?! but\b)"
    r"(?:[ ,](?!but\b|except\b|other\b|besides\b)\w+){0,6}\W*",
    re.IGNORECASE,
)
"""What a list holds that has nothing in it."""
_FINE = re.compile(
    r"\W*(?:it|this|everything|all|(?:the|this|these|all) (?:draft|text|answer|response"
    r"|statements?|claims?|sentences?|facts?)) (?:is|are|looks?|seems?)"
    r"(?: (?:all|factually|completely|entirely|fully|perfectly))?"
    r" (?:accurate|correct|factual|fine|good|right|sound|supported|true)(?: as it stands)?\W*",
    re.IGNORECASE,
)
"""What a list may hold beside that."""
_MARKS = " \t*_`#>-.!()[]\"'“”"
"""What may stand around a label."""

_DECISIONS: dict[str, VerdictLabel] = {"t": "supported", "f": "refuted", "n": "not_mentioned"}
"""The label by the first letter of its word."""
_DECISION = re.compile(
    r"(?P<taken_back>\b(?:not|or|nor|neither)\W+|n['’]t\W+)?"
    r"\b(?P<label>true|false|not[\s_-]*mentioned|not[\s_-]+enough[\s_-]+info(?:rmation)?|nei)"
    r"[^\w?？]*\Z",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"(?:\W*\b(?:so|thus|therefore|the|final|decision|answer|label|it|this|statement|claim|is)\b)*\W*\Z",
    re.IGNORECASE,
)
_CUE = re.compile(r"\b(?:decision|answer|label)\W{0,4}[:：]\W*\Z", re.IGNORECASE)
_BREAK = re.compile(r"[.!?;:\n。]")
"""What stands between the reasons and the label; within a sentence it may be denied."""


def split_at(reply: str, heading: str, text: str = "") -> tuple[str, str]:
    r"""What stands before and after a heading, with its colon, at the beginning of a line.

    Where there are several, the last one counts, but for those that the text which the reply
    repeats has itself; without one all stands before it.

    >>> split_at("The year is wrong.\n**Fix:** She was born in 1867.", "fix")
    ('The year is wrong.', 'She was born in 1867.')
    """
    lead = rf"^[^\w\n]*(?:\d+\W+)?(?:my |the )?{re.escape(heading)}[*_ ]*[:：][*_]*"
    flags = re.IGNORECASE | re.MULTILINE
    found = list(re.finditer(lead, reply, flags))
    if not found:
        return reply.strip(), ""
    own = sum(1 for _ in re.finditer(lead, text, flags))
    last = found[max(len(found) - 1 - own, 0)]
    return reply[: last.start()].strip(), reply[last.end() :].strip()


def read_label(reply: str, labels: Sequence[str]) -> tuple[str, str]:
    r"""The label on the last line of a reply, and what stands before it; empty if it has none.

    The line says the label and little else: a sentence that has the word in it is none.

    >>> read_label("It says 1867.\nTherefore: disagrees", ["agree", "disagree"])
    ('disagree', 'It says 1867.')
    >>> read_label("They do not agree", ["agree", "disagree"])
    ('', 'They do not agree')
    """
    before, _, last = reply.strip().rpartition("\n")
    words = "|".join(map(re.escape, labels))
    lead = (
        r"(?:(?:(?:so|thus|therefore|the|my|final|decision|answer|label|verdict) ?){1,4}[:：]\W*)?"
        r"(?:(?:this|it)(?: is)? )?"
    )
    line = rf"{lead}({words})s?(?: (?:to|with) the (?:text|passage|question))?"
    found = re.fullmatch(line, last.strip(_MARKS), re.IGNORECASE)
    return (found[1].lower(), before.strip()) if found else ("", reply.strip())


def read_list(reply: str, heading: str) -> list[str] | None:
    r"""The lines after a heading, without numbers; none if it says so, None without the heading.

    >>> read_list('It is plausible.\nProblems:\n1. "1865" is wrong', "problems")
    ['"1865" is wrong']
    >>> read_list("Problems: none", "problems"), read_list("All is well.", "problems")
    ([], None)
    """
    lines = list(read_claims(split_at(reply, heading)[1]))
    sentences = [part for line in lines for part in re.split(r"(?<=[.!])\s+", line)]
    if lines and all(_NONE.fullmatch(part) or _FINE.fullmatch(part) for part in sentences):
        return []
    return lines or None


def read_decision(reply: str, _: Mapping[str, str] | None = None) -> tuple[VerdictLabel, str]:
    """The label that a reply ends in, and the reasons before it; unreadable if it ends in none.

    >>> read_decision("The page says 1867. Decision: False.")
    ('refuted', 'The page says 1867.')
    """
    found = _DECISION.search(reply)
    if not found or found["taken_back"]:
        return "unreadable", ""
    before = reply[: found.start()]
    towards = _TOWARDS.search(before)
    said = before[: towards.start()] if towards else before
    begins = _BREAK.search(before[len(said) :]) or _CUE.search(before)
    if said.strip() and not begins:
        return "unreadable", ""
    reasons = " ".join(said.split())
    return _DECISIONS[found["label"][0].lower()], f"{reasons}." if reasons else ""
