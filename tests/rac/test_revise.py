"""A model's rewriting of single sentences, and the edits it becomes."""

import pytest

from errata import acorrect
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio


async def test_only_sentences_with_fixes_are_rewritten(scripted):
    """The prompt holds one sentence, its facts and its errors; the rest is copied."""
    draft = "- Marie Curie was born in 1865.\n- She was a physicist and a baker.\n- She kept bees."
    claims = {
        "rac/extract": "Marie Curie was born in 1865.\nMarie Curie was a physicist.\n"
        "Marie Curie was a baker.\nMarie Curie kept bees.",
        "rac/verify": "1: False\n2: True\n3: Not Mentioned\n4: Not Mentioned",
        "rac/correct.drop": "1: Marie Curie was born in 1867.",
    }
    sentences = [
        {"when": "<draft>\nMarie Curie was born in 1865.\n</draft>", "reply": "Born in 1867."},
        {
            "when": "<claims>\n1. Marie Curie was a physicist.\n</claims>\nErrors:\n<errors>\n"
            "1. Marie Curie was a baker.\n</errors>",
            "reply": "She was a physicist.",
        },
    ]
    model = scripted(REPLIES | claims | {"rac/revise.sentence": sentences})
    settings = {"documents": [PAGE], "model": model, "drop_not_mentioned": True, "guard": False}
    correction = await acorrect(QUESTION, draft, **settings)
    assert correction.response == "- Born in 1867.\n- She was a physicist."
    assert correction.usage.by_role["revise"]["model_calls"] == 2
    assert correction.edits[-1].claims == ("c4",)


async def test_the_guard_replaces_a_harmful_edit_by_the_smallest_change(scripted):
    reply = "Marie Curie was born in Brazil in 1867."
    model = scripted(REPLIES | {"rac/revise.sentence": reply})
    correction = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model)
    assert correction.response == RESPONSE
    assert "adds 'brazil'" in correction.notes[0]
