"""What corrections spoil: facts, wording, and what is new."""

import pytest

from errata.core.records import Edit
from errata.evals.metrics import scorer_named
from errata.evals.metrics.responses import share_edited

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("draft", "response", "share"), [("", "new", None), ("abcd", "", 1), ("abcd", "abed", 0.25)]
)
def test_edits_are_a_share_of_the_draft(draft, response, share):
    assert share_edited(draft, response) == share


DRAFT = "Ada was a countess. Ada kept bees."
GOLD = {
    "facts": [
        {"text": "Ada was a countess.", "label": True},
        {"text": "Ada kept bees.", "label": False},
    ],
    "documents": ["Ada was a countess who kept cats."],
}


async def test_a_new_claim_that_nothing_bears_out_is_a_new_error(scored, item, correction, said):
    judge = said(countess="supported", cats="supported", dogs="not_mentioned", horses=None)
    scorer = scorer_named("overcorrection", judge=judge)
    rows = []
    for pet in ("cats", "dogs", "horses"):
        edit = Edit(start=29, end=33, before="bees", after=pet)
        result = correction(DRAFT, f"Ada was a countess. Ada kept {pet}.", edits=(edit,))
        rows += await scored(scorer, (item(GOLD, name=pet, draft=DRAFT), result))
    assert [row.scores["overcorrection"]["new_claims"] for row in rows] == [
        ["Ada kept cats."],
        ["Ada kept dogs."],
        ["Ada kept horses."],
    ]
    figures = scorer.figures(rows)
    assert (figures["with_new_errors"].value, figures["with_new_errors"].count) == (0.5, 2)
    assert figures["true_facts_kept"].value == 1
    assert figures["text_kept"].value == pytest.approx(1 - 4 / 34)
    assert 0.05 < figures["edit_distance"].value < 0.15
    assert figures["unscored"].value == pytest.approx(1 / 6)
    assert figures["needless_changes"].value is None


@pytest.mark.parametrize("gold", [{"label": True}, {"facts": GOLD["facts"][:1]}])
async def test_changing_a_draft_without_an_error_is_needless(gold, scored, item, correction, said):
    scorer = scorer_named("overcorrection", judge=said(countess="supported"))
    rows = await scored(
        scorer,
        (item(gold, name="a", draft=DRAFT), correction(DRAFT, "Ada was a countess.")),
        (item(gold, name="b", draft=DRAFT), correction(DRAFT)),
    )
    assert scorer.figures(rows)["needless_changes"].value == 0.5
    assert scorer.figures(rows)["changed"].value == 0.5


async def test_a_deletion_is_no_new_error(scored, item, correction, said):
    judge = said(countess="supported")
    scorer = scorer_named("overcorrection", judge=judge)
    rows = await scored(scorer, (item(GOLD, draft=DRAFT), correction(DRAFT, "Ada was a countess.")))
    assert scorer.figures(rows)["with_new_errors"].value == 0
