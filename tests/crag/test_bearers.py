"""Names with several bearers: the others are looked for, and each is named with its source."""

import json

import pytest

from errata import aanswer

pytestmark = pytest.mark.anyio
QUESTION = "Who was the director of Control?"
FILMS = (
    (2007, "Anton Corbijn. It won awards."),
    (2004, "Tim Hunter. It went to video."),
    (2013, "Kenneth Bi. It was long."),
)
FIRST, SECOND, THIRD = (
    {"title": f"Control ({year} film)", "text": f"Control is a {year} film directed by {rest}"}
    for year, rest in FILMS
)


@pytest.mark.parametrize("given", [[FIRST], [FIRST, SECOND]])
async def test_the_corpus_is_asked_once_more_for_three_bearers(tmp_path, given):
    decoy = {"id": "decoy", "title": "Director of Control", "text": "A director of control is one."}
    lines = "".join(f"{json.dumps(page)}\n" for page in (decoy, SECOND, THIRD))
    (tmp_path / "pages.jsonl").write_text(lines)
    answer = await aanswer(QUESTION, documents=given, corpus=str(tmp_path), top_k=1)
    titles = {document.title for document in answer.documents}
    assert titles == {page["title"] for page in (FIRST, SECOND, THIRD, decoy)}
    assert (answer.usage.searches, answer.action) == (2, "correct")


async def test_a_model_reads_a_strip_once(scripted):
    """What a page repeats under its title, in a longer strip or a shorter."""
    again = FIRST | {"id": "again", "text": f"{FIRST['text']} It was long."}
    model = scripted({"crag/generate": "Anton Corbijn."})
    answer = await aanswer(QUESTION, documents=[FIRST, again], model=model)
    assert [strip.document for strip in answer.knowledge] == ["again"]
