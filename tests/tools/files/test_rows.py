"""Rows of JSON (lists, single objects and lines), and tables as sentences."""

import json

import pytest

from errata.core.errors import InputError
from errata.tools.files.rows import (
    describe_table,
    number_lines,
    read_rows,
)

ROWS = [{"text": "a b"}, {"text": "c"}]


def values(text, **options):
    return [value for _, value in read_rows(text, "x", **options)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (json.dumps(ROWS), False),
        (json.dumps(ROWS, indent=2), False),
        ("\n".join(map(json.dumps, ROWS)), True),
        ("\r\n\r\n".join(map(json.dumps, ROWS)) + "\r\n", True),
    ],
)
def test_rows_are_read_in_every_form(text, lines):
    assert values(text, lines=lines) == ROWS


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_a_line_feed_ends_a_line(separator):
    row = {"text": f"one{separator}two"}
    text = json.dumps(row, ensure_ascii=False).replace("\\u", "\\u")
    assert values(f"{text}\n{text}", lines=True) == [row, row]
    places = [place for place, _ in number_lines(f"a{separator}b\n\nc", "x")]
    assert places == ["x, line 1", "x, line 3"]


@pytest.mark.parametrize(
    ("text", "lines", "message"),
    [
        ("{nope", True, "x, line 1: not JSON: .* at column 2"),
        ('{"text": "a"}\n{nope', True, "x, line 2: not JSON"),
        ('[\n{"text": "a"},\n{nope\n]', False, "x: not JSON: .* at line 3, column 2"),
        ("[" * 100_000, False, "x: JSON that cannot be read: "),
        ("1" * 5000, False, "x: JSON that cannot be read: "),
        ("", False, "x: not JSON"),
    ],
)
def test_the_error_says_where_the_fault_is(text, lines, message):
    with pytest.raises(InputError, match=message):
        values(text, lines=lines)


TOWERS = [["name", "height"], ["Eiffel Tower", "330 m"], ["Tokyo Tower", "333 m"]]
SENTENCES = "name: Eiffel Tower; height: 330 m.\n\nname: Tokyo Tower; height: 333 m."


@pytest.mark.parametrize("delimiter", list(",;\t"))
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_row_says_the_name_of_each_column(delimiter, end):
    text = end.join(delimiter.join(row) for row in TOWERS)
    assert describe_table(text, "x") == SENTENCES


@pytest.mark.parametrize(
    ("text", "description"),
    [
        ('name,about\nAda,"She sang, and\nwept."', "name: Ada; about: She sang, and wept."),
        ("name,born\nAda,\n,1867\n,\n", "name: Ada.\n\nborn: 1867."),
        ("Ada,1815\nMarie,1867", "Ada; 1815.\n\nMarie; 1867."),
        ("name,name\na,b", "name; name.\n\na; b."),
        ("name,born\nAda,1815,London", "name: Ada; born: 1815; London."),
        ("name\nAda\nMarie", "name: Ada.\n\nname: Marie."),
        ("one line of text", "one line of text."),
        ("", ""),
    ],
)
def test_cells_are_described_as_they_are(text, description):
    assert describe_table(text, "x") == description


def test_a_cell_beyond_the_limit_of_the_format_is_an_error():
    with pytest.raises(InputError, match="x is not a readable CSV file: field larger"):
        describe_table(f"a,b\n1,{'x' * 200_000}", "x")
