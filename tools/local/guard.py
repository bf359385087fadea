"""A guard against regressions in a model's revision of a draft.

RAC leaves hallucinations that revision itself introduces to future work (conclusion, limitations).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from errata.bounds import check_time
from errata.records import Claim, Document, Edit, Fix
from errata.spans import Span, Spans
from errata.tools.judges.verifier import verify
from errata.tools.local.antecedents import sentence_places
from errata.tools.text.words import PREFIX, content_stems, split_words, stem_prefixes


@dataclass(frozen=True)
class Grounding:
    """What the guard checks edits against."""

    supported: Spans[Claim]
    """Where claims begin that the verifier labels supported; fixed claims are not among them."""
    stems: frozenset[str]
    """Stems that new words may have: those of the question, the documents and the fixes."""
    prefixes: frozenset[str]
    """Prefixes of these stems."""
    sentences: Spans[Span]
    """The draft's sentences."""


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

    `weights` are those of the verifier that labels what is supported. Raises OutOfTimeError if
    not every claim could be judged.
    """
    grounding = _ground(question, draft, claims, fixes, documents, weights)
    kept_edits, notes = [], []
    for edit in edits:
        check_time()
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
    # Fixed claims are judged, too: a claim's neighbours in the draft count in its verdict.
    verdicts = verify(question, claims, documents, weights) if documents else []
    check_time()
    supported_ids = {v.claim for v in verdicts if v.label == "supported"} - fixed_ids
    texts = [question, *(d.title + " " + d.text for d in documents), *(fix.text for fix in fixes)]
    stems = frozenset(word.stem for text in texts for word in split_words(text))
    return Grounding(
        supported=Spans((c for c in claims if c.id in supported_ids), _beginning),
        stems=stems,
        prefixes=stem_prefixes(stems),
        sentences=Spans(sentence_places(draft), lambda sentence: sentence),
    )


def _beginning(claim: Claim) -> Span:
    return claim.start, claim.start + 1


def _find_harm(draft: str, edit: Edit, grounding: Grounding) -> str:
    """What harm an edit does to the sentences that it touches; empty if it does none."""
    start, end = _touched_span(edit, grounding.sentences)
    before = content_stems(draft[start:end])
    after = content_stems(draft[start : edit.start] + edit.after + draft[edit.end : end])
    here = grounding.supported.touching(start, max(end, start + 1))
    if any((content_stems(claim.text) & before) - after for claim in here):
        return "deletes what the documents support"
    new = sorted(
        stem
        for stem in after - before
        if stem not in grounding.stems and stem[:PREFIX] not in grounding.prefixes
    )
    return f"adds {new[0]!r}, which is in no document" if new else ""


def _touched_span(edit: Edit, sentences: Spans[Span]) -> Span:
    """The start and end of an edit, widened to whole sentences."""
    spans = sentences.touching(edit.start, max(edit.end, edit.start + 1))
    start = min([edit.start, *(a for a, _ in spans)])
    end = max([edit.end, *(b for _, b in spans)])
    return start, end
