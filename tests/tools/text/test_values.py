"""Dates, numbers, names and quantities: what they are, and whether one bears another out."""

import pytest

from errata.tools.text.entities import find_entities
from errata.tools.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on April 27, 1949", [("date", "1949-4-27")]),
        ("in May 2003", [("date", "2003-5-?")]),
        ("on 1961-08-13", [("date", "1961-8-13")]),
        ("on 22.11.2023", [("date", "2023-11-22")]),
        ("on 08/13/1961", [("date", "1961-8-13")]),
        ("on 05/05/1961", [("date", "1961-5-5")]),
        ("on 05/08/1961", [("date", "1961-5-8|1961-8-5")]),
        ("on 31.13.1961", [("number", "31.13")]),
        ("in the 1970s and 1984", [("year", "1970s"), ("year", "1984")]),
        ("won 3 of 1,500 and twenty", [("number", "3"), ("number", "1500"), ("number", "20")]),
        ("the third and 3rd", [("number", "3th"), ("number", "3th")]),
        ("King of New York met Li", [("name", "king new york"), ("name", "li")]),
        ("Apollo 11 flew", [("name", "apollo 11")]),
        ("He was The", []),
    ],
)
def test_entities(text, expected):
    assert [(entity.kind, entity.key) for entity in find_entities(text)] == expected


@pytest.mark.parametrize(
    ("text", "low", "high", "kind", "bound"),
    [
        ("It weighs 250 mg.", 0.25, 0.25, "mass", "exact"),
        ("It raised about 1.2 million dollars.", 1.2e6, 1.2e6, "US dollar", "about"),
        ("It raised $1.2bn.", 1.2e9, 1.2e9, "US dollar", "exact"),
        ("They sleep 7 to 9 hours.", 25_200, 32_400, "time", "exact"),
        ("Nearly 2,700 people came.", 2700, 2700, "count", "nearly"),
        ("Some 13, 000 people came.", 13_000, 13_000, "count", "about"),
        ("Two hundred and five trees fell.", 205, 205, "count", "exact"),
        ("It has three and a half million users.", 3.5e6, 3.5e6, "count", "exact"),
        ("It was -5 °C.", -5, -5, "temperature", "exact"),
        ("It costs £3–5 million.", 3e6, 5e6, "pound", "exact"),
        ("It has 50 mg per 5 ml.", 10, 10, "mass per volume", "exact"),
        ("It has 5 mg twice a day.", 10 / 86_400_000, 10 / 86_400_000, "mass per time", "exact"),
    ],
)
def test_a_quantity_has_a_value_in_one_unit(text, low, high, kind, bound):
    first = find_quantities(text)[0]
    assert (first.low, first.high) == pytest.approx((low, high))
    assert (first.kind, first.bound) == (kind, bound)


@pytest.mark.parametrize(
    "text", ["In 1984 and on 4 May.", "The 3rd one.", "Apollo 11 flew.", "I-95"]
)
def test_dates_positions_and_names_are_no_quantities(text):
    assert find_quantities(text) == ()
