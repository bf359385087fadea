"""The gate that every local correction of a claim passes: none leaves a sentence worse."""

import re
from collections.abc import Iterator

from errata.tools.judges.differences import compare
from errata.tools.judges.entailment import STRIPS, best_strips
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.local.proposals import Proposal
from errata.tools.text.clauses import FINITE, find_subject
from errata.tools.text.denials import is_denial
from errata.tools.text.entities import find_entities
from errata.tools.text.strips import Strip
from errata.tools.text.words import content_stems, split_stems, split_words

TWO_VALUES = "the documents give two values"
OWN_VALUE = "the documents have the draft's value, too"
UNFIT = "what the documents say would not fit into the sentence"

_BOUNDS = {
    "by": "by", "from": "from", "since": "from", "to": "to", "until": "to", "till": "to",
    "before": "before", "after": "after", "between": "between",
}  # fmt: skip
"""What a value does in its sentence, by the word before it: where it ends, by how much, by whom."""
_PLACES = dict.fromkeys(("in", "at", "on", "near"), "in")
_SINGLE = re.compile(r"(?:one|1)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:most|many|some|several|few|often|sometimes|rarely|seldom|usually|partly|only|except)\b",
    re.IGNORECASE,
)
"""Words by which something holds in part."""
_TWICE = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_JOINT = re.compile(r"[,;:] | and | but | while ")
_VERB = re.compile(rf"\b{FINITE}\b")


def find_objection(claim: Reading, proposal: Proposal, evidence: Evidence) -> str:
    """Why a claim must not be changed so; empty if nothing speaks against it.

    A value stays if a place in the evidence bears it out, if the claim denies it, or if the new one
    has another role there. No word comes twice, and no strip differs from the new claim.
    """
    new = Reading(proposal.text, claim.topic, claim.question_entity)
    if not _reads_well(claim, new):
        return UNFIT
    if proposal.start < 0 and _is_limited(claim, new, evidence):
        return UNFIT
    if proposal.start >= 0:
        strips = best_strips(claim, evidence, STRIPS)
        if any(_bears_out(claim, proposal, strip) for strip in strips):
            return OWN_VALUE
        if is_denial(claim.words, claim.bag) or not _fits(claim, proposal, evidence):
            return UNFIT
    compared = compare(new, evidence)
    return TWO_VALUES if compared.differences or compared.disputes else ""


def _reads_well(claim: Reading, new: Reading) -> bool:
    """Whether a new text has a verb if the claim has one, and no word twice that it has not."""
    has_verb = bool(_VERB.search(new.text)) or not _VERB.search(claim.text)
    is_doubled = _TWICE.search(new.text) and not _TWICE.search(claim.text)
    return has_verb and not is_doubled and _count_repeats(new) <= _count_repeats(claim)


def _is_limited(claim: Reading, new: Reading, evidence: Evidence) -> bool:
    """Whether the evidence says only of some, or of some times, what a turned claim says."""
    strips = best_strips(new, evidence, STRIPS)
    texts = [strip.text for strip in strips if content_stems(new.text) <= content_stems(strip.text)]
    limits = {match.group().lower() for text in texts for match in _LIMIT.finditer(text)}
    return any(limit not in claim.text.lower() for limit in limits)


def _count_repeats(claim: Reading) -> int:
    stems = [word.stem for word in claim.content_words]
    return len(stems) - len(set(stems))


def _bears_out(claim: Reading, proposal: Proposal, strip: Strip) -> bool:
    """Whether a clause of a strip has the claim's own value after the same subject and word."""
    start, end = proposal.start, proposal.start + len(proposal.claimed)
    subject = content_stems(find_subject(claim.text))
    subject = subject or frozenset(split_stems(claim.text[:start])[:1])
    around = _neighbours(claim.text, start, end)
    # Of a value it tells what stands before it; a word may be said of much else, and a guess needs
    # that the value is nowhere said of the subject.
    is_value = bool(find_entities(proposal.claimed))
    sides = slice(0, (0 if proposal.source == "guess" else 1) if is_value else 2)
    return any(
        around[sides] == _neighbours(clause, *match.span())[sides]
        and subject <= content_stems(clause)
        for clause in _JOINT.split(strip.text)
        for match in _occurrences(proposal.claimed, clause)
    )


def _neighbours(text: str, start: int, end: int) -> tuple[str, str]:
    """The stems of the content words before and after a stretch; empty without one."""
    before = (word.stem for word in reversed(split_words(text[:start])) if word.is_content)
    after = (word.stem for word in split_words(text[end:]) if word.is_content)
    return next(before, ""), next(after, "")


def _occurrences(words: str, text: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"(?<!\w){re.escape(words.rstrip('.'))}(?!\w)", text, re.IGNORECASE)


def _fits(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether the new words can stand where the claim's did: one for one, and in the same role."""
    if bool(_SINGLE.match(proposal.claimed)) != bool(_SINGLE.match(proposal.stated)):
        return False
    return not _changes_subject(claim, proposal, evidence) and _keeps_role(
        claim, proposal, evidence
    )


def _changes_subject(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether another stands in place of the subject, though the evidence speaks of that."""
    subject = find_subject(claim.text)
    end = claim.text.find(subject) + len(subject)
    stems = content_stems(proposal.claimed)
    return proposal.start < end and bool(stems) and stems <= evidence.bag


def _keeps_role(claim: Reading, proposal: Proposal, evidence: Evidence) -> bool:
    """Whether the evidence has the new value after the word that the claim has before its own."""
    kinds = {entity.kind for entity in find_entities(proposal.claimed)}
    if not kinds:
        return True
    is_name = kinds == {"name"}
    ours = _role(claim.text[: proposal.start], is_name=is_name)
    strips = (strip for strip, _ in evidence.best(claim))
    found = [
        _role(strip.text[: match.start()], is_name=is_name)
        for strip in strips
        for match in _occurrences(proposal.stated, strip.text)
    ]
    return not found or ours in found or (is_name and ("" in found or not ours))


def _role(before: str, *, is_name: bool) -> str:
    """The role of a value by the word before it; empty for none that tells."""
    words = before.lower().split()
    last = words[-1].strip("(,") if words else ""
    return _BOUNDS.get(last, _PLACES.get(last, "") if is_name else "")
