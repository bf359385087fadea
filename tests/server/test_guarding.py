"""The real server bound to every address: keys, owners, settings."""

import base64
import json
from functools import partial

import httpx
import pytest
from langgraph_sdk.errors import APIStatusError

from errata.methods import ANSWERING, CORRECTING
from errata.server.keys import create_key
from langgraph_server import CORRECTED, REQUEST, RUN

pytestmark = pytest.mark.slow
HIDDEN, FORBIDDEN = (403, 404, 409), (403,)
CLAIMS = {"sub": "alice", "exp": 4_102_444_800, "aud": "errata"}
"""They expire on 1 January 2100: no test takes so long."""


def assert_refused(attempt, statuses, message=""):
    with pytest.raises((APIStatusError, httpx.HTTPStatusError)) as caught:
        attempt()
    assert caught.value.response.status_code in statuses
    texts = [str(caught.value), *getattr(caught.value, "__notes__", ())]
    assert message in " ".join(texts)


def unsigned(claims):
    parts = [{"alg": "none", "typ": "JWT"}, claims]
    coded = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in parts)
    return ".".join([*(text.rstrip("=") for text in coded), ""])


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x-api-key": ""},
        {"x-api-key": "errata_wrong"},
        {"authorization": "Bearer errata_wrong"},
        {"authorization": "Basic YWxpY2U6c2VjcmV0"},
        {"x-auth-scheme": "langsmith"},
        {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_x"},
        {"authorization": f"Bearer {unsigned(CLAIMS)}"},
    ],
)
@pytest.mark.parametrize("path", ["/threads/search", "/assistants/search", "/runs/wait"])
def test_without_a_key_nothing_is_served(guarded, headers, path):
    response = httpx.post(f"{guarded.url}{path}", json=RUN, headers=headers)
    assert response.status_code in (401, 403), response.text
    assert CORRECTED not in response.text


def test_a_callers_address_never_stands_for_a_key(guarded):
    """A plain proxy on the same machine makes every visitor look like a direct local caller."""
    local = {"host": "127.0.0.1:2024", "origin": "http://localhost:3000"}
    response = httpx.post(f"{guarded.url}/threads/search", json={}, headers=local)
    assert response.status_code == 401
    assert "ERRATA_AUTH=off" in response.text


PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type",
}


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:3000", True),
        ("http://127.0.0.1:5173", True),
        ("https://smith.langchain.com", True),
        ("https://eu.smith.langchain.com", True),
        ("https://chat.example", True),
        ("https://evil.example", False),
        ("https://localhost.evil.example", False),
        ("null", False),
    ],
)
def test_browsers_let_local_pages_studio_and_listed_origins_call(guarded, origin, allowed):
    url, expected = f"{guarded.url}/threads/search", origin if allowed else None
    preflight = httpx.options(url, headers={"origin": origin, **PREFLIGHT})
    assert preflight.is_success is allowed
    key = {"x-api-key": guarded.keys["alice"]}
    replies = [httpx.post(url, json={}, headers={"origin": origin, **each}) for each in ({}, key)]
    assert [reply.status_code for reply in replies] == [401, 200]
    for reply in (preflight, *replies):
        assert reply.headers.get("access-control-allow-origin") == expected
    assert "content-location" in replies[1].headers["access-control-expose-headers"]


@pytest.mark.parametrize("scheme", ["x-api-key", "authorization"])
def test_a_key_lets_its_holder_in(guarded, scheme):
    key = guarded.keys["alice"]
    headers = {scheme: key if scheme == "x-api-key" else f"Bearer {key}"}
    run = httpx.post(f"{guarded.url}/runs/wait", json=RUN, headers=headers, timeout=30)
    assert run.json()["response"] == CORRECTED


def test_a_key_is_withdrawn_while_the_server_runs(guarded):
    key, line = create_key("eve")
    before = guarded.file.read_text()
    guarded.file.write_text(f"{before}\n{line}")
    headers = {"x-api-key": key}
    ask = {"url": f"{guarded.url}/threads/search", "json": {}, "headers": headers}
    assert httpx.post(**ask).status_code == 200
    guarded.file.write_text(f"{before}\n")
    assert httpx.post(**ask).status_code == 401


@pytest.mark.parametrize("broken", ["bob\n{0}", None, "\0", b"\xff"])
def test_a_list_of_keys_that_cannot_be_read_leaves_the_last_good_one_valid(guarded, broken):
    before, logged = guarded.file.read_text(), len(guarded.log.read_text())
    bearer = {"authorization": f"Bearer {guarded.keys['bob']}"}
    callers = ({"x-api-key": guarded.keys["alice"]}, bearer, {"x-api-key": "other"})
    ask = partial(httpx.post, f"{guarded.url}/threads/search", json={})
    try:
        if broken is None:
            guarded.file.unlink()
        elif isinstance(broken, bytes):
            guarded.file.write_bytes(broken)
        else:
            guarded.file.write_text(broken.format(before))
        assert [ask(headers=headers).status_code for headers in callers * 2] == [200, 200, 401] * 2
        log = guarded.log.read_text()[logged:]
        assert log.count("keys that were read before it stay valid") == 1
        assert ("keys, line 1: not of the form" in log) is isinstance(broken, str)
    finally:
        guarded.file.write_text(before)
    assert ask(headers=callers[0]).status_code == 200


