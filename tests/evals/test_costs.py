"""What runs cost: calls in waves, means, bare calls, and the tables of both benchmarks."""

import asyncio
from functools import partial
from io import StringIO

import pytest
from rich.console import Console

from errata.core.records import Document
from errata.evals.benches import costs, overhead
from errata.evals.benches.calls import BareClient, Call, CallLog
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings
from errata.evals.items import Item
from errata.session import Session
from example import CLAIMS, DRAFT, PAGE, QUESTION, REPLIES

ITEM = Item(id="curie", question=QUESTION, draft=DRAFT, documents=(Document(id="d1", text=PAGE),))
TWO_FALSE = {"rac/verify": "1: False\n2: True\n3: False"}
COSTS = {
    "calls": 9.5,
    "generations": 4.0,
    "prompt_tokens": 3341.2,
    "completion_tokens": 626.0,
    "searches": 0.0,
    "pages": 0.0,
    "seconds": 7.25,
}


@pytest.fixture
def endpoint(serving):
    """The endpoint of ours, which replies at once."""
    simulated = Endpoint(Settings().scaled(0.0))
    with pointed_at(serving(simulated.app)):
        yield simulated


def test_the_costs_of_a_method_are_those_of_its_runs(scripted):
    settings = {"model": scripted(REPLIES), "profile": "paper"}
    found = asyncio.run(costs.measure([ITEM] * 2, "rac", **settings))
    assert (found["calls"], found["generations"], found["searches"]) == (4, 4, 0)
    assert found["seconds"] > 0


def test_costs_are_means():
    rows = [{"calls": 3.0, "pages": 0.0}, {"calls": 2.0, "pages": 1.0}]
    assert costs.average(rows) == {"calls": 2.5, "pages": 0.5}


@pytest.mark.anyio
async def test_calls_that_go_side_by_side_are_one_wave(scripted):
    model = scripted(REPLIES | TWO_FALSE)
    async with Session("rac", model=model, profile="paper") as session:
        run = await costs.run_once(session, ITEM)
    steps = [{call.prompt for call in wave} for wave in run.waves]
    assert steps == [{"rac/extract.v1"}, {"rac/verify.v1"}, {"rac/correct.v1"}, {"rac/revise.v1"}]
    assert [len(wave) for wave in run.waves] == [1, 1, 2, 1]
    assert all(claim in run.waves[1][0].text for claim in CLAIMS)


def test_a_call_waits_for_those_that_had_ended():
    log = CallLog()
    times = [(0, 1), (0, 3), (2, 4), (3, 5), (6, 7)]
    log.calls = [Call(f"p{n}", "", began, ended) for n, (began, ended) in enumerate(times)]
    assert [[call.prompt for call in wave] for wave in log.waves] == [
        ["p0", "p1"],
        ["p2", "p3"],
        ["p4"],
    ]


@pytest.mark.anyio
async def test_bare_calls_are_those_of_the_run(endpoint):
    async with Session("rac", model="openai:m", profile="paper") as session:
        run = await costs.run_once(session, ITEM)
    asked = dict(endpoint.prompts)
    async with BareClient("m") as client:
        assert await client.repeat(run.waves) > 0
    assert endpoint.prompts == {name: 2 * count for name, count in asked.items()}
    assert sum(asked.values()) == run.result.usage.model_calls


@pytest.mark.parametrize(
    ("method", "profile", "search"), [("rac", "", None), ("reex", "paper", "x"), ("crag", "", "x")]
)
def test_methods_that_need_more_than_the_page_search(method, profile, search):
    settings = costs.settings_for(method, profile, "x")
    assert (settings["profile"], settings.get("search")) == (profile, search)


def test_the_table_has_the_published_program_beside_ours():
    rows = {("rac", "paper"): COSTS, ("crag", ""): COSTS}
    page = costs.write_table(rows, "2 biographies", "a model")
    ours = "| 9.5 | 4.0 | 3341 | 626 | 0.0 | 0.0 |"
    assert f"| rac | paper {ours} {' | '.join(costs.PUBLISHED['rac'])} |" in page
    assert f"| crag | default {ours}  |  |" in page
    assert "2 biographies" in page


def test_costs_are_written_for_the_model_in_the_environment(endpoint, tmp_path):
    page = tmp_path / "results" / "costs.md"
    costs.main("--data", "nowhere", "--drafts", "1", "--methods", "rac", "--out", str(page))
    assert "| rac | default | 4.0 | 4.0 |" in page.read_text()
    assert endpoint.prompts["rac/verify"] == 2


def test_a_form_that_cannot_run_is_named_and_left_out(endpoint, capsys):
    measure = partial(costs.measure, [ITEM], model="openai:m")
    found = asyncio.run(costs.in_each_form(["reex"], "nowhere", measure))
    assert not found
    assert "nowhere" in capsys.readouterr().err
    assert not endpoint.prompts


@pytest.fixture
def figures(endpoint):
    """A small run of the whole benchmark."""
    found = asyncio.run(overhead.measure_all(["rac"], ["crag"], 1, (1, 2)))
    assert endpoint.counts["calls"]
    return found


def test_a_benchmark_is_kept_and_compared(figures, tmp_path):
    assert list(figures["runs"]) == ["rac", "rac paper"]
    assert list(figures["load"]) == ["crag x 1", "crag x 2"]
    path = tmp_path / "results" / "overhead.json"
    overhead.keep(path, figures)
    kept = overhead.read_kept(path)
    assert kept["machine"] == figures["machine"]
    kept["runs"]["rac"]["calls"] *= 2
    text = StringIO()
    table = overhead.tabulate("One run", overhead.RUN_COLUMNS, figures["runs"], kept["runs"])
    Console(file=text, width=200).print(table)
    assert text.getvalue().count("(-50%)") == 1
    assert text.getvalue().count("%") == 1


def test_nothing_was_kept_yet(tmp_path):
    assert overhead.read_kept(tmp_path / "none.json") == {"runs": {}, "load": {}}
