"""Read a model's verdicts on claims, each with the words that are wrong and what mends them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from errata.core.edits import diff
from errata.core.records import Document, Quote, VerdictLabel
from errata.core.words import loosely, places_of
from errata.nodes.ask import is_taken_back, repeats
from errata.nodes.rac.reply_forms import NUMBER, in_lines
from errata.tools.local.cut import TURNS
from errata.tools.local.mends import find_once
from errata.tools.text.clauses import find_subject
from errata.tools.text.entities import NAME
from errata.tools.text.words import content_stems


class Change(NamedTuple):
    """What a line says of some words of its claim."""

    wrong: str
    """The words, as the claim has them."""
    right: str = ""
    """What stands in their place; empty where nothing does."""
    unsaid: bool = False
    """Whether the documents merely do not say them."""


@dataclass(frozen=True)
class Judgement:
    """One line of a reply."""

    label: VerdictLabel = "unreadable"
    document: int = 0
    """The number of the document that it rests on; 0 where it names none."""
    doubted: tuple[str, ...] = ()
    """The claim's words that are wrong or not mentioned; empty where it is the whole claim."""
    quote: str = ""
    """The document's words that show it."""
    changes: tuple[Change, ...] = ()
    """What mends the claim; empty unless all that the line says of its words is understood."""


