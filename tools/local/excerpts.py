"""Documents shortened to what concerns one claim, to keep prompts short."""

from collections.abc import Sequence
from dataclasses import replace

from errata.records import Document
from errata.tools.judges.evidence import collect_evidence
from errata.tools.text.words import split_words


def select_excerpts(claim: str, documents: Sequence[Document], count: int) -> list[Document]:
    """Shorten documents to the `count` strips that match a claim best, in their order.

    A document without any of these is left out. If no strip shares a word with the claim, all
    documents stay as they are.
    """
    evidence = collect_evidence(frozenset(), documents)
    best = evidence.ranking.best([word.stem for word in split_words(claim)], count)
    strips = [evidence.strips[i] for i in sorted(i for i, _ in best)]
    texts = {d.id: " … ".join(s.text for s in strips if s.document == d.id) for d in documents}
    return [replace(d, text=texts[d.id]) for d in documents if texts[d.id]] or list(documents)
