"""Self-CRAG: CRAG's knowledge as the passages of Self-RAG."""

import pytest

from errata import aanswer
from errata_baselines.selfcrag import graph
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
REQUEST = {"question": BIRTH_QUESTION, "documents": [CURIE]}
REFINE, SEARCH = ["refine"], ["rewrite", "search", "read", "select"]
REPLY = "Relevant: yes\nAnswer: 1867\nSupported: fully\nUseful: 5"
REPLIES = {
    "selfrag/decide": "Retrieve: yes",
    "selfrag/generate.passage": REPLY,
    "selfrag/generate": "Answer: from memory",
    "crag/rewrite": "Marie Curie, born",
}


class FixedScore:
    """An evaluator that gives every text the same score."""

    upper, lower, floor = 0.5, -0.5, -1

    def __init__(self, score=0.0):
        self.value = score

    def score(self, _, texts):
        return [self.value for _ in texts]


@pytest.mark.parametrize(
    ("score", "action", "steps", "passages"),
    [
        (0.6, "correct", REFINE, 1),
        (-0.6, "incorrect", SEARCH, 1),
        (0.0, "ambiguous", REFINE + SEARCH, 3),
    ],
)
async def test_each_action_gives_its_passages(
    scripted, updates, demo, score, action, steps, passages
):
    """Appendix B.3 and table 6: correct, incorrect and ambiguous content."""
    roles = {"evaluate": FixedScore(score)}
    context = {"model": scripted(REPLIES), "roles": roles, "search": demo}
    taken = await updates(graph, REQUEST, context)
    names = [name for name, _ in taken]
    assert names[:4] == ["receive", "decide", "retrieve", "evaluate"]
    assert sorted(names[4:-1]) == sorted(steps)
    result = await aanswer(BIRTH_QUESTION, documents=[CURIE], method="selfcrag", **context)
    assert (result.response, result.action) == ("1867", action)
    assert len(result.trail["candidates"]) == passages
    calls = result.usage.by_role["generate"]["model_calls"]
    assert calls == passages
