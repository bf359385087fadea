"""Verdicts that name the words in doubt, and the corrections that follow from them."""

import pytest

from errata import acheck, acorrect
from example import DRAFT, PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio
WITHOUT = DRAFT.removeprefix("Marie Curie was born in 1865. ")
TWO = "Marie Curie was born in 1865. She died in 1990."
TWO_PAGE = "Marie Curie (born 7 November 1867 – died 4 July 1934) was a physicist."
TWO_CLAIMS = {
    "rac/extract": "Marie Curie was born in 1865.\nMarie Curie died in 1990.",
    "rac/verify": "1: False [1] | 1865 | born 7 November 1867\n2: False | 1990",
    "rac/revise.sentence": "1. Marie Curie was born in 1867.\n2. She died in 1934.",
}


async def test_all_claims_are_corrected_in_one_call(scripted):
    """The prompt holds the draft's sentences, and each claim with its words in doubt."""
    listed = (
        f"<draft>\n{TWO.replace('. ', '.' + chr(10))}\n</draft>\n<claims>\n"
        "1. Marie Curie was born in 1865. (wrong: “1865”)\n"
        "2. Marie Curie died in 1990. (wrong: “1990”)\n</claims>"
    )
    reply = "1: Marie Curie was born in 1867.\n2: Marie Curie died in 1934."
    model = scripted(TWO_CLAIMS | {"rac/correct": [{"when": listed, "reply": reply}]})
    correction = await acorrect(QUESTION, TWO, documents=[TWO_PAGE], model=model)
    assert correction.response == "Marie Curie was born in 1867. She died in 1934."
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
    draft = left.replace(".", " and a baker.")
    replies = {
        "rac/extract": draft,
        "rac/verify": "1: Not Mentioned [1] | and a baker",
        "rac/correct.drop": [
            {"when": "and a baker. (unsaid: “and a baker”)", "reply": f"1: {left}"}
        ],
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
