"""Files split into passages."""

import pytest

from errata.errors import InputError
from errata.tools.retrieval.passages import passage_spans, read_passages, source_files


def test_passages_are_whole_sentences_of_at_most_a_hundred_words():
    text = " ".join(f"Sentence {n} has exactly seven words here." for n in range(100))
    spans = passage_spans(text)
    assert all(len(text[a:b].split()) <= 100 for a, b in spans)
    assert " ".join(text[a:b] for a, b in spans) == text


def test_positions_in_a_markdown_file_count_its_heading(texts):
    path = texts / "tower.md"
    [passage] = read_passages(path)
    start, end = map(int, passage.url.partition("#char=")[2].split(","))
    assert path.read_text()[start:end] == passage.text


def test_only_files_that_can_be_read_are_sources(texts):
    names = [path.name for path in source_files([texts]).values()]
    assert names == ["bees.txt", "page.html", "rows.jsonl", "tower.md"]


@pytest.mark.parametrize(
    ("name", "message"), [("gone", "is missing"), ("notes.bin", "nothing to index")]
)
def test_sources_without_a_text_are_an_error(texts, name, message):
    with pytest.raises(InputError, match=message):
        source_files([texts / name])
