"""The graphs as A2A agents, called as clients of both versions of the protocol call them."""

import json
from uuid import uuid4

import httpx
import pytest

from langgraph_server import CORRECTED, PAGE, REQUEST, find_assistant

pytestmark = pytest.mark.slow
EMPTY = {"draft": " "}
NO_DRAFT = "the draft is empty and so is the question; give at least one of them"
MISSPELT = "rac has no setting 'unsuported'; did you mean 'unsupported'? docs/settings.md lists all"


@pytest.fixture(scope="module")
def rac(client):
    """The graph's own assistant, which has the same id on every server."""
    return find_assistant(client, "rac")


def call(url, assistant, method, *parts, fields=None, headers=None, **params):
    """Send an A2A message; the reply, or the events of a stream."""
    message = {"role": "user", "parts": parts, "messageId": str(uuid4()), **(fields or {})}
    params = {"message": message, **params} if parts else params
    body = {"jsonrpc": "2.0", "id": "1", "method": method, "params": params}
    accept = {"accept": "application/json, text/event-stream", **(headers or {})}
    reply = httpx.post(f"{url}/a2a/{assistant}", json=body, headers=accept, timeout=30)
    if reply.headers["content-type"].startswith("application/json"):
        return reply.json()
    return [json.loads(line[6:]) for line in reply.text.splitlines() if line.startswith("data: ")]


def text_part(text):
    return {"kind": "text", "text": text}


def data_part(data):
    return {"kind": "data", "data": data}


def text_of(status):
    return "".join(part["text"] for part in status["message"]["parts"])


def test_a2a_answers_a_question(client, open_url):
    assistant = find_assistant(client, "crag")
    address = f"{open_url}/.well-known/agent-card.json"
    card = httpx.get(address, params={"assistant_id": assistant}).json()
    assert card["description"].startswith("Answer a question")
    # What version 1.0 of the protocol requires of a card, of an interface and of a skill.
    assert {"name", "version", "capabilities", "defaultInputModes", "defaultOutputModes"} <= {*card}
    own = {"url": f"{open_url}/a2a/{assistant}", "protocolBinding": "JSONRPC"}
    assert card["supportedInterfaces"] == [own | {"protocolVersion": "1.0"}]
    assert all({"id", "name", "description", "tags"} <= {*skill} for skill in card["skills"])
    parts = text_part("When was Marie Curie born?"), data_part({"documents": [{"text": PAGE}]})
    task = call(open_url, assistant, "message/send", *parts)["result"]
    assert task["status"]["state"] == "completed"
    assert task["artifacts"][0]["parts"][0]["text"] == PAGE


def test_a2a_waits_for_a_review(client, open_url):
    own = client.assistants.create("rac", context={"review": "all"}, name=f"a2a {uuid4()}")
    assistant = own["assistant_id"]
    task = call(open_url, assistant, "message/send", data_part(REQUEST))["result"]
    assert task["status"]["state"] == "input-required"
    thread = {"contextId": task["contextId"], "taskId": task["id"]}
    accept = text_part("accept")
    task = call(open_url, assistant, "message/send", accept, fields=thread)["result"]
    assert task["status"]["state"] == "completed"
    assert task["artifacts"][0]["parts"][0]["text"] == CORRECTED
    client.assistants.delete(assistant)


def test_a2a_says_why_a_run_failed(open_url, rac):
    task = call(open_url, rac, "message/send", data_part(EMPTY))["result"]
    assert (task["status"]["state"], text_of(task["status"])) == ("failed", NO_DRAFT)
    later = call(open_url, rac, "tasks/get", id=task["id"])["result"]
    assert (later["status"]["state"], text_of(later["status"])) == ("failed", NO_DRAFT)
    task = call(open_url, rac, "SendMessage", data_part(EMPTY))["result"]["task"]
    assert (task["status"]["state"], text_of(task["status"])) == ("TASK_STATE_FAILED", NO_DRAFT)


def test_a2a_streams_events_that_clients_of_version_1_read(open_url, rac):
    first, *_, last = call(open_url, rac, "SendStreamingMessage", data_part(EMPTY))
    assert first["result"]["task"]["status"]["state"] == "TASK_STATE_SUBMITTED"
    status = last["result"]["statusUpdate"]["status"]
    assert (status["state"], text_of(status)) == ("TASK_STATE_FAILED", NO_DRAFT)
    _, *events = call(open_url, rac, "SendStreamingMessage", data_part(REQUEST))
    kinds = [next(iter(event["result"])) for event in events]
    assert set(kinds) == {"statusUpdate", "artifactUpdate"}
    assert CORRECTED in json.dumps(events)


def test_an_older_failure_is_not_explained_by_a_later_one(open_url, rac):
    first = call(open_url, rac, "message/send", data_part(EMPTY))["result"]
    thread = {"contextId": first["contextId"]}
    silent = data_part({"documents": "none", "draft": "x"})
    second = call(open_url, rac, "message/send", silent, fields=thread)["result"]
    assert second["status"]["state"] == "failed"
    assert text_of(second["status"]) != NO_DRAFT
    older = call(open_url, rac, "tasks/get", id=first["id"])["result"]
    assert text_of(older["status"]) == "Task failed with status: error"


@pytest.mark.parametrize("method", ["message/send", "message/stream", "SendMessage"])
def test_a2a_says_why_a_run_was_refused(open_url, guarded, rac, method):
    misspelt = {"unsuported": "drop"}
    key = {"x-api-key": guarded.keys["alice"]}
    refused = (
        call(open_url, rac, method, data_part(REQUEST), context=misspelt),
        call(guarded.url, rac, method, data_part(REQUEST), context={"corpus": "/etc"}, headers=key),
    )
    replies = [reply[-1] if isinstance(reply, list) else reply for reply in refused]
    assert replies[0]["error"]["message"].startswith(MISSPELT)
    assert "corpus='/etc' is not yours to set here" in replies[1]["error"]["message"]
