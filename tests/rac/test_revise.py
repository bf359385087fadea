"""How a model's rewriting of single sentences becomes edits."""

import pytest

from errata import acorrect

pytestmark = pytest.mark.anyio

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist. She lived in Paris."
SENTENCES = {
    "extract": "Marie Curie was born in 1865.\nMarie Curie was a physicist.\n"
    "Marie Curie was a baker.\nMarie Curie kept bees.",
    "verify": "1: False\n2: True\n3: Not Mentioned\n4: Not Mentioned",
    "correct": "Marie Curie was born in 1867.",
}


async def test_only_sentences_with_fixes_are_rewritten(script):
    """The prompt holds one sentence, its facts and its errors; the rest is copied."""
    draft = "- Marie Curie was born in 1865.\n- She was a physicist and a baker.\n- She kept bees."
    one = [
        {"when": "<draft>\nMarie Curie was born in 1865.\n</draft>", "reply": "Born in 1867."},
        {
            "when": "<claims>\n1. Marie Curie was a physicist.\n</claims>\nErrors:\n<errors>\n"
            "1. Marie Curie was a baker.\n</errors>",
            "reply": "She was a physicist.",
        },
    ]
    model = script(**SENTENCES | {"revise.sentence": one})
    given = {"documents": [PAGE], "model": model, "drop_not_mentioned": True, "guard": False}
    done = await acorrect(QUESTION, draft, **given)
    assert done.response == "- Born in 1867.\n- She was a physicist."
    assert done.usage.by_role["revise"]["model_calls"] == 2
    assert done.edits[-1].claims == ("c4",)


async def test_what_the_guard_drops_is_mended_by_the_smallest_change(script):
    reply = "Marie Curie was born in Brazil in 1867."
    model = script(**SENTENCES | {"revise.sentence": reply})
    done = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model)
    assert done.response == "Marie Curie was born in 1867. She was a physicist. She kept bees."
    assert "adds 'brazil'" in done.notes[0]
