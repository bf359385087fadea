"""Every bench can be named and says what it takes; what the benches count, in small."""

import asyncio
import json

import pytest

from errata.core.errors import AccessError, ChatError
from errata.core.records import Claim, Verdict
from errata.evals.benches import BENCHES, costs, faults
from errata.evals.benches.__main__ import main
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings
from example import correction_of

AT_ONCE = dict.fromkeys(("first", "token", "search", "page"), 0.0)


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_says_what_it_takes(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main(name, "--help")
    assert ended.value.code == 0
    assert "--data" in capsys.readouterr().out


def test_an_unknown_bench_gets_the_list(capsys):
    assert main("cost") == 2
    told = capsys.readouterr().err
    assert "there is no bench 'cost'; name one of" in told
    assert all(name in told for name in BENCHES)


def test_costs_are_written_for_the_model_in_the_environment(serving, tmp_path, capsys):
    endpoint, page = Endpoint(Settings(**AT_ONCE)), tmp_path / "results" / "costs.md"
    rows, [item] = tmp_path / "rows.jsonl", faults.invented_items(1)
    own = {"question": item.question, "draft": item.draft, "documents": [item.documents[0].text]}
    rows.write_text(json.dumps(own) + "\n")
    arguments = ["--dataset", str(rows), "--drafts", "1", "--out", str(page), "--methods"]
    with pointed_at(serving(endpoint.app)):
        costs.main(*arguments, "rac", "crag")
        text = page.read_text()
        costs.main("--search", "nowhere", *arguments, "reex")
    assert "| rac | default | 1.0 | 1.0 |" in text
    assert f" | {costs.PUBLISHED['rac']} |\n| crag | default |" in text
    assert "corrected by the model that the environment names" in text
    assert "| decisions, and local code | some wrong | 3.0 | 0 |" in text
    assert "reex paper: " in capsys.readouterr().err
    assert "| reex |" not in page.read_text()


[INVENTED] = faults.invented_items(1)
PLANTED = INVENTED.gold["planted"]


def correction(draft=INVENTED.draft, **fields):
    return correction_of(draft, **{"label": "not_mentioned"} | fields)


def supported(text):
    claim = Claim(id="c1", text=text, start=0, end=9)
    return correction(claims=[claim], verdicts=[Verdict(claim="c1", label="supported")])


@pytest.mark.parametrize(
    ("end", "broken"),
    [
        (correction(), 0),
        (RuntimeError("x"), 1),
        (ChatError("x"), 1),
        (AccessError("x"), 0),
        (correction(response=""), 1),
        (supported(f"{PLANTED[0][0]}."), 1),
    ],
)
def test_what_must_not_be_is_named(end, broken):
    cell = faults.Cell("rac", "failing", 1.0)
    cell.count(INVENTED, end)
    assert len(faults.compare_cells([faults.Cell("rac"), cell])) == broken


@pytest.mark.parametrize("fault", ["failing", "dropped", "echoing", "hostile"])
def test_faults_lose_nothing_and_make_nothing_false_pass(serving, fault):
    url = serving(Endpoint(Settings(**AT_ONCE, rates={fault: 0.5})).app)
    cells = [faults.Cell(method, fault, 0.5) for method in ("rac", "reex")]
    with pointed_at(url):
        items, limits = faults.invented_items(2), {"timeout": 30.0, "retries": 0}
        for cell in cells:
            asyncio.run(faults.run_cell(cell, items, url, **limits))
    base = [faults.Cell(cell.method) for cell in cells]
    own = [cell for cell in cells if cell.method != "reex"]
    assert not faults.compare_cells([*base, *own])
    assert not any(cell.faults for cell in cells)
    assert all(cell.counts["requests"] for cell in cells)