def test_threads_runs_and_state_belong_to_their_owner(guarded):
    with guarded.client("alice") as alice, guarded.client("bob") as bob:
        thread = alice.threads.create(metadata={"owner": "key:bob"})["thread_id"]
        alice.threads.update(thread, metadata={"owner": "key:bob"})
        alice.runs.wait(thread, "rac", input=REQUEST, metadata={"owner": "key:bob"})
        assert alice.threads.get(thread)["metadata"]["owner"] == "key:alice"
        run = alice.runs.list(thread)[0]["run_id"]
        assert alice.threads.get_state(thread)["values"]["response"] == CORRECTED
        for attempt in (
            lambda: bob.threads.get(thread),
            lambda: bob.threads.get_state(thread),
            lambda: bob.threads.get_history(thread),
            lambda: bob.threads.update_state(thread, {"draft": "x"}),
            lambda: bob.threads.update(thread, metadata={"owner": "key:bob"}),
            lambda: bob.threads.delete(thread),
            lambda: bob.threads.copy(thread),
            lambda: bob.runs.create(thread, "rac", input=REQUEST),
            lambda: bob.runs.wait(thread, "rac", input=REQUEST),
            lambda: bob.runs.get(thread, run),
            lambda: bob.runs.join(thread, run),
            lambda: bob.runs.cancel(thread, run),
            lambda: bob.runs.delete(thread, run),
        ):
            assert_refused(attempt, HIDDEN)
        assert thread not in [each["thread_id"] for each in bob.threads.search(limit=100)]
        assert thread in [each["thread_id"] for each in alice.threads.search(limit=100)]


def test_nothing_done_to_many_reaches_what_others_own(guarded):
    with (
        guarded.client("alice") as alice,
        guarded.client("bob") as bob,
        guarded.http("bob") as http,
    ):
        thread = alice.threads.create()["thread_id"]
        run = alice.runs.create(thread, guarded.slow, input=REQUEST)["run_id"]
        http.post("/runs/cancel", json={"status": "all"})
        http.post("/runs/cancel", json={"thread_id": thread, "run_ids": [run]})
        http.post("/threads/prune", json={"thread_ids": [thread]})
        assert alice.runs.join(thread, run)["label"] == "supported"
        assert alice.runs.get(thread, run)["status"] == "success"
        assert bob.threads.count() == len(bob.threads.search(limit=1000))


def test_assistants_belong_to_their_owner_and_the_graphs_own_to_all(guarded):
    spoofed = {"created_by": "system", "shared": "yes", "owner": "key:bob"}
    with guarded.client("alice") as alice, guarded.client("bob") as bob:
        own = alice.assistants.create("rac", name="mine", metadata=spoofed)["assistant_id"]
        assert alice.assistants.get(own)["metadata"]["owner"] == "key:alice"
        for attempt in (
            lambda: bob.assistants.get(own),
            lambda: bob.assistants.update(own, name="ours"),
            lambda: bob.assistants.delete(own),
            lambda: bob.runs.wait(None, own, input=REQUEST),
        ):
            assert_refused(attempt, HIDDEN)
        seen = {each["assistant_id"] for each in bob.assistants.search(limit=100)}
        assert own not in seen
        assert {each["graph_id"] for each in bob.assistants.search(limit=100)} == {
            *CORRECTING,
            *ANSWERING,
        }
        [rac] = bob.assistants.search(graph_id="rac", metadata={"created_by": "system"})
        assert_refused(lambda: bob.assistants.delete(rac["assistant_id"]), HIDDEN)


def test_an_admin_shares_an_assistant_with_settings_that_callers_may_not_name(guarded):
    context = {"corpus": guarded.corpus, "top_k": 3, "max_judged": 2_000}
    with guarded.client("root") as root, guarded.client("bob") as bob:
        created = root.assistants.create("rac", context=context, metadata={"shared": "yes"})
        shared = created["assistant_id"]
        out = bob.runs.wait(None, shared, input={"draft": REQUEST["draft"]})
        assert out["response"] == CORRECTED
        assert_refused(lambda: bob.assistants.update(shared, context={}), HIDDEN)


def test_search_engines_and_webhooks_are_the_operators_too(guarded):
    with guarded.client("alice") as alice:
        run = partial(alice.runs.wait, None, "crag", input={"question": "q"})
        for search in ("corpus:/etc", "serpapi", "searxng"):
            assert_refused(partial(run, context={"search": search}), FORBIDDEN, "not yours to set")
        assert_refused(
            lambda: alice.runs.create(
                None, "rac", input=REQUEST, webhook="https://93.184.216.34/hook"
            ),
            FORBIDDEN,
            "webhooks",
        )


def test_what_the_operator_allows_and_what_reaches_nothing_is_free(guarded):
    context = {
        "corpus": guarded.corpus,
        "model": "local",
        "check_only": True,
        "top_k": 2,
        "max_seconds": 5,
    }
    with guarded.client("alice") as alice:
        out = alice.runs.wait(None, "rac", input={"draft": REQUEST["draft"]}, context=context)
    assert (out["label"], "documents" in out) == ("refuted", False)


def test_crons_and_the_store_are_not_for_callers(guarded):
    with guarded.client("alice") as alice:
        for attempt in (
            lambda: alice.crons.create("rac", schedule="0 0 1 1 *", input=REQUEST),
            alice.crons.search,
            lambda: alice.store.put_item(["notes"], "k", {"text": "mine"}),
        ):
            assert_refused(attempt, (403, 404))
    with guarded.client("root") as root:
        cron = root.crons.create("rac", schedule="0 0 1 1 *", input=REQUEST)
        root.crons.delete(cron["cron_id"])
