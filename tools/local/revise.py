"""RAC's revise role: the draft edited where claims changed, and nowhere else."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from errata.core.edits import Span, Spans, diff, grouped, rest_on
from errata.core.limits import check_time
from errata.core.records import Claim, Edit, Fix, Verdict
from errata.core.words import fold
from errata.tools.local.changes import ground_fixes, settle
from errata.tools.local.extract import sentence_places
from errata.tools.local.mends import Mend, apply_mends, disagree, restate
from errata.tools.local.tidy import tidy

UNPLACED = "its words were not found in the draft; left as it was"
UNCLEAN = "it cannot be cut cleanly out of its sentence"
_OPENING = re.compile(
    r"\A(?:(?:in )?(?:conclusion|summary|short|brief|sum)|all in all|again"
    r"|to (?:conclude|sum up|repeat)|overall|finally)[,:] ",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(?P<said>[^\n]+)", re.MULTILINE)


class Left(NamedTuple):
    """A sentence with the claims in it, of which code cannot make all fixes."""

    start: int
    end: int
    claims: Sequence[Claim]
    fixes: Sequence[Fix]
    """Those that are left."""


def revise(
    question: str,
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    verdicts: Sequence[Verdict] = (),
    mends: Mapping[str, Sequence[Mend]] | None = None,
) -> tuple[list[Edit], list[str]]:
    """Turn fixes into edits of the draft; also a note for each that code cannot make in it.

    If nothing would remain but what is refuted and has no fix, there are no edits.
    """
    edits, left, notes = mend_draft(draft, claims, fixes, verdicts, mends or {})
    edits = settle(draft, edits, sentence_places(draft), ground_fixes(claims, fixes))
    edits += repeat_mends(draft, claims, fixes, edits)
    edits, more = tidy(question, draft, edits, unsound_places(claims, fixes, verdicts))
    return edits, [*notes, *say_left(left), *more]


def mend_draft(
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    verdicts: Sequence[Verdict],
    mends: Mapping[str, Sequence[Mend]],
) -> tuple[list[Edit], list[Left], list[str]]:
    """The edits that fixes come to, the sentences with fixes that code cannot make, and notes.

    A fix with a text replaces the words that its mends name, or that differ; one without takes out
    the claim's clause, or the sentence where no other claim in it has to stay. A claim without a
    place of its own is noted.
    """
    doubted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    doubted = doubted.union(fix.claim for fix in fixes) - {fix.claim for fix in fixes if fix.text}
    by_id, whole = {fix.claim: fix for fix in fixes}, (0, len(draft))
    fixed = [claim for claim in claims if claim.id in by_id]
    several = len(sentence_places(draft)) > 1
    lost = [claim for claim in fixed if several and (claim.start, claim.end) == whole]
    placed = Spans((c for c in claims if c not in lost), lambda c: (c.start, c.start + 1))
    edits, left = list[Edit](), list[Left]()
    for place, _ in grouped(((c.start, c.end), c) for c in fixed if c not in lost):
        check_time()
        own, before = placed.touching(*place), draft[slice(*place)]
        asked = [by_id[claim.id] for claim in own if claim.id in by_id]
        if all(claim.id in doubted for claim in own):
            edits.append(Edit(start=place[0], end=place[1], before=before, after=""))
            continue
        text, missed = _mend_sentence(before, own, asked, mends)
        changes = diff(before, text, place[0])
        if len(changes) == 1:
            grounds = ground_fixes(own, [fix for fix in asked if fix not in missed])
            changes = [rest_on(changes[0], grounds)]
        edits += changes
        left += [Left(*place, own, missed)] if missed else []
    return edits, left, [f"claim {claim.id}: {UNPLACED}" for claim in lost]


def repeat_mends(
    draft: str, claims: Sequence[Claim], fixes: Sequence[Fix], edits: Sequence[Edit]
) -> Iterator[Edit]:
    """The edits made again where a heading, or a sentence after "In short", has a claim's words."""
    taken = Spans(edits, lambda edit: (edit.start, edit.end))
    made, same = {c for edit in edits for c in edit.claims}, defaultdict[str, list[Span]](list)
    for place in (*sentence_places(draft), *(h.span("said") for h in _HEADING.finditer(draft))):
        same[_said(draft[slice(*place)])].append(place)
    by_id = {claim.id: claim for claim in claims}
    # Of claims in the same words the first one speaks, so that no place is edited twice.
    told = [(by_id[f.claim], f) for f in reversed(fixes) if f.text and f.claim in made]
    for said, (claim, fix) in {_said(claim.text): (claim, fix) for claim, fix in told}.items():
        changes, grounds = _changes(claim.text, fix.text), ground_fixes([claim], [fix])
        for start, end in (place for place in same[said] if not taken.touching(*place)):
            text = apply_mends(draft[start:end], changes)
            for edit in diff(draft[start:end], text, start) if text else ():
                yield rest_on(edit, grounds)


def _said(sentence: str) -> str:
    """A sentence in the form in which repeated ones are compared."""
    return _OPENING.sub("", fold(sentence)).strip(" .!?:*_").casefold()


def say_left(left: Sequence[Left]) -> list[str]:
    """A note on each fix that was not made."""
    unclean = f"has no support and stays in the draft: {UNCLEAN}"
    fixes = (fix for each in left for fix in each.fixes)
    return [f"claim {fix.claim}{f': {UNPLACED}' if fix.text else f' {unclean}'}" for fix in fixes]


def _mend_sentence(
    text: str, claims: Sequence[Claim], fixes: Sequence[Fix], mends: Mapping[str, Sequence[Mend]]
) -> tuple[str, list[Fix]]:
    """A sentence with the changes that fixes name, and the fixes left: all if changes disagree."""
    texts = {claim.id: claim.text for claim in claims}
    ways = [_find_way(text, texts[f.claim], f, mends.get(f.claim, ())) for f in fixes]
    every = [mend for way in ways for mend in way]
    if disagree(text, every):
        return text, list(fixes)
    if all(ways) and (mended := apply_mends(text, every)):
        return mended, []
    left = list[Fix]()
    for fix, way in zip(fixes, ways, strict=True):
        mended = apply_mends(text, way) if way else None
        text = mended or text
        left += [] if mended else [fix]
    return text, left


def _find_way(text: str, claim: str, fix: Fix, mends: Sequence[Mend]) -> Sequence[Mend]:
    """The changes that a fix comes to in a sentence; none if none of them can be made."""
    ways = [mends] if mends else [_changes(claim, fix.text), restate(claim, fix.text)]
    ways = ways if fix.text else [[(claim, "")]]
    return next((way for way in ways if way and apply_mends(text, way)), ())


def _changes(claim: str, text: str) -> list[Mend]:
    """The words that differ; what is put in comes with the word before it, which has a place."""
    changes = list[Mend]()
    for change in diff(claim, text):
        before = "" if change.before.strip() else claim[: change.start]
        word = before[len(before.rstrip().rpartition(" ")[0]) :]
        changes.append(((word + change.before).strip(), (word + change.after).strip()))
    return changes


def unsound_places(
    claims: Sequence[Claim], fixes: Sequence[Fix], verdicts: Sequence[Verdict]
) -> set[Span]:
    """Where sentences stand all of whose claims are refuted and have no fix."""
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    false = refuted - {fix.claim for fix in fixes}
    sound = {(claim.start, claim.end) for claim in claims if claim.id not in false}
    return {(claim.start, claim.end) for claim in claims} - sound
