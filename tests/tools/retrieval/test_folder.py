"""Documents read from files and folders, and ranked."""

import json

import pytest

from errata.errors import InputError
from errata.tools.retrieval.folder import rank_documents, read_corpus, read_documents


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
    ("name", "data", "message"),
    [
        ("a.txt", b"\xff\xfe\x00\x01", "not UTF-8 text"),
        ("a.txt", b"a\0b", "looks binary"),
        ("a.jsonl", b"{", "line 1: not JSON"),
        ("a.jsonl", b"[1]", "expected a JSON object, got list"),
        ("a.jsonl", b'{"title": "x"}', "text: Field required"),
        ("a.jsonl", b'{"text": 1}', "text: Input should be a valid string"),
    ],
)
def test_the_error_says_what_is_wrong_with_a_file(tmp_path, name, data, message):
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_documents(path)


def test_the_error_names_a_missing_file(tmp_path):
    with pytest.raises(InputError, match=r"gone\.txt.*No such file"):
        read_documents(tmp_path / "gone.txt")


def test_a_corpus_without_texts_is_an_error(tmp_path):
    with pytest.raises(InputError, match=r"has no \.txt"):
        read_corpus(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        read_corpus(tmp_path / "gone")


def test_every_page_of_the_demo_corpus_ranks_first_for_its_subject(root):
    corpus = read_corpus(root / "demo" / "corpus")
    assert len(corpus) == 20
    for document in corpus:
        best = rank_documents(f"Tell me about {document.title}.", corpus, 3)
        assert best[0].title == document.title
        assert best[0].score is not None
