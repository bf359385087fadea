"""Exchanges with a model recorded in a file, packed or not, and replayed; their samples."""

import gzip
import json
import sqlite3
from contextlib import closing

import pytest

from errata import correct
from errata.core.errors import SettingError
from errata.evals.pack import pack
from errata.tools.net.sqlite_store import SqliteStore
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

MODEL = {"documents": [PAGE], "model": "openai:m"}


def exchanges(path):
    """What a file holds, as JSON."""
    with closing(SqliteStore(path)) as store:
        return [json.loads(value) for value in store.under("").values()]


def test_a_recorded_run_is_replayed_without_a_server(openai_server, path, monkeypatch):
    openai_server.replies = REPLIES
    request = (QUESTION, f"{DRAFT} {openai_server.KEY}")
    model = {**MODEL, "prompts": {"extract": "rac/extract.v2"}}
    first = correct(*request, record=path, **model)
    record = "".join(each["request"] for each in exchanges(path))
    assert openai_server.KEY not in record
    assert "[secret]" in record
    monkeypatch.delenv("OPENAI_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    count = len(openai_server.requests)
    again = correct(*request, replay=path, **model)
    assert len(openai_server.requests) == count
    assert (again.response, again.verdicts) == (first.response, first.verdicts)


@pytest.mark.parametrize(
    ("first", "second", "kept"),
    [
        ({}, {}, {}),
        ({}, {"temperature": 0}, {}),
        ({"temperature": 0, "seed": 1}, {"temperature": 0, "seed": 1}, {"seed": 1}),
        ({"seed": 1}, {"seed": 2}, None),
    ],
)
def test_a_recording_is_replayed_with_its_sampling_and_one_without_with_any(
    openai_server, path, first, second, kept
):
    openai_server.replies, openai_server.refuses = REPLIES, ("temperature",)
    before = correct(QUESTION, DRAFT, record=path, sampling=first, **MODEL)
    after = correct(QUESTION, DRAFT, replay=path, sampling=second, **MODEL)
    if kept is None:
        assert "holds no exchange" in after.notes[0]
        return
    assert before.response == after.response == RESPONSE
    assert before.verdicts == after.verdicts
    assert [reply["sampling"] for reply in exchanges(path)] == [kept] * 3


def test_what_a_file_holds_is_not_asked_again(openai_server, path):
    openai_server.replies = REPLIES
    settings = {**MODEL, "record": path}
    first = correct(QUESTION, DRAFT, **settings)
    count = len(openai_server.requests)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE kept SET value = '{' WHERE CAST(value AS TEXT) LIKE '%rac/verify%'"
        )
    again = correct(QUESTION, DRAFT, **settings)
    assert len(openai_server.requests) == count + 1
    assert (again.response, again.usage.model_calls) == (RESPONSE, first.usage.model_calls)


@pytest.mark.parametrize("place", ["record", "replay"])
def test_a_second_try_is_not_answered_by_what_the_first_got(openai_server, path, place):
    openai_server.plan = ["", REPLIES["rac/verify"]]
    settings = {"documents": [PAGE], "roles": {"verify": "openai:m"}}
    first = correct(QUESTION, DRAFT, record=path, **settings)
    again = correct(QUESTION, DRAFT, **{place: path}, **settings)
    assert len(openai_server.requests) == first.usage.model_calls == again.usage.model_calls == 2
    assert first.verdicts == again.verdicts


def test_a_packed_recording_is_replayed_as_its_file_is(openai_server, path, tmp_path):
    openai_server.replies = {**REPLIES, "rac/verify": REPLIES["rac/verify"] + "\u2028\n"}
    first, second = (tmp_path / name for name in ("a.jsonl.gz", "b.jsonl.gz"))
    told = correct(QUESTION, DRAFT, record=path, **MODEL)
    count = pack(tmp_path, first)
    assert pack(tmp_path, second) == count == told.usage.model_calls
    assert first.read_bytes() == second.read_bytes()
    runs = [correct(QUESTION, DRAFT, replay=str(each), **MODEL) for each in (path, first)]
    assert runs[0].response == runs[1].response == told.response
    assert runs[0].verdicts == runs[1].verdicts == told.verdicts


@pytest.mark.parametrize("setting", ["record", "replay"])
def test_a_folder_is_refused(tmp_path, setting):
    with pytest.raises(SettingError, match=f"{setting} takes a file, such as {setting}.sqlite"):
        correct(QUESTION, DRAFT, **{setting: str(tmp_path)}, **MODEL)


@pytest.mark.parametrize(
    ("packed", "told"),
    [
        (b"", "holds no exchange for this request of 'rac/verify.v6'"),
        (b"a text", "Not a gzipped file"),
        (gzip.compress(b"{}" * 99, mtime=0)[:-9], "cannot replay"),
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
    return openai_server


def ask(**settings):
    """The questions of a run with three equal requests."""
    result = correct(QUESTION, DRAFT, method="rarr", documents=[PAGE], **RARR, **settings)
    return sorted(answer["question"] for answer in result.trail["answers"])


@pytest.mark.parametrize(
    ("keeps", "gives"),
    [("call_cache", "call_cache"), ("record", "record"), ("record", "replay")],
)
def test_three_samples_are_three_replies_and_paid_once(asking, tmp_path, keeps, gives):
    first = ask(**{keeps: str(tmp_path / "kept.sqlite")})
    asked = len(asking.requests)
    assert first == ask(**{gives: str(tmp_path / "kept.sqlite")}) == ASKED[:3]
    assert len(asking.requests) == asked
