"""A last reading of a revised text: what it says twice, and what points to nothing any more."""

import re
from collections.abc import Iterator, Sequence

from errata.records import Edit
from errata.tools.local.antecedents import Sentence, is_name
from errata.tools.local.reading import Flaw, Reading
from errata.tools.local.repeated import find_repeated
from errata.tools.text.entities import find_entities
from errata.tools.text.pronouns import PERSONAL_PRONOUN, replace_pronoun
from errata.tools.text.words import content_stems

_SINCE = re.compile(r",? (?:ever since|since then|from then on)\b(?=[.,;])", re.IGNORECASE)
_THEN = re.compile(
    r"\b(?:ever since|since then|from then on|(?:that|the same|later that) (?:year|month|day|time)"
    r"|at (?:that|the) (?:time|age)|the following (?:year|month|day))\b",
    re.IGNORECASE,
)
_THERE = re.compile(r"(?<=\w )there\b(?! (?:is|are|was|were|has|have|had)\b)", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|at|to|from|of|near|into|around|for) (?:the )?[A-Z]")


def reread(question: str, draft: str, edits: Sequence[Edit]) -> list[Flaw]:
    """Find what the edits make a text say twice or leave open, in the order of the text.

    What the draft did itself is none of it. A mend takes out a sentence that says nothing but what
    another says, puts the name in place of a pronoun, or takes out an "ever since" without a time;
    it rests on the claims of the edits nearby.
    """
    if not edits:
        return []
    reading = Reading(question, draft, edits)
    flaws = [*find_repeated(reading), *_find_unnamed(reading), *_find_dangling(reading)]
    by_sentence = {flaw.start: flaw for flaw in reversed(flaws)}
    return [by_sentence[start] for start in sorted(by_sentence)]


def _find_unnamed(reading: Reading) -> Iterator[Flaw]:
    """An opening that no longer says whom it is about, and pronouns that now mean another."""
    if reading.old and reading.new:
        yield from _check_opening(reading, reading.old[0], reading.new[0])
    named = {sentence.text: sentence.antecedent for sentence in reading.old}
    for number, sentence in enumerate(reading.new[1:], start=1):
        meant = named.get(sentence.text, "")
        now = sentence.antecedent
        is_other = meant and now and is_name(meant) and not set(meant.split()) & set(now.split())
        if (
            is_other
            and set(meant.split()) & reading.words
            and PERSONAL_PRONOUN.match(sentence.text)
        ):
            near = reading.near(reading.new[number - 1])
            yield _name(reading, sentence, meant, near, "its pronoun would mean another")


def _check_opening(reading: Reading, before: Sentence, after: Sentence) -> Iterator[Flaw]:
    names = reading.topic or (content_stems(before.subject) if is_name(before.subject) else set())
    if not names & content_stems(before.text) or names & content_stems(after.text):
        return
    near = reading.near(after) or reading.edits[:1]
    if PERSONAL_PRONOUN.match(after.text) and is_name(before.subject):
        yield _name(reading, after, before.subject, near, "it is the first to speak of its subject")
    elif PERSONAL_PRONOUN.match(after.text):
        yield Flaw(after.start, after.end, "the text no longer says whom it is about", before.text)


def _name(
    reading: Reading, sentence: Sentence, name: str, near: Sequence[Edit], reason: str
) -> Flaw:
    """A sentence whose leading pronoun becomes a name."""
    pronoun = sentence.text.split()[0]
    start, end = sentence.words(0, len(pronoun))
    mend = reading.mend((start, end), replace_pronoun(pronoun, name), reason, near)
    return Flaw(sentence.start, sentence.end, reason, mend=mend)


def _find_dangling(reading: Reading) -> Iterator[Flaw]:
    """Words that point to a time or a place that the text before them no longer has."""
    contexts = dict(_pointers(reading.old))
    for number, sentence in enumerate(reading.new):
        for key, has_target in _pointers([sentence], reading.new[max(number - 1, 0) : number]):
            if has_target or not contexts.get(key):
                continue
            _, words = key
            reason = f"“{words}” points to nothing that the text still says"
            before = reading.new[number - 1].text if number else ""
            mend = _cut_since(reading, sentence, words, reason)
            yield Flaw(sentence.start, sentence.end, reason, before, mend)


def _pointers(
    sentences: Sequence[Sentence], before: Sequence[Sentence] = ()
) -> Iterator[tuple[tuple[frozenset[str], str], bool]]:
    """Each word that points back, and whether a time or place is named before it.

    It is known again by the words that follow it, or go before it at the end of a sentence.
    """
    previous = before[-1].text if before else ""
    for sentence in sentences:
        for pattern, names in ((_THEN, _names_time), (_THERE, _names_place)):
            for match in pattern.finditer(sentence.text):
                context = f"{previous} {sentence.text[: match.start()]}"
                yield (_around(sentence.text, match), match.group().lower()), names(context)
        previous = sentence.text


def _around(text: str, match: re.Match[str]) -> frozenset[str]:
    """The word before a pointer."""
    return frozenset(text[: match.start()].lower().split()[-1:])


def _names_time(text: str) -> bool:
    return any(entity.kind in ("date", "year", "number") for entity in find_entities(text))


def _names_place(text: str) -> bool:
    return bool(_PLACE.search(text))


def _cut_since(reading: Reading, sentence: Sentence, words: str, reason: str) -> Edit | None:
    """The edit that takes out an "ever since" at the end of a clause."""
    match = _SINCE.search(sentence.text)
    if not match or words not in match.group().lower():
        return None
    return reading.mend(sentence.words(*match.span()), "", reason, reading.near(sentence))
