"""Filters for retrieved documents."""

import pytest

from errata.core.records import Document
from errata.tools.retrieval.filters import (
    assign_ids,
    cut_evenly,
    cut_to_budget,
    drop_domains,
)

PAGE = Document(
    id="p",
    text="# Ada\n\nShe wrote notes.\n\n## Filmography\n\nA list\n\n## References\n\n1. A book.\n",
)


@pytest.mark.parametrize(
    ("ids", "unique"),
    [(["", "x", "x"], ["d1", "x", "d3"]), (["d2", "", "d2'"], ["d2", "d2'", "d3"])],
)
def test_ids_become_unique(ids, unique):
    documents = [Document(text="a", id=each) for each in ids]
    assert [document.id for document in assign_ids(documents)] == unique


@pytest.mark.parametrize(
    ("url", "stays"),
    [
        ("https://github.com/x", False),
        ("https://www.kaggle.com/", False),
        ("https://example.org/github", True),
        ("", True),
    ],
)
def test_hosts_with_leaked_answers_are_dropped(url, stays):
    assert bool(drop_domains([Document(text="x", url=url)], ["leaks"])) is stays


def test_a_budget_cuts_lists_first_and_then_the_end():
    documents = cut_to_budget([PAGE, Document(text="b" * 400)], 15)
    assert "A list" not in documents[0].text
    assert sum(len(document.text) for document in documents) <= 60
    assert cut_to_budget([PAGE], 1000) == [PAGE]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [(7, "Ada wrote notes. She won."), (6, "Ada wrote notes."), (2, "Ada"), (0, None)],
)
def test_a_cut_document_ends_with_a_sentence_or_a_word(tokens, text):
    cut = cut_to_budget([Document(text="Ada wrote notes. She won. Nobody knew why.")], tokens)
    assert [document.text for document in cut] == ([text] if text else [])


@pytest.mark.parametrize(
    ("lengths", "kept"),
    [([], []), ([10, 10], [10, 10]), ([100, 100], [20, 20]), ([100, 4, 100], [18, 4, 18])],
)
def test_a_budget_may_be_shared_evenly(lengths, kept):
    """Ten tokens are forty characters; what a short document leaves goes to the others."""
    documents = cut_evenly([Document(text="b" * length) for length in lengths], 10)
    assert [len(document.text) for document in documents] == kept
