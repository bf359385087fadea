"""The real server with limits: the size of a body, the length of a text, runs at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

pytestmark = pytest.mark.slow
REQUEST = {
    "draft": "Marie Curie was born in 1865.",
    "documents": [{"text": "Marie Curie (born 7 November 1867) was a physicist."}],
}
CORRECTED = "Marie Curie was born in 1867."
RUN = {"assistant_id": "rac", "input": REQUEST}


def test_a_long_draft_and_a_large_body_are_refused(guarded):
    with guarded.http("alice") as http:
        long = http.post("/runs/wait", json={**RUN, "input": {"draft": "x" * 6000}})
        assert (long.status_code, "6000 characters" in long.text) == (413, True)
        chat = {**RUN, "input": {"messages": [{"role": "user", "content": "x" * 6000}]}}
        assert http.post("/runs/wait", json=chat).status_code == 413
        large = {**RUN, "input": {"draft": "x", "documents": [{"text": "x" * 60_000}]}}
        assert http.post("/runs/wait", json=large).status_code == 413

        def pieces():
            for _ in range(60):
                yield b"x" * 1000

        assert http.post("/runs/wait", content=pieces()).status_code == 413


def test_a_caller_has_so_many_runs_under_way_and_no_more(guarded):
    context = {"roles": {"verify": "openai:slow"}}
    body = {**RUN, "context": context, "on_completion": "delete"}

    def status(name):
        with guarded.http(name) as http:
            return http.post("/runs/wait", json=body).status_code

    with ThreadPoolExecutor(12) as pool:
        carols = pool.map(status, ["carol"] * 10)
        bobs = pool.map(status, ["bob"] * 2)
        codes = sorted(carols)
        assert list(bobs) == [200, 200]
    assert set(codes) == {200, 429}
    assert codes.count(200) == 3
    assert status("carol") == 200


def test_mcp_holds_callers_to_the_same_limits(guarded, mcp_call):
    async def use(client):
        arguments = {"draft": REQUEST["draft"]}
        short = await client.call_tool("correct", arguments)
        return short, await client.call_tool("correct", {"draft": "x" * 6000})

    headers = {"x-api-key": guarded.keys["alice"]}
    short, long = mcp_call(guarded.url, use, **headers)
    assert short.content[0].text.startswith(CORRECTED)
    assert long.is_error
    assert "6000 characters" in long.content[0].text
