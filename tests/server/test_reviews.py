"""The reviews that wait on a real server, decided on here."""

import pytest

from errata.core.errors import AccessError
from errata.langchain.reviews import find_waiting, resume
from langgraph_server import CORRECTED, DRAFT, REQUEST
from review_command import ReviewCommand

pytestmark = pytest.mark.slow
REVIEWED = {"review": "all"}


@pytest.fixture
def waiting_thread(client):
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, "rac", input=REQUEST, context=REVIEWED)
    yield thread
    client.threads.delete(thread)


@pytest.mark.parametrize(
    ("decision", "response"),
    [
        ("accept", CORRECTED),
        ("reject", DRAFT),
        ({"replace": "1866"}, DRAFT.replace("1865", "1866")),
    ],
)
def test_a_decision_resumes_the_run(open_url, client, waiting_thread, decision, response):
    [waiting] = find_waiting(open_url, waiting_thread)
    own = waiting.correction
    assert (own.draft, own.edits[0].after, own.label) == (DRAFT, "1867", "refuted")
    assert own.documents[0].text.startswith("Marie Curie (born 7 November 1867)")
    assert resume(open_url, waiting, {"e1": decision}) == response
    assert client.threads.get_state(waiting_thread)["values"]["response"] == response
    assert not find_waiting(open_url, waiting_thread)


def test_the_command_lists_what_waits_and_resumes_it(
    run_python, open_url, waiting_thread, tmp_path
):
    code = "from errata.cli import main; main()"
    listed = run_python(code, "review", "--url", open_url)
    assert waiting_thread in listed
    review = ReviewCommand(tmp_path, waiting_thread, "--url", open_url)
    review.decide(e1="accept")
    output, _, _ = review.finish()
    assert output.strip() == CORRECTED
    assert list(tmp_path.glob(f"{waiting_thread}.*.decisions.jsonl"))


def test_each_caller_sees_and_resumes_only_their_own(guarded, monkeypatch):
    with guarded.client("alice") as alice:
        thread = alice.threads.create()["thread_id"]
        alice.runs.wait(thread, "rac", input=REQUEST, context=REVIEWED)
    for name, sees in (("bob", 0), ("alice", 1)):
        monkeypatch.setenv("LANGGRAPH_API_KEY", guarded.keys[name])
        assert len(find_waiting(guarded.url, thread)) == sees
    [waiting] = find_waiting(guarded.url, thread)
    assert resume(guarded.url, waiting, {"e1": "accept"}) == CORRECTED
    monkeypatch.setenv("LANGGRAPH_API_KEY", "wrong")
    with pytest.raises(AccessError):
        find_waiting(guarded.url)
