"""What is read from an agent's conversation, and how a message is given again."""

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from errata.agents.messages import annotate, evidence_in, question_and_answer

PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."
DRAFT = "Marie Curie was born in 1865. She was Polish."
MENDED = "Marie Curie was born in 1867. She was Polish."


def test_evidence_is_what_tools_found():
    kept = [Document(PAGE, id="p1", metadata={"title": "Marie Curie", "source": "https://x.org"})]
    messages = [
        HumanMessage("Who?"),
        ToolMessage("old", tool_call_id="1", name="first"),
        AIMessage("Somebody."),
        HumanMessage("Who was Curie?"),
        ToolMessage("shown", tool_call_id="2", name="search", artifact=kept),
        ToolMessage("boom", tool_call_id="3", name="broken", status="error"),
        AIMessage("A physicist."),
    ]
    assert question_and_answer(messages) == ("Who was Curie?", "A physicist.")
    [old, page] = evidence_in(messages, "conversation")
    assert (old.text, old.title) == ("old", "first")
    assert (page.text, page.title, page.url) == (PAGE, "Marie Curie", "https://x.org")
    assert evidence_in(messages, "turn") == [page]
    assert evidence_in(messages, "none") == []
    assert question_and_answer(messages[:-1]) == ("", "")


def test_what_is_no_text_in_a_message_stays():
    blocks = [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": DRAFT}]
    message = AIMessage(blocks, id="7", additional_kwargs={"other": 1})
    mended = annotate(message, MENDED, {"mode": "correct"})
    assert mended.id == "7"
    assert mended.content == [blocks[0], {"type": "text", "text": MENDED}]
    assert mended.additional_kwargs == {"other": 1, "errata": {"mode": "correct"}}
    assert annotate(message, DRAFT, {}).content == blocks
