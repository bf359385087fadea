"""The last reading of a revised text, by code and by the model that revises."""

import pytest

from errata import acorrect
from example import QUESTION

pytestmark = pytest.mark.anyio
DRAFT = (
    "Marie Curie was born in 1865. She won a prize in Sweden. "
    "She wrote books in 1903, and kept bees in Rome."
)
PAGE = "Marie Curie, born in 1867, won a prize in Sweden and wrote books in 1903."
CLAIMS = [
    "Marie Curie was born in 1865.",
    "Marie Curie won a prize in Sweden.",
    "Marie Curie wrote books in 1903.",
    "Marie Curie kept bees in Rome.",
]
TWICE = "Marie Curie was born in 1867 and wrote books in 1903."
"""A revision of the first sentence that says what the last one says."""


async def revise(scripted, revision, reply="none", **settings):
    """The correction of the draft; `reply` is the model's to what reads badly."""
    script = {
        "rac/extract": "\n".join(CLAIMS),
        "rac/verify": "1: False\n2: True\n3: True\n4: True",
        "rac/correct": "1: In 1867 Marie Curie was born.",
        "rac/revise.sentence": f"1. {revision}",
        "rac/revise.reread": reply,
    }
    model = scripted(script)
    return await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model, **settings)


async def test_a_sentence_that_another_says_goes_without_a_call(scripted):
    revision = "Marie Curie was born in 1867 and won a prize in Sweden."
    correction = await revise(scripted, revision)
    assert correction.response == f"{revision} She wrote books in 1903, and kept bees in Rome."
    assert correction.usage.by_role["revise"]["model_calls"] == 1
    assert [edit.claims for edit in correction.edits] == [("c1",), ("c1",)]


@pytest.mark.parametrize(
    ("reply", "last", "is_noted"),
    [
        ("1. She kept bees in Rome.", " She kept bees in Rome.", False),
        ("1. She kept bees in Kyoto.", " She wrote books in 1903, and kept bees in Rome.", True),
        (" ", " She wrote books in 1903, and kept bees in Rome.", True),
    ],
)
async def test_what_code_cannot_mend_the_model_is_asked_to(scripted, reply, last, is_noted):
    """A failure, or a new fact, changes nothing; what reads badly is noted."""
    correction = await revise(scripted, TWICE, reply)
    assert correction.response == f"{TWICE} She won a prize in Sweden.{last}"
    said = any("says again what another sentence says" in note for note in correction.notes)
    assert said == is_noted


async def test_it_can_be_left_out(scripted):
    correction = await revise(scripted, TWICE, reread=False)
    assert correction.response == DRAFT.replace(CLAIMS[0], TWICE)
    assert correction.notes == ()
