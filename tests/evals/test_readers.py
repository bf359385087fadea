"""Readers of labelled data, on a row or two in the form of each set."""

import gzip
import json

import pytest

from errata.evals.datasets import relevance
from errata.evals.datasets.biographies import read_biographies
from errata.evals.datasets.claims import read_claims, title_of


def write_rows(path, *rows):
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return path


@pytest.mark.parametrize(
    ("row", "supported"),
    [
        ({"label": "supported", "binary": 1, "evidence": "A page."}, True),
        ({"label": "supported", "evidence": ["A page.", "Another."]}, True),
        ({"label": "partially_supported", "binary": 0, "evidence": "A page."}, False),
        ({"label": "nei", "binary": 0, "evidence": "A page."}, False),
        ({"label": "generic", "binary": None, "evidence": "A page."}, None),
        ({"label": "supported", "binary": 1, "evidence": ""}, None),
    ],
)
def test_only_full_support_counts_and_unlabelled_claims_are_left_out(tmp_path, row, supported):
    write_rows(tmp_path / "set.jsonl.gz", row | {"claim": "Ada wrote notes.", "group": "ada"})
    claims = list(read_claims(tmp_path, "set"))
    assert [claim.supported for claim in claims] == ([] if supported is None else [supported])
    assert all(claim.documents[0].text.startswith("A page.") for claim in claims)
    assert all(claim.label == row["label"] for claim in claims)


def test_a_bare_answer_is_a_claim_with_its_question(tmp_path):
    row = {"claim": "Ray Harroun", "question": "who won the first race", "group": "race"}
    write_rows(tmp_path / "set.jsonl.gz", row | {"label": "supported", "evidence": "He won."})
    [claim] = read_claims(tmp_path, "set")
    assert claim.claim == "who won the first race: Ray Harroun."


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ({"title": "Rome"}, "Rome"),
        ({"titles": ["Rome", "Rome"]}, "Rome"),
        ({"titles": ["Rome", "Oslo"]}, ""),
        ({"title": None}, ""),
        ({}, ""),
    ],
)
def test_evidence_of_several_pages_has_no_title(row, title):
    assert title_of(row) == title


def test_biographies_take_their_evidence_from_their_own_row_or_the_shared_file(tmp_path):
    evidence = {"google_page": "A web page.", "gold_passages": ["Part one.", "Part two."]}
    write_rows(tmp_path / "evidence.jsonl.gz", {"entity": "Ada"} | evidence)
    fact = {"text": "Ada wrote notes.", "label": True}
    row = {"prompt": "Who was Ada?", "response": "Ada wrote notes.", "facts": [fact]}
    own = {"entity": "Bob", "google_page": "Its own.", "gold_passages": []}
    write_rows(tmp_path / "chatgpt.jsonl.gz", row | {"entity": "Ada"}, row | own)
    ada, bob = read_biographies(tmp_path, "chatgpt")
    assert ada.facts == (("Ada wrote notes.", True),)
    assert [(page.id, page.text) for page in ada.gold] == [("d1", "Part one."), ("d2", "Part two.")]
    assert [each.google[0].text for each in (ada, bob)] == ["A web page.", "Its own."]


FOUND = {"title": "Ada lovelace", "text": "Born in London.", "has_answer": True}
OTHER = {"title": "Ada (language)", "text": "A language.", "has_answer": True}
SEARCH = {"subj_wiki_title": "Ada Lovelace", "searches": [{"docs": [FOUND]}]}
SEARCH["searches"].append({"docs": [FOUND, OTHER]})
SECTION = {"title": "T", "sentences": ["A.", "B."], "relevant": [1]}
PASSAGES = [{"title": "ada", "text": "A."}, {"title": "Bob", "text": "B."}]


@pytest.mark.parametrize(
    ("read", "row", "relevant"),
    [
        ("search", SEARCH, {"Born in London.": True, "A language.": True}),
        ("subject", SEARCH, {"Born in London.": True, "A language.": False}),
        ("selqa", SECTION, {"A.": False, "B.": True}),
        ("biography", {"entity": "Ada", "passages": PASSAGES}, {"A.": True, "B.": False}),
    ],
)
def test_texts_are_relevant_by_answer_subject_or_label(tmp_path, read, row, relevant):
    path = write_rows(tmp_path / "rows.jsonl.gz", row | {"group": "g", "question": "Who is Ada?"})
    pairs = list(getattr(relevance, f"read_{read}_pairs")(path))
    assert [(pair.text, pair.relevant) for pair in pairs] == list(relevant.items())


def test_a_question_stands_beside_its_own_paragraph_and_wrong_ones(tmp_path):
    texts = ({"id": name, "title": "T", "text": f"Text {name}."} for name in "abcd")
    paragraphs = write_rows(tmp_path / "paragraphs.jsonl.gz", *texts)
    wrong = {"neg_same_article": ["b", "missing"], "neg_other_article": ["c", "d"]}
    row = {"group": "g", "question": "Q?", "paragraph_id": "a"} | wrong
    questions = write_rows(tmp_path / "questions.jsonl.gz", row)
    assert list(relevance.read_squad_pairs(questions, paragraphs)) == [
        relevance.RelevancePair("g", "Q?", "T", f"Text {name}.", relevant=name == "a")
        for name in "abc"
    ]
