"""RE-EX with scripted models in its roles: what becomes of their replies."""

import pytest

from errata import acorrect
from example import DRAFT, ERROR, LABELS, LONG_PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio


async def reex(**settings):
    return await acorrect(QUESTION, DRAFT, "reex", documents=[LONG_PAGE], **settings)


async def test_an_explanation_becomes_edit_and_verdict(scripted):
    correction = await reex(model=scripted(REPLIES))
    [edit] = correction.edits
    assert (edit.before, edit.after, edit.claims) == ("1865", "1867", ("c1",))
    assert edit.explanation == ERROR.removeprefix("1. ")
    assert edit.evidence[0].text in LONG_PAGE
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert correction.label == "refuted"


@pytest.mark.parametrize(
    ("error", "calls"),
    [
        ('"born in 1865" -> "born in 1867" [1]', 1),
        ("“1865” → 1867 (line 1).", 1),
        ("**1865** --> `1867` [1]", 1),
        ('"1865" -> the evidence says 1867 [1]', 2),
        ('"1865" -> "1871"', 2),
        ('"She" -> "Marie" [1]', 2),
        ('"1865" -> "1867"; line 1 says "born 7 November 1867"', 2),
        ('"1865" -> 1867, since the page says so [1]', 2),
        ('"1865" -> [1]', 2),
        ('"born in 1865" -> "none" [1]', 2),
        ('"1865" -> "1867" or "7 November" [1]', 2),
        ('"in 1866" -> "in 1867" [1]', 2),
    ],
)
async def test_code_applies_what_an_explanation_words_once(scripted, error, calls):
    """All else is for the model to revise, whose failure leaves the draft."""
    for revision in (RESPONSE, " "):
        correction = await reex(
            model=scripted(REPLIES | {"reex/explain": f"1. {error}", "reex/revise": revision})
        )
        assert correction.response == (RESPONSE if calls == 1 else revision.strip() or DRAFT)
        assert correction.usage.model_calls == calls or revision == " "
        if calls == 1:
            [edit] = correction.edits
            assert (edit.before, edit.after) == ("1865", "1867")
            assert "1867" in edit.evidence[0].text


async def test_the_model_revises_the_rest(scripted):
    errors = '1. "1865" -> "1867" [1]\n2. "kept bees" -> nothing says so'
    revised = RESPONSE.replace("kept bees", "lived in Paris")
    asked = [{"when": f"<draft>\n{RESPONSE}\n</draft>", "reply": revised}]
    replies = REPLIES | {"reex/explain": errors}
    assert (await reex(model=scripted(replies | {"reex/revise": asked}))).response == revised
    failed = await reex(model=scripted(replies | {"reex/revise": " "}))
    assert failed.response == RESPONSE
    assert "1 explained error was left" in " ".join(failed.notes)


async def test_a_draft_in_quotation_marks_has_its_sentences(scripted):
    model = scripted(REPLIES | {"reex/explain": '1. "1865" -> "1867" [1]'})
    correction = await acorrect(QUESTION, f'"{DRAFT}"', "reex", documents=[LONG_PAGE], model=model)
    assert [claim.text for claim in correction.claims] == DRAFT.replace(". ", ".|").split("|")
    assert correction.response == f'"{RESPONSE}"'


@pytest.mark.parametrize(
    ("revision", "note"),
    [
        (
            RESPONSE.removesuffix(" She kept bees."),
            "“She kept bees.” stays: no error was",
        ),
        (RESPONSE.replace("physicist", "physicist of Brazil"), "adds 'Brazil'"),
    ],
)
async def test_what_no_explained_error_speaks_of_is_neither_taken_out_nor_added(
    scripted, revision, note
):
    correction = await reex(model=scripted(REPLIES | {"reex/revise": revision}))
    assert correction.response == RESPONSE
    assert note in correction.notes[0]


async def test_an_edit_rests_on_the_explanation_of_its_words(scripted):
    """Not on that of every error in its sentence."""
    draft = "Marie Curie was born in 1865, was a physicist and died in Oslo."
    errors = ['"born in 1865": she was born in 1867.', '"in Oslo": she died in Paris.']
    numbered = "\n".join(f"{n}. {error}" for n, error in enumerate(errors, start=1))
    revision = draft.replace("1865", "1867").replace("Oslo", "Paris")
    model = scripted(REPLIES | {"reex/explain": numbered, "reex/revise": revision})
    correction = await acorrect(QUESTION, draft, "reex", documents=[LONG_PAGE], model=model)
    edits = [(edit.after, edit.explanation) for edit in correction.edits]
    assert edits == [("1867", errors[0]), ("Paris", errors[1])]
