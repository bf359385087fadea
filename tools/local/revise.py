"""RAC's revise role: the draft edited where claims changed, and nowhere else."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from errata.borders import places_of
from errata.bounds import check_time
from errata.edits import diff, overlaps
from errata.records import Claim, Edit, Fix, Verdict
from errata.spans import Span, Spans
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.local.changes import Ground, settle
from errata.tools.local.tidy import tidy
from errata.tools.text.clause_removal import is_clean, remove_clauses
from errata.tools.text.clauses import Part
from errata.tools.text.pronouns import replace_pronoun
from errata.tools.text.words import content_stems

SIMILAR = 0.6
"""Jaccard similarity at which a clause counts as the one a claim came from."""
UNCLEAN = "it cannot be cut cleanly out of its sentence"


def revise(
    question: str,
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    verdicts: Sequence[Verdict] = (),
) -> tuple[list[Edit], list[str]]:
    """Turn fixes into edits of the draft; also a note for each fix without a place in it.

    A fix with a text replaces the words that differ; one without deletes the claim's clause. If the
    rest of the sentence would not read well, the clause stays for a claim that the verdicts do not
    doubt; without one, the sentence goes. If nothing would remain but what is refuted and has no
    fix, there are no edits.
    """
    by_id = {claim.id: claim for claim in claims}
    edits: list[Edit] = []
    notes: list[str] = []
    fixes = sorted(fixes, key=lambda fix: by_id[fix.claim].start)
    starts = [by_id[fix.claim].start for fix in fixes]
    doubted = {v.claim for v in verdicts if v.label in ("refuted", "not_mentioned")}
    doubted -= {fix.claim for fix in fixes if fix.text}
    doubted |= {fix.claim for fix in fixes if not fix.text}
    sure = Spans((c for c in claims if c.id not in doubted), lambda c: (c.start, c.start + 1))
    for sentence in split_draft(question, draft):
        check_time()
        own = fixes[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        whole = not sure.touching(sentence.start, sentence.end)
        sentence_edits, sentence_notes = _edit_sentence(draft, sentence, by_id, own, whole=whole)
        edits += sentence_edits
        notes += sentence_notes
    edits, more_notes = tidy(question, draft, edits, unsound_places(claims, fixes, verdicts))
    return edits, notes + more_notes


def unsound_places(
    claims: Sequence[Claim], fixes: Sequence[Fix], verdicts: Sequence[Verdict]
) -> set[Span]:
    """Where sentences stand all of whose claims are refuted and have no fix."""
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    false = refuted - {fix.claim for fix in fixes}
    sound = {(claim.start, claim.end) for claim in claims if claim.id not in false}
    return {(claim.start, claim.end) for claim in claims} - sound


def claim_spans(claims: Sequence[Claim]) -> list[tuple[int, int]]:
    """Start and end of the claims' sentences in the draft, in order; overlapping ones merged."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted((claim.start, claim.end) for claim in claims):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _edit_sentence(
    draft: str,
    sentence: Sentence,
    claims: Mapping[str, Claim],
    fixes: Sequence[Fix],
    *,
    whole: bool,
) -> tuple[list[Edit], list[str]]:
    """The edits of one sentence and notes; `whole` says that it may go, where a clause cannot."""
    removals = [fix for fix in fixes if not fix.text]
    parts = _find_clauses([claims[fix.claim] for fix in removals], sentence)
    clauses = dict(zip(removals, parts, strict=True))
    found = {fix: part for fix, part in clauses.items() if part}
    deletions = _delete_clauses(draft, sentence, found, whole=whole)
    replacements = {
        fix: _replace_words(draft, sentence, claims[fix.claim], fix) for fix in fixes if fix.text
    }
    agreed = _merge_agreeing(edit for edits in replacements.values() for edit in edits or ())
    notes = [
        f"claim {fix.claim}: its words were not found in the draft; left as it was"
        for fix, match in (clauses | replacements).items()
        if match is None
    ]
    if deletions is None:
        ids = ", ".join(fix.claim for fix in found)
        notes.append(f"claim {ids} has no support and stays in the draft: {UNCLEAN}")
    deletions = deletions or []
    return deletions + [edit for edit in agreed if not overlaps(edit, deletions)], notes


def _find_clauses(claims: Sequence[Claim], sentence: Sentence) -> list[Part | None]:
    """For each claim the clause with most words in common; None if none is similar enough."""
    if not claims:
        return []
    leaves = [(content_stems(leaf.claim), leaf) for leaf in sentence.clauses.leaves()]
    same = {stems: leaf for stems, leaf in reversed(leaves) if stems}
    return [_find_clause(content_stems(claim.text), leaves, same) for claim in claims]


def _find_clause(
    stems: frozenset[str],
    leaves: Sequence[tuple[frozenset[str], Part]],
    same: Mapping[frozenset[str], Part],
) -> Part | None:
    """The clause of most similar stems; `same` has the first clause with just these stems."""
    if stems in same:
        return same[stems]
    others, best = max(leaves, key=lambda leaf: _similarity(stems, leaf[0]))
    return best if _similarity(stems, others) >= SIMILAR else None


