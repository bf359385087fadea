"""Rows of JSON (lists, single objects and lines), and tables as sentences."""

import pytest

from errata.core.errors import InputError
from errata.tools.files.rows import describe_table

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
