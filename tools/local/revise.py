"""The local filler of RAC's revise role: edits where claims changed, and nowhere else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from errata.edits import diff, overlaps
from errata.records import Claim, Edit, Fix
from errata.tools.local.extract import locate_sentences
from errata.tools.text.clause_removal import remove_clauses
from errata.tools.text.clauses import Part, Series, find_subject, parse_clauses
from errata.tools.text.pronouns import replace_pronoun
from errata.tools.text.words import content_stems

SAME = 0.6
"""How much of a claim a clause must hold to be the one it came from."""


@dataclass(frozen=True)
class Sentence:
    """Hold one sentence of the draft with its clauses."""

    start: int
    end: int
    text: str
    name: str
    clauses: Series


def revise(
    question: str, draft: str, claims: Sequence[Claim], fixes: Sequence[Fix]
) -> tuple[list[Edit], list[str]]:
    """Turn fixes into edits of the draft; give also notes of those that found no place.

    A fix with a text changes the words that differ; one without takes out the claim's clause. If
    every sentence would go, all stay, for an empty answer helps nobody.
    """
    by_id = {claim.id: claim for claim in claims}
    edits: list[Edit] = []
    notes: list[str] = []
    for sentence in _sentences(question, draft):
        mine = [fix for fix in fixes if _within(by_id[fix.claim], sentence)]
        made, missed = _sentence_edits(sentence, by_id, mine)
        edits += made
        notes += missed
    kept, left = tidy(question, draft, edits)
    return kept, notes + left


def claim_places(claims: Sequence[Claim]) -> list[tuple[int, int]]:
    """Give where claims stand in the draft; those that overlap share one place."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted((claim.start, claim.end) for claim in claims):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def tidy(question: str, draft: str, edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Take the space along with whole sentences that go, and name whom the next one speaks of.

    Gives no edit, and a note, where every sentence would go.
    """
    sentences = _sentences(question, draft)
    if edits and not _left(sentences, edits):
        return [], ["nothing in the draft is supported; it is returned as it was"]
    return (_tidied(draft, sentences, edits) if edits else []), []


def _sentences(question: str, draft: str) -> list[Sentence]:
    return [
        Sentence(a, b, draft[a:b], name, parse_clauses(draft[a:b], name))
        for a, b, name in locate_sentences(question, draft)
    ]


def _within(claim: Claim, sentence: Sentence) -> bool:
    return sentence.start <= claim.start < sentence.end


def _sentence_edits(
    sentence: Sentence, by_id: Mapping[str, Claim], fixes: Sequence[Fix]
) -> tuple[list[Edit], list[str]]:
    leaves = {fix: _leaf(by_id[fix.claim], sentence) for fix in fixes if not fix.text}
    gone = {leaf for leaf in leaves.values() if leaf}
    removed = _removal(sentence, gone, [fix for fix, leaf in leaves.items() if leaf])
    changed = {fix: _substitution(sentence, by_id[fix.claim], fix) for fix in fixes if fix.text}
    lost = [fix for fix, found in (leaves | changed).items() if found is None]
    notes = [
        f"claim {fix.claim}: its words were not found in the draft; left as it was" for fix in lost
    ]
    agreed = _agreeing(edit for found in changed.values() for edit in found or ())
    return removed + [edit for edit in agreed if not overlaps(edit, removed)], notes


def _leaf(claim: Claim, sentence: Sentence) -> Part | None:
    """Find the clause a claim came from: by its words, or by the most words in common."""
    leaves = list(sentence.clauses.leaves())
    wanted = content_stems(claim.text)
    best = max(leaves, key=lambda leaf: _overlap(wanted, leaf.claim))
    return best if _overlap(wanted, best.claim) >= SAME else None


def _overlap(wanted: frozenset[str], text: str) -> float:
    """Compare two sets of words by the share of all that both hold."""
    there = content_stems(text)
    return len(wanted & there) / len(wanted | there) if wanted | there else 0.0


def _removal(sentence: Sentence, gone: set[Part], fixes: Sequence[Fix]) -> list[Edit]:
    """Write the sentence without some clauses, as edits."""
    if not gone:
        return []
    kept = remove_clauses(sentence.text, sentence.clauses, gone)
    tail = sentence.text[sentence.clauses.end :]
    after = "" if kept is None else _opened(kept, sentence.text) + tail
    return [
        replace(
            edit,
            claims=tuple(fix.claim for fix in fixes),
            evidence=tuple(quote for fix in fixes for quote in fix.evidence),
            explanation="; ".join(dict.fromkeys(fix.explanation for fix in fixes)),
        )
        for edit in diff(sentence.text, after, sentence.start)
    ]


def _opened(text: str, like: str) -> str:
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def _substitution(sentence: Sentence, claim: Claim, fix: Fix) -> list[Edit] | None:
    """Find the words that a fix changes in the sentence; None where they are not there once."""
    changes = [_anchored(claim.text, edit) for edit in diff(claim.text, fix.text)]
    if not changes or any(sentence.text.count(edit.before) != 1 for edit in changes):
        return None
    return [
        Edit(
            start=sentence.start + sentence.text.index(edit.before),
            end=sentence.start + sentence.text.index(edit.before) + len(edit.before),
            before=edit.before,
            after=edit.after,
            claims=(fix.claim,),
            evidence=fix.evidence,
            explanation=fix.explanation,
        )
        for edit in changes
    ]


def _anchored(text: str, edit: Edit) -> Edit:
    """Let an insertion take the word before it along, so that its place can be found."""
    if edit.before.strip():
        return edit
    word = text[len(text[: edit.start].rstrip().rpartition(" ")[0]) : edit.start]
    return replace(edit, before=word + edit.before, after=word + edit.after)


def _agreeing(edits: Iterator[Edit]) -> Iterator[Edit]:
    """Merge edits of the same words; where two disagree, neither is made."""
    by_place: dict[tuple[int, int], list[Edit]] = {}
    for edit in edits:
        by_place.setdefault((edit.start, edit.end), []).append(edit)
    for same in by_place.values():
        if len({edit.after for edit in same}) == 1:
            yield replace(same[0], claims=tuple(c for edit in same for c in edit.claims))


def _left(sentences: Sequence[Sentence], edits: Sequence[Edit]) -> bool:
    whole = {(edit.start, edit.end) for edit in edits if not edit.after}
    return any((s.start, s.end) not in whole for s in sentences)


def _tidied(draft: str, sentences: Sequence[Sentence], edits: Sequence[Edit]) -> list[Edit]:
    """Take the space along with sentences that go, and name whom the next one speaks of."""
    by_place = {(edit.start, edit.end): edit for edit in edits if not edit.after}
    gone = [by_place.get((s.start, s.end)) for s in sentences]
    tidy = [edit for edit in edits if edit not in gone]
    for first, last in _runs(draft, sentences, [edit is not None for edit in gone]):
        merged = reduce(_merged, (edit for edit in gone[first : last + 1] if edit))
        start, end = _widened(draft, sentences, first, last)
        tidy.append(replace(merged, start=start, end=end, before=draft[start:end]))
    opening = gone.index(None)
    if opening:
        tidy += _renamed(sentences[opening], tidy)
    return sorted(tidy, key=lambda edit: edit.start)


def _runs(
    draft: str, sentences: Sequence[Sentence], gone: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """Give the first and last of neighbouring sentences that go; paragraphs part them.

    At the end of the draft nothing parts them, for no paragraph follows.
    """
    tail = len(gone) - next(i for i, out in enumerate(reversed(gone)) if not out)
    first = None
    for i in range(tail):
        if gone[i] and first is None:
            first = i
        new = i + 1 == tail or "\n" in draft[sentences[i].end : sentences[i + 1].start]
        if first is not None and (new or not gone[i + 1]):
            yield first, i
            first = None
    if tail < len(gone):
        yield tail, len(gone) - 1


def _widened(draft: str, sentences: Sequence[Sentence], first: int, last: int) -> tuple[int, int]:
    """Choose which space goes with a run: before it at a paragraph's end, else after it."""
    start, end = sentences[first].start, sentences[last].end
    before = draft[:start]
    if last + 1 == len(sentences):
        return len(before.rstrip()), end
    following = sentences[last + 1].start
    if before and not before.endswith("\n") and "\n" in draft[end:following]:
        return len(before.rstrip(" ")), end
    return start, following


def _merged(first: Edit, second: Edit) -> Edit:
    """Make one edit of two, resting on what both rest on."""
    return replace(
        first,
        end=second.end,
        claims=tuple(dict.fromkeys((*first.claims, *second.claims))),
        evidence=tuple(dict.fromkeys((*first.evidence, *second.evidence))),
        explanation="; ".join(dict.fromkeys((first.explanation, second.explanation))),
    )


def _renamed(sentence: Sentence, edits: Sequence[Edit]) -> list[Edit]:
    """Put the name in for the pronoun of a sentence that now comes first."""
    subject = find_subject(sentence.text)
    name = replace_pronoun(subject, sentence.name)
    start = sentence.start + sentence.text.find(subject)
    said = "the sentence that named it is gone"
    edit = Edit(start=start, end=start + len(subject), before=subject, after=name, explanation=said)
    return [] if not subject or name == subject or overlaps(edit, edits) else [edit]
