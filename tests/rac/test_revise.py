"""A model's rewriting of single sentences, and the edits it becomes."""

import pytest

from errata import acorrect
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
FOUR_CLAIMS = {
    "rac/extract": "Marie Curie was born in 1865.\nMarie Curie was a physicist.\n"
    "Marie Curie was a baker.\nMarie Curie kept bees.",
    "rac/verify": "1: False\n2: True\n3: Not Mentioned\n4: Not Mentioned",
    "rac/correct.drop": "1: In 1867 Marie Curie was born.",
}
LIST = "- Marie Curie was born in 1865.\n- She was a physicist and a baker.\n- She kept bees."
BOTH = "- Born in 1867.\n- She was a physicist."
BY_MODEL = {"extract": "rac/extract.v2"}
"""A model splits the draft."""
SETTINGS = {"documents": [PAGE], "unsupported": "drop", "guard": False, "prompts": BY_MODEL}


async def test_only_sentences_with_fixes_are_rewritten_all_in_one_call(scripted):
    """The prompt holds the sentences, their facts and their errors; the rest is copied."""
    prompt = (
        "<draft>\n1. Marie Curie was born in 1865.\n2. She was a physicist and a baker.\n</draft>\n"
        "Facts, by the number of their sentence:\n"
        "<claims>\n1. In 1867 Marie Curie was born.\n2. Marie Curie was a physicist.\n</claims>\n"
        "Errors, by the number of their sentence:\n"
        "<errors>\n1. Marie Curie was born in 1865.\n2. Marie Curie was a baker.\n</errors>"
    )
    replies = [{"when": prompt, "reply": "1. Born in 1867.\n2. She was a physicist."}]
    model = scripted(REPLIES | FOUR_CLAIMS | {"rac/revise.sentence": replies})
    correction = await acorrect(QUESTION, LIST, model=model, **SETTINGS)
    assert correction.response == BOTH
    assert correction.usage.by_role["revise"]["model_calls"] == 1
    assert [edit.claims for edit in correction.edits] == [("c1",), ("c3",), ("c4",)]


async def test_the_first_version_mends_one_sentence_in_a_call(scripted):
    mended = [
        {"when": "In 1867 Marie Curie was born.", "reply": "Born in 1867."},
        {"when": "She was a physicist and a baker.", "reply": "She was a physicist."},
    ]
    model = scripted(REPLIES | FOUR_CLAIMS | {"rac/revise.sentence.v1": mended})
    settings = SETTINGS | {"prompts": BY_MODEL | {"revise.sentence": "rac/revise.sentence.v1"}}
    correction = await acorrect(QUESTION, LIST, model=model, **settings)
    assert correction.response == BOTH
    assert correction.usage.by_role["revise"]["model_calls"] == 2


FIRST = BOTH.replace("physicist", "physicist and a baker")
UNREVISED = "the sentence at 34 was not revised: the reply"


@pytest.mark.parametrize(
    ("replies", "response", "notes"),
    [
        (["2. She was a physicist.", "1. Born in 1867."], BOTH, []),
        (["1. Born in 1867.", "<draft>\n</draft>"], FIRST, [f"{UNREVISED} left it out"]),
        (["1. Born in 1867.", "(removed)"], FIRST, [f"{UNREVISED} leaves it out"]),
        (["Sentence 1: Born in 1867.\n2) She was a physicist."], BOTH, []),
    ],
)
async def test_a_sentence_that_the_reply_leaves_out_is_asked_about_once_more(
    scripted, replies, response, notes
):
    model = scripted(REPLIES | FOUR_CLAIMS | {"rac/revise.sentence": replies})
    correction = await acorrect(QUESTION, LIST, model=model, **SETTINGS)
    assert correction.response == response
    assert [n for n in correction.notes if "revised" in n] == notes


async def test_a_rewriting_of_the_draft_takes_out_no_sentence_that_nothing_speaks_against(scripted):
    rewritten = RESPONSE.removesuffix(" She kept bees.")
    settings = {"model": scripted(REPLIES | {"rac/revise": rewritten}), "revision": "draft"}
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], **settings)
    assert correction.response == RESPONSE
    assert "She kept bees." in " ".join(correction.notes)


REMARKS = (
    "No errors. | false | Unknown. | N/A. | 1867 | The documents do not say. | "
    "The sentence is correct. | Not enough information. | [sentence removed] | "
    "I cannot verify that Marie Curie was born in 1865."
)


@pytest.mark.parametrize("remark", REMARKS.split(" | "))
async def test_a_remark_is_no_sentence(scripted, remark):
    settings = {
        "model": scripted(REPLIES | {"rac/revise.sentence": f"1. {remark}"}),
        "guard": False,
    }
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], **settings)
    assert correction.response == DRAFT
    assert "the sentence at 0 was not revised: the reply" in " ".join(correction.notes)


@pytest.mark.parametrize(
    ("draft", "fix", "sentence"),
    [
        ("She was born in 1865.", "In 1867 she was born.", "It was in 1867."),
        ("The claim is false.", "The claim is true.", "The claim is true."),
        ("1865", "1867", "1867"),
        ("她是化学家。", "她是物理学家。", "她是物理学家。"),
        ("Elle était chimiste.", "Elle était physicienne.", "Elle était physicienne."),
    ],
)
async def test_a_sentence_on_the_same_thing_is_no_remark(scripted, draft, fix, sentence):
    replies = {
        "rac/extract": f"1. {draft}",
        "rac/verify": "1: False",
        "rac/correct": f"1: {fix}",
        "rac/revise.sentence": f"1. {sentence}",
    }
    settings = {"documents": [PAGE], "guard": False, "prompts": BY_MODEL}
    correction = await acorrect(QUESTION, draft, model=scripted(replies), **settings)
    assert correction.response == sentence


async def test_code_says_in_the_sentence_what_a_correction_says_of_its_subject(scripted):
    corrected = {"rac/correct": "1: Marie Curie was born in Warsaw in 1867."}
    model = scripted(REPLIES | corrected | {"rac/revise.sentence": " "})
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model)
    assert correction.response.startswith("Marie Curie was born in Warsaw in 1867. She was a phys")
    assert "model_calls" not in correction.usage.by_role["revise"]


TOWER = "The tower was opened in 1889. It never closed, and it has 41 steps and 3 floors."


@pytest.mark.parametrize(
    ("sentence", "revised"),
    [
        ("It was opened in 1887, never closed.", "It was opened in 1889, closed."),
        ("It was opened in 1887 and has 41 steps.", "It was opened in 1889 and has steps."),
        ("It was opened in 1887 and did not burn.", "It was opened in 1889 and did burn."),
        ("It was opened in 1887, with no lift.", "It was opened in 1889, with a lift."),
        ("It was opened in 1887 with 41 steps, 3 floors.", "It was opened in 1889 with 3 floors."),
    ],
)
async def test_a_revision_takes_out_no_denial_and_no_number_of_its_own(scripted, sentence, revised):
    """What no correction speaks of stays, and the year is mended all the same or nothing is."""
    model = scripted(
        {
            "rac/extract": "1. The tower was opened in 1887.",
            "rac/verify": "1: False [1]",
            "rac/correct": "1: The tower was opened in 1889.",
            "rac/revise.sentence": f"1. {revised}",
        }
    )
    settings = {"documents": [TOWER], "model": model, "prompts": BY_MODEL}
    correction = await acorrect("", sentence, **settings)
    assert correction.response in (sentence, sentence.replace("1887", "1889"))
