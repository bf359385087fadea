import pytest

from errata.core.limits import Bounds, open_bounds
from errata.core.records import Document, Knowledge
from errata.evals.baselines.selfrag import find_doubts, rank, write_locally
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.models.reflection import value_of
from example import BIRTH_QUESTION, PAGE

PASSAGES = [[Knowledge(document=f"d{n}", start=0, end=1, text="x")] for n in range(3)]


def written(*answers):
    """Answers with how far each is supported."""
    return [(text, {"supported": {"fully": p, "no": 1 - p}}) for text, p in answers]


@pytest.mark.parametrize(
    ("answers", "closed", "order"),
    [
        ([("a", 0.2), ("b", 0.9), ("c", 0.5)], False, "bca"),
        ([("a", 0.2), ("", 0.9), ("c", 0.5)], False, "ca"),
        ([("a", 0.6), ("b", 0.9), ("a", 0.5)], False, "baa"),
        ([("a", 0.5), ("b", 0.9), ("a", 0.6)], True, "aab"),
        ([("", 1.0), ("", 1.0), ("", 1.0)], True, ""),
    ],
)
def test_the_best_answer_comes_first_and_closed_answers_add_up(answers, closed, order):
    ranked = rank(PASSAGES, written(*answers), {}, str if closed else None, supported=False)
    assert "".join(candidate.text for candidate in ranked) == order
    if closed and ranked:
        assert ranked[0].score == 0.6


def test_only_supported_answers_remain_where_the_run_abstains():
    answers = written(("a", 0.0), ("b", 0.1), ("c", 0.0))
    ranked = rank(PASSAGES, answers, {}, None, supported=True)
    assert [candidate.passage[0].document for candidate in ranked] == ["d1"]


def test_local_code_answers_by_relevant_passages_alone():
    passages = [[Document(text=PAGE, title="Marie Curie")], [Document(text="Bees fly far.")]]
    (answer, critiques), (none, nothing) = write_locally(
        BIRTH_QUESTION, passages, lambda strips: strips[0].text, load_local_evaluator
    )
    assert (answer, none, nothing) == (PAGE, "", {})
    assert value_of(critiques, "relevant") > 0.5
    assert value_of(critiques, "supported") > 0.5


def test_passages_over_the_time_are_not_read():
    passages = [[Document(text=PAGE)]] * 2
    with open_bounds(Bounds(max_seconds=1e-9), 0.0) as bounds:
        answers = write_locally(BIRTH_QUESTION, passages, str, load_local_evaluator)
    assert answers == [("", {}), ("", {})]
    assert next(iter(bounds.notes)).startswith("2 passages were not read")


def test_doubts_are_what_the_critiques_say():
    [sure, bad, silent] = rank(
        PASSAGES,
        [
            ("a", {"relevant": {"yes": 1.0}, "supported": {"fully": 1.0}}),
            ("b", {"relevant": {"no": 1.0}, "supported": {"no": 1.0}}),
            ("c", {}),
        ],
        {},
        None,
        supported=False,
    )
    assert list(find_doubts(sure)) == []
    assert [doubt.rpartition("its passage ")[2] for doubt in find_doubts(bad)] == [
        "is not relevant",
        "does not bear it out",
    ]
    assert all("was not judged" in doubt for doubt in find_doubts(silent))
