"""Money by a table of prices."""

import json

import pytest

from errata.core.errors import InputError
from errata.core.records import Usage
from errata.evals.metrics.cost import price_of
from errata.tools.models.prices import Prices

USAGE = Usage(prompt_tokens=1000, completion_tokens=500, searches=2)


@pytest.mark.parametrize(
    ("model", "search", "money"),
    [
        ("openai:gpt-4o-mini", "", 0.00045),
        ("gpt-4o-mini", "wikipedia", 0.00045),
        ("local", "corpus:folder", 0.0),
        ("openai:nobody", "", None),
        ("openai:gpt-4o-mini", "nobody", None),
    ],
)
def test_money_is_tokens_and_searches_by_their_prices(model, search, money):
    expected = money if money is None else pytest.approx(money)
    assert price_of(Prices.read(), USAGE, model, search) == expected


def test_ones_own_prices_stand_in_for_the_shipped_ones(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"models": {"gpt-4o-mini": {"prompt": 1, "completion": 2}}}))
    prices = Prices.read(str(path))
    assert price_of(prices, USAGE, "gpt-4o-mini") == pytest.approx(0.002)
    assert price_of(prices, USAGE, "gpt-4o") == price_of(Prices.read(), USAGE, "gpt-4o")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        '{"models": {"m": {"prompt": -1, "completion": 1}}}',
        '{"models": {"m": {"prompt": 1, "completion": Infinity}}}',
        '{"searches": {"serpapi": NaN}}',
        None,
    ],
)
def test_a_table_that_is_none_is_named(text, tmp_path):
    path = tmp_path / "prices.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match="prices"):
        Prices.read(str(path))
