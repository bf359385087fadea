"""Names with several bearers: the others are looked for, and each is named with its source."""

import json

import pytest

from errata import aanswer

pytestmark = pytest.mark.anyio
QUESTION = "Who was the director of Control?"
FIRST = {
    "id": "first",
    "title": "Control (2007 film)",
    "text": "Control is a 2007 film directed by Anton Corbijn. It won awards.",
}
SECOND = {
    "id": "second",
    "title": "Control (2004 film)",
    "text": "Control is a 2004 film directed by Tim Hunter. It went to video.",
}


@pytest.mark.parametrize(("profile", "action"), [("", "ambiguous"), ("paper", "correct")])
async def test_the_web_is_asked_for_others(demo, scripted, profile, action):
    model = scripted({"crag/generate": "Anton Corbijn.", "crag/rewrite": "Control"})
    settings = {"documents": [FIRST], "profile": profile, "model": model}
    assert (await aanswer(QUESTION, search=demo, **settings)).action == action


async def test_the_corpus_is_asked_once_more_for_others(tmp_path):
    decoy = {"id": "decoy", "title": "Director of Control", "text": "A director of control is one."}
    lines = "".join(f"{json.dumps(page)}\n" for page in (decoy, SECOND))
    (tmp_path / "pages.jsonl").write_text(lines)
    answer = await aanswer(QUESTION, documents=[FIRST], corpus=str(tmp_path), top_k=1)
    assert {document.id for document in answer.documents} == {"first", "decoy", "second"}
    assert (answer.usage.searches, answer.action) == (2, "correct")


async def test_a_model_reads_a_strip_once(scripted):
    """What a page repeats under its title, in a longer strip or a shorter."""
    again = FIRST | {"id": "again", "text": f"{FIRST['text']} It was long."}
    model = scripted({"crag/generate": "Anton Corbijn."})
    answer = await aanswer(QUESTION, documents=[FIRST, again], model=model)
    assert [strip.document for strip in answer.knowledge] == ["again"]
