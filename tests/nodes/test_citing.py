"""Sources of what is handed out: marks in the text, and citations that chat clients read."""

import asyncio
import re
from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_openai import ChatOpenAI

from errata import answer, correct
from errata.core.edits import apply_edits, places_after
from errata.core.jsonable import from_json
from errata.core.records import Document, Edit
from errata.graphs import rac
from errata.nodes.citing import citations_of
from example import BIOGRAPHY, BIRTH_QUESTION, PAGE, QUESTION

URL = "https://lives.test/curie"
CURIE = replace(BIOGRAPHY, url=URL)
BORN = "Marie%20Curie%20(born".replace("(", "%28")
TEXT = "Marie Curie was born in 1865. She was born in Warsaw. She kept bees."
STYLES = ["numbers", "footnotes", "links"]


def unmarked(result):
    """The response without what the result's marks put in."""
    text = result.response
    marks = [from_json(Edit, mark) for mark in result.trail["marks"]]
    for (start, end), edit in reversed(places_after(marks)):
        assert (text[start:end], edit.before) == (edit.after, "")
        text = text[:start] + text[end:]
    return text


@pytest.mark.parametrize("method", ["rac", "reex"])
@pytest.mark.parametrize("style", STYLES)
def test_supported_and_mended_sentences_are_marked(style, method):
    plain = correct(QUESTION, TEXT, method, [CURIE])
    result = correct(QUESTION, TEXT, method, [CURIE], cite=style)
    born, warsaw, bees, *below = re.split(r"(?<=\. )|(?<=\]) |\n\n", result.response)
    assert "1867" in born
    assert all({*"[]"} <= {*each} for each in (born, warsaw))
    assert bees.startswith("She kept bees.")
    assert URL in below[-1]
    assert apply_edits(result.draft, result.edits) == result.response
    assert unmarked(result) == plain.response
    assert (result.verdicts, result.label) == (plain.verdicts, plain.label)


@pytest.mark.parametrize("unsupported", ["drop", "hedge"])
def test_marks_stand_beside_other_edits(unsupported):
    draft = "Marie Curie was born in Warsaw and kept bees. She died in 1934. She sang in Riga."
    plain = correct(QUESTION, draft, documents=[CURIE], unsupported=unsupported)
    result = correct(QUESTION, draft, documents=[CURIE], unsupported=unsupported, cite="numbers")
    assert unmarked(result) == plain.response
    assert apply_edits(result.draft, result.edits) == result.response
    assert "She died in 1934 [1]." in result.response
    assert "Riga [1]" not in result.response
    checked = correct(QUESTION, draft, documents=[CURIE], cite="numbers", check_only=True)
    assert (checked.response, checked.trail["marks"]) == (draft, [])


def test_a_model_without_documents_is_no_source(scripted):
    """What it recalls is shown as evidence, not cited."""
    draft, none = "Marie Curie was born in 1867.", "None\nNot shown: none"
    replies = {"reex/ask": f"1. {BIRTH_QUESTION}", "reex/answer": draft, "reex/explain": none}
    settings = {"evidence": "internal", "model": scripted(replies), "cite": "numbers"}
    result = correct(QUESTION, draft, "reex", **settings)
    assert (result.label, result.response) == ("supported", draft)


@pytest.mark.parametrize("style", STYLES)
def test_an_answer_is_marked_by_the_documents_that_have_its_words(style):
    plain = answer(BIRTH_QUESTION, documents=[CURIE])
    result = answer(BIRTH_QUESTION, documents=[CURIE], cite=style)
    assert unmarked(result) == plain.response
    assert result.response.count(URL) == (3 if style == "links" else 1)
    assert result.trail["marks"][0]["evidence"][0]["document"] == CURIE.id


SAID = "Marie Curie was born on 7 November 1867. She sang at the opera of Riga in 1899."


@pytest.mark.parametrize(
    ("reply", "task", "marked"),
    [
        (f"{SAID}\nFrom: both", "", f"{SAID.replace('1867', '1867 [1]')}\n\n## References"),
        ("No answer found.", "", ""),
        ("true\nFrom: knowledge", "pubhealth", ""),
    ],
)
def test_only_the_sentences_that_documents_bear_out_are_marked(scripted, reply, task, marked):
    """In no answer, and in a verdict, none."""
    model = scripted(dict.fromkeys(("crag/generate", "crag/generate.verdict"), reply))
    settings = {"documents": [CURIE], "model": model, "task": task, "cite": "numbers"}
    result = answer(BIRTH_QUESTION, **settings)
    assert result.response.partition("\n\n1.")[0] == (marked or reply.partition("\n")[0])
    assert result.usage.model_calls == 1


def run(**context):
    request = {"question": QUESTION, "draft": TEXT, "documents": [vars(CURIE)]}
    return asyncio.run(rac.graph.ainvoke(request, context=context))


def test_a_message_has_the_marks_as_citations():
    out = run(cite="numbers")
    [message] = out["messages"]
    assert message.text == out["response"]
    [block] = message.content_blocks
    first, second = block["annotations"]
    assert message.text[first["start_index"] : first["end_index"]] == " [1]"
    assert (first["type"], first["title"]) == ("citation", "Marie Curie")
    assert first["url"].startswith(f"{URL}#:~:text={BORN}")
    assert second["cited_text"] == "She was born in Warsaw as the youngest of five children."
    assert CURIE.text.count(second["cited_text"]) == 1
    assert run()["messages"][0].content == run()["response"]


def test_a_chat_model_reads_the_text_and_takes_the_citations_for_its_own(openai_server):
    """Chat Completions take no annotations, the Responses API takes its own."""
    [message] = run(cite="links")["messages"]
    history = [HumanMessage(QUESTION), message, HumanMessage("And her sister?")]
    ChatOpenAI(model="m").invoke(history)
    _, request = openai_server.requests[-1]
    assert request["messages"][1]["content"] == [{"type": "text", "text": message.text}]
    payload = ChatOpenAI(model="m", use_responses_api=True)._get_request_payload(history)
    [block] = payload["input"][1]["content"]
    [cited, _] = block["annotations"]
    assert (block["text"], cited["type"]) == (message.text, "url_citation")
    assert cited["url"].startswith(URL)
    again = AIMessage.model_validate(message.model_dump())
    assert again.content_blocks == message.content_blocks


def test_a_document_without_an_address_is_cited_by_its_title():
    result = correct(QUESTION, TEXT, documents=[Document(text=PAGE, title="A life")], cite="links")
    [citation] = citations_of(result)
    assert (citation.get("url"), citation["title"], citation["cited_text"]) == (
        None,
        "A life",
        PAGE,
    )
