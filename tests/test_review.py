"""Edits that wait for a person: which are shown, what an answer does, what survives a restart."""

import asyncio
import json
import os
import subprocess
import sys
from importlib import import_module

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from errata import check, correct
from errata.errors import InputError, SettingError
from errata.nodes.shared.review import decide, edits_to_review
from errata.nodes.state import CorrectionContext
from errata.records import Edit, Verdict

REQUEST = {
    "question": "Who was Marie Curie?",
    "draft": "Marie Curie was born in 1865. She died in 1936. She was Polish.",
    "documents": [
        {"text": "Marie Curie (7 November 1867 – 4 July 1934) was a Polish and French physicist."}
    ],
}
MENDED = "Marie Curie was born in 1867. She died in 1934. She was Polish."
EDITS = {
    name: Edit(start=at, end=at + 1, before="a", after="b", claims=(f"c{at}",))
    for at, name in enumerate(("e1", "e2", "e3", "e4"), start=1)
}
VERDICTS = [
    Verdict(claim="c1", label="refuted", score=0.02),
    Verdict(claim="c2", label="refuted", score=0.4),
    Verdict(claim="c3", label="refuted"),
    Verdict(claim="c4", label="not_mentioned", score=0.05),
]


@pytest.mark.parametrize(
    ("review", "below", "shown"),
    [
        ("none", 0.9, []),
        ("all", 0.9, ["e1", "e2", "e3", "e4"]),
        ("refuted", 0.9, ["e1", "e2", "e3"]),
        ("low_confidence", 0.9, ["e2", "e3"]),
        ("low_confidence", 0.99, ["e1", "e2", "e3", "e4"]),
        ("low_confidence", 0.0, ["e3"]),
    ],
)
def test_the_setting_says_which_edits_are_shown(review, below, shown):
    context = CorrectionContext(review=review, review_below=below)
    assert list(edits_to_review(list(EDITS.values()), VERDICTS, context)) == shown


def test_an_edit_that_rests_on_no_claim_is_always_shown():
    edit = Edit(start=0, end=1, before="a", after="b")
    for review in ("all", "refuted", "low_confidence"):
        assert edits_to_review([edit], [], CorrectionContext(review=review)) == {"e1": edit}
    assert edits_to_review([edit], [], CorrectionContext()) == {}


def test_decisions_keep_drop_and_replace():
    shown = {name: EDITS[name] for name in ("e1", "e2", "e3")}
    kept, notes = decide(shown, {"e1": "accept", "e2": "reject", "e3": {"replace": "c"}})
    assert [(edit.start, edit.after) for edit in kept] == [(1, "b"), (3, "c")]
    assert [note.split(" to 'b' ")[1] for note in notes] == [
        "was rejected in review",
        "was replaced in review",
    ]
    assert decide(shown, {**dict.fromkeys(shown, "reject"), "e1": {"replace": "a"}})[0] == []


@pytest.mark.parametrize("answer", [None, 7, "yes", ["accept"], {"e1": "maybe"}, {"e1": {}}])
def test_what_is_no_decision_is_refused_with_help(answer):
    with pytest.raises(InputError, match="Resume with"):
        decide({"e1": EDITS["e1"]}, answer)


def reviewing(method):
    builder = import_module(f"errata.graphs.{method}").graph.builder
    return builder.compile(checkpointer=InMemorySaver(), name=method)


@pytest.mark.parametrize("method", ["rac", "reex"])
@pytest.mark.parametrize(
    ("answer", "response"),
    [
        ("accept", MENDED),
        ("reject", REQUEST["draft"]),
        ({"e1": "reject", "e2": "accept"}, MENDED.replace("1867", "1865")),
        ({"e1": {"replace": "about 1867"}, "e2": "accept"}, MENDED.replace("1867", "about 1867")),
    ],
)
def test_a_run_waits_and_resumes(method, answer, response):
    graph, thread = reviewing(method), {"configurable": {"thread_id": "1"}}

    async def run():
        stopped = await graph.ainvoke(REQUEST, thread, context={"review": "all"})
        resumed = await graph.ainvoke(Command(resume=answer), thread, context={"review": "all"})
        return stopped, resumed

    stopped, resumed = asyncio.run(run())
    [waiting] = stopped["__interrupt__"]
    assert [edit["before"] for edit in waiting.value["edits"]] == ["1865", "1936"]
    assert all(edit["claims"][0]["label"] == "refuted" for edit in waiting.value["edits"])
    assert waiting.response_schema["anyOf"][1]["required"] == ["e1", "e2"]
    assert resumed["response"] == response
    assert resumed["messages"][-1].content == response
    assert bool(resumed["notes"]) == (answer != "accept")


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_a_run_without_edits_does_not_wait(method):
    thread = {"configurable": {"thread_id": "1"}}
    request = {**REQUEST, "draft": "Marie Curie was Polish."}
    out = asyncio.run(reviewing(method).ainvoke(request, thread, context={"review": "all"}))
    assert "__interrupt__" not in out
    assert out["changed"] is False


@pytest.mark.parametrize("verb", [correct, check])
def test_a_plain_call_cannot_wait(verb):
    with pytest.raises(SettingError, match="checkpointer"):
        verb("q", "Marie Curie was born in 1865.", documents=["x"], review="all")


STARTED_ANEW = """
import asyncio, json, sys
from importlib import import_module
from langgraph.types import Command
module, saver, dsn, sent = sys.argv[1:]

async def main():
    async with getattr(import_module(module), saver).from_conn_string(dsn) as checkpointer:
        await checkpointer.setup()
        graph = import_module("errata.graphs.rac").graph.builder.compile(checkpointer=checkpointer)
        asked = Command(resume="accept") if sent == "resume" else json.loads(sent)
        thread = {"configurable": {"thread_id": "1"}}
        out = await graph.ainvoke(asked, thread, context={"review": "all"})
        waiting = [i.value["kind"] for i in out.get("__interrupt__", ())]
        seconds = out.get("usage", {}).get("by_role", {})
        print(json.dumps({"response": out.get("response"), "waiting": waiting, "by": seconds}))

asyncio.run(main())
"""


def anew(module, saver, dsn, sent):
    """Do one part of a run in a process of its own."""
    command = [sys.executable, "-c", STARTED_ANEW, module, saver, dsn, sent]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)


def survives(module, saver, dsn):
    stopped = anew(module, saver, dsn, json.dumps(REQUEST))
    assert (stopped["response"], stopped["waiting"]) == ("", ["review"])
    resumed = anew(module, saver, dsn, "resume")
    assert (resumed["response"], resumed["waiting"]) == (MENDED, [])
    return stopped, resumed


@pytest.mark.slow
def test_a_review_survives_a_restart_with_sqlite(tmp_path):
    survives("langgraph.checkpoint.sqlite.aio", "AsyncSqliteSaver", str(tmp_path / "runs.sqlite"))


@pytest.mark.slow
def test_a_review_survives_a_restart_with_postgres():
    dsn = os.environ.get("POSTGRES_DSN")
    if not dsn:
        pytest.skip("needs a Postgres server; .ci/run starts one, and POSTGRES_DSN names it")
    survives("langgraph.checkpoint.postgres.aio", "AsyncPostgresSaver", dsn)
