"""Exchanges with a model, recorded and replayed."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from cached_calls import KEPT, REQUEST
from errata import correct
from errata.tools.models.folder_calls import FolderCalls, ReplayChat
from errata.tools.models.kept import Kept
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE


def test_a_recorded_run_is_replayed_without_a_server(openai_server, tmp_path, monkeypatch):
    openai_server.replies = REPLIES
    request = (QUESTION, f"{DRAFT} {openai_server.KEY}")
    settings = {"documents": [PAGE], "model": "openai:m"}
    first = correct(*request, record=str(tmp_path), **settings)
    record = "".join(path.read_text() for path in tmp_path.iterdir())
    assert openai_server.KEY not in record
    assert "[secret]" in record
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    count = len(openai_server.requests)
    again = correct(*request, replay=str(tmp_path), **settings)
    assert len(openai_server.requests) == count
    assert (again.response, again.verdicts) == (first.response, first.verdicts)


def run_twice(server, folder, first, second):
    """A recorded run, and its replay, each with a sampling."""
    server.replies = REPLIES
    settings = {"documents": [PAGE], "model": "openai:m"}
    before = correct(QUESTION, DRAFT, record=str(folder), sampling=first, **settings)
    after = correct(QUESTION, DRAFT, replay=str(folder), sampling=second, **settings)
    return before, after


@pytest.mark.parametrize(
    ("first", "second"),
    [({}, {}), ({}, {"temperature": 0}), ({"temperature": 0}, {"temperature": 0})],
)
def test_a_recording_without_sampling_is_replayed_with_any(openai_server, tmp_path, first, second):
    before, after = run_twice(openai_server, tmp_path, first, second)
    assert (before.response, before.verdicts) == (after.response, after.verdicts)
    exchanges = [json.loads(path.read_text()) for path in tmp_path.iterdir()]
    assert [reply["sampling"] for e in exchanges for reply in e["replies"]] == [first] * 4


def test_exchanges_of_other_samplings_are_kept_apart(openai_server, tmp_path):
    _, after = run_twice(openai_server, tmp_path, {"seed": 1}, {"seed": 2})
    assert "holds no exchange" in after.notes[0]
    run_twice(openai_server, tmp_path, {"seed": 2}, {"seed": 2})
    assert len(list(tmp_path.iterdir())) == 8


def test_what_a_model_refused_is_recorded_as_left_out(openai_server, tmp_path):
    openai_server.refuses = ("temperature",)
    sampling = {"temperature": 0, "seed": 1}
    before, after = run_twice(openai_server, tmp_path, sampling, sampling)
    assert before.response == after.response == RESPONSE
    exchanges = [json.loads(path.read_text()) for path in tmp_path.iterdir()]
    assert [reply["sampling"] for e in exchanges for reply in e["replies"]] == [{"seed": 1}] * 4


def test_what_a_folder_holds_is_not_asked_again(openai_server, tmp_path):
    openai_server.replies = REPLIES
    settings = {"documents": [PAGE], "model": "openai:m", "record": str(tmp_path), "reuse": True}
    first = correct(QUESTION, DRAFT, **settings)
    count = len(openai_server.requests)
    lost = next(path for path in tmp_path.iterdir() if "verify" in path.name)
    lost.write_text("{")
    again = correct(QUESTION, DRAFT, **settings)
    assert len(openai_server.requests) == count + 1
    assert (again.response, again.usage.model_calls) == (RESPONSE, first.usage.model_calls)


@pytest.mark.parametrize("place", ["record", "replay"])
def test_a_second_try_is_not_answered_by_what_the_first_got(openai_server, tmp_path, place):
    openai_server.plan = ["", REPLIES["rac/verify"]]
    settings = {"documents": [PAGE], "roles": {"verify": "openai:m"}}
    first = correct(QUESTION, DRAFT, record=str(tmp_path), **settings)
    again = correct(QUESTION, DRAFT, **{place: str(tmp_path)}, reuse=place == "record", **settings)
    assert len(openai_server.requests) == first.usage.model_calls == again.usage.model_calls == 2
    assert first.verdicts == again.verdicts


@pytest.mark.usefixtures("eager_threads")
def test_replies_to_one_request_at_once_are_all_recorded_and_replayed(tmp_path):
    requests = [replace(REQUEST, sample=number) for number in range(40)]
    calls = FolderCalls(str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        kept = [Kept(**{**KEPT, "text": f"reply {number}"}) for number in range(40)]
        list(pool.map(calls.put, requests, kept))
        model = ReplayChat(folder=str(tmp_path))
        replayed = pool.map(lambda r: model.draw(r.prompt, r.text, r.sample).text, requests)
    assert list(replayed) == [f"reply {number}" for number in range(40)]
