"""What runs cost: counts, money by a table of prices, latency in generations."""

import json
from dataclasses import replace

import pytest

from errata.core.errors import InputError
from errata.core.records import Usage
from errata.evals.metrics import scorer_named
from errata.tools.models.prices import Prices

pytestmark = pytest.mark.anyio
USAGE = Usage(
    model_calls=3,
    prompt_tokens=1000,
    completion_tokens=500,
    searches=2,
    pages=1,
    seconds=6.0,
    by_role={
        "generate": {"model_calls": 1, "seconds": 2.0},
        "verify": {"model_calls": 2, "seconds": 3.0},
        "retrieve": {"searches": 2, "seconds": 1.0},
    },
)


@pytest.mark.parametrize(
    ("model", "search", "money"),
    [
        ("openai:gpt-4o-mini", "", 0.00045),
        ("gpt-4o-mini", "serper", 0.00245),
        ("local", "corpus:folder", 0.0),
        ("openai:nobody", "", None),
        ("openai:gpt-4o-mini", "nobody", None),
    ],
)
def test_money_is_tokens_and_searches_by_their_prices(model, search, money):
    assert Prices.read().of(USAGE, model, search) == (
        money if money is None else pytest.approx(money)
    )


async def test_means_over_runs(scored, item, correction):
    scorer = scorer_named("cost", model="openai:gpt-4o-mini")
    rows = await scored(
        scorer,
        (item(name="a"), correction(usage=USAGE)),
        (item(name="b"), correction(usage=Usage())),
        (item(name="c"), None),
    )
    figures = {name: figure.value for name, figure in scorer.figures(rows).items()}
    assert figures["calls"] == 1.5
    assert figures["generations"] == 1
    assert figures["tokens"] == 750
    assert figures["searches"] == 1
    assert figures["seconds"] == 3
    assert figures["money"] == pytest.approx(0.000225)
    assert figures["failed"] == pytest.approx(1 / 3)


async def test_latency_is_time_over_that_of_one_generation(scored, item, correction):
    scorer = scorer_named("cost")
    [row] = await scored(scorer, (item(name="a"), correction(usage=USAGE)))
    assert scorer.figures([row])["latency"].value == 3
    figures = scorer.figures([replace(row, seconds=8.0)])
    assert (figures["latency"].value, figures["seconds"].value) == (4, 8)


async def test_without_a_generation_or_a_model_there_is_neither_latency_nor_money(
    figured, item, correction
):
    scorer = scorer_named("cost")
    figures = await figured(scorer, (item(), correction(usage=Usage(model_calls=1, seconds=2.0))))
    assert (figures["latency"].value, figures["money"].value) == (None, None)


def test_ones_own_prices_stand_in_for_the_shipped_ones(tmp_path):
    path = tmp_path / "prices.json"
    path.write_text(json.dumps({"models": {"gpt-4o-mini": {"prompt": 1, "completion": 2}}}))
    prices = Prices.read(str(path))
    assert prices.of(USAGE, "gpt-4o-mini") == pytest.approx(0.002)
    assert prices.of(USAGE, "gpt-4o") == Prices.read().of(USAGE, "gpt-4o")


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
