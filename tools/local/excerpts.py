"""Documents cut down to what speaks of one claim, so that a prompt need not hold them whole."""

from collections.abc import Sequence
from dataclasses import replace

from errata.records import Document
from errata.tools.judges.verifier import evidence_for
from errata.tools.text.words import split_words


def select_excerpts(claim: str, documents: Sequence[Document], count: int) -> list[Document]:
    """Keep of all documents the `count` strips that match a claim best, in their order.

    Gives the documents whole where no strip shares a word with the claim.
    """
    evidence = evidence_for(frozenset(), documents)
    best = evidence.ranking.best([word.stem for word in split_words(claim)], count)
    kept = [evidence.strips[i] for i in sorted(i for i, _ in best)]
    cut = {d.id: " … ".join(s.text for s in kept if s.document == d.id) for d in documents}
    return [replace(d, text=cut[d.id]) for d in documents if cut[d.id]] or list(documents)
