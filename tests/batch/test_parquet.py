"""Batches in Parquet, in and out."""

import json

import pytest

from errata.batch import parquet as written
from errata.batch import run_batch
from errata.batch.parquet import COLUMNS
from errata.batch.rows import BatchRow, Source
from errata.core.errors import InputError, SettingError
from errata.core.records import Document

pa = pytest.importorskip("pyarrow", reason="needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
ROWS = [
    {"id": "a", "question": None, "draft": "one", "documents": ["t"]},
    {"id": None, "question": "q", "draft": "fail", "documents": None},
    {"id": "a", "question": "q", "draft": "three", "documents": []},
    {"id": "d", "question": " ", "draft": None, "documents": []},
]
STRUCTS = pa.list_(pa.struct({"text": pa.string(), "title": pa.string()}))


@pytest.fixture
def table(tmp_path):
    def write(rows, **columns):
        path = tmp_path / "in.parquet"
        kinds = {"id": pa.string(), "question": pa.string(), "draft": pa.string(), **columns}
        pq.write_table(pa.Table.from_pylist(rows, pa.schema(list(kinds.items()))), path)
        return path

    return write


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (pa.list_(pa.string()), ["t", "u"]),
        (STRUCTS, [{"text": "t", "title": "T"}, {"text": "u"}]),
        (pa.string(), json.dumps([{"text": "t", "title": "T"}, "u"])),
    ],
)
def test_documents_are_texts_structs_or_json(table, kind, value):
    path = table([{"id": "1", "draft": "d", "documents": value}], documents=kind)
    [(number, row)] = Source(str(path)).read()
    title = "T" if "T" in str(value) else ""
    documents = Document(text="t", title=title), Document(text="u")
    assert (number, row) == (1, BatchRow(id="1", draft="d", documents=documents))


@pytest.mark.parametrize(
    ("kind", "value", "fault"),
    [
        (pa.string(), "{nope", "documents: not JSON"),
        (pa.string(), "7", "documents must be a list"),
        (pa.list_(pa.int64()), [3], "document 1 must be a text"),
    ],
)
def test_a_row_that_cannot_be_used_is_a_problem(table, kind, value, fault):
    path = table([{"id": "1", "draft": "d", "documents": value}], documents=kind)
    [(_, problem)] = Source(str(path)).read()
    assert fault in problem.error
    assert (problem.file, problem.line) == (str(path), 1)


def test_a_value_that_cannot_be_read_harms_no_other_row(tmp_path):
    parts = [b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0", b"a\xffc"]
    drafts = pa.StringArray.from_buffers(3, *map(pa.py_buffer, parts))
    pq.write_table(pa.table({"draft": drafts}), tmp_path / "in.parquet")
    (_, first), (_, problem), (number, last) = Source(str(tmp_path / "in.parquet")).read()
    assert (first.draft, last.draft, last.id, number) == ("a", "c", "row 3", 3)
    assert problem.error.startswith("a value of the row cannot be read: 'utf-8' codec")
    assert problem.line == 2


def test_a_long_row_is_a_problem(table):
    path = table([{"id": "1", "draft": "d" * 100}])
    [(_, problem)] = Source(str(path), most=50).read()
    assert "more than 50 bytes" in problem.error


@pytest.mark.parametrize(
    ("kind", "number", "name"), [(pa.int64(), 7, "7"), (pa.float64(), float("nan"), "row 1")]
)
def test_a_number_is_an_id_unless_it_is_none(table, kind, number, name):
    path = table([{"id": number, "draft": "d"}], id=kind)
    [(_, row)] = Source(str(path)).read()
    assert row.id == name


def test_rows_come_back_in_flat_columns_and_whole(table, bench, monkeypatch):
    monkeypatch.setattr(written, "GROUP", 1)
    bench.source = table(ROWS, documents=pa.list_(pa.string()))
    bench.out = bench.source.with_name("out.parquet")
    totals = bench.run()
    assert (totals.expected, totals.done, totals.failed, totals.problems) == (4, 1, 1, 2)
    out = pq.read_table(bench.out)
    assert out.column_names == list(COLUMNS)
    first, second = out.to_pylist()
    assert (first["id"], first["response"], first["model_calls"]) == ("a", "ONE", 2)
    assert (first["error"], first["money"], first["label"]) == (None, 0.5, None)
    assert (second["id"], second["error"]) == ("row 2", "it failed")
    assert json.loads(first["result"])["usage"]["prompt_tokens"] == 5
    assert [row["line"] for row in bench.problems] == [3, 4]
    assert bench.run().before == 2
    assert pq.read_table(bench.out).equals(out)


def test_a_batch_that_is_stopped_has_its_rows_and_no_table(bench):
    bench.out = bench.out.with_suffix(".parquet")
    rows = [{"id": n, "draft": "fail"} for n in range(3)]
    assert bench.run(rows, stop_after=2).stopped
    assert not bench.out.exists()
    assert len(bench.out.with_name("out.parquet.rows.jsonl").read_text().splitlines()) == 2
    bench.run(rows, stop_after=0)
    assert pq.read_table(bench.out).num_rows == 3


def test_some_columns_may_be_chosen(bench):
    bench.out = bench.out.with_suffix(".parquet")
    bench.run([{"id": 1, "draft": "d"}], fields=["response"])
    assert pq.read_table(bench.out).to_pylist() == [{"id": "1", "response": "D", "error": None}]
    with pytest.raises(SettingError, match="no column 'claims'"):
        bench.run(fields=["claims"], anew=True)


@pytest.mark.parametrize(
    ("data", "words"), [(b"no parquet", "cannot read .* as Parquet"), (None, "cannot read")]
)
def test_a_file_that_is_no_parquet_is_said(tmp_path, data, words):
    path = tmp_path / "in.parquet"
    if data:
        path.write_bytes(data)
    with pytest.raises(InputError, match=words):
        run_batch(path, tmp_path / "out.jsonl")


def test_a_file_without_the_columns_is_said(tmp_path):
    pq.write_table(pa.table({"text": ["t"]}), tmp_path / "in.parquet")
    with pytest.raises(InputError, match="has the columns text; a row is"):
        run_batch(tmp_path / "in.parquet", tmp_path / "out.jsonl")
