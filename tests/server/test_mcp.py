"""The tools for MCP clients, called by the official client."""

import json
from importlib.metadata import version

import pytest
from jsonschema import validate

pytestmark = pytest.mark.slow
DRAFT = "Marie Curie was born in 1865."
CORRECTED = "Marie Curie was born in 1867."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."


def test_mcp_lists_three_small_tools_and_answers_in_text(open_url, mcp_call):
    async def use(client):
        listed = await client.list_tools()
        arguments = {"draft": DRAFT, "documents": [PAGE]}
        corrected = await client.call_tool("correct", arguments)
        checked = await client.call_tool("check", arguments)
        arguments = {"question": "When was Marie Curie born?", "documents": [PAGE]}
        return listed.tools, corrected, checked, await client.call_tool("answer", arguments)

    tools, corrected, checked, answered = mcp_call(open_url, use)
    assert {tool.name for tool in tools} == {"correct", "check", "answer"}
    assert all(len(json.dumps(tool.input_schema)) < 700 and tool.description for tool in tools)
    assert corrected.content[0].text.startswith(CORRECTED)
    assert corrected.structured_content["edits"][0]["after"] == "1867"
    assert checked.content[0].text.startswith("The draft is refuted.")
    assert answered.content[0].text.startswith(PAGE)


def test_mcp_says_what_is_wrong(open_url, mcp_call):
    async def use(client):
        return await client.call_tool("correct", {"draft": " "})

    failed = mcp_call(open_url, use)
    assert failed.is_error
    assert "draft is empty" in failed.content[0].text


def test_mcp_names_the_version_of_errata(open_url, mcp_call):
    async def use(client):
        return client.server_info

    info = mcp_call(open_url, use)
    assert (info.name, info.version) == ("errata", version("errata"))


def test_mcp_replies_have_the_form_that_the_tools_promise(open_url, mcp_call):
    async def use(client):
        schemas = {tool.name: tool.output_schema for tool in (await client.list_tools()).tools}
        texts = {"draft": DRAFT, "documents": [PAGE]}
        question = {"question": "When was Marie Curie born?", "documents": [PAGE]}
        calls = (("correct", texts), ("check", texts), ("answer", question))
        return [(schemas[name], await client.call_tool(name, call)) for name, call in calls]

    for schema, reply in mcp_call(open_url, use):
        validate(reply.structured_content, schema)
        assert set(schema["properties"]) == set(schema["required"])
        assert set(reply.structured_content) == set(schema["properties"])


def test_mcp_refuses_an_argument_that_a_tool_does_not_have(open_url, mcp_call):
    async def use(client):
        listed = await client.list_tools()
        return listed.tools, await client.call_tool("correct", {"drafft": DRAFT, "draft": DRAFT})

    tools, failed = mcp_call(open_url, use)
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools)
    assert failed.is_error
    text = failed.content[0].text
    assert "correct has no argument 'drafft'; did you mean 'draft'? it has draft, question" in text


def test_mcp_answers_with_and_without_a_last_slash(open_url, mcp_call):
    async def use(client):
        return [tool.name for tool in (await client.list_tools()).tools]

    assert mcp_call(open_url, use) == mcp_call(open_url, use, path="/mcp/")
