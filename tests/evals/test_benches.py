"""Every bench can be named; what they count, in small; the endpoint that they run on."""

import asyncio
import json

import httpx2
import pytest

from errata import aanswer, acorrect
from errata.core.errors import AccessError, ChatError
from errata.core.records import Claim, Verdict
from errata.evals.benches import BENCHES, costs, faults
from errata.evals.benches.__main__ import main
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings
from errata.evals.runner import run_item
from errata.methods import METHODS
from errata.session import Session
from example import OURS, correction_of

AT_ONCE = dict.fromkeys(("first", "token", "decision", "search", "page"), 0.0)
[INVENTED] = faults.invented_items(1)
PLANTED = INVENTED.gold["planted"]


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
    own = {"question": INVENTED.question, "draft": INVENTED.draft}
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(own | {"documents": [INVENTED.documents[0].text]}) + "\n")
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


@pytest.fixture(scope="module")
def quick(serving_all):
    """The address of an endpoint that replies at once and never fails."""
    return serving_all(Endpoint(Settings(**AT_ONCE)).app)


@pytest.mark.anyio
@pytest.mark.parametrize("form", ["decisions:m", "systemone:m@{}/v1"])
async def test_typed_questions_are_answered_in_both_forms(serving, form):
    endpoint = Endpoint(Settings(**AT_ONCE))
    url = serving(endpoint.app)
    with pointed_at(url):
        asked = {"documents": INVENTED.documents, "roles": {"verify": form.format(url)}}
        out = await acorrect(INVENTED.question, INVENTED.draft, **asked)
        asked["roles"] = {"evaluate": form.format(url)}
        answer = await aanswer(INVENTED.question, **asked)
    assert {v.label for v in out.verdicts} == {"supported", "refuted", "not_mentioned"}
    assert {edit.by for edit in out.edits} == {"choice"}
    assert all(edit.after in INVENTED.documents[0].text for edit in out.edits)
    assert (out.usage.completion_tokens, answer.action) == (0, "correct")
    assert endpoint.prompts == {"decisions": 5}  # claims, words, new claims; documents, strips
    async with httpx2.AsyncClient() as http:
        assert (await http.post(f"{url}/v1/decisions", json={"model": "m"})).status_code == 400


@pytest.mark.anyio
@pytest.mark.parametrize("profile", costs.FORMS)
@pytest.mark.parametrize("method", OURS)
async def test_every_method_runs_its_course_on_it(quick, method, profile):
    with pointed_at(quick):
        settings = costs.settings_for(method, profile, "serpapi")
        async with Session(method, model="openai:m", **settings) as session:
            result = await run_item(session, INVENTED)
    assert result.usage.model_calls
    assert not result.usage.by_model["openai:m"].get("estimated_calls")
    assert result.response
    if METHODS[method].corrects:
        labels = {verdict.label for verdict in result.verdicts}
        assert ("unreadable" in labels, "refuted" in labels) == (False, True)
        assert result.changed or not METHODS[method].revises
