"""Pages of several origins in a real browser, calling a server with keys and one without."""

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route

pytestmark = pytest.mark.slow
PAGE = Starlette(routes=[Route("/", lambda _: HTMLResponse("<title>A chat page</title>"))])
FETCH = """
const [url, key, simple, done] = arguments;
const headers = simple ? {} : {"content-type": "application/json", ...(key && {"x-api-key": key})};
fetch(url, {method: "POST", headers, body: simple ? "" : "{}"})
  .then((reply) => done(reply.status), (error) => done(String(error)));
"""


@pytest.fixture
def fetch(browser):
    """The status of a request that a page sends, or the browser's error."""

    def call(page, url, key="", simple=False):
        browser.get(page)
        return browser.execute_async_script(FETCH, url, key, simple)

    return call


def test_a_local_page_calls_with_a_key_and_a_foreign_one_does_not(guarded, serving, fetch):
    url, key = f"{guarded.url}/threads/search", guarded.keys["alice"]
    local, foreign = serving(PAGE), serving(PAGE, "127.0.0.2")
    assert fetch(local, url, key) == 200
    assert fetch(local, url) == 401
    assert "Failed to fetch" in fetch(foreign, url, key)


def test_a_foreign_page_neither_reads_nor_wipes_a_server_without_keys(open_url, serving, fetch):
    local, foreign = serving(PAGE), serving(PAGE, "127.0.0.2")
    assert fetch(local, f"{open_url}/threads/search") == 200
    assert "Failed to fetch" in fetch(foreign, f"{open_url}/threads/search")
    assert fetch(local, f"{open_url}/internal/truncate", simple=True) == 404
    assert "Failed to fetch" in fetch(foreign, f"{open_url}/internal/truncate", simple=True)
