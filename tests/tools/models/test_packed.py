"""A recording packed into one file answers as its folder does."""

import gzip

import pytest

from errata import correct
from errata.tools.models.folder_calls import pack, unpack
from example import DRAFT, PAGE, QUESTION, REPLIES

SETTINGS = {"documents": [PAGE], "model": "openai:m"}


def test_a_packed_recording_is_replayed_as_its_folder_is(openai_server, tmp_path):
    openai_server.replies = {**REPLIES, "rac/verify": REPLIES["rac/verify"] + "\u2028\n"}
    folder, first, second = (tmp_path / name for name in ("folder", "a.jsonl.gz", "b.jsonl.gz"))
    recorded = correct(QUESTION, DRAFT, record=str(folder / "inner"), **SETTINGS)
    count = pack(folder, first)
    assert pack(folder, second) == count == recorded.usage.model_calls
    assert first.read_bytes() == second.read_bytes()
    runs = [correct(QUESTION, DRAFT, replay=str(p), **SETTINGS) for p in (folder / "inner", first)]
    assert runs[0].response == runs[1].response == recorded.response
    assert runs[0].verdicts == runs[1].verdicts == recorded.verdicts


@pytest.mark.parametrize(
    ("packed", "told"),
    [
        (b"", "holds no exchange for this request of 'rac/extract.v2'"),
        (gzip.compress(b"", mtime=0), "holds no exchange"),
        (b"a text", "Not a gzipped file"),
        (gzip.compress(b"{}" * 99, mtime=0)[:-9], "is no packed recording"),
        (gzip.compress(b"{}\n", mtime=0), "is no packed recording"),
        (gzip.compress(b"[1, 2", mtime=0), "delimiter"),
    ],
)
def test_a_file_without_the_exchange_is_noted_and_changes_nothing(tmp_path, packed, told):
    path = tmp_path / "bad.jsonl.gz"
    path.write_bytes(packed)
    correction = correct(QUESTION, DRAFT, replay=str(path), record=str(path), **SETTINGS)
    assert correction.response == DRAFT
    assert told in correction.notes[0]
    assert path.read_bytes() == packed


def test_a_file_that_was_packed_again_is_read_again(root, tmp_path):
    path = tmp_path / "file.jsonl.gz"
    for name in ("crag", "reex"):
        path.write_bytes((root / "recordings" / f"{name}.jsonl.gz").read_bytes())
        assert any(prompt.startswith(name) for prompt, _ in unpack(path))
