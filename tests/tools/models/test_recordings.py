"""Exchanges with a model recorded in a folder or one packed file, and replayed; their samples."""

import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from cached_calls import KEPT, REQUEST
from errata import correct
from errata.evals.pack import pack
from errata.session import Session
from errata.tools.models.folder_calls import FolderCalls, ReplayChat
from errata.tools.models.kept import Kept
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

MODEL = {"documents": [PAGE], "model": "openai:m"}


def test_a_recorded_run_is_replayed_without_a_server(openai_server, tmp_path, monkeypatch):
    openai_server.replies = REPLIES
    request = (QUESTION, f"{DRAFT} {openai_server.KEY}")
    first = correct(*request, record=str(tmp_path), **MODEL)
    record = "".join(path.read_text() for path in tmp_path.iterdir())
    assert openai_server.KEY not in record
    assert "[secret]" in record
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    count = len(openai_server.requests)
    again = correct(*request, replay=str(tmp_path), **MODEL)
    assert len(openai_server.requests) == count
    assert (again.response, again.verdicts) == (first.response, first.verdicts)


def run_twice(server, folder, first, second):
    """A recorded run, and its replay, each with a sampling."""
    server.replies = REPLIES
    before = correct(QUESTION, DRAFT, record=str(folder), sampling=first, **MODEL)
    after = correct(QUESTION, DRAFT, replay=str(folder), sampling=second, **MODEL)
    return before, after


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({}, {}, {}),
        ({}, {"temperature": 0}, {}),
        ({"temperature": 0}, {"temperature": 0}, {}),
        ({"temperature": 0, "seed": 1}, {"temperature": 0, "seed": 1}, {"seed": 1}),
    ],
)
def test_a_recording_is_replayed_with_its_sampling_and_one_without_with_any(
    openai_server, tmp_path, first, second, kept
):
    openai_server.refuses = ("temperature",)
    before, after = run_twice(openai_server, tmp_path, first, second)
    assert before.response == after.response == RESPONSE
    assert before.verdicts == after.verdicts
    exchanges = [json.loads(path.read_text()) for path in tmp_path.iterdir()]
    assert [reply["sampling"] for e in exchanges for reply in e["replies"]] == [kept] * 4


def test_exchanges_of_other_samplings_are_kept_apart(openai_server, tmp_path):
    _, after = run_twice(openai_server, tmp_path, {"seed": 1}, {"seed": 2})
    assert "holds no exchange" in after.notes[0]
    run_twice(openai_server, tmp_path, {"seed": 2}, {"seed": 2})
    assert len(list(tmp_path.iterdir())) == 8


def test_what_a_folder_holds_is_not_asked_again(openai_server, tmp_path):
    openai_server.replies = REPLIES
    settings = {**MODEL, "record": str(tmp_path), "reuse": True}
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


def test_a_packed_recording_is_replayed_as_its_folder_is(openai_server, tmp_path):
    openai_server.replies = {**REPLIES, "rac/verify": REPLIES["rac/verify"] + "\u2028\n"}
    folder, first, second = (tmp_path / name for name in ("folder", "a.jsonl.gz", "b.jsonl.gz"))
    recorded = correct(QUESTION, DRAFT, record=str(folder / "inner"), **MODEL)
    count = pack(folder, first)
    assert pack(folder, second) == count == recorded.usage.model_calls
    assert first.read_bytes() == second.read_bytes()
    runs = [correct(QUESTION, DRAFT, replay=str(p), **MODEL) for p in (folder / "inner", first)]
    assert runs[0].response == runs[1].response == recorded.response
    assert runs[0].verdicts == runs[1].verdicts == recorded.verdicts


@pytest.mark.parametrize(
    ("packed", "told"),
    [
        (b"", "holds no exchange for this request of 'rac/extract.v2'"),
        (gzip.compress(b"", mtime=0), "holds no exchange"),
        (b"a text", "Not a gzipped file"),
        (gzip.compress(b"{}" * 99, mtime=0)[:-9], "is no packed recording"),
        (gzip.compress(b"{}\n", mtime=0), "is no packed recording"),
        (gzip.compress(b"[1, 2", mtime=0), "delimiter"),
    ],
)
def test_a_file_without_the_exchange_is_noted_and_changes_nothing(tmp_path, packed, told):
    path = tmp_path / "bad.jsonl.gz"
    path.write_bytes(packed)
    correction = correct(QUESTION, DRAFT, replay=str(path), record=str(path), **MODEL)
    assert correction.response == DRAFT
    assert told in correction.notes[0]
    assert path.read_bytes() == packed


ASKED = [f"What is thing {number}?" for number in range(6)]
RARR = {"model": "openai:m", "question_sets": 3}


@pytest.fixture
def asking(openai_server):
    """A model whose replies to the one question differ each time."""
    pytest.importorskip("errata_baselines", reason="needs packages/errata-baselines")
    openai_server.plan, openai_server.replies = ASKED.copy(), REPLIES
    openai_server.delay = 0.05
    return openai_server


def ask(**settings):
    """The questions of a run with three equal requests."""
    result = correct(QUESTION, DRAFT, method="rarr", documents=[PAGE], **RARR, **settings)
    return questions(result)


def questions(result):
    return sorted(answer["question"] for answer in result.trail["answers"])


@pytest.mark.parametrize(
    ("keeps", "gives"),
    [("call_cache", "call_cache"), ("record", "record"), ("record", "replay")],
)
@pytest.mark.parametrize("profile", ["paper", ""])
def test_three_samples_are_three_replies_and_paid_once(asking, tmp_path, keeps, gives, profile):
    settings = {"reuse": gives == "record", "profile": profile}
    first = ask(**{keeps: str(tmp_path / "kept")}, **settings)
    asked = len(asking.requests)
    assert first == ask(**{gives: str(tmp_path / "kept")}, **settings) == ASKED[:3]
    assert len(asking.requests) == asked


@pytest.mark.usefixtures("asking")
@pytest.mark.parametrize("place", ["call_cache", "record"])
def test_runs_at_once_have_each_three_replies(tmp_path, place):
    settings = {place: str(tmp_path / "kept"), "reuse": place == "record"}
    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(ask, **settings) for _ in range(2)]
        results = [run.result() for run in runs]
    assert [len(set(asked)) for asked in results] == [3, 3]


def test_the_runs_of_one_session_count_for_themselves(asking, tmp_path):
    with Session("rarr", call_cache=str(tmp_path / "kept"), **RARR) as session:
        first, again = (session.correct(QUESTION, DRAFT, [PAGE]) for _ in range(2))
    assert questions(first) == questions(again) == ASKED[:3]
    assert again.usage.model_calls == 0
    assert len(asking.requests) == first.usage.model_calls


def test_a_recording_of_replies_without_numbers_has_them_in_order(tmp_path):
    calls = FolderCalls(str(tmp_path))
    path = calls.path(REQUEST.prompt, REQUEST.key)
    reply = {name: KEPT[name] for name in ("finish_reason", "refusal", "usage", "sampling")}
    replies = [{"text": text, **reply} for text in ("one", "two")]
    path.write_text(json.dumps({"prompt": REQUEST.prompt, "request": "", "replies": replies}))
    calls.put(replace(REQUEST, sample=2), Kept(**{**KEPT, "text": "three"}))
    kept = [calls.get(replace(REQUEST, sample=number)) for number in range(4)]
    assert [each and each.text for each in kept] == ["one", "two", "three", None]