_DEGREE = (
    r"(?:(?:partial(?:ly)?|partly|mostly|largely|mainly|half|somewhat"
    r"|not[\s_-]+(?:entirely|fully|wholly|completely|quite|strictly))[\s_-]+)"
)
_TRUE_IN_PART = rf"{_DEGREE}(?:true|correct|supported|accurate|right)"
_FORMS: dict[str, VerdictLabel] = {
    _TRUE_IN_PART: "not_mentioned",
    rf"{_DEGREE}?(?:false|incorrect|wrong|untrue|inaccurate|contradicted|refuted)": "refuted",
    r"not[\s_-]+(?:true|correct|accurate|right)": "refuted",
    r"(?:not?|un)[\s_-]*(?:mention(?:ed)?|supported|stated|said|told|found|known|confirmed)"
    r"|not[\s_-]+enough[\s_-]+(?:information|evidence)|no[\s_-]+(?:information|evidence)"
    r"|insufficient[\s_-]+(?:information|evidence)"
    r"|cannot[\s_-]+be[\s_-]+(?:determined|verified|confirmed)": "not_mentioned",
    r"true|supported": "supported",
}
"""What replies call a label; what is true in part is false if the line says what is right."""
_IN_PART = re.compile(_TRUE_IN_PART, re.IGNORECASE)
_LINE = re.compile(
    rf"^[^\w\n]*{NUMBER}[\W_]+"
    rf"(?:(?:label|verdict|judge?ment|answer)\W+)?(?P<label>{'|'.join(_FORMS)})\b"
    r"(?!\s*(?:\||/|or\b)\W*(?:true|false|not[\s_-]*mentioned)\b)"
    r"(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_DOCUMENT = re.compile(r"\[(?:doc\w*\s*)?(\d{1,4})", re.IGNORECASE)
_CITED = re.compile(r"\[(?:doc\w*\s*)?\d{1,4}[^\[\]]*\]\s*\Z", re.IGNORECASE)
_REMARK = re.compile(
    r"\((?:see|doc\w*|evidence|from|per|as|according|by|not|passage|\[)[^()]*\)\s*\Z", re.IGNORECASE
)
_OTHER_LABEL = re.compile(r"\b(?:false|not[\s_-]*mentioned)\b", re.IGNORECASE)
_MARKS = " \t\"'“”‘’«»*`.,…|"
_MARKED = frozenset('"“”')
_ARROW = re.compile(r"[-–—=]{1,2}>|→|⇒|➔|➜|⟶|\bshould (?:be|read)\b", re.IGNORECASE)
_LEAD = re.compile(
    r"(?:should (?:be|read)|actually|rather|correct(?:ly)?:?|in fact) ", re.IGNORECASE
)
_NOTHING = re.compile(
    r"[-–—∅]+|\W*(?:none|nothing|removed?|deleted?|omit(?:ted)?|leave (?:it )?out|n/a)\W*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\W*(?:all|everything|(?:the )?(?:whole|entire) (?:claim|statement))\W*", re.IGNORECASE
)
_UNSAID = re.compile(
    r"\?+|\W*(?:unsaid|un(?:known|clear|stated|mentioned)|not (?:said|told|mentioned|stated))\W*",
    re.IGNORECASE,
)
_MOST_REPEATED = 1
"""How many of the words that stay may stand in what is put in; with more it is a sentence."""
_SAYS_NOTHING = content_stems("later known noted regarded considered remembered described")
"""Stems of words that say nothing of a subject by themselves."""
_SHORT = 2
"""Fewest words of a quote that is looked for in the documents."""


def read_judgements(reply: str, claims: Sequence[str]) -> list[Judgement]:
    r"""One judgement a claim; the last one that the reply has for a number counts.

    A line that repeats its claim, or does not stand by its label, has none. A number that no claim
    has makes all unreadable, unless the reply plainly counts from 0.

    >>> read_judgements("1: False [2] | 1865 -> 1867\n", ["Ada was born in 1865."])[0].changes
    (Change(wrong='1865', right='1867', unsaid=False),)
    """
    judgements = [Judgement()] * len(claims)
    reply, others = in_lines(reply, claims, "|".join(_FORMS))
    found = [(int(match["number"]), match) for match in _LINE.finditer(reply)]
    numbers = {number for number, _ in found}
    first = 0 if numbers == {*range(len(claims))} else 1
    if others or not numbers <= {*range(first, first + len(claims))}:
        return judgements
    for number, match in found:
        in_part = _IN_PART.fullmatch(match["label"])
        taken_back = not in_part and is_taken_back(reply, match.end("label"))
        read = Judgement() if taken_back else _read_line(match, claims[number - first])
        judgements[number - first] = read
    return judgements


def _read_line(match: re.Match[str], claim: str) -> Judgement:
    """The judgement of a line; none where it repeats the claim, or takes back a True."""
    said, rest = match["label"], " ".join(match["rest"].split())
    label = next(own for form, own in _FORMS.items() if re.fullmatch(form, said, re.IGNORECASE))
    head, *fields = rest.split("|")
    takes_back = label == "supported" and _OTHER_LABEL.search(head)
    if takes_back or repeats(f"{said} {rest}", claim):
        return Judgement()
    parts = [part for field in fields[:1] for part in field.split(";") if part.strip()]
    quote = _CITED.sub("", "|".join(fields[1:])).strip(_MARKS)
    if _IN_PART.fullmatch(said) and (quote or any(map(_ARROW.search, parts))):
        label = "refuted"
    if label == "supported" or (label == "not_mentioned" and any(map(_ALL.fullmatch, parts))):
        parts = []
    elif parts and not quote and all(map(_is_unsaid, parts)):
        label = "not_mentioned"  # Nothing is said to be wrong.
    doubted = _words_of(claim, [words for part in parts for words in _doubts(part, label)], label)
    changes = _changes_of(claim, parts, label) if doubted or label == "refuted" else ()
    document = _DOCUMENT.search(head) or _DOCUMENT.search(rest)
    number = int(document[1]) if document else 0
    return Judgement(label, number, doubted, quote, changes)


def _changes_of(claim: str, parts: Sequence[str], label: VerdictLabel) -> tuple[Change, ...]:
    """What a line says of words, if all is understood; the claim where the rest says nothing."""
    if label == "refuted" and len(parts) == 1 and _takes_all(parts[0], claim):
        return (Change(claim),)
    changes = tuple(own for part in parts if (own := _read_change(part, claim, label)))
    if len(changes) < len(parts):
        return ()
    all_go = changes and not any(change.right for change in changes)
    if all_go and says_all([change.wrong for change in changes], claim):
        return (Change(claim, unsaid=all(change.unsaid for change in changes)),)
    return changes


def _read_change(part: str, claim: str, label: VerdictLabel) -> Change | None:
    """What a part says of its words; None unless they stand in the claim once and it is clear."""
    wrong, *others = _ARROW.split(part)
    place = find_once(_bare(wrong), claim)
    if not place or len(others) > 1 or (label == "refuted" and not others):
        return None
    start, end = place
    # A full stop is a part of the words if it ends an abbreviation, not the claim.
    stop = wrong.strip(" \"“”*`'").endswith(".") and claim[end : end + 2] == ". "
    # So is a comma before them, unless what is right has one as well.
    signs = [words.strip()[:1] for words in (wrong, *others)]
    comma = signs.count(",") == 1 and signs[0] == "," and claim[:start].endswith(", ")
    wrong = claim[start - 2 * comma : end + stop]
    right = _bare(_REMARK.sub("", _CITED.sub("", others[0].strip() if others else "?")))
    if _UNSAID.fullmatch(right) or (label == "not_mentioned" and _NOTHING.fullmatch(right)):
        return Change(wrong, unsaid=True)
    if _NOTHING.fullmatch(right):
        return Change(wrong)
    right = _bare(_LEAD.sub("", right))
    stay = content_stems(claim) - content_stems(wrong)
    is_sentence = len(stay & content_stems(right)) > _MOST_REPEATED
    # A quote after what is right, without a sign between them, is no part of it.
    is_denial = right.casefold().startswith("not ") or bool(_MARKED & {*right} - {*wrong})
    is_same = right.casefold() == wrong.casefold()
    is_unsaid = label == "not_mentioned"
    turns = TURNS & {*wrong.lower().split()} - {*right.lower().split()}
    says_more = is_unsaid and (turns or not content_stems(right) <= content_stems(wrong))
    unclear = not right or is_sentence or is_denial or is_same or says_more
    return None if unclear else Change(wrong, right, is_unsaid)


def _doubts(part: str, label: VerdictLabel) -> list[str]:
    """The words of a part that are in doubt: of unsaid ones those that what is left lacks."""
    wrong, *right = _ARROW.split(part)
    left = _bare(right[0]) if right else ""
    if label == "refuted" or not content_stems(left):
        return [wrong]
    return [change.before for change in diff(_bare(wrong), left) if content_stems(change.before)]


def _is_unsaid(part: str) -> bool:
    """Whether a part says that documents merely leave its words unsaid."""
    _, *right = _ARROW.split(part)
    return len(right) == 1 and bool(_UNSAID.fullmatch(_bare(right[0])))


def _takes_all(part: str, claim: str) -> bool:
    """Whether a part says that nothing of the claim can stay."""
    wrong, *right = (each.strip() for each in _ARROW.split(part, maxsplit=1))
    is_all = _ALL.fullmatch(wrong) or wrong.strip(_MARKS) == claim.strip(_MARKS)
    return bool(is_all and right and _NOTHING.fullmatch(right[0]))


def _words_of(claim: str, parts: Sequence[str], label: VerdictLabel) -> tuple[str, ...]:
    """The parts that are words of the claim; none where they are all that it says."""
    text, own = claim.lower(), list[str]()
    for part in map(_bare, parts):
        if part and places_of(part.lower(), text):
            own.append(part)
        elif part and (place := find_once(part, claim)):
            own.append(claim[slice(*place)])
    words = tuple(dict.fromkeys(own))
    left = content_stems(claim) - content_stems(" ".join(words))
    return () if not left or (label == "not_mentioned" and says_all(words, claim)) else words


def says_all(words: Sequence[str], claim: str) -> bool:
    """Whether a claim says nothing without some of its words: its subject and a verb do not.

    >>> says_all(["sang to Bo"], "Ada also sang to Bo."), says_all(["sang"], "Ada sang to Bo.")
    (True, False)
    """
    subject = find_subject(claim) or next(iter(NAME.findall(claim)), "")
    return not content_stems(claim) - content_stems(" ".join([*words, subject])) - _SAYS_NOTHING


def _bare(words: str) -> str:
    """Words without the marks around them, unless there may be quotations among them."""
    bare = words.strip(_MARKS)
    return bare if _MARKED.isdisjoint(bare) else words.strip(" \t*`.,…|")


_BETWEEN = re.compile(r"\s*(?:\.{3,}|…)\s*|[\"”»]\s*(?:[;,/|]|\band\b|\s)\s*[\"“«]")
"""What parts the quotes of a line."""


def find_quotes(
    judgement: Judgement, shown: Sequence[Document], documents: Sequence[Document]
) -> tuple[Quote, ...]:
    """Where documents have a judgement's quotes, first the one of `shown` whose number it names."""
    named = {document.id for document in shown[max(judgement.document - 1, 0) :][:1]}
    ordered = sorted(documents, key=lambda document: document.id not in named)
    whole = _find_quote(judgement.quote, ordered)
    parts = [whole] if whole else [_find_quote(q, ordered) for q in _BETWEEN.split(judgement.quote)]
    return tuple(dict.fromkeys(quote for quote in parts if quote))


def _find_quote(text: str, documents: Sequence[Document]) -> Quote | None:
    words = text.strip(_MARKS).split()
    if len(words) < _SHORT:
        return None
    pattern = re.compile(loosely(" ".join(words)), re.IGNORECASE)
    for document in documents:
        if match := pattern.search(document.text):
            start, end = match.span()
            return Quote(document=document.id, start=start, end=end, text=match[0])
    return None