def _similarity(stems: frozenset[str], others: frozenset[str]) -> float:
    """Jaccard similarity of two sets of stems; 0 if both are empty."""
    return len(stems & others) / len(stems | others) if stems | others else 0.0


def _delete_clauses(
    draft: str, sentence: Sentence, clauses: Mapping[Fix, Part], *, whole: bool
) -> list[Edit] | None:
    """Edits that delete clauses from a sentence, each with its own fixes. None if unclean.

    If it is unclean and the sentence may go `whole`, it does.
    """
    if not clauses:
        return []
    removed = set(clauses.values())
    rest = remove_clauses(sentence.text, sentence.clauses, removed)
    places: list[Edit] | None = None
    named = _name_again(rest, sentence) if rest is not None else ""
    if named and is_clean(named, sentence.clauses, removed, sentence.antecedents):
        ending = sentence.text[sentence.clauses.end :]
        places = _place_edits(draft, sentence, _match_capital(named, sentence.text) + ending)
    if places is None and (whole or removed.issuperset(sentence.clauses.leaves())):
        places = [_edit(draft, (sentence.start, sentence.end), "")]
    grounds = _ground_removals(sentence, clauses)
    return places and settle(draft, places, [(sentence.start, sentence.end)], grounds)


def _ground_removals(sentence: Sentence, clauses: Mapping[Fix, Part]) -> list[Ground]:
    """What deletions rest on: fixes, each by the words that only its clause has."""
    kept = [leaf for leaf in sentence.clauses.leaves() if leaf not in set(clauses.values())]
    others = content_stems(" ".join(leaf.claim for leaf in kept))
    place = sentence.start, sentence.end
    stems = {fix: content_stems(part.claim) for fix, part in clauses.items()}
    return [
        Ground(place, own - others or own, (fix.claim,), fix.evidence, fix.explanation)
        for fix, own in stems.items()
    ]


def _place_edits(draft: str, sentence: Sentence, after: str) -> list[Edit] | None:
    """The edits of the draft that make a sentence read otherwise; None where they tear a link."""
    edits = []
    for edit in diff(sentence.text, after):
        exact = sentence.words(edit.start, edit.end)
        span = exact if edit.after or not edit.before else sentence.stretch(edit.start, edit.end)
        if edit.after and draft[slice(*span)] != edit.before:
            return None
        if sentence.passage.tears(*span):
            return None
        edits.append(_edit(draft, span, edit.after))
    return edits


def _edit(draft: str, span: Span, after: str) -> Edit:
    start, end = span
    return Edit(start=start, end=end, before=draft[start:end], after=after)


def _name_again(rest: str, sentence: Sentence) -> str:
    """What remains of a sentence with its subject where a pronoun would come before the name."""
    is_named = rest.startswith(sentence.text[: len(sentence.subject)])
    pronoun = replace_pronoun(sentence.subject, "x") != sentence.subject
    return rest if is_named or pronoun else replace_pronoun(rest, sentence.subject)


def _match_capital(text: str, original: str) -> str:
    """The text with a capital first letter if the original has one."""
    return text[:1].upper() + text[1:] if original[:1].isupper() else text


def _replace_words(draft: str, sentence: Sentence, claim: Claim, fix: Fix) -> list[Edit] | None:
    """Edits for the words that a fix changes; None unless each occurs once in the sentence."""
    changes = [_anchor(claim.text, edit) for edit in diff(claim.text, fix.text)]
    places = [places_of(edit.before, sentence.text) for edit in changes]
    if not changes or any(len(found) != 1 for found in places):
        return None
    starts = [place for [place] in places]
    spans = [sentence.words(a, a + len(e.before)) for a, e in zip(starts, changes, strict=True)]
    if any(draft[a:b] != e.before for (a, b), e in zip(spans, changes, strict=True)):
        return None
    return [
        replace(
            _edit(draft, span, edit.after),
            claims=(fix.claim,),
            evidence=fix.evidence,
            explanation=fix.explanation,
        )
        for edit, span in zip(changes, spans, strict=True)
    ]


def _anchor(text: str, edit: Edit) -> Edit:
    """Extend an insertion by the word before it, so that its place can be found."""
    if edit.before.strip():
        return edit
    word = text[len(text[: edit.start].rstrip().rpartition(" ")[0]) : edit.start]
    return replace(edit, before=word + edit.before, after=word + edit.after)


def _merge_agreeing(edits: Iterator[Edit]) -> Iterator[Edit]:
    """One edit for all that replace the same words alike; none where they disagree or overlap."""
    by_span: dict[tuple[int, int], list[Edit]] = {}
    for edit in edits:
        by_span.setdefault((edit.start, edit.end), []).append(edit)
    for span, same in by_span.items():
        others = (own[0] for other, own in by_span.items() if other != span)
        if len({edit.after for edit in same}) == 1 and not overlaps(same[0], others):
            yield replace(same[0], claims=tuple(claim for edit in same for claim in edit.claims))
