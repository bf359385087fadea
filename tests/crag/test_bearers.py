"""Names with several bearers: the others are looked for, and each is named with its source."""

import pytest

from errata import aanswer
from errata.core.records import Document
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.subjects import find_bearers
from errata.tools.local.generate import generate_answer

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


@pytest.mark.parametrize(
    ("question", "titles", "found"),
    [
        (QUESTION, ["Control (2007 film)", "Controls"], ["Control (2007 film)", "Controls"]),
        (QUESTION, ["Control", "Control Room"], []),
        (QUESTION, ["Control (disambiguation)"], []),
        ("Who directed Control (2007 film)?", ["Control (2007 film)"], []),
    ],
)
def test_brackets_after_a_title_say_that_a_name_is_shared(question, titles, found):
    assert find_bearers(question, titles) == found


def test_local_code_names_each_bearer():
    documents = [Document(**FIRST), Document(**SECOND)]
    lines = generate_answer(QUESTION, documents, load_local_evaluator()).split("\n")
    assert {line.partition(":")[0] for line in lines} == {FIRST["title"], SECOND["title"]}


@pytest.mark.parametrize(("profile", "is_found"), [("", True), ("paper", False)])
async def test_the_corpus_and_the_web_are_asked_for_others(
    tmp_path, demo, scripted, profile, is_found
):
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "Control (2004 film).txt").write_text(SECOND["text"])
    corpus = str(tmp_path / "corpus")
    model = scripted({"crag/generate": "Both.", "crag/rewrite": "Control"})
    settings = {"documents": [FIRST], "profile": profile, "model": model}
    alone = await aanswer(QUESTION, search=demo, **settings)
    assert alone.action == ("ambiguous" if is_found else "correct")
    both = await aanswer(QUESTION, documents=[FIRST], profile="", model=model, corpus=corpus)
    assert len(both.documents) == 2


async def test_a_model_reads_a_strip_once(scripted):
    """What a page repeats under its title, in a longer strip or a shorter."""
    again = FIRST | {"id": "again", "text": f"{FIRST['text']} It was long."}
    model = scripted({"crag/generate": "Anton Corbijn."})
    answer = await aanswer(QUESTION, documents=[FIRST, again], model=model)
    assert [strip.document for strip in answer.knowledge] == ["again"]
