"""A step runs with or without a graph; what it spends adds up, its progress never goes back."""

import asyncio

import pytest
from langgraph.runtime import Runtime

from errata.core.limits import Run, open_run, report_progress
from errata.graphs import rac
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.rac.verify import verify
from example import CLAIMS, LABELS, PAGE, REQUEST, claims_of, pages_of


def test_a_step_is_a_function_that_needs_no_graph():
    state = Rac(claims=claims_of(*CLAIMS), documents=pages_of(PAGE))
    update = asyncio.run(verify(state, Runtime(context=RacContext())))
    assert [verdict.label for verdict in update["verdicts"]] == LABELS


def test_each_step_adds_its_time():
    usage = rac.graph.invoke(REQUEST)["usage"]
    assert {"receive", "verify", "report"} <= usage["by_role"].keys()
    seconds = [share["seconds"] for share in usage["by_role"].values()]
    assert usage["seconds"] == pytest.approx(sum(seconds))


@pytest.mark.parametrize(
    ("reported", "told"),
    [
        ([(1, 2), (2, 2), (1, 2)], [(1, 2), (2, 2)]),
        ([(4, 4), (0, 6), (5, 6), (6, 6)], [(4, 4), (6, 6)]),
        ([(2, 3), (2, 4), (3, 4), (1, 1)], [(2, 3), (3, 4)]),
    ],
)
def test_progress_never_goes_backwards(reported, told):
    seen = []
    with open_run(Run(tell=lambda *each: seen.append(each))):
        for each in reported:
            report_progress(*each)
    assert seen == told
