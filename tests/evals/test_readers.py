"""Readers of labelled data, on a row or two in the form of each set."""

import gzip
import json

import pytest

from errata.evals.datasets import dataset_named, relevance
from errata.evals.datasets.claim_sets import read_claims


def write_rows(path, *rows):
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return path


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ({"label": "supported", "binary": 1, "evidence": "A page."}, 1),
        ({"label": "supported", "evidence": ["A page.", "Another."]}, 1),
        ({"label": "nei", "binary": 0, "evidence": "A page."}, 1),
        ({"label": "generic", "binary": None, "evidence": "A page."}, 0),
        ({"label": "supported", "binary": 1, "evidence": ""}, 0),
    ],
)
def test_claims_without_label_or_evidence_are_left_out(tmp_path, row, count):
    own = {"id": "1", "claim": "Ada wrote notes.", "group": "ada"}
    write_rows(tmp_path / "set.jsonl.gz", row | own)
    claims = list(read_claims(tmp_path, "set"))
    assert [claim.gold["label"] for claim in claims] == [row["label"]] * count
    assert all(claim.documents[0].text.startswith("A page.") for claim in claims)


def test_a_bare_answer_is_a_claim_with_its_question(tmp_path):
    row = {"id": "1", "claim": "Ray Harroun", "question": "who won the first race"}
    write_rows(tmp_path / "set.jsonl.gz", row | {"label": "supported", "evidence": "He won."})
    [claim] = read_claims(tmp_path, "set")
    assert claim.draft == "who won the first race: Ray Harroun."


def test_biographies_take_their_evidence_from_their_own_row_or_the_shared_file(tmp_path):
    evidence = {"google_page": "A web page.", "gold_passages": ["Part one.", "Part two."]}
    write_rows(tmp_path / "evidence.jsonl.gz", {"entity": "Ada"} | evidence)
    row = {"prompt": "Who was?", "response": "Ada wrote.", "facts": [], "popularity": "rare"}
    own = {"entity": "Bob", "google_page": "Its own.", "gold_passages": []}
    rows = [row | {"entity": "Ada"}, row | own]
    write_rows(tmp_path / "chatgpt.jsonl.gz", *(r | {"id": "1", "group": "g"} for r in rows))
    ada, bob = dataset_named("biography").read(tmp_path).items
    assert ada.gold["documents"] == ["Part one.", "Part two."]
    assert [each.documents[0].text for each in (ada, bob)] == ["A web page.", "Its own."]


FOUND = {"title": "Ada lovelace", "text": "Born in London.", "has_answer": True}
OTHER = {"title": "Ada (language)", "text": "A language.", "has_answer": True}
SEARCH = {"searches": [{"docs": [FOUND]}]}
SEARCH["searches"].append({"docs": [FOUND, OTHER]})
SECTION = {"title": "T", "sentences": ["A.", "B."], "relevant": [1]}


@pytest.mark.parametrize(
    ("read", "row", "relevant"),
    [
        ("search", SEARCH, {"Born in London.": True, "A language.": True}),
        ("selqa", SECTION, {"A.": False, "B.": True}),
    ],
)
def test_texts_are_relevant_by_answer_or_label(tmp_path, read, row, relevant):
    path = write_rows(tmp_path / "rows.jsonl.gz", row | {"group": "g", "question": "Who is Ada?"})
    pairs = list(getattr(relevance, f"read_{read}_pairs")(path))
    assert [(pair.text, pair.relevant) for pair in pairs] == list(relevant.items())
