"""RAC's revise role: the draft edited where claims changed, and nowhere else."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from errata.core.edits import Span, Spans, diff, overlaps, rest_on
from errata.core.limits import check_time
from errata.core.records import Claim, Edit, Fix, Verdict
from errata.core.words import fold, places_of
from errata.tools.local.changes import ground_fixes, settle
from errata.tools.local.extract import Sentence, split_draft
from errata.tools.local.mends import Mend, apply_mends, find_once, restate
from errata.tools.local.tidy import tidy

UNPLACED = "its words were not found in the draft; left as it was"
UNCLEAN = "it cannot be cut cleanly out of its sentence"
_OPENING = re.compile(
    r"\A(?:(?:in )?(?:conclusion|summary|short|brief|sum)|all in all|again"
    r"|to (?:conclude|sum up|repeat)|overall|finally)[,:] ",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(?P<said>[^\n]+)", re.MULTILINE)


def revise(
    question: str,
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    verdicts: Sequence[Verdict] = (),
    mends: Mapping[str, Sequence[Mend]] = MappingProxyType({}),
) -> tuple[list[Edit], list[str]]:
    """Turn fixes into edits of the draft; also a note for each fix without a place in it.

    A fix with a text replaces the words that differ, or that its mends name; one without takes out
    the claim's clause where that leaves a sentence, or the sentence, which stays for another claim
    in it that is not refuted. If nothing would remain but what is refuted and has no fix, there
    are no edits.
    """
    by_id = {claim.id: claim for claim in claims}
    fixes = sorted(fixes, key=lambda fix: by_id[fix.claim].start)
    starts = [by_id[fix.claim].start for fix in fixes]
    doubted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    doubted = doubted.union(f.claim for f in fixes) - {f.claim for f in fixes if f.text}
    sure = Spans((c for c in claims if c.id not in doubted), lambda c: (c.start, c.start + 1))
    edits, notes = list[Edit](), list[str]()
    sentences = split_draft(question, draft)
    for sentence in sentences:
        check_time()
        own = fixes[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        whole = not sure.touching(sentence.start, sentence.end)
        if not whole:
            mended, own = _mend(draft, sentence, by_id, own, mends)
            edits += mended
            notes += [f"claim {fix.claim}: {UNPLACED}" for fix in own if fix.claim in mends]
            own = [fix for fix in own if fix.claim not in mends]
        own_edits, own_notes = _edit_sentence(draft, sentence, by_id, own, whole=whole)
        edits += own_edits
        notes += own_notes
    edits += _repeat(draft, sentences, by_id, fixes, edits)
    edits, more_notes = tidy(question, draft, edits, unsound_places(claims, fixes, verdicts))
    return edits, notes + more_notes


def mend_sentence(
    text: str,
    claims: Mapping[str, Claim],
    fixes: Sequence[Fix],
    mends: Mapping[str, Sequence[Mend]],
) -> tuple[str, list[Fix]]:
    """A sentence with the changes that fixes name, and the fixes whose changes cannot be made."""
    changes = list[Sequence[Mend]]()
    for fix in fixes:
        claim = claims[fix.claim].text
        changes.append(
            mends.get(fix.claim) or restate(claim, fix.text) if fix.text else [(claim, "")]
        )
    if all(changes) and (whole := apply_mends(text, [mend for own in changes for mend in own])):
        return whole, []
    left = list[Fix]()
    for fix, own in zip(fixes, changes, strict=True):
        mended = apply_mends(text, own) if own else None
        text = mended or text
        left += [] if mended else [fix]
    return text, left


def _mend(
    draft: str,
    sentence: Sentence,
    claims: Mapping[str, Claim],
    fixes: Sequence[Fix],
    mends: Mapping[str, Sequence[Mend]],
) -> tuple[list[Edit], list[Fix]]:
    """The edits of a sentence that fixes name, tied to them, and the fixes that are left."""
    span = sentence.start, sentence.end
    named = [fix for fix in fixes if fix.claim in mends or not fix.text]
    text, left = mend_sentence(draft[slice(*span)], claims, named, mends)
    made = [fix for fix in named if fix not in left]
    edits = diff(draft[slice(*span)], text, sentence.start) if made else []
    grounds = ground_fixes(list(claims.values()), made)
    return settle(draft, edits, [span], grounds), [fix for fix in fixes if fix not in made]


def unsound_places(
    claims: Sequence[Claim], fixes: Sequence[Fix], verdicts: Sequence[Verdict]
) -> set[Span]:
    """Where sentences stand all of whose claims are refuted and have no fix."""
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    false = refuted - {fix.claim for fix in fixes}
    sound = {(claim.start, claim.end) for claim in claims if claim.id not in false}
    return {(claim.start, claim.end) for claim in claims} - sound


def _edit_sentence(
    draft: str,
    sentence: Sentence,
    claims: Mapping[str, Claim],
    fixes: Sequence[Fix],
    *,
    whole: bool,
) -> tuple[list[Edit], list[str]]:
    """The edits of one sentence and notes; `whole` says that no claim in it has to stay."""
    edits, removals, notes = list[Edit](), list[Edit](), list[str]()
    for fix in fixes:
        claim = claims[fix.claim]
        found = _replace_words(draft, sentence, claim, fix) if fix.text else []
        if found:
            edits += found
        elif fix.text or claim.end > sentence.end:
            notes.append(f"claim {fix.claim}: {UNPLACED}")
        else:
            removals.append(_edit(draft, (sentence.start, sentence.end), "", fix))
    if removals and whole:
        return [rest_on(removals[0], removals)], notes
    if removals:
        ids = ", ".join(claim for edit in removals for claim in edit.claims)
        notes.append(f"claim {ids} has no support and stays in the draft: {UNCLEAN}")
    return list(_merge_agreeing(edits)), notes


def _repeat(
    draft: str,
    sentences: Iterable[Sentence],
    claims: Mapping[str, Claim],
    fixes: Sequence[Fix],
    edits: Sequence[Edit],
) -> Iterator[Edit]:
    """The edits made again where a heading, or a sentence after "In short", has a claim's words."""
    taken = Spans(edits, lambda edit: (edit.start, edit.end))
    made_for = {claim for edit in edits for claim in edit.claims}
    placed = Spans(claims.values(), lambda claim: (claim.start, claim.end))
    same = defaultdict[str, list[Span]](list)
    for sentence in sentences:
        same[_said(sentence.text)].append((sentence.start, sentence.end))
    for heading in _HEADING.finditer(draft):
        same[_said(heading["said"])].append(heading.span("said"))
    # Of claims in the same words the first one speaks, so that no place is edited twice.
    told = [fix for fix in reversed(fixes) if fix.text and fix.claim in made_for]
    for said, fix in {_said(claims[fix.claim].text): fix for fix in told}.items():
        changes = diff(claims[fix.claim].text, fix.text)
        for start, end in same.get(said, ()) if changes else ():
            places = [find_once(change.before, draft[start:end]) for change in changes]
            if all(places) and not taken.touching(start, end):
                pairs = zip(places, changes, strict=True)
                spans = ((start + p[0], start + p[1], change.after) for p, change in pairs if p)
                own = tuple(claim.id for claim in placed.touching(start, end)) or (fix.claim,)
                made = (_edit(draft, (a, b), after, fix) for a, b, after in spans)
                yield from (replace(edit, claims=own) for edit in made)


