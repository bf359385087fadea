"""Files split into passages."""

import pytest

from errata.core.errors import InputError
from errata.tools.retrieval.documents import read_file
from errata.tools.retrieval.passages import passage_spans, source_files, split_passages


def test_passages_are_whole_sentences_of_at_most_a_hundred_words():
    text = " ".join(f"Sentence {n} has exactly seven words here." for n in range(100))
    spans = passage_spans(text)
    assert all(len(text[a:b].split()) <= 100 for a, b in spans)
    assert " ".join(text[a:b] for a, b in spans) == text


def test_positions_in_a_markdown_file_count_its_heading(texts):
    path = texts / "tower.md"
    [passage] = split_passages(read_file(path))
    start, end = map(int, passage.url.partition("#char=")[2].split(","))
    assert path.read_text()[start:end] == passage.text


def test_only_files_that_can_be_read_are_sources(texts):
    names = [path.name for path in source_files([texts]).values()]
    assert names == ["bees.txt", "page.html", "rows.jsonl", "tower.md"]


def test_sources_without_a_file_are_an_error(texts, tmp_path):
    with pytest.raises(InputError, match="is missing"):
        source_files([texts / "gone"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="nothing to index"):
        source_files([tmp_path / "empty"])
