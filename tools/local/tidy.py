"""Edits that delete whole sentences, made to leave a readable text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from errata.edits import overlaps
from errata.records import Edit
from errata.tools.local.antecedents import Sentence, split_draft
from errata.tools.text.clauses import find_subject
from errata.tools.text.pronouns import replace_pronoun


def tidy(question: str, draft: str, edits: Sequence[Edit]) -> tuple[list[Edit], list[str]]:
    """Delete adjoining whitespace with a sentence; replace an orphaned pronoun.

    No edit and a note if no sentence would remain, for an empty answer helps nobody.
    """
    if not edits:
        return [], []
    sentences = split_draft(question, draft)
    by_span = {(edit.start, edit.end): edit for edit in edits if not edit.after}
    deletions = [by_span.get((sentence.start, sentence.end)) for sentence in sentences]
    if None not in deletions:
        return [], ["nothing in the draft is supported; it is returned as it was"]
    whole = {id(edit) for edit in deletions}
    result = [edit for edit in edits if id(edit) not in whole]
    for first, last in _deleted_runs(draft, sentences, [edit is not None for edit in deletions]):
        run = reduce(_merge, (edit for edit in deletions[first : last + 1] if edit))
        start, end = _widen(draft, sentences, first, last)
        result.append(replace(run, start=start, end=end, before=draft[start:end]))
    opening = deletions.index(None)
    if opening:
        result += _name_subject(sentences[opening], result)
    return sorted(result, key=lambda edit: edit.start), []


def _deleted_runs(
    draft: str, sentences: Sequence[Sentence], is_deleted: Sequence[bool]
) -> Iterator[tuple[int, int]]:
    """The first and last index of adjacent deleted sentences.

    A run ends with its paragraph, but at the end of the draft it may span paragraphs.
    """
    tail = len(is_deleted) - next(i for i, out in enumerate(reversed(is_deleted)) if not out)
    first = None
    for i in range(tail):
        if is_deleted[i] and first is None:
            first = i
        paragraph_ends = i + 1 == tail or "\n" in draft[sentences[i].end : sentences[i + 1].start]
        if first is not None and (paragraph_ends or not is_deleted[i + 1]):
            yield first, i
            first = None
    if tail < len(is_deleted):
        yield tail, len(is_deleted) - 1


def _widen(draft: str, sentences: Sequence[Sentence], first: int, last: int) -> tuple[int, int]:
    """Start and end of a run with adjoining whitespace: before it at a paragraph's end, else after.

    At the end of the draft, all whitespace before the run.
    """
    start, end = sentences[first].start, sentences[last].end
    before = draft[:start]
    if last + 1 == len(sentences):
        return len(before.rstrip()), end
    following = sentences[last + 1].start
    if before and not before.endswith("\n") and "\n" in draft[end:following]:
        return len(before.rstrip(" ")), end
    return start, following


def _merge(first: Edit, second: Edit) -> Edit:
    """One edit with the claims, evidence and explanations of both."""
    return replace(
        first,
        end=second.end,
        claims=tuple(dict.fromkeys((*first.claims, *second.claims))),
        evidence=tuple(dict.fromkeys((*first.evidence, *second.evidence))),
        explanation="; ".join(dict.fromkeys((first.explanation, second.explanation))),
    )


def _name_subject(sentence: Sentence, edits: Sequence[Edit]) -> list[Edit]:
    """Replace the pronoun at the start of a sentence that now comes first."""
    subject = find_subject(sentence.text)
    name = replace_pronoun(subject, sentence.antecedent)
    start = sentence.start + sentence.text.find(subject)
    edit = Edit(
        start=start,
        end=start + len(subject),
        before=subject,
        after=name,
        explanation="the sentence that named it is gone",
    )
    return [] if not subject or name == subject or overlaps(edit, edits) else [edit]
