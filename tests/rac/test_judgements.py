"""Verdicts that name the words in doubt, or carry the mend: the corrections that follow."""

import pytest

from errata import acheck, acorrect
from example import DRAFT, PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio
WITHOUT = DRAFT.removeprefix("Marie Curie was born in 1865. ")
LIFE = "Marie Curie was born in 1865 in Paris. She died in 1990 by candlelight."
BURIED = "Marie Curie was born in 1867 in Warsaw. She died in 1934 and was buried in Sceaux."
BORN = '1: False [1] | 1865 -> 1867; Paris -> Warsaw | "born in 1867 in Warsaw"'
MENDED = "Marie Curie was born in 1867 in Warsaw. "
LAST = LIFE.partition(". ")[2]
DIED = "She died in 1934 by candlelight."
CORRECTED = "1: By candlelight Marie Curie died in 1934."


async def rac(scripted, *lines, corrected=CORRECTED, revised=DIED, **settings):
    """The correction by a model that judges so; its other replies say that they were asked for."""
    replies = {
        "rac/extract": LIFE.replace(". She", ".\nMarie Curie"),
        "rac/verify": "\n".join(lines),
        "rac/correct": corrected,
        "rac/revise.sentence": f"1. {revised}",
    }
    settings = {"documents": [BURIED], "model": scripted(replies), **settings}
    return await acorrect(QUESTION, LIFE, **settings)


def asked(correction):
    roles = correction.usage.by_role
    return {role for role in roles if roles[role].get("model_calls")} - {"extract", "verify"}


async def test_all_claims_are_corrected_in_one_call(scripted):
    """The prompt holds the draft's sentences, and each claim with its words in doubt."""
    listed = (
        f"<draft>\n{LIFE.replace('. ', '.' + chr(10))}\n</draft>\n<claims>\n"
        "1. Marie Curie was born in 1865 in Paris. (wrong: “1865”)\n"
        "2. Marie Curie died in 1990 by candlelight. (wrong: “1990”)\n</claims>"
    )
    born = "Marie Curie was born in 1867 in Paris."
    reply = {"when": listed, "reply": f"1: {born}\n2: Marie Curie died in 1934 by candlelight."}
    judged = ("1: False [1] | 1865 | born in 1867", "2: False | 1990")
    correction = await rac(scripted, *judged, corrected=[reply], revised=f"{born}\n2. {DIED}")
    assert correction.response == f"{born} {DIED}"
    assert correction.usage.by_role["correct"]["model_calls"] == 1
    assert [verdict.doubted for verdict in correction.verdicts] == [("1865",), ("1990",)]


@pytest.mark.parametrize(
    ("line", "settings", "label", "response"),
    [
        ("1: not told", {}, "refuted", DRAFT),
        ("1: The claim is right. (The page says so.)", {}, "supported", DRAFT),
        ("1: unchanged", {}, "refuted", DRAFT),
        ("The claim is already correct.", {"rag": False}, "unchecked", DRAFT),
        ("Correct.", {"prompts": {"correct": "rac/correct.v1"}}, "supported", DRAFT),
        ('Corrected claim: ""', {"prompts": {"correct": "rac/correct.v1"}}, "refuted", DRAFT),
        ("1: Removed – they rule it out", {}, "refuted", WITHOUT),
        ("2: Marie Curie was born in 1867.", {}, "refuted", DRAFT),
    ],
)
async def test_what_a_corrector_may_answer_beside_a_text(scripted, line, settings, label, response):
    model = scripted(REPLIES | {"rac/correct": line, "rac/correct.all": line})
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model, **settings)
    assert correction.verdicts[0].label == label
    kept = response.replace("She was a physicist", "Marie Curie was a physicist")
    assert correction.response in (response, kept)


async def test_a_claim_loses_only_the_words_that_nothing_supports(scripted):
    left = "Marie Curie was a Polish and French physicist."
    draft, unsaid = left.replace(".", " and a baker."), "and a baker. (unsaid: “and a baker”)"
    replies = {
        "rac/extract": draft,
        "rac/verify": "1: Not Mentioned [1] | and a baker",
        "rac/correct.drop": [{"when": unsaid, "reply": f"1: {left}"}],
        "rac/revise.sentence": f"1. {left}",
    }
    settings = {"documents": [PAGE], "model": scripted(replies), "unsupported": "drop"}
    correction = await acorrect(QUESTION, draft, **settings)
    assert correction.response == left
    flagged = await acorrect(QUESTION, draft, **settings | {"unsupported": "flag"})
    assert flagged.response == draft


async def test_a_corrected_claim_has_the_quote_that_shows_its_new_text(scripted):
    """Quoting by the wrong claim found what is like it, not what mends it."""
    pages = ["Marie Curie was famous in Warsaw in 1865.", "She was born on 7 November 1867."]
    model = scripted(REPLIES | {"rac/correct": "1: Marie Curie was born on 7 November 1867."})
    correction = await acorrect(QUESTION, DRAFT, documents=pages, model=model, guard=False)
    assert [quote.text for quote in correction.verdicts[0].evidence] == [pages[1]]
    assert all(quote.text == pages[1] for edit in correction.edits for quote in edit.evidence)


async def test_a_model_judges_by_its_documents_alone(scripted):
    roles = {"verify": scripted({"rac/verify": "1: False [1] | 1865 | no such words here"})}
    settings = {"documents": [PAGE], "roles": roles}
    [verdict] = (await acheck(QUESTION, "Marie Curie was born in 1865.", **settings)).verdicts
    assert [quote.text for quote in verdict.evidence] == [PAGE]
    assert verdict.explanation == "“1865” is wrong"


async def test_code_makes_the_mends_of_separate_words_without_a_further_call(scripted):
    correction = await rac(scripted, BORN, "2: True [1]")
    assert (correction.response, asked(correction)) == (MENDED + LAST, set())
    edits = [(edit.before, edit.after, edit.claims) for edit in correction.edits]
    assert edits == [("1865 in Paris", "1867 in Warsaw", ("c1",))]
    assert [quote.text for quote in correction.edits[0].evidence] == ["born in 1867 in Warsaw"]
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
    assert (correction.response, asked(correction)) == (MENDED + DIED, {"correct", "revise"})
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


@pytest.mark.parametrize(
    ("line", "revised"),
    [
        ("2: Not Mentioned | candlelight", "She died in 1990."),
        ("2: False [1] | Marie Curie died in 1990 -> Marie Curie died in 1934", DIED),
    ],
)
async def test_what_code_cannot_cut_or_place_is_left_to_the_reviser_alone(scripted, line, revised):
    correction = await rac(scripted, BORN, line, unsupported="drop", revised=revised)
    assert (asked(correction), correction.response) == ({"revise"}, MENDED + revised)
    assert bool(correction.edits[-1].evidence) == ("False" in line)


@pytest.mark.parametrize(
    "settings", [{"profile": "paper", "guard": True}, {"prompts": {"verify": "rac/verify.v1"}}]
)
async def test_earlier_versions_of_the_prompt_get_no_mend_from_a_verdict(scripted, settings):
    """In the paper, too, every refuted claim is corrected by a call."""
    correction = await rac(scripted, "1: True", "2: False | 1990 -> 1934", **settings)
    assert "correct" in asked(correction)


async def test_local_code_revises_by_the_mends_as_well(scripted):
    model = scripted({"rac/verify": f"{BORN}\n2: True"})
    correction = await acorrect(QUESTION, LIFE, documents=[BURIED], roles={"verify": model})
    assert correction.response == MENDED + LAST
