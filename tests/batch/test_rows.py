"""The input of a batch: what is no row is told with its place, and harms no other row."""

import pytest

from errata.batch.rows import RowError, read_row
from errata.core.records import Document

GOOD = {"id": "a", "draft": "Curie was born in 1865."}
OWN = {"id": "x", "draft": "d"}


@pytest.mark.parametrize(
    ("line", "fault", "name"),
    [
        ("{nope", "not JSON", ""),
        ("NaN", "expected a JSON object, got float", ""),
        ("[" * 100_000, "JSON that cannot be read", ""),
        ({"id": "x", "draft": 7}, "draft is an int: expected a text", "x"),
        ({**OWN, "question": ["q"]}, "question is a list: expected a text", "x"),
        ({**OWN, "documents": "page"}, "documents must be a list; got one str", "x"),
        ({**OWN, "documents": [3]}, "documents.0 is an int: expected an object", "x"),
        ({**OWN, "documents": ["", {"url": "u"}]}, "documents.1.text is missing; a row is", "x"),
        ({"id": "x", "draft": " "}, "neither a draft nor a question", "x"),
        ({"id": ["x"], "draft": "d"}, "id must be a text or a number that is not empty", ""),
        ({"id": True, "draft": "d"}, "got True", ""),
    ],
)
def test_a_line_that_is_no_row_is_a_problem_with_its_place(bench, line, fault, name):
    totals = bench.run([GOOD, line, {**GOOD, "id": "b"}])
    assert bench.ids == ["a", "b"]
    [problem] = bench.problems
    assert (problem["file"], problem["line"]) == (str(bench.source), 2)
    assert fault in problem["error"]
    assert problem.get("id", "") == name
    assert (totals.done, totals.problems) == (2, 1)


def test_bytes_that_are_no_text_are_a_problem(bench):
    lines = b'\xef\xbb\xbf{"draft": "first"}\r\n{"draft": "\xff"}\n\n{"draft": "d"}'
    bench.source.write_bytes(lines)
    bench.run()
    assert bench.ids == ["line 1", "line 4"]
    assert bench.problems[0]["error"].startswith("byte 12 of the line is not UTF-8")


def test_an_id_that_comes_twice_is_a_problem_and_the_first_row_is_kept(bench):
    rows = [GOOD, {"id": "a", "draft": "other"}, {"id": 7, "draft": "d"}, {"id": "7", "draft": "e"}]
    bench.run([*rows, {"draft": "f"}, {"id": "line 5", "draft": "g"}])
    assert bench.ids == ["a", "7", "line 5"]
    problems = [(row["line"], row["id"]) for row in bench.problems]
    assert problems == [(2, "a"), (4, "7"), (6, "line 5")]
    bench.run()
    assert len(bench.ids) == len(bench.problems) == 3


def test_a_run_without_problems_leaves_no_file_of_them(bench):
    bench.run(["{nope"])
    assert bench.run([GOOD]).problems == 0
    assert not bench.out.with_name("out.jsonl.problems.jsonl").exists()


def test_documents_are_taken_as_they_stand():
    documents = ["https://example.org/", "page.txt", {"text": "t", "title": "T", "source": "web"}]
    row = read_row({"draft": "d", "documents": documents}, "line 3", corrects=True)
    as_given = (Document(text=documents[0]), Document(text=documents[1]))
    assert row.documents == (*as_given, Document(text="t", title="T"))
    assert (row.id, row.question, row.draft) == ("line 3", "", "d")


def test_what_answers_needs_a_question():
    with pytest.raises(RowError, match="no question to answer"):
        read_row({"draft": "d"}, "line 1", corrects=False)
    assert read_row({"question": "q", "draft": None}, "line 1", corrects=False).question == "q"
