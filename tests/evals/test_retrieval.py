"""The benchmark of what RAC finds in a corpus, on a corpus of two people."""

import asyncio

import pytest

from errata.core.records import Document
from errata.evals.datasets.biographies import Biography
from errata.evals.retrieval import WAYS, correct_drafts, sum_up, write_corpus

PASSAGES = {
    "Mary Anning": ["Mary Anning was born in 1799.", "She sold a plesiosaur to a duke."],
    "Ada Lovelace": ["Ada Lovelace was born in 1815."],
}
ANNING = Biography(
    generator="",
    entity="Mary Anning",
    question="When was Mary Anning born?",
    draft="Mary Anning was born in 1799. Mary Anning sold a plesiosaur to a duke.",
    facts=(("Mary Anning sold a plesiosaur to a duke.", True),),
    google=(),
    gold=tuple(Document(text=text, title="Mary Anning") for text in PASSAGES["Mary Anning"]),
)


@pytest.mark.parametrize(
    ("way", "documents", "unmentioned"),
    [("question", 1, 1), ("question and claims", 2, 0), ("article given", 2, 0)],
)
def test_each_way_reads_its_documents(tmp_path, way, documents, unmentioned):
    rows = [{"entity": name, "gold_passages": texts} for name, texts in PASSAGES.items()]
    write_corpus(rows, tmp_path)
    own = {} if way == "article given" else {"top_k": 1}
    corrections = asyncio.run(correct_drafts([ANNING], way, tmp_path, **own))
    figures = sum_up([ANNING], corrections)
    assert way in WAYS
    assert (figures["documents"], figures["not_mentioned"]) == (documents, unmentioned)
    assert (figures["claims"], figures["true_kept"]) == (2, 1)
