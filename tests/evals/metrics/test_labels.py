"""Match, detection and claims: what was said against what people say."""

import pytest

from errata.core.records import Verdict
from errata.evals.metrics import scorer_named
from errata.evals.metrics.labels import believes

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("gold", "response", "right"),
    [
        ({"answers": ["Ann Lee"]}, "It was directed by Ann  Lee.", True),
        ({"answers": ["Ann Lee"]}, "It was directed by Ann Leeson.", False),
        ({"answers": ["x", "New York"]}, "In new-york.", True),
        ({"answers": ["art"]}, "A cart.", False),
        ({"answers": ["Ann Lee"]}, "", False),
        ({"choice": "B", "text": "bees"}, "B: stones", True),
        ({"choice": "B", "text": "bees"}, "A. It is bees", False),
        ({"choice": "B", "text": "bees"}, "That would be bees.", True),
        ({"choice": "B", "text": "bees"}, "They are stones.", False),
        ({"label": True}, "This is true.", True),
        ({"label": False}, "This is true.", False),
        ({"label": False}, "False, since bees hum.", True),
        ({"label": False}, "No, they hum.", True),
        ({"label": False}, "No answer found.", False),
        ({"label": True}, "Nobody knows.", False),
    ],
)
async def test_an_answer_is_right_by_its_kind(gold, response, right, item, answer):
    said = await scorer_named("match").score(item(gold), answer(response))
    assert said == {"right": right}


@pytest.fixture
def detect(figured, item, correction):
    """The figures of results with labels, for items with labels."""

    async def count(*pairs):
        results = (
            (item({"label": true}, str(n)), correction(label=said))
            for n, (true, said) in enumerate(pairs)
        )
        return await figured(scorer_named("detection"), *results)

    return count


async def test_only_refuted_is_called_false(detect):
    true = [(True, "supported"), (True, "conflicting")]
    figures = await detect(*true, (False, "refuted"), (False, "supported"))
    found = [figures[each].value for each in ("balanced_accuracy", "f1_true", "f1_false")]
    assert (found, figures["accuracy"].count) == (pytest.approx([0.75, 0.8, 2 / 3]), 4)


async def test_published_figures_come_of_whole_counts_as_f1_of_true(detect):
    """RE-EX table 1, FacTool by GPT-4 on FactPrompt's 23 true and 27 false responses."""
    pairs = [(True, "supported")] * 10 + [(True, "refuted")] * 13
    pairs += [(False, "refuted")] * 25 + [(False, "supported")] * 2
    figures = await detect(*pairs)
    found = [round(100 * figures[each].value, 1) for each in ("balanced_accuracy", "f1_true")]
    assert found == [68.0, 57.1]


async def test_a_run_that_judged_nothing_is_wrong(figured, item, correction):
    silent = correction(label="not_mentioned", labels=[("Ada.", "unchecked")])
    pairs = (item({"label": False}, "a"), silent), (item({"label": True}, "b"), correction())
    figures = await figured(scorer_named("detection"), *pairs)
    assert figures["accuracy"].value == figures["unlabelled"].value == 0.5


FACTS = {
    "facts": [
        {"text": "Ada was a countess.", "label": True},
        {"text": "Ada kept bees.", "label": False},
        {"text": "Ada wrote notes.", "label": True},
    ]
}


async def test_facts_are_believed_by_the_nearest_claims_verdict(scored, item, correction):
    scorer, labels = scorer_named("claims"), ("supported", "refuted", "unreadable")
    texts = [fact["text"] for fact in FACTS["facts"]]
    result = correction(labels=list(zip(texts, labels, strict=True)))
    rows = await scored(scorer, (item(FACTS), result))
    assert rows[0].scores["claims"]["believed"] == [True, False, None]
    figures = scorer.figures(rows)
    assert figures["balanced_accuracy"].value == 0.75
    assert (figures["undecided"].value, figures["undecided"].count) == (pytest.approx(1 / 3), 3)


def test_a_refutation_of_other_words_lets_a_fact_stand(correction):
    verdict = Verdict(claim="c0", label="refuted", doubted=("in 1816",))
    result = correction(labels=[("Ada was born in London in 1816.", verdict)])
    assert believes("Ada was born in London.", result) is True
    assert believes("Ada was born in 1816.", result) is False
    assert believes("Ada was born.", correction()) is None


@pytest.mark.parametrize(
    ("labels", "believed"),
    [
        (["supported", "supported"], True),
        (["supported", "not_mentioned"], False),
        (["refuted", "unchecked"], False),
        (["supported", "unchecked"], None),
        ([], None),
    ],
)
async def test_a_claim_is_supported_if_all_its_parts_are(labels, believed, item, correction):
    result = correction(labels=[("Ada.", label) for label in labels])
    said = await scorer_named("claims").score(item({"label": True}), result)
    assert said["believed"] == [believed]


async def test_claims_without_verdicts_have_no_figures(figured, item, answer, correction):
    for result in (answer("Ada."), correction()):
        figures = await figured(scorer_named("claims"), (item(FACTS), result))
        assert {figure.value for figure in figures.values()} == {None}
