"""Reading, retrieving and trimming documents."""

import json

import pytest

from errata.errors import InputError
from errata.records import Document
from errata.tools.retrieval.filters import (
    assign_ids,
    cut_to_budget,
    drop_domains,
    drop_sections,
    keep_mentioning,
)
from errata.tools.retrieval.folder import rank_documents, read_corpus, read_documents

PAGE = Document(
    id="p",
    text="# Ada\n\nShe wrote notes.\n\n## Filmography\n\nA list\n\n## References\n\n1. A book.\n",
)


def test_a_markdown_heading_is_the_title(tmp_path):
    path = tmp_path / "ada.md"
    path.write_text("# Ada Lovelace\n\nShe wrote notes.\n")
    [document] = read_documents(path)
    assert (document.title, document.text.strip()) == ("Ada Lovelace", "She wrote notes.")


def test_json_lines_are_documents(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"text": "a", "url": "https://x.org"}) + "\n\n" + '{"text": "b"}\n')
    assert [document.text for document in read_documents(path)] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.txt", b"\xff\xfe\x00\x01", "not UTF-8 text"),
        ("a.txt", b"a\0b", "looks binary"),
        ("a.jsonl", b"{", "line 1: not JSON"),
        ("a.jsonl", b"[1]", "expected a JSON object, got list"),
        ("a.jsonl", b'{"title": "x"}', "text: Field required"),
        ("a.jsonl", b'{"text": 1}', "text: Input should be a valid string"),
    ],
)
def test_a_bad_file_says_what_is_wrong(tmp_path, name, data, said):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        read_documents(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"gone\.txt.*No such file"):
        read_documents(tmp_path / "gone.txt")


def test_a_corpus_must_hold_texts(tmp_path):
    with pytest.raises(InputError, match=r"holds no \.txt"):
        read_corpus(tmp_path)
    with pytest.raises(InputError, match="is no folder"):
        read_corpus(tmp_path / "gone")


def test_the_demo_corpus_finds_its_subjects(root):
    corpus = read_corpus(root / "demo" / "corpus")
    assert len(corpus) == 20
    for document in corpus:
        best = rank_documents(f"Tell me about {document.title}.", corpus, 3)
        assert best[0].title == document.title
        assert best[0].score is not None


def test_ids_become_unique():
    texts = [Document(text="a"), Document(text="b", id="x"), Document(text="c", id="x")]
    assert [document.id for document in assign_ids(texts)] == ["d1", "x", "d3"]


def test_documents_must_name_the_entity():
    kept = keep_mentioning(
        [Document(text="of ADA"), Document(text="", title="Ada"), PAGE, Document(text="x")], "ada"
    )
    assert len(kept) == 3


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://github.com/x", False),
        ("https://www.kaggle.com/", False),
        ("https://example.org/github", True),
        ("", True),
    ],
)
def test_leaking_hosts_go(url, kept):
    assert bool(drop_domains([Document(text="x", url=url)], ["leaks"])) is kept


def test_useless_sections_go():
    assert "A book" not in drop_sections(PAGE).text
    assert "Filmography" in drop_sections(PAGE).text
    assert drop_sections(Document(text="plain text")).text == "plain text"


def test_a_budget_cuts_lists_first_and_then_the_end():
    kept = cut_to_budget([PAGE, Document(text="b" * 400)], 15)
    assert "A list" not in kept[0].text
    assert sum(len(document.text) for document in kept) <= 60
    assert cut_to_budget([PAGE], 1000) == [PAGE]
