"""What is read from an agent's conversation, and how a message is rewritten."""

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from errata.langchain.messages import annotate, evidence_in, question_and_answer
from example import DRAFT, PAGE, RESPONSE


def test_the_results_of_tools_are_evidence():
    artifact = [
        Document(PAGE, id="p1", metadata={"title": "Marie Curie", "source": "https://x.org"})
    ]
    messages = [
        HumanMessage("Who?"),
        ToolMessage("old", tool_call_id="1", name="first"),
        AIMessage("Somebody."),
        HumanMessage("Who was Curie?"),
        ToolMessage("a summary", tool_call_id="2", name="search", artifact=artifact),
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


def test_a_rewritten_message_keeps_everything_but_its_text():
    blocks = [{"type": "reasoning", "reasoning": "Hm."}, {"type": "text", "text": DRAFT}]
    message = AIMessage(blocks, id="7", additional_kwargs={"other": 1})
    rewritten = annotate(message, RESPONSE, {"mode": "correct"})
    assert rewritten.id == "7"
    assert rewritten.content == [blocks[0], {"type": "text", "text": RESPONSE}]
    assert rewritten.additional_kwargs == {"other": 1, "errata": {"mode": "correct"}}
    assert annotate(message, DRAFT, {}).content == blocks
