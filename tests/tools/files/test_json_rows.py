"""Rows of JSON: lists, single objects and lines."""

import json

import pytest

from errata.core.errors import InputError
from errata.tools.files.rows import holds_rows, number_lines, parse_json_row, read_rows

ROWS = [{"text": "a b"}, {"text": "c"}]


def values(text, **options):
    return [value for _, value in read_rows(text, "x", **options)]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        "\n".join(map(json.dumps, ROWS)),
        "\r\n\r\n".join(map(json.dumps, ROWS)) + "\r\n",
        "\n".join(json.dumps(row, ensure_ascii=False) for row in ROWS),
    ],
)
def test_rows_are_read_in_every_form(text, lines):
    assert values(text, lines=lines) == ROWS


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"])
def test_only_a_line_feed_ends_a_line(separator):
    row = {"text": f"one{separator}two"}
    text = json.dumps(row, ensure_ascii=False).replace("\\u", "\\u")
    assert values(f"{text}\n{text}") == [row, row]
    assert [place for place, _ in number_lines(f"a{separator}b\n\nc", "x")] == [
        "x, line 1",
        "x, line 3",
    ]


@pytest.mark.parametrize(
    ("text", "lines", "message"),
    [
        ("{nope", True, "x, line 1: not JSON: .* at column 2"),
        ('{"text": "a"}\n{nope', True, "x, line 2: not JSON"),
        ('{"text": "a"}\n{nope', False, "x, line 2: not JSON"),
        ('[\n{"text": "a"},\n{nope\n]', False, "x: not JSON: .* at line 3, column 2"),
        ("[" * 100_000, False, "x: JSON that cannot be read: "),
        ("1" * 5000, False, "x: JSON that cannot be read: "),
        ("", False, "x: not JSON"),
    ],
)
def test_the_error_says_where_the_fault_is(text, lines, message):
    with pytest.raises(InputError, match=message):
        values(text, lines=lines)


def test_lone_surrogates_become_replacement_characters():
    assert parse_json_row(r'{"text\ud800": ["\udc00a", "\ud83d\ude00"]}', "x") == {
        "text\ufffd": ["\ufffda", "😀"]
    }


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (json.dumps(ROWS), True),
        (json.dumps(ROWS[0]), True),
        ("\n".join(map(json.dumps, ROWS)), True),
        ("[1] The tower was opened in 1889.", False),
        ("[Eiffel](tower.md) is a tower.", False),
        ("{draft} The tower was opened.", False),
        ('{"name": "Eiffel Tower"}', False),
        ("[1, 2]", False),
        ("", False),
    ],
)
def test_a_text_holds_rows_only_if_the_first_has_a_text(text, rows):
    assert holds_rows(text) == rows