def _said(sentence: str) -> str:
    """A sentence in the form in which repeated ones are compared."""
    return _OPENING.sub("", fold(sentence)).strip(" .!?:*_").casefold()


def _edit(draft: str, span: Span, after: str, fix: Fix) -> Edit:
    edit = Edit(start=span[0], end=span[1], before=draft[slice(*span)], after=after)
    told = replace(edit, evidence=fix.evidence, explanation=fix.explanation, by=fix.by)
    return replace(told, claims=(fix.claim,))


def _replace_words(draft: str, sentence: Sentence, claim: Claim, fix: Fix) -> list[Edit]:
    """Edits for the words that a fix changes; none unless each occurs once in the sentence.

    An insertion is extended by the word before it, so that its place can be found.
    """
    edits = list[Edit]()
    for change in diff(claim.text, fix.text):
        word = ""
        if not change.before.strip():
            before = claim.text[: change.start]
            word = before[len(before.rstrip().rpartition(" ")[0]) :]
        old, new = word + change.before, word + change.after
        places = places_of(old, sentence.text)
        if len(places) != 1:
            return []
        start, end = sentence.words(places[0], places[0] + len(old))
        if draft[start:end] != old:
            return []
        edits.append(_edit(draft, (start, end), new, fix))
    return edits


def _merge_agreeing(edits: Iterable[Edit]) -> Iterator[Edit]:
    """One edit for all that replace the same words alike; none where they disagree or overlap."""
    by_span: dict[tuple[int, int], list[Edit]] = {}
    for edit in edits:
        by_span.setdefault((edit.start, edit.end), []).append(edit)
    for span, same in by_span.items():
        others = (own[0] for other, own in by_span.items() if other != span)
        if len({edit.after for edit in same}) == 1 and not overlaps(same[0], others):
            yield rest_on(same[0], same)
