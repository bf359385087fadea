"""Verdicts that carry the mend: what code makes of them, and what models are still asked."""

import pytest

from errata import acorrect
from example import QUESTION

pytestmark = pytest.mark.anyio
DRAFT = "Marie Curie was born in 1865 in Paris. She died in 1990 by candlelight."
PAGE = "Marie Curie was born in 1867 in Warsaw. She died in 1934 and was buried in Sceaux."
CLAIMS = "Marie Curie was born in 1865 in Paris.\nMarie Curie died in 1990 by candlelight."
BORN = '1: False [1] | 1865 -> 1867; Paris -> Warsaw | "born in 1867 in Warsaw"'
MENDED = "Marie Curie was born in 1867 in Warsaw. "
LAST = DRAFT.partition(". ")[2]
DIED = "She died in 1934 by candlelight."


async def rac(scripted, *lines, revised=DIED, **settings):
    """The correction by a model that judges so; its other replies say that they were asked for."""
    replies = {
        "rac/extract": CLAIMS,
        "rac/verify": "\n".join(lines),
        "rac/correct": "1: By candlelight Marie Curie died in 1934.",
        "rac/revise.sentence": f"1. {revised}",
    }
    settings = {"documents": [PAGE], "model": scripted(replies), **settings}
    return await acorrect(QUESTION, DRAFT, **settings)


def asked(correction):
    roles = correction.usage.by_role
    return {role for role in roles if roles[role].get("model_calls")} - {"extract", "verify"}


async def test_code_makes_the_mends_of_separate_words_without_a_further_call(scripted):
    correction = await rac(scripted, BORN, "2: True [1]")
    assert correction.response == MENDED + LAST
    assert asked(correction) == set()
    edits = [(edit.before, edit.after, edit.claims) for edit in correction.edits]
    assert edits == [("1865 in Paris", "1867 in Warsaw", ("c1",))]
    assert {quote.text for e in correction.edits for quote in e.evidence} == {
        "born in 1867 in Warsaw"
    }
    assert correction.verdicts[0].doubted == ("1865", "Paris")


@pytest.mark.parametrize(
    "line",
    [
        "2: False [1] | 1991 -> 1934",
        "2: False [1] | 1990 -> 1934; in bed -> -",
        "2: False [1] | 1990; by candlelight",
        "2: False [1] | 1990 -> 1934; died in 1990 -> died in 1935",
        "2: False [1] | 1990 ->",
        "2: False [1]",
    ],
)
async def test_only_lines_that_cannot_be_applied_are_asked_about(scripted, line):
    """Words that do not match are never taken out: the corrector sees the whole claim."""
    correction = await rac(scripted, BORN, line)
    assert correction.response == MENDED + DIED
    assert asked(correction) == {"correct", "revise"}
    assert correction.usage.by_role["correct"]["model_calls"] == 1
    assert correction.verdicts[1].label == "refuted"


@pytest.mark.parametrize(
    ("line", "flagged", "dropped"),
    [
        ("2: False [1] | 1990 -> 1934; by candlelight -> -", "in 1934.", "in 1934."),
        ("2: False [1] | 1990 -> 1934; by candlelight -> ?", DIED[9:], "in 1934."),
        ("2: Not Mentioned | by candlelight", LAST[9:], "in 1990."),
        ("2: False [1] | all -> -", None, None),
    ],
)
async def test_unsaid_words_go_where_the_run_drops_them(scripted, line, flagged, dropped):
    for unsupported, rest in (("flag", flagged), ("drop", dropped)):
        correction = await rac(scripted, BORN, line, unsupported=unsupported)
        assert correction.response == (MENDED + (f"She died {rest}" if rest else "")).strip()
        assert asked(correction) == set()


async def test_what_code_cannot_cut_is_left_to_the_reviser_alone(scripted):
    line = "2: Not Mentioned | candlelight"
    revised = "She died in 1990."
    correction = await rac(scripted, BORN, line, unsupported="drop", revised=revised)
    assert asked(correction) == {"revise"}
    assert correction.response == MENDED + revised
    assert correction.edits[-1].evidence == ()


async def test_a_mend_that_does_not_stand_in_the_sentence_is_left_to_the_reviser(scripted):
    line = "2: False [1] | Marie Curie died in 1990 -> Marie Curie died in 1934"
    correction = await rac(scripted, "1: True [1]", line)
    assert asked(correction) == {"revise"}
    assert correction.response == DRAFT.replace(LAST, DIED)


@pytest.mark.parametrize(
    "settings",
    [
        {"profile": "paper", "guard": True, "revision": "sentences"},
        {"prompts": {"verify": "rac/verify.v1"}},
    ],
)
async def test_earlier_versions_of_the_prompt_get_no_mend_from_a_verdict(scripted, settings):
    """In the paper, too, every refuted claim is corrected by a call."""
    correction = await rac(scripted, "1: True", "2: False | 1990 -> 1934", **settings)
    assert "correct" in asked(correction)


async def test_local_code_revises_by_the_mends_as_well(scripted):
    model = scripted({"rac/verify": f"{BORN}\n2: True"})
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], roles={"verify": model})
    assert correction.response == MENDED + LAST
