"""The real LangGraph server, as `make serve` starts it: on loopback, without any key."""

import json
import runpy
import sys

import httpx
import pytest

from errata.methods import ANSWERING, CORRECTING

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("graph", [*CORRECTING, *ANSWERING])
def test_schemas_draw_usable_forms(client, graph):
    [own] = client.assistants.search(graph_id=graph, metadata={"created_by": "system"})
    schemas = client.assistants.get_schemas(own["assistant_id"])
    request, settings = schemas["input_schema"], schemas["context_schema"]["properties"]
    assert {"question", "documents", "messages"} <= set(request["properties"])
    assert any("enum" in field for field in settings.values())
    assert request["title"].split(":")[0].replace("-", "").lower() == graph
    for name, field in request["properties"].items():
        assert field["description"], name
        assert "default" in field, name
        assert name == "messages" or field["examples"], name
    for name, field in settings.items():
        assert all((field["title"], field["description"], "default" in field)), name
    drawn = client.assistants.get_graph(own["assistant_id"])
    labels = {edge.get("data") for edge in drawn["edges"] if edge.get("conditional")}
    assert graph != "rac" or {"draft given", "with RAG", "check only"} <= labels


def test_bad_input_says_what_is_wrong(client):
    out = client.runs.wait(None, "rac", input={}, raise_error=False)
    assert "the draft is empty" in json.dumps(out)


@pytest.mark.parametrize("headers", [{"host": "a.example"}, {"origin": "https://evil.example"}])
def test_a_server_without_keys_answers_no_foreign_page_and_nobody_wipes_it(open_url, headers):
    response = httpx.post(f"{open_url}/threads/search", json={}, headers=headers)
    assert (response.status_code, "ERRATA_ALLOW_ORIGINS" in response.text) == (403, True)
    for own in ({}, {"origin": "http://localhost:3000"}, headers):
        assert httpx.post(f"{open_url}/internal/truncate", headers=own).status_code == 404


@pytest.mark.parametrize("name", ["client", "remote"])
def test_a_clients_example_runs(open_url, root, monkeypatch, capsys, name):
    monkeypatch.setattr(sys, "argv", [name, open_url])
    runpy.run_path(f"{root}/examples/{name}.py", run_name="__main__")
    assert capsys.readouterr().out.endswith("response: Marie Curie was born in Warsaw in 1867.\n")
