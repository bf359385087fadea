"""RAC's revise role: the draft edited where claims changed, and nowhere else."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from errata.borders import places_of
from errata.bounds import check_time
from errata.edits import diff, overlaps
from errata.records import Claim, Edit, Fix
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.local.tidy import tidy
from errata.tools.text.clause_removal import remove_clauses
from errata.tools.text.clauses import Part
from errata.tools.text.words import content_stems

SIMILAR = 0.6
"""Jaccard similarity at which a clause counts as the one a claim came from."""


def revise(
    question: str, draft: str, claims: Sequence[Claim], fixes: Sequence[Fix]
) -> tuple[list[Edit], list[str]]:
    """Turn fixes into edits of the draft; also a note for each fix without a place in it.

    A fix with a text replaces the words that differ; one without deletes the claim's clause. If no
    sentence would remain, there are no edits.
    """
    by_id = {claim.id: claim for claim in claims}
    edits: list[Edit] = []
    notes: list[str] = []
    fixes = sorted(fixes, key=lambda fix: by_id[fix.claim].start)
    starts = [by_id[fix.claim].start for fix in fixes]
    for sentence in split_draft(question, draft):
        check_time()
        own = fixes[bisect_left(starts, sentence.start) : bisect_left(starts, sentence.end)]
        sentence_edits, sentence_notes = _edit_sentence(sentence, by_id, own)
        edits += sentence_edits
        notes += sentence_notes
    edits, more_notes = tidy(question, draft, edits)
    return edits, notes + more_notes


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
    sentence: Sentence, claims: Mapping[str, Claim], fixes: Sequence[Fix]
) -> tuple[list[Edit], list[str]]:
    removals = [fix for fix in fixes if not fix.text]
    parts = _find_clauses([claims[fix.claim] for fix in removals], sentence)
    clauses = dict(zip(removals, parts, strict=True))
    deletions = _delete_clauses(sentence, {fix: part for fix, part in clauses.items() if part})
    replacements = {
        fix: _replace_words(sentence, claims[fix.claim], fix) for fix in fixes if fix.text
    }
    agreed = _merge_agreeing(edit for edits in replacements.values() for edit in edits or ())
    notes = [
        f"claim {fix.claim}: its words were not found in the draft; left as it was"
        for fix, match in (clauses | replacements).items()
        if match is None
    ]
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


def _delete_clauses(sentence: Sentence, clauses: Mapping[Fix, Part]) -> list[Edit]:
    """Edits that delete clauses from a sentence; each edit names all their fixes."""
    if not clauses:
        return []
    rest = remove_clauses(sentence.text, sentence.clauses, set(clauses.values()))
    ending = sentence.text[sentence.clauses.end :]
    after = "" if rest is None else _match_capital(rest, sentence.text) + ending
    return [
        replace(
            edit,
            claims=tuple(fix.claim for fix in clauses),
            evidence=tuple(quote for fix in clauses for quote in fix.evidence),
            explanation="; ".join(dict.fromkeys(fix.explanation for fix in clauses)),
        )
        for edit in diff(sentence.text, after, sentence.start)
    ]


def _match_capital(text: str, original: str) -> str:
    """The text with a capital first letter if the original has one."""
    return text[:1].upper() + text[1:] if original[:1].isupper() else text


def _replace_words(sentence: Sentence, claim: Claim, fix: Fix) -> list[Edit] | None:
    """Edits for the words that a fix changes; None unless each occurs once in the sentence."""
    changes = [_anchor(claim.text, edit) for edit in diff(claim.text, fix.text)]
    places = [places_of(edit.before, sentence.text) for edit in changes]
    if not changes or any(len(found) != 1 for found in places):
        return None
    starts = [sentence.start + place for [place] in places]
    return [
        replace(
            edit,
            start=start,
            end=start + len(edit.before),
            claims=(fix.claim,),
            evidence=fix.evidence,
            explanation=fix.explanation,
        )
        for edit, start in zip(changes, starts, strict=True)
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
