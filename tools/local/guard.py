"""No regression: a model's rewriting may mend, but not lose what is supported or add what is not.

RAC names the hallucinations that revising brings in as work to do (its conclusion and limitations).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from errata.records import Claim, Document, Edit, Fix
from errata.tools.judges.features import PREFIX, prefixes
from errata.tools.judges.verifier import verify
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import content_stems, split_words


@dataclass(frozen=True)
class Ground:
    """Hold what a rewriting may rest on."""

    supported: tuple[Claim, ...]
    """Claims that the local verifier finds supported, and that nothing mends."""
    known: frozenset[str]
    """Stems that the documents, the question or a mended claim hold."""
    openings: frozenset[str]
    """How the longer of these begin."""
    places: tuple[tuple[int, int], ...]
    """Where the draft's sentences stand."""


def guard(
    question: str,
    draft: str,
    edits: Sequence[Edit],
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str = "",
) -> tuple[list[Edit], list[str]]:
    """Keep the edits that do no harm; give also a note for each that does.

    `weights` names a file for the verifier that judges what the draft may not lose.
    """
    ground = _ground(question, draft, claims, fixes, documents, weights)
    kept, notes = [], []
    for edit in edits:
        harm = _harm(draft, edit, ground)
        if harm:
            notes.append(f"the edit {edit.before!r} -> {edit.after!r} was dropped: it {harm}")
        else:
            kept.append(edit)
    return kept, notes


def _ground(
    question: str,
    draft: str,
    claims: Sequence[Claim],
    fixes: Sequence[Fix],
    documents: Sequence[Document],
    weights: str,
) -> Ground:
    mended = {fix.claim for fix in fixes}
    left = [claim for claim in claims if claim.id not in mended]
    verdicts = verify(question, left, documents, weights) if documents else []
    good = {verdict.claim for verdict in verdicts if verdict.label == "supported"}
    texts = [question, *(d.title + " " + d.text for d in documents), *(fix.text for fix in fixes)]
    known = frozenset(word.stem for text in texts for word in split_words(text))
    supported = tuple(claim for claim in left if claim.id in good)
    return Ground(supported, known, prefixes(known), tuple(split_sentences(draft)))


def _harm(draft: str, edit: Edit, ground: Ground) -> str:
    """Say what an edit spoils in the sentences it touches; empty where it spoils nothing."""
    touched = [
        (a, b) for a, b in ground.places if a < max(edit.end, edit.start + 1) and edit.start < b
    ]
    start = min([edit.start, *(a for a, _ in touched)])
    end = max([edit.end, *(b for _, b in touched)])
    before = content_stems(draft[start:end])
    after = content_stems(draft[start : edit.start] + edit.after + draft[edit.end : end])
    there = [claim for claim in ground.supported if start <= claim.start < max(end, start + 1)]
    if any((content_stems(claim.text) & before) - after for claim in there):
        return "takes out what the documents support"
    new = [s for s in after - before if s not in ground.known and s[:PREFIX] not in ground.openings]
    return f"adds {new[0]!r}, which no document holds" if new else ""
