"""What becomes of labelled facts, and what RAC finds in a corpus of two people."""

import asyncio

import pytest

from errata.core.records import Correction, Document
from errata.evals.benches.corrections import WAYS, measure_reading, rate_facts, write_corpus
from errata.evals.items import Item

PASSAGES = {
    "Mary Anning": ["Mary Anning was born in 1799.", "She sold a plesiosaur to a duke."],
    "Ada Lovelace": ["Ada Lovelace was born in 1815."],
}
ANNING = Item(
    id="anning",
    question="When was Mary Anning born?",
    draft="Mary Anning was born in 1799. Mary Anning sold a plesiosaur to a duke.",
    documents=tuple(Document(text=text, title="Mary Anning") for text in PASSAGES["Mary Anning"]),
    gold={"facts": [{"text": "Mary Anning sold a plesiosaur to a duke.", "label": True}]},
)


@pytest.mark.parametrize(
    ("way", "documents", "unmentioned"),
    [("question", 1, 1), ("question and claims", 2, 0), ("article given", 2, 0)],
)
def test_each_way_reads_its_documents(tmp_path, way, documents, unmentioned):
    rows = [{"entity": name, "gold_passages": texts} for name, texts in PASSAGES.items()]
    write_corpus(rows, tmp_path)
    own = {} if way == "article given" else {"top_k": 1}
    figures = asyncio.run(measure_reading([ANNING], way, tmp_path, **own))
    assert way in WAYS
    assert (figures["documents"], figures["not_mentioned"]) == (documents, unmentioned)
    assert (figures["claims"], figures["true_facts_kept"]) == (2, 1)


def test_false_facts_are_gone_and_true_ones_kept():
    draft = "Ada was born in 1816. Ada kept bees. Ada wrote notes."
    labels = {"Ada was born in 1816.": False, "Ada kept bees.": False, "Ada wrote notes.": True}
    facts = [{"text": text, "label": label} for text, label in labels.items()]
    item = Item(id="ada", question="Who was Ada?", draft=draft, gold={"facts": facts})
    correction = Correction(
        method="rac",
        question=item.question,
        draft=draft,
        response="Ada was born in 1815. Ada kept bees. Ada wrote notes.",
        changed=True,
        label="refuted",
    )
    figures = asyncio.run(rate_facts([(item, correction)]))
    assert figures["correction_accuracy"] == 0.5
    assert figures["revision_accuracy"] == pytest.approx(2 / 3, abs=1e-3)
    assert figures["true_facts_kept"] == 1.0
