"""RAC on real drafts with real pages, where the labelled data is there."""

from errata import check, correct
from errata.edits import apply_edits
from errata.evals.corrections import effect
from errata.evals.datasets import read_biographies


def test_every_real_draft_comes_through(biographies_folder):
    found = list(read_biographies(biographies_folder, "chatgpt"))
    assert len(found) == 80
    pairs = []
    for biography in found:
        done = correct(biography.question, biography.draft, documents=list(biography.google))
        assert apply_edits(done.draft, done.edits) == done.response
        for verdict in done.verdicts:
            for quote in verdict.evidence:
                assert biography.google[0].text[quote.start : quote.end] == quote.text
        pairs.append((biography, done))
    counts = effect(pairs)
    assert counts.revision_accuracy > 0.98
    assert counts.false_gone > 0


def test_dropping_takes_out_more_false_facts_than_true(biographies_folder):
    found = list(read_biographies(biographies_folder, "instructgpt"))[:40]
    pairs = []
    for biography in found:
        documents = list(biography.gold)
        done = correct(biography.question, biography.draft, documents=documents, unsupported="drop")
        assert apply_edits(done.draft, done.edits) == done.response
        pairs.append((biography, done))
    counts = effect(pairs)
    assert counts.correction_accuracy > 1.5 * (1 - counts.revision_accuracy)


def test_bare_abstentions_are_left_alone(biographies_folder):
    from errata.evals.datasets import read_rows

    for row in read_rows(biographies_folder / "unannotated.jsonl.gz"):
        done = check(row["prompt"], row["response"], documents=["An unrelated page about tea."])
        assert done.response == row["response"]
