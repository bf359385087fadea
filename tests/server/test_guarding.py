"""The real server bound to every address: keys, pages of browsers, owners, admins."""

from uuid import UUID

import httpx
import pytest

from errata.methods import ANSWERING, CORRECTING
from errata.server.keys import create_key
from example import CORRECTED_CLAIM
from langgraph_server import REQUEST, RUN

pytestmark = pytest.mark.slow
PREFLIGHT = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "x-api-key,content-type",
}


def assert_refused(*attempts):
    """Not for a caller: forbidden, or not there for them."""
    for attempt in attempts:
        with pytest.raises(httpx.HTTPStatusError) as caught:
            attempt()
        assert caught.value.response.status_code in (403, 404, 409)


NO_KEY = [
    *({}, {"x-api-key": ""}, {"x-api-key": "errata_wrong"}),
    *({"authorization": "Bearer errata_wrong"}, {"authorization": "Basic YWxpY2U6c2VjcmV0"}),
    {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_x"},
    {"host": "127.0.0.1:2024", "origin": "http://localhost:3000"},
]


@pytest.mark.parametrize("headers", NO_KEY)
@pytest.mark.parametrize("path", ["/threads/search", "/assistants/search", "/runs/wait"])
def test_without_a_key_nothing_is_served(guarded, headers, path):
    """Nor does an address stand for one: behind a proxy here every visitor looks local."""
    response = httpx.post(f"{guarded.url}{path}", json=RUN, headers=headers)
    assert (response.status_code, "ERRATA_AUTH=off" in response.text) == (401, True)


OWN = ["http://localhost:3000", "http://127.0.0.1:5173"]
OWN += ["https://smith.langchain.com", "https://chat.example"]
FOREIGN = ["https://evil.example", "https://localhost.evil.example", "null"]


@pytest.mark.parametrize("origin", OWN + FOREIGN)
def test_browsers_let_local_pages_studio_and_listed_origins_call(guarded, origin):
    path, allowed = "/threads/search", origin in OWN
    with guarded.http(origin=origin) as nobody, guarded.http("alice", origin=origin) as alice:
        preflight = nobody.options(path, headers=PREFLIGHT)
        unknown, known = nobody.post(path, json={}), alice.post(path, json={})
    assert preflight.is_success is allowed
    assert [unknown.status_code, known.status_code] == [401, 200]
    for reply in (preflight, unknown, known):
        assert reply.headers.get("access-control-allow-origin") == (origin if allowed else None)
    assert "content-location" in known.headers["access-control-expose-headers"]


def test_a_key_is_given_and_withdrawn_while_the_server_runs(guarded):
    key, line = create_key("eve")
    before = guarded.file.read_text()
    bearer = {"authorization": f"Bearer {key}"}
    ask = {"url": f"{guarded.url}/runs/wait", "json": RUN, "headers": bearer}
    guarded.file.write_text(f"{before}\n{line}")
    assert httpx.post(**ask, timeout=30).json()["response"] == CORRECTED_CLAIM
    guarded.file.write_text(before)
    assert httpx.post(**ask).status_code == 401


def test_threads_runs_and_state_belong_to_their_owner(guarded):
    with guarded.client("alice") as alice, guarded.client("bob") as bob:
        thread = alice.threads.create(metadata={"owner": "key:bob"})["thread_id"]
        alice.threads.update(thread, metadata={"owner": "key:bob"})
        alice.runs.wait(thread, "rac", input=REQUEST, metadata={"owner": "key:bob"})
        assert alice.threads.get(thread)["metadata"]["owner"] == "key:alice"
        run = alice.runs.list(thread)[0]["run_id"]
        assert alice.threads.get_state(thread)["values"]["response"] == CORRECTED_CLAIM
        assert_refused(
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
        )
        assert thread not in [each["thread_id"] for each in bob.threads.search(limit=100)]
        assert thread in [each["thread_id"] for each in alice.threads.search(limit=100)]


def test_an_admin_sees_what_others_own_and_leaves_it_theirs(guarded):
    with guarded.client("alice") as alice, guarded.client("root") as root:
        thread = alice.threads.create(metadata={"of": "alice"})["thread_id"]
        assert [each["thread_id"] for each in root.threads.search(metadata={"of": "alice"})]
        assert root.threads.count() >= alice.threads.count() > 0
        root.threads.update(thread, metadata={"seen": "yes"})
        root.runs.wait(thread, "rac", input=REQUEST)
        assert alice.threads.get(thread)["metadata"]["seen"] == "yes"


def test_nothing_done_to_many_reaches_what_others_own(guarded):
    with guarded.client("alice") as alice, guarded.client("bob") as bob:
        thread = alice.threads.create()["thread_id"]
        run = alice.runs.create(thread, guarded.slow, input=REQUEST)["run_id"]
        with guarded.http("bob") as http:
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
        seen = bob.assistants.search(limit=100)
        assert own not in [each["assistant_id"] for each in seen]
        assert {each["graph_id"] for each in seen} == {*CORRECTING, *ANSWERING}
        [rac] = bob.assistants.search(graph_id="rac", metadata={"created_by": "system"})
        assert_refused(
            lambda: bob.assistants.get(own),
            lambda: bob.assistants.update(own, name="ours"),
            lambda: bob.assistants.delete(own),
            lambda: bob.runs.wait(None, own, input=REQUEST),
            lambda: bob.assistants.delete(rac["assistant_id"]),
            lambda: bob.runs.wait(None, str(UUID(int=1)), input=REQUEST),
        )


def test_an_admin_shares_an_assistant_with_settings_that_callers_may_not_name(guarded):
    context = {"corpus": guarded.corpus, "top_k": 3, "max_judged": 2_000}
    with guarded.client("root") as root, guarded.client("bob") as bob:
        created = root.assistants.create("rac", context=context, metadata={"shared": "yes"})
        shared = created["assistant_id"]
        out = bob.runs.wait(None, shared, input={"draft": REQUEST["draft"]})
        assert out["response"] == CORRECTED_CLAIM
        assert_refused(lambda: bob.assistants.update(shared, context={}))


def test_crons_and_the_store_are_not_for_callers(guarded):
    yearly = {"schedule": "0 0 1 1 *", "input": REQUEST}
    with guarded.client("alice") as alice, guarded.client("root") as root:
        assert_refused(
            lambda: alice.crons.create("rac", **yearly),
            alice.crons.search,
            lambda: alice.store.put_item(["notes"], "k", {"text": "mine"}),
        )
        root.crons.delete(root.crons.create("rac", **yearly)["cron_id"])
