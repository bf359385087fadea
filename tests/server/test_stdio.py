"""`errata mcp`: the official client starts it, and talks over standard input and output."""

import asyncio
import json
import os
import sys
from importlib.metadata import version

import pytest
from jsonschema import validate
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from typer.testing import CliRunner

from cited_site import GUIDE, HISTORY
from errata.cli import app
from example import DRAFT, PAGE

pytestmark = pytest.mark.slow
COMMAND = ("-c", "from errata.cli import main; main()", "mcp")

CALLS = {
    "correct": {"draft": DRAFT, "documents": [PAGE]},
    "check": {"draft": DRAFT, "documents": PAGE},
    "answer": {"question": "When was Marie Curie born?", "documents": PAGE},
    "cite": {
        "draft": "Skarvik bridge was opened in 1932 [1]. Skarvik bridge is 240 metres long [2].\n\n"
        "## References\n\n[1] History of Skarvik bridge\n[2] https://skarvik.example/guide\n",
        "sources": {"1": HISTORY, "https://skarvik.example/guide": GUIDE},
    },
}


@pytest.fixture
def talk(tmp_path):
    """Runs a function with a client of a server that was started with some options."""

    def run(use, *options, settings=""):
        (tmp_path / "errata.toml").write_text(settings)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        server = StdioServerParameters(
            command=sys.executable, args=[*COMMAND, *options], env=environment, cwd=tmp_path
        )

        async def talking():
            with (tmp_path / "log").open("w") as log:
                async with Client(stdio_client(server, errlog=log)) as client:
                    return await use(client)

        return asyncio.run(talking())

    return run


def test_each_tool_takes_the_form_it_lists(talk):
    async def use(client):
        listed = (await client.list_tools()).tools
        called = {name: await client.call_tool(name, given) for name, given in CALLS.items()}
        return {tool.name: tool for tool in listed}, called

    listed, replies = talk(use)
    assert listed.keys() == CALLS.keys()
    for name, arguments in CALLS.items():
        validate(arguments, listed[name].input_schema)
        assert replies[name].structured_content["method"]
        assert not replies[name].is_error
        assert name == "cite" or "1867" in replies[name].content[0].text
        assert listed[name].description
        assert len(json.dumps(listed[name].input_schema)) < 700
    audit = replies["cite"].structured_content
    findings = [each["finding"] for each in audit["trail"]["citations"]]
    repaired = CALLS["cite"]["draft"].replace("long [2]", "long [1]")
    assert (findings, audit["response"]) == (["supported", "wrong_source"], repaired)
    assert replies["cite"].content[0].text.endswith(repaired)


def test_settings_come_from_options_and_the_file_and_faults_are_told(talk):
    async def use(client):
        reply = await client.call_tool("correct", {"draft": DRAFT, "documents": [PAGE]})
        failed = await client.call_tool("correct", {"draft": " "})
        misspelt = await client.call_tool("correct", {"drafft": DRAFT})
        assert client.server_info.version == version("errata")
        return reply.content[0].text, failed, misspelt

    text, failed, misspelt = talk(use, "--set", "drop_below=0.2", settings='unsupported = "drop"')
    assert text.startswith("Marie Curie was born in 1867. She was a physicist.")
    for reply, fault in ((failed, "draft is empty"), (misspelt, "draft")):
        assert (reply.is_error, fault in reply.content[0].text) == (True, True)


@pytest.mark.parametrize("options", [("--set", "colour=red"), ("--model", "magic:x")])
def test_wrong_settings_stop_it_before_it_serves(options):
    assert CliRunner().invoke(app, ["mcp", *options]).exit_code == 2


def test_the_registrys_manifest_starts_this_command(root):
    manifest = json.loads((root / "server.json").read_text())
    [package] = manifest["packages"]
    assert package["version"] == manifest["version"] == version("errata")
    assert [each["value"] for each in package["packageArguments"]] == ["mcp"]
