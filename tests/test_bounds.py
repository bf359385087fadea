"""The bounds on a run's work: time and budgets, in threads too, and sizes, with what they note."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Session
from errata.core.budgets import Budget, admit_some, open_budget
from errata.core.edits import apply_edits
from errata.core.errors import ChatError, OutOfTimeError
from errata.core.limits import Run, check_time, open_run
from errata.tools.models.scripted import ScriptedChat
from example import ANSWERING, CORRECTING, DRAFT, PAGE, QUESTION

MOMENT = 1e-6
"""Seconds that no step can keep to."""
OVER = "the run's time is over"
LONG = "She was a physicist and kept bees. " * 200


class SlowChat(ScriptedChat):
    """A model that replies to nothing in time."""

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        await asyncio.sleep(60)
        return self._generate(messages, stop, run_manager, **kwargs)


SLOW = {"model": SlowChat(script={}), "max_seconds": 0.3}


def test_work_that_a_cancelled_step_leaves_behind_in_a_thread_stops():
    started, stopped = threading.Event(), threading.Event()

    def work():
        started.set()
        try:
            while True:
                check_time()
        except OutOfTimeError:
            stopped.set()

    async def step():
        with open_run(Run()):
            await asyncio.to_thread(work)

    async def run():
        task = asyncio.create_task(step())
        await asyncio.to_thread(started.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(stopped.wait, 10)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        *((name, {}) for name in CORRECTING),
        *(("rac", settings) for settings in ({"unsupported": "drop"}, {"rag": False}, SLOW)),
        *(("reex", settings) for settings in ({"steps": 1}, SLOW)),
    ],
)
def test_out_of_time_the_draft_is_left_unchecked(method, settings):
    session = Session(method, **{"max_seconds": MOMENT} | settings)
    correction = session.correct(QUESTION, LONG, [PAGE])
    assert (correction.response, correction.edits, correction.label) == (LONG, (), "unchecked")
    assert {verdict.label for verdict in correction.verdicts} <= {"unchecked"}
    assert any(OVER in note for note in correction.notes)


@pytest.mark.parametrize("method", ANSWERING)
def test_out_of_time_it_says_that_nothing_was_found(method, demo):
    answer = Session(method, search=demo, max_seconds=MOMENT).answer(QUESTION, [PAGE])
    assert answer.response == "No answer found."
    assert any(OVER in note for note in answer.notes)


@pytest.mark.parametrize("method", ["rac", "reex"])
@pytest.mark.parametrize("seconds", [0.002, 0.005, 0.01, 0.02, 0.05])
def test_wherever_the_time_runs_out_the_result_is_whole(method, seconds):
    """A claim is judged or unchecked, never supported for want of time; edits fit the draft."""
    draft, free = DRAFT * 20, Session(method)
    whole = {v.claim: v.label for v in free.correct(QUESTION, draft, [PAGE]).verdicts}
    correction = Session(method, max_seconds=seconds).correct(QUESTION, draft, [PAGE])
    assert apply_edits(draft, correction.edits) == correction.response
    assert all(v.label in ("unchecked", whole[v.claim]) for v in correction.verdicts)
    assert correction.label != "supported"


def test_a_slow_model_cannot_answer():
    with pytest.raises(ChatError, match=r"max_seconds=0\.3"):
        Session("crag", **SLOW).answer(QUESTION, [PAGE])


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_claims_over_the_most_that_local_code_judges_are_unchecked(method):
    draft = "Marie Curie was born in 1867. She was a physicist. She was born in 1865."
    limits = ({}, {"max_judged": 1})
    free, bound = (Session(method, **each).correct(QUESTION, draft, [PAGE]) for each in limits)
    assert not any("max_judged" in note for note in free.notes)
    first, *rest = bound.verdicts
    assert first == free.verdicts[0]
    assert {(v.label, v.explanation) for v in rest} == {("unchecked", "over max_judged=1")}
    assert "2 claims were not checked: over max_judged=1" in bound.notes
    assert bound.response == draft


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_what_a_cap_leaves_undone_is_noted(method):
    note = "sentences over 5000 characters were cut into several"
    for draft, times in (("a word and " * 500, 1), ("a word and " * 500, 1), (DRAFT, 0)):
        correction = Session(method).check(QUESTION, draft, [PAGE])
        assert sum(note in each for each in correction.notes) == times, correction.notes


@given(st.integers(0, 12), st.lists(st.integers(1, 3), max_size=24))
def test_threads_never_spend_more_than_the_limit(limit, costs):
    budget = Budget({"pages": limit})

    def read(pages):
        with admit_some("pages", pages) as admission:
            return admission.reserved.pages

    with open_budget(budget), ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(copy_context().run, read, pages) for pages in costs]
    read_pages = sum(run.result() for run in runs)
    assert read_pages == budget.spent.pages == min(limit, sum(costs))
