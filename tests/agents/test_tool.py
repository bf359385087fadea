"""Methods as tools that an agent calls."""

import asyncio

import pytest

from errata import Answer, Correction, tool
from errata.core.errors import SettingError
from example import BIRTH_QUESTION, DRAFT, PAGE, QUESTION, RESPONSE

REQUEST = {"draft": DRAFT, "question": QUESTION, "documents": [PAGE]}


def results(verb, arguments):
    """What a tool returns to a plain call and to an async one."""
    call = {"name": verb, "type": "tool_call", "id": "1", "args": arguments}
    return tool(verb).invoke(call), asyncio.run(tool(verb).ainvoke(call))


@pytest.mark.parametrize(
    ("verb", "arguments", "begins", "kind"),
    [
        ("correct", REQUEST, f"{RESPONSE}\n\nChanged: '1865' to '1867'", Correction),
        ("check", REQUEST, "The draft is refuted.\n\nRefuted: Marie Curie was", Correction),
        ("answer", {"question": BIRTH_QUESTION, "documents": [PAGE]}, PAGE, Answer),
    ],
)
def test_a_tool_returns_text_and_the_record(verb, arguments, begins, kind):
    for message in results(verb, arguments):
        assert message.content.startswith(begins)
        assert isinstance(message.artifact, kind)


@pytest.mark.parametrize("verb", ["correct", "check", "answer"])
def test_a_tool_describes_itself(verb):
    assert tool(verb).name == verb
    assert tool(verb).description
    assert all(field["description"] for field in tool(verb).args.values())


def test_a_failure_is_a_message_to_the_agent():
    for message in results("correct", {"draft": " "}):
        assert message.status == "error"
        assert "draft is empty" in message.content


def test_wrong_settings_are_an_error_at_once():
    with pytest.raises(SettingError):
        tool(speed=1)
