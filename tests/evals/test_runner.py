"""Running tasks: rows once each, nothing paid for twice after a kill, failures in their rows."""

import asyncio
import json
import signal
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from errata.core.errors import AccessError
from errata.core.records import Document
from errata.evals.harness import Harness
from errata.evals.items import Item, Task
from errata.evals.report import INTERVALS, compare_methods
from errata.evals.runner import CONTROLS, Runner, index_web
from errata.prompts.delimiters import restore
from errata.prompts.library import TAGS
from errata.tools.models.request import Request
from errata.tools.net.sqlite_store import SqliteStore
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE
from forks import Fork

ITEM = Item(id="curie", question=QUESTION, draft=DRAFT, documents=(Document(text=PAGE),))
RAC, REEX = (Task(dataset="people", method=method) for method in ("rac", "reex"))


def run(runner, task, items, web=""):
    told = []

    def tell(row, known):
        told.append((row.item.id, known))

    return asyncio.run(runner.run(task.name, task, items, web, tell)), told


def test_rows_are_kept_and_not_run_again(tmp_path):
    others = [Item(id=f"i{n}", question=QUESTION, draft=DRAFT, documents=()) for n in range(3)]
    runner = Runner(out=tmp_path)
    first, told = run(runner, RAC, [ITEM, *others])
    again, told_again = run(runner, RAC, [*others, ITEM])
    assert first[0].result.response == RESPONSE
    assert [row.result for row in again] == [row.result for row in [*first[1:], first[0]]]
    assert {(name, not known) for name, known in told} == set(told_again)
    assert {known for _, known in told} == {False}
    lines = (tmp_path / "rows" / f"{RAC.name}.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == ["curie", "i0", "i1", "i2"]


def test_a_row_of_another_text_or_of_other_settings_is_run_again(tmp_path):
    runner = Runner(out=tmp_path)
    run(runner, RAC, [ITEM])
    changed = Item(id="curie", question=QUESTION, draft="She was born in 1866.", documents=())
    [row], [(_, known)] = run(runner, RAC, [changed])
    assert (known, row.result.draft) == (False, changed.draft)
    for way in ("hedge", "drop"):
        other = replace(runner, settings={"unsupported": way})
        assert run(other, RAC, [changed])[1] == [("curie", False)]


@pytest.mark.slow
def test_a_killed_run_goes_on_and_pays_for_nothing_twice(tmp_path, openai_server):
    openai_server.replies, openai_server.delay = REPLIES, 0.05
    items = [replace(ITEM, id=f"i{n}", question=f"Who was Marie Curie {n}?") for n in range(8)]
    runner = Runner(out=tmp_path, settings={"model": "openai:m"})
    rows = tmp_path / "rows" / f"{RAC.name}{runner.told}.jsonl"
    process = Fork(lambda: run(runner, RAC, items))
    while _count(rows) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert 2 <= _count(rows) < 8
    [record] = (tmp_path / "exchanges").glob("*.sqlite")
    with closing(SqliteStore(str(record))) as store:
        held = {key.partition("-")[0] for key in store.under("")}
    before = len(openai_server.requests)
    done, _ = run(runner, RAC, items)
    assert [row.result.response for row in done] == [RESPONSE] * 8
    ids = [json.loads(line)["id"] for line in rows.read_text().splitlines()]
    assert sorted(ids) == [f"i{n}" for n in range(8)]
    assert not held & {_key(headers, body) for headers, body in openai_server.requests[before:]}


def _count(rows):
    return rows.read_bytes().count(b"\n") if rows.exists() else 0


def _key(headers, body):
    """What a request is kept under."""
    text = restore(body["messages"][-1]["content"], [], TAGS)
    return Request("", headers["x-errata-prompt"], "", text).key


def test_a_failed_item_says_why_and_is_tried_again(tmp_path):
    empty = Item(id="empty", question="", draft=" ")
    for _ in range(2):
        [row], [(_, known)] = run(Runner(out=tmp_path), REEX, [empty])
        assert (row.result, known) == (None, False)
        assert "draft is empty" in row.error


def test_a_refused_key_ends_the_run(tmp_path, openai_server):
    openai_server.plan = [401] * 20
    with pytest.raises(AccessError, match="401"):
        run(Runner(out=tmp_path, settings={"model": "openai:m"}), RAC, [ITEM])


def test_rows_of_ones_own_are_run_and_scored(tmp_path, write):
    row = {"question": QUESTION, "draft": DRAFT, "documents": [PAGE], "label": False}
    rows = write("rows.jsonl", json.dumps(row) + "\n")
    harness = Harness(data=Path(), runner=Runner(out=tmp_path / "out"))
    table = asyncio.run(compare_methods(harness, str(rows), ["rac"]))
    figures = {(each.group, each.label): each.cells[0].ours.value for each in table.rows}
    assert figures["detection", "accuracy"] == 1.0
    assert (figures["overcorrection", "changed"], table.notes) == (1.0, (INTERVALS,))


WRITTEN = replace(ITEM, id="q", question="When was Marie Curie born?", draft="")


def test_a_draft_is_written_where_there_is_none(tmp_path):
    pytest.importorskip("errata_baselines", reason="plain writes it")
    [row], _ = run(Runner(out=tmp_path), RAC, [WRITTEN])
    assert "1867" in row.item.draft
    assert row.result.draft == row.item.draft


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_answers_and_corrects_alike(name, tmp_path):
    rows, _ = run(Runner(out=tmp_path), Task(dataset="people", method=name), [ITEM, WRITTEN])
    responses = [row.result.response for row in rows]
    assert {"no_correction": responses[0] == DRAFT}.get(name, DRAFT not in responses)


def test_a_web_is_made_of_the_items_pages(tmp_path):
    texts = "She was born in 1867.", "She lived."
    titled = [Document(text=text, title="Curie") for text in texts]
    items = [Item(id="a", question="", web=(*titled, Document(text="A snippet alone.")))]
    engine = index_web(items, tmp_path)
    pages = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    expected = [("Curie", "\n".join(texts)), ("", "A snippet alone.")]
    assert [(page["title"], page["text"]) for page in pages] == expected
    task = replace(REEX, settings={"evidence": "external", "search": "web"})
    [row], _ = run(Runner(out=tmp_path / "run"), task, [replace(ITEM, documents=())], engine)
    assert row.result.usage.searches
    assert row.result.documents


def test_a_run_whose_model_never_answered_has_failed(tmp_path, openai_server):
    openai_server.plan = [500] * 20
    settings = {"model": "openai:m", "retries": 0}
    [row], _ = run(Runner(out=tmp_path, settings=settings), RAC, [ITEM])
    assert "no call to a model was answered" in row.error
    openai_server.plan, openai_server.replies = [], REPLIES
    [again], [(_, known)] = run(Runner(out=tmp_path, settings=settings), RAC, [ITEM])
    assert (known, again.result.response) == (False, RESPONSE)


def test_a_role_of_one_method_is_no_fault_of_another(tmp_path, openai_server):
    openai_server.replies = REPLIES
    runner = Runner(out=tmp_path, settings={"roles": {"verify": "openai:m"}})
    [row], _ = run(runner, RAC, [ITEM])
    [answered], _ = run(runner, Task(dataset="people", method="crag"), [ITEM])
    assert row.result.usage.by_role["verify"]["model_calls"] == 1
    assert answered.result.usage.model_calls == 0
