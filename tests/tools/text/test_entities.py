"""Dates, numbers and names."""

import pytest

from errata.tools.text.entities import agree, find_entities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on April 27, 1949", [("date", "1949-4-27")]),
        ("on 27th of April 1949", [("date", "1949-4-27")]),
        ("in May 2003", [("date", "2003-5-?")]),
        ("on 1961-08-13", [("date", "1961-8-13")]),
        ("on 22.11.2023", [("date", "2023-11-22")]),
        ("on 13/08/1961", [("date", "1961-8-13")]),
        ("on 08/13/1961", [("date", "1961-8-13")]),
        ("on 05/05/1961", [("date", "1961-5-5")]),
        ("on 05/08/1961", [("number", "05"), ("number", "08"), ("year", "1961")]),
        ("on 31.13.1961", [("number", "31.13")]),
        ("in the 1970s and 1984", [("year", "1970s"), ("year", "1984")]),
        ("won 3 of 1,500 and twenty", [("number", "3"), ("number", "1500"), ("number", "20")]),
        ("the third and 3rd", [("number", "3th"), ("number", "3th")]),
        ("King of New York met Li", [("name", "king new york"), ("name", "li")]),
        ("Apollo 11 flew", [("name", "apollo 11")]),
        ("Lanny FlahertyBorn", [("name", "lanni flaherti"), ("name", "born")]),
        ("James McAvoy", [("name", "jame mc avoy")]),
        ("He was The", []),
    ],
)
def test_entities(text, expected):
    assert [(entity.kind, entity.key) for entity in find_entities(text)] == expected


@pytest.mark.parametrize(
    ("ours", "theirs", "same"),
    [
        ("27 April 1949", "April 27, 1949", True),
        ("April 1949", "April 27, 1949", True),
        ("1949", "April 27, 1949", True),
        ("1950", "April 27, 1949", False),
        ("28 April 1949", "April 27, 1949", False),
        ("two", "2", True),
    ],
)
def test_entities_agree_across_spellings(ours, theirs, same):
    assert agree(find_entities(ours)[0], find_entities(theirs)[0]) is same
