"""Equal requests of one run: each has a reply of its own, wherever replies are kept."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from cached_calls import KEPT, REQUEST
from errata import correct
from errata.session import Session
from errata.tools.models.folder_calls import FolderCalls
from errata.tools.models.kept import Kept
from errata.tools.models.request import numbered, open_samples
from example import DRAFT, PAGE, QUESTION, REPLIES

ASKED = [f"What is thing {number}?" for number in range(6)]
RARR = {"method": "rarr", "documents": [PAGE], "model": "openai:m", "question_sets": 3}


@pytest.fixture
def server(openai_server):
    """A model whose replies to the one question differ each time."""
    openai_server.plan, openai_server.replies = ASKED.copy(), REPLIES
    openai_server.delay = 0.05
    return openai_server


def kept_in(place, tmp_path):
    """The settings that keep a run's replies, and those that give them to a second run."""
    folder = str(tmp_path / "kept")
    return {
        "call_cache": ({"call_cache": folder}, {"call_cache": folder}),
        "reuse": ({"record": folder, "reuse": True}, {"record": folder, "reuse": True}),
        "replay": ({"record": folder}, {"replay": folder}),
    }[place]


def questions(result):
    return sorted(answer["question"] for answer in result.trail["answers"])


@pytest.mark.parametrize("place", ["call_cache", "reuse", "replay"])
@pytest.mark.parametrize("profile", ["paper", ""])
def test_three_samples_are_three_replies_and_paid_once(server, tmp_path, place, profile):
    keeps, gives = kept_in(place, tmp_path)
    first = correct(QUESTION, DRAFT, **RARR, **keeps, profile=profile)
    asked = len(server.requests)
    again = correct(QUESTION, DRAFT, **RARR, **gives, profile=profile)
    assert questions(first) == questions(again) == ASKED[:3]
    assert len(server.requests) == asked


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("place", ["call_cache", "reuse"])
def test_runs_at_once_have_each_three_replies(tmp_path, place):
    keeps, _ = kept_in(place, tmp_path)
    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(correct, QUESTION, DRAFT, **RARR, **keeps) for _ in range(2)]
        results = [run.result() for run in runs]
    for result in results:
        assert len(set(questions(result))) == 3
    if place == "call_cache":
        assert questions(results[0]) == questions(results[1]) == ASKED[:3]


def test_the_runs_of_one_session_count_for_themselves(server, tmp_path):
    settings = {name: value for name, value in RARR.items() if name not in ("method", "documents")}
    with Session("rarr", call_cache=str(tmp_path / "kept"), **settings) as session:
        first, again = (session.correct(QUESTION, DRAFT, [PAGE]) for _ in range(2))
    assert questions(first) == questions(again) == ASKED[:3]
    assert again.usage.model_calls == 0
    assert len(server.requests) == first.usage.model_calls


@pytest.mark.parametrize(
    ("before", "wanted", "numbers"),
    [
        ({}, [0, 0, 0], [0, 1, 2]),
        ({}, [2, 0, 1], [2, 3, 4]),
        ({}, [0, 1, 1], [0, 1, 2]),
        ({REQUEST.key: 2}, [0, 5], [2, 5]),
    ],
)
def test_a_run_takes_no_sample_twice(before, wanted, numbers):
    with open_samples(before) as counts:
        requests = [replace(REQUEST, sample=number) for number in wanted]
        assert [numbered(request).sample for request in requests] == numbers
    assert counts == {REQUEST.key: numbers[-1] + 1}
    assert numbered(replace(REQUEST, sample=4)).sample == 4


def test_a_recording_of_replies_without_numbers_has_them_in_order(tmp_path):
    calls = FolderCalls(str(tmp_path))
    path = calls.path(REQUEST.prompt, REQUEST.key)
    reply = {name: KEPT[name] for name in ("finish_reason", "refusal", "usage", "sampling")}
    replies = [{"text": text, **reply} for text in ("one", "two")]
    path.write_text(json.dumps({"prompt": REQUEST.prompt, "request": "", "replies": replies}))
    calls.put(replace(REQUEST, sample=2), Kept(**{**KEPT, "text": "three"}))
    kept = [calls.get(replace(REQUEST, sample=number)) for number in range(4)]
    assert [each and each.text for each in kept] == ["one", "two", "three", None]
