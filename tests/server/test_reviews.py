"""The page at /review on a real server: who sees what, what is kept, what resumes."""

import json

import httpx
import pytest
from langgraph_sdk import get_sync_client
from selenium.webdriver.common.keys import Keys

from langgraph_server import CORRECTED, DRAFT, PAGE, REQUEST, run_server
from review_page import ATTACK, ReviewPage

pytestmark = pytest.mark.slow
REVIEWED = {"review": "all"}
PEOPLE = [
    f"{n} {m}"
    for n in "Ada Ben Cora Dora Emil Fred Gina Hans".split()
    for m in "Weber Lang Klein Roth Braun".split()
]
FORTY = {
    "draft": " ".join(f"{name} was born in 1865." for name in PEOPLE),
    "documents": [{"text": f"{name} was born in 1867."} for name in PEOPLE],
}
HOSTILE = {
    "question": f"Who? {ATTACK}",
    "draft": f"{DRAFT} {ATTACK}",
    "documents": [{"text": f"{PAGE} {ATTACK}", "title": ATTACK, "url": "javascript:alert(1)"}],
}


def wait_for_review(client, request=REQUEST, graph="rac", **context):
    thread = client.threads.create()["thread_id"]
    client.runs.wait(thread, graph, input=request, context=REVIEWED | context)
    return thread


class Asked:
    """What the page asks its server for, about one thread or all."""

    def __init__(self, http, **thread):
        self.http, self.thread = http, thread

    def get(self, what):
        return self.http.get(f"/review/{what}", params=self.thread)

    def post(self, what, **body):
        return self.http.post(f"/review/{what}", params=self.thread, json=body)

    def page(self):
        """The last page of the stream."""
        reply = self.get("events")
        assert reply.is_success, reply.text
        return json.loads(reply.text.splitlines()[-1])

    def name(self):
        return self.page().partition('data-name="')[2].partition('"')[0]

    def decide(self, decision, name="", edit="e1"):
        name = name or self.name()
        return self.post("decisions", name=name, id=edit, decision=decision, comment="why")


@pytest.mark.parametrize(
    ("decision", "response"),
    [
        ("accept", CORRECTED),
        ("reject", DRAFT),
        ({"replace": "1866"}, DRAFT.replace("1865", "1866")),
    ],
)
def test_decisions_are_kept_and_resume_the_run(open_url, client, decision, response):
    thread = wait_for_review(client)
    with httpx.Client(base_url=open_url, timeout=30) as http:
        asked = Asked(http, thread=thread)
        assert f'<a href="?thread={thread}">{DRAFT}</a>' in Asked(http).page()
        assert "Marie Curie (born 7 November 1867)" in asked.page()
        name = asked.name()
        assert asked.post("finish", name=name).json() == {"detail": "decide on all edits first"}
        assert asked.decide("perhaps").status_code == 422
        assert asked.decide(decision, edit="e9").status_code == 422
        assert asked.decide(decision).json()["text"] == response
        assert "waits no longer" in asked.decide(decision, "another").json()["detail"]
        [row] = map(json.loads, asked.get("decisions").text.splitlines())
        assert (row["claim"], row["edit"], row["comment"]) == (DRAFT, "e1", "why")
        assert asked.post("finish", name=name).json() == {"live": True}
        assert f'id="finished">{response}</div>' in asked.page()
        assert client.threads.get_state(thread)["values"]["response"] == response
        assert row in map(json.loads, Asked(http).get("decisions").text.splitlines())
        assert thread not in Asked(http).page()
    client.threads.delete(thread)


def test_each_caller_sees_and_decides_only_their_own(guarded):
    with guarded.client("alice") as alice, guarded.http() as http:
        thread = wait_for_review(alice, max_seconds=30)
        shell = http.get("/review/")
        assert (shell.status_code, "frame-ancestors 'none'" in str(shell.headers)) == (200, True)
        assert str(http.get("/review").headers["location"]) == "review/"
        for what in ("events", "decisions"):
            assert http.get(f"/review/{what}", params={"thread": thread}).status_code == 401
    with guarded.http("alice") as http:
        own = Asked(http, thread=thread)
        name = own.name()
        assert own.decide("accept").is_success
    with guarded.http("bob") as http:
        assert thread not in Asked(http).page()
        asked = Asked(http, thread=thread)
        replies = [asked.get("events"), asked.post("finish", name=name), asked.decide("x", name)]
        assert {each.status_code for each in replies} == {422}
        assert all("of yours" in each.json()["detail"] for each in replies)
        assert (asked.get("decisions").text, Asked(http).get("decisions").text) == ("", "")
    with guarded.http("alice") as http:
        assert Asked(http, thread=thread).post("finish", name=name).is_success
        assert CORRECTED in Asked(http, thread=thread).page()
    token = {"authorization": f"Bearer {guarded.token('ann.lee@a.example')}"}
    with guarded.http(**token) as http:
        assert Asked(http).get("decisions").status_code == 200


