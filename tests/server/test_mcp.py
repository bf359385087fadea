"""The tools for MCP clients, called by the official client."""

import json
from importlib.metadata import version

import pytest
from jsonschema import validate

from cited_site import GUIDE, HISTORY
from langgraph_server import CORRECTED, DRAFT, PAGE

pytestmark = pytest.mark.slow
TEXTS = {"draft": DRAFT, "documents": [PAGE]}
QUESTION = {"question": "When was Marie Curie born?", "documents": [PAGE]}
CITED = {
    "draft": "Skarvik bridge was opened in 1932 [1]. Skarvik bridge is 240 metres long [2].\n\n"
    "## References\n\n[1] History of Skarvik bridge\n[2] https://skarvik.example/guide\n",
    "sources": {"1": HISTORY, "https://skarvik.example/guide": GUIDE},
}


@pytest.fixture
def call(open_url, mcp_call):
    """Calls a tool: the reply and, by name, the tools that the server lists."""

    def use(name, arguments):
        async def run(client):
            listed = {tool.name: tool for tool in (await client.list_tools()).tools}
            return await client.call_tool(name, arguments), listed

        return mcp_call(open_url, run)

    return use


@pytest.mark.parametrize(
    ("name", "arguments", "begins"),
    [
        ("correct", TEXTS, CORRECTED),
        ("check", TEXTS, "The draft is refuted."),
        ("answer", QUESTION, PAGE),
        ("cite", CITED, "| source | status | cited | bears out | contradicts |"),
    ],
)
def test_each_tool_is_small_and_answers_in_text_and_in_the_form_it_promises(
    call, name, arguments, begins
):
    reply, tools = call(name, arguments)
    assert tools.keys() == {"correct", "check", "answer", "cite"}
    assert len(json.dumps(tools[name].input_schema)) < 700
    assert tools[name].description
    assert reply.content[0].text.startswith(begins)
    schema = tools[name].output_schema
    validate(reply.structured_content, schema)
    assert set(reply.structured_content) == set(schema["properties"]) == set(schema["required"])


def test_a_text_with_citations_comes_back_audited_and_repaired(call):
    reply, _ = call("cite", CITED)
    findings = [each["finding"] for each in reply.structured_content["trail"]["citations"]]
    assert findings == ["supported", "wrong_source"]
    repaired = CITED["draft"].replace("long [2]", "long [1]")
    assert reply.structured_content["response"] == repaired
    assert reply.content[0].text.endswith(repaired)


def test_mcp_says_what_is_wrong(call):
    failed, _ = call("correct", {"draft": " "})
    assert failed.is_error
    assert "draft is empty" in failed.content[0].text


def test_mcp_refuses_an_argument_that_a_tool_does_not_have(call):
    failed, tools = call("correct", {"drafft": DRAFT, "draft": DRAFT})
    assert all(tool.input_schema["additionalProperties"] is False for tool in tools.values())
    assert failed.is_error
    text = failed.content[0].text
    assert "correct has no argument 'drafft'; did you mean 'draft'? it has draft, question" in text


def test_mcp_names_the_version_of_errata_with_and_without_a_last_slash(open_url, mcp_call):
    async def use(client):
        return client.server_info

    for path in ("/mcp", "/mcp/"):
        info = mcp_call(open_url, use, path=path)
        assert (info.name, info.version) == ("errata", version("errata"))
