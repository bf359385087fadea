"""Models' replies kept in a real Redis on loopback."""

import pytest

from cached_calls import KEPT, keep, kept
from errata import correct
from errata.tools.net.stores import RedisStore
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

COUNTED = {
    **KEPT,
    "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
    "sampling": {"temperature": 0.0},
}


@pytest.fixture
def calls(redis_url):
    store = RedisStore(redis_url)
    yield store
    store.prune(size=0)
    store.close()


def test_a_reply_is_kept_and_counted(calls):
    assert calls.get("a") is None
    keep(calls, "a", **COUNTED)
    assert kept(calls, "a") == COUNTED
    assert calls.get("a", 2000.0) is None
    calls.count_hit("a", calls.get("a"))
    found = calls.summary()
    assert (found.kind, found.entries, found.hits) == ("calls", 1, 1)
    assert found.by["model"] == {"openai:m": {"entries": 1, "hits": 1}}
    assert found.oldest == found.newest == 1000.0


def test_the_oldest_are_taken_out(calls):
    for number in range(10):
        keep(calls, str(number), made=1000.0 + number)
    size = calls.summary().size
    assert calls.prune(before=1002.0) == 2
    assert calls.prune(size=size // 2) == 3
    left = [name for name in map(str, range(10)) if calls.get(name)]
    assert left == ["5", "6", "7", "8", "9"]


@pytest.mark.usefixtures("calls")
def test_runs_share_redis(openai_server, redis_url):
    openai_server.replies = REPLIES
    settings = {"documents": [PAGE], "model": "openai:m", "call_cache": redis_url}
    first, again = (correct(QUESTION, DRAFT, **settings) for _ in range(2))
    assert first.response == again.response == RESPONSE
    assert (again.usage.model_calls, again.usage.cached_calls) == (0, 4)


def test_redis_that_nobody_serves_is_noted_once(openai_server):
    pytest.importorskip("redis", reason="needs the package redis (extra redis)")
    openai_server.replies = REPLIES
    place = "redis://someone:hidden-word@127.0.0.1:9/0"
    result = correct(QUESTION, DRAFT, documents=[PAGE], model="openai:m", call_cache=place)
    assert result.response == RESPONSE
    [note] = [note for note in result.notes if "call cache" in note]
    assert "redis://127.0.0.1:9/0: ConnectionError; replies are not kept" in note
    assert result.usage.model_calls == 4
