"""RE-EX's metrics on worked examples: which facts are gone, kept and denied."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Answer
from errata.evals.items import Item
from errata.evals.metrics import scorer_named
from errata.evals.scoring import Row

pytestmark = pytest.mark.anyio
DRAFT = "Ada was a countess. Ada kept bees. Ada was born in 1816. Ada wrote notes."
GOLD = {
    "facts": [
        {"text": "Ada was a countess.", "label": True},
        {"text": "Ada kept bees.", "label": False},
        {"text": "Ada was born in 1816.", "label": False},
        {"text": "Ada wrote notes.", "label": True},
    ]
}


async def test_the_local_judge_finds_what_a_response_states(scored, item, correction):
    scorer = scorer_named("facts")
    result = correction(DRAFT, "Ada was a countess. Ada was born in 1815. Ada wrote notes.")
    rows = await scored(scorer, (item(GOLD, draft=DRAFT), result))
    relations = rows[0].scores["facts"]["relations"]
    assert relations == ["supported", "not_mentioned", "refuted", "supported"]
    figures = scorer.figures(rows)
    assert figures["correction_accuracy"].value == 1
    assert figures["revision_accuracy"].value == 1
    assert figures["false_facts_denied"].value == 0.5


async def test_what_an_unread_word_of_the_judge_counts(figured, item, correction, said):
    judge = said(countess="not_mentioned", bees="supported", notes="supported")
    scorer = scorer_named("facts", judge=judge)
    figures = await figured(scorer, (item(GOLD, draft=DRAFT), correction(DRAFT, "Ada wrote.")))
    assert figures["correction_accuracy"].value == 0
    assert figures["true_facts_kept"].value == 0.5
    assert (figures["revision_accuracy"].value, figures["revision_accuracy"].count) == (
        pytest.approx(1 / 3),
        3,
    )
    assert figures["unscored"].value == 0.25


async def test_an_unchanged_draft_states_all_and_nobody_is_asked(figured, item, correction, said):
    judge = said()
    scorer = scorer_named("facts", judge=judge)
    figures = await figured(scorer, (item(GOLD, draft=DRAFT), correction(DRAFT)))
    assert judge.asked == []
    assert figures["correction_accuracy"].value == 0
    assert figures["true_facts_kept"].value == 1
    assert figures["revision_accuracy"].value == 0.5


async def test_an_empty_response_states_nothing(figured, item, correction, said):
    scorer = scorer_named("facts", judge=said())
    figures = await figured(scorer, (item(GOLD, draft=DRAFT), correction(DRAFT, " ")))
    assert figures["correction_accuracy"].value == 1
    assert figures["true_facts_kept"].value == 0


async def test_facts_are_pooled_over_rows(scored, item, correction, said):
    scorer = scorer_named("facts", judge=said(bees="refuted", countess="supported"))
    one = item({"facts": [{"text": "Ada kept bees.", "label": False}]}, name="a")
    many = item({"facts": [{"text": "Ada was a countess.", "label": False}] * 3}, name="b")
    rows = await scored(scorer, (one, correction()), (many, correction()), (many, None))
    figure = scorer.figures(rows)["correction_accuracy"]
    assert (figure.value, figure.count) == (pytest.approx(1 / 7), 7)


relations = st.sampled_from(["supported", "refuted", "not_mentioned"])


@given(st.lists(st.tuples(st.booleans(), relations), min_size=1, max_size=30))
def test_revision_accuracy_is_what_correction_and_keeping_come_to(pairs):
    facts = [{"text": str(n), "label": label} for n, (label, _) in enumerate(pairs)]
    said = {"judge": "said", "relations": [relation for _, relation in pairs]}
    result = Answer(method="crag", question="?", response="?", action="correct")
    row = Row(
        item=Item(id="i", question="?", gold={"facts": facts}),
        result=result,
        scores={"facts": said},
    )
    figures = scorer_named("facts").figures([row])
    parts = [figures[name] for name in ("correction_accuracy", "true_facts_kept")]
    right = sum(figure.value * figure.count for figure in parts if figure.count)
    assert figures["revision_accuracy"].value == pytest.approx(right / len(pairs))