def test_a_page_by_keyboard_with_a_key_where_hostile_text_does_nothing(browser, guarded):
    with guarded.client("alice") as alice:
        thread = wait_for_review(alice, HOSTILE)
        page = ReviewPage(browser)
        browser.get(f"{guarded.url}/review/")
        page.enter_key("wrong")
        page.enter_key(guarded.keys["alice"])
        page.says("here")
        link = browser.find_element("css selector", f"a[href='?thread={thread}']")
        assert (link.text, browser.title) == (f"Who? {ATTACK}"[:60], "errata: Reviews")
        link.send_keys(Keys.ENTER)
        page.says("of 1 decided")
        page.press("e")
        page.press(Keys.CONTROL, "a", Keys.NULL, f"1867 {ATTACK}", Keys.CONTROL, Keys.ENTER)
        page.says("1 of 1 decided; kept")
        page.press("f")
        page.says("the thread is idle")
        assert browser.find_element("id", "finished").text == f"{CORRECTED} {ATTACK}".replace(
            "1867", f"1867 {ATTACK}"
        )
        assert browser.title == f"errata: Who? {ATTACK}"
        assert not browser.find_elements("css selector", "img, main script, a[href^=javascript]")
        assert not [e for e in browser.get_log("browser") if "401" not in e["message"]]
        browser.execute_script("sessionStorage.clear()")
        browser.refresh()
        page.enter_key(guarded.keys["bob"])
        page.says(f"no thread '{thread}' of yours")
        assert "1865" not in browser.page_source
        alice.threads.delete(thread)


def test_a_page_is_live_while_a_run_streams(browser, guarded):
    page = ReviewPage(browser)
    with guarded.client("alice") as alice:
        thread = alice.threads.create()["thread_id"]
        alice.runs.create(
            thread,
            "errata",
            input={**REQUEST, "draft": f"{DRAFT} She liked to cook for her friends."},
            context=REVIEWED | {"model": "openai:slow"},
            stream_mode=["custom"],
            stream_resumable=True,
        )
        browser.get(f"{guarded.url}/review/?thread={thread}")
        page.enter_key(guarded.keys["alice"])
        page.shows("main[data-live]", "cook for her friends.")
        page.shows("main[data-live]", "refuted")
        page.says("the thread is idle")
        alice.threads.delete(thread)


@pytest.mark.growth
def test_forty_edits_by_keyboard_and_a_server_that_ends_and_loses_its_store(browser, tmp_path):
    with run_server(tmp_path, ERRATA_AUTH="off") as url:
        with get_sync_client(url=url) as client:
            thread = wait_for_review(client, FORTY)
        page = ReviewPage(browser, f"{url}/review/?thread={thread}")
        page.press("j")
        page.press(*"aar" * 6)
        page.says("18 of 40 decided; kept")
        page.press("e")
        page.press(Keys.CONTROL, "a", Keys.NULL, "1868", Keys.CONTROL, Keys.ENTER)
        page.says("19 of 40 decided; kept")
    (tmp_path / ".langgraph_api" / "store.pckl").unlink()  # as after a crash
    page.press("a")
    page.says("NOT kept: the server is gone")
    before = page.made()
    assert before == ["accept", "accept", "reject"] * 6 + ["replace"] + [""] * 21

    with run_server(tmp_path, port=httpx.URL(url).port, ERRATA_AUTH="off"):
        browser.refresh()
        page.says("19 of 40 decided")
        assert page.made() == before
        page.press("j", *"a" * 21)  # its first open one, then the others
        page.press("f")
        page.says("the thread is idle")
        reply = httpx.get(f"{url}/review/decisions", params={"thread": thread}, timeout=30)
        rows = [json.loads(line) for line in reply.text.splitlines()]
        assert [row["label"] for row in rows].count("supported") == 6
        sentences = browser.find_element("id", "finished").text.split(". ")
        kept = [sentence.rpartition(" ")[2].rstrip(".") for sentence in sentences]
        assert kept == ["1867", "1867", "1865"] * 6 + ["1868"] + ["1867"] * 21
