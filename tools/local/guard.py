"""A guard against regressions in a model's revision of a draft.

RAC leaves hallucinations that revision itself introduces to future work (conclusion, limitations).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from errata.records import Claim, Document, Edit, Fix
from errata.tools.judges.verifier import verify
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import PREFIX, content_stems, split_words, stem_prefixes


@dataclass(frozen=True)
class Grounding:
    """What the guard checks edits against."""

    supported: tuple[Claim, ...]
    """Claims that the verifier labels supported; fixed claims are not among them."""
    stems: frozenset[str]
    """Stems that new words may have: those of the question, the documents and the fixes."""
    prefixes: frozenset[str]
    """Prefixes of these stems."""
    sentences: tuple[tuple[int, int], ...]
    """Start and end of the draft's sentences."""


def guard(
    question: str,
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str = "",
) -> tuple[list[Edit], list[str]]:
    """Drop edits that delete supported facts or add ungrounded words; also a note for each.

    `weights` are those of the verifier that labels what is supported.
    """
    grounding = _ground(question, draft, claims, fixes, documents, weights)
    kept_edits, notes = [], []
    for edit in edits:
        harm = _find_harm(draft, edit, grounding)
        if harm:
            notes.append(f"the edit {edit.before!r} -> {edit.after!r} was dropped: it {harm}")
        else:
            kept_edits.append(edit)
    return kept_edits, notes


def _ground(
    question: str,
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str,
) -> Grounding:
    fixed_ids = {fix.claim for fix in fixes}
    others = [claim for claim in claims if claim.id not in fixed_ids]
    verdicts = verify(question, others, documents, weights) if documents else []
    supported_ids = {verdict.claim for verdict in verdicts if verdict.label == "supported"}
    texts = [question, *(d.title + " " + d.text for d in documents), *(fix.text for fix in fixes)]
    stems = frozenset(word.stem for text in texts for word in split_words(text))
    return Grounding(
        supported=tuple(claim for claim in others if claim.id in supported_ids),
        stems=stems,
        prefixes=stem_prefixes(stems),
        sentences=tuple(split_sentences(draft)),
    )


def _find_harm(draft: str, edit: Edit, grounding: Grounding) -> str:
    """What harm an edit does to the sentences that it touches; empty if it does none."""
    start, end = _touched_span(edit, grounding.sentences)
    before = content_stems(draft[start:end])
    after = content_stems(draft[start : edit.start] + edit.after + draft[edit.end : end])
    here = [claim for claim in grounding.supported if start <= claim.start < max(end, start + 1)]
    if any((content_stems(claim.text) & before) - after for claim in here):
        return "deletes what the documents support"
    new = sorted(
        stem
        for stem in after - before
        if stem not in grounding.stems and stem[:PREFIX] not in grounding.prefixes
    )
    return f"adds {new[0]!r}, which is in no document" if new else ""


def _touched_span(edit: Edit, sentences: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The start and end of an edit, widened to whole sentences."""
    spans = [(a, b) for a, b in sentences if a < max(edit.end, edit.start + 1) and edit.start < b]
    start = min([edit.start, *(a for a, _ in spans)])
    end = max([edit.end, *(b for _, b in spans)])
    return start, end
