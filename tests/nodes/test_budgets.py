"""Every method within every budget: what was not paid for is unchecked, and nothing is lost."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from errata import Session, aanswer, acorrect
from errata.core.budgets import Budget, Cost, open_budget
from errata.core.edits import apply_edits
from errata.core.errors import BudgetError, InputError
from errata.core.records import Answer
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.people import people
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings
from errata.methods import METHODS
from errata.nodes.answer import NOTHING
from errata.nodes.deployment import Deployment
from example import DOCUMENTS, DRAFT, OURS, PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio
SPENT = "the budget is spent: "
LIMITS = [("max_calls", 0), ("max_calls", 1), ("max_calls", 2), ("max_calls", 3)]
LIMITS += [("max_tokens", 0), ("max_tokens", 2000)]
LIMITS += [(f"max_{name}", n) for name in ("money", "searches", "pages") for n in (0, 1)]
PERSON = people()[0]
TEXT = ". ".join(PERSON.draft.split(". ")[:2]) + "."
OPEN = {"model": "openai:m", "search": "serpapi", "sampling": {"max_tokens": 400}}


@pytest.fixture
def endpoint(serving):
    simulated = Endpoint(Settings(first=0.0, token=0.0, search=0.0, page=0.0))
    with pointed_at(serving(simulated.app)):
        yield simulated


@pytest.fixture
def prices(write):
    models = {"openai:m": {"prompt": 1000, "completion": 1000}}
    return str(write("prices.json", json.dumps({"models": models})))


async def run(method, prices, **limits):
    fields = METHODS[method].context.model_fields
    own = {name: value for name, value in OPEN.items() if name in fields}
    session = Session(method, prices=prices, **own, **limits)
    question = f"Who is {PERSON.name}?"
    if METHODS[method].corrects:
        return await session.acorrect(question, TEXT)
    return await session.aanswer(question)


def spent(result, name):
    return getattr(Cost.of(result.usage), name.removeprefix("max_"))


def texts_of(label, result):
    texts = {claim.id: claim.text for claim in result.claims}
    return {texts[v.claim] for v in result.verdicts if v.label == label}


@pytest.mark.parametrize("method", OURS)
async def test_no_run_spends_more_than_a_budget_or_loses_anything(method, endpoint, prices):
    whole = await run(method, prices)
    results = await asyncio.gather(*(run(method, prices, **dict([each])) for each in LIMITS))
    for (name, limit), result in zip(LIMITS, results, strict=True):
        needed = spent(whole, name)
        assert spent(result, name) <= limit, (name, limit)
        stops = [note for note in result.notes if note.startswith(SPENT)]
        assert len(stops) <= 1, stops
        if needed > limit:
            assert stops[0].startswith(f"{SPENT}{name}={limit:.10g} allows no more"), stops
        assert is_whole(result, whole)
        assert (name, limit) != ("max_calls", 0) or says_nothing(result) or not needed
    assert sum(result.usage.model_calls for result in (whole, *results)) == endpoint.counts["calls"]
    assert sum(result.usage.searches for result in (whole, *results)) == endpoint.counts["searches"]


def says_nothing(result):
    """Whether it is what a run without a call gives: no claim judged, no answer."""
    if isinstance(result, Answer):
        return result.response == NOTHING
    labels = {verdict.label for verdict in result.verdicts}
    return (result.response, result.label) == (TEXT, "unchecked") and labels <= {"unchecked"}


def is_whole(result, whole):
    """Whether it has a draft or an answer, and judges nothing better than the whole run does."""
    if isinstance(result, Answer):
        return bool(result.response)
    kept = result.draft == TEXT and apply_edits(result.draft, result.edits) == result.response
    labels = ("supported", "unreadable")
    return kept and all(texts_of(label, result) <= texts_of(label, whole) for label in labels)


async def test_where_a_draft_has_to_be_written_there_is_nothing_to_hand_out(scripted):
    with pytest.raises(BudgetError, match="max_calls=0 allows no more calls to models"):
        await acorrect(QUESTION, documents=DOCUMENTS, model=scripted(REPLIES), max_calls=0)


@pytest.mark.usefixtures("endpoint")
async def test_money_is_on_the_bill_of_the_role_and_of_the_model(prices):
    usage = (await run("crag", prices)).usage
    tokens = usage.prompt_tokens + usage.completion_tokens
    assert usage.by_model["openai:m"]["money"] == pytest.approx(tokens / 1000)
    assert usage.money == pytest.approx(tokens / 1000 + 0.015 * usage.searches)
    by_role = sum(share.get("money", 0) for share in usage.by_role.values())
    assert by_role == pytest.approx(usage.money)


async def test_what_costs_nothing_is_not_stopped_by_money(scripted):
    given = {"documents": DOCUMENTS, "model": scripted(REPLIES)}
    whole = await acorrect(QUESTION, DRAFT, **given)
    free = await acorrect(QUESTION, DRAFT, **given, max_money=0)
    assert (free.response, free.verdicts, free.usage.money) == (whole.response, whole.verdicts, 0)


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"model": "openai:m"}, r"model 'openai:m'.*--prices"),
        ({"roles": {"verify": "local>openai:m"}}, "model 'openai:m'"),
        ({"search": SimpleNamespace(run=str)}, "search engine 'SimpleNamespace'"),
        ({"prices": "nowhere.json"}, "cannot read the prices 'nowhere.json'"),
        ({"max_calls": -1}, "max_calls must be greater than or equal to 0"),
    ],
)
def test_what_has_no_price_is_refused_at_once(settings, named, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(InputError, match=named):
        Session("rac", **{"max_money": 1, **settings})


@pytest.mark.usefixtures("endpoint")
async def test_runs_side_by_side_share_the_budget_around_them(prices):
    batch = Budget({"calls": 3})
    with open_budget(batch):
        runs = await asyncio.gather(*(run("rac", prices) for _ in range(4)))
    assert sum(result.usage.model_calls for result in runs) == batch.spent.calls == 3
    assert batch.used_up == "max_calls=3 allows no more calls to models"


@pytest.mark.parametrize("broken", [True, False])
async def test_a_call_that_fails_or_breaks_off_counts(broken, openai_server, scripted):
    openai_server.plan = ["broken"] * 5
    model = "openai:m" if broken else scripted({})
    run = await acorrect(QUESTION, DRAFT, documents=DOCUMENTS, model=model, max_calls=1)
    assert len(openai_server.requests) == broken
    assert (run.usage.model_calls, Cost.of(run.usage).calls, run.response) == (0, 1, DRAFT)


async def test_a_corpus_is_asked_about_as_many_claims_as_the_budget_has_searches(tmp_path):
    (tmp_path / "page.txt").write_text(PAGE)
    run = await acorrect(QUESTION, DRAFT, corpus=str(tmp_path), max_searches=2)
    assert run.usage.searches == 2
    assert run.checked


@pytest.mark.usefixtures("endpoint")
async def test_a_run_that_goes_on_goes_on_with_its_bill(prices):
    saver, thread = InMemorySaver(), {"configurable": {"thread_id": "1"}}
    own = {**OPEN, "search": "none", "max_calls": 1, "prompts": {"extract": "rac/extract.v2"}}
    context = METHODS["rac"].context(Deployment(prices=prices), **own)
    request = {"question": QUESTION, "draft": DRAFT, "documents": DOCUMENTS}
    graphs = METHODS["rac"].graph.builder
    stopped = graphs.compile(checkpointer=saver, interrupt_before=["verify"])
    first = await stopped.ainvoke(request, thread, context=context)
    out = await graphs.compile(checkpointer=saver).ainvoke(None, thread, context=context)
    assert out["usage"]["model_calls"] == 1
    assert {verdict["label"] for verdict in out["verdicts"]} == {"unchecked"}
    assert "verdicts" not in first or not first["verdicts"]


async def test_what_has_no_price_is_not_bought_within_a_budget_of_money(openai_server):
    openai_server.replies = REPLIES
    with open_budget(Budget({"money": 5})) as budget:
        correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], model="openai:m")
        local = await acorrect(QUESTION, DRAFT, documents=[PAGE])
    assert not openai_server.requests
    assert (budget.spent.calls, correction.response) == (0, DRAFT)
    assert any("the model 'openai:m' has no price" in note for note in correction.notes)
    assert local.response != DRAFT


async def test_a_limit_counts_what_was_spent_before_a_sub_graph(root, demo):
    corpus = str(root / "demo" / "corpus")
    answer = await aanswer("Who built Zork Palace?", corpus=corpus, search=demo, max_searches=1)
    assert answer.usage.searches == 1
    assert any("max_searches=1" in note for note in answer.notes)
