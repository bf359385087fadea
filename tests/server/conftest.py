import json

import httpx
import pytest
from langgraph_sdk import get_sync_client

from errata.server.keys import create_key
from langgraph_server import ROOT, run_server
from openai_server import OpenAIServer

DELAY = 4.0
SURPRISE = "/surprise"
"""A route beside the server's auth, as a release of LangGraph may add one."""
LISTING = f"""
import json
from contextlib import asynccontextmanager
from pathlib import Path

import langgraph_api.api as api
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from errata.server.app import app


def walk(routes, prefix=""):
    for route in routes:
        if isinstance(route, Mount):
            yield ["GET"], prefix + route.path + ("" if route.routes else "/x")
            yield from walk(route.routes, prefix + route.path)
        else:
            methods = getattr(route, "methods", ["WEBSOCKET"])
            yield sorted(methods or ["GET", "POST", "PUT", "PATCH", "DELETE"]), prefix + route.path


inner = app.router.lifespan_context


@asynccontextmanager
async def list_routes(started):
    Path("routes.json").write_text(json.dumps(list(walk(app.routes))))
    async with inner(started):
        yield


app.router.lifespan_context = list_routes
surprise = Route("{SURPRISE}", lambda _: PlainTextResponse("open"))
api.unshadowable_meta_routes.append(surprise)
"""
"""The app, which also writes all routes of its server down."""


@pytest.fixture(scope="session")
def open_url(tmp_path_factory):
    """The URL of a server that was started without keys, as `make serve` does."""
    with run_server(tmp_path_factory.mktemp("open"), ERRATA_AUTH="off") as url:
        yield url


@pytest.fixture(scope="session")
def client(open_url):
    with get_sync_client(url=open_url) as sdk:
        yield sdk


class GuardedServer:
    """A server that needs keys, with the key of everybody who may use it, and all its routes."""

    SURPRISE = SURPRISE

    def __init__(self, folder):
        pairs = {name: create_key(name) for name in ("alice", "bob", "carol", "dave")}
        pairs["root"] = create_key("root", "admin")
        self.keys = {name: key for name, (key, _) in pairs.items()}
        self.file = folder / "keys"
        self.file.write_text("\n".join(line for _, line in pairs.values()))
        self.corpus = str(folder / "corpus")

    def client(self, name):
        return get_sync_client(url=self.url, api_key=self.keys[name])

    def http(self, name=None, **headers):
        key = {"x-api-key": self.keys[name]} if name else {}
        return httpx.Client(base_url=self.url, headers=key | headers, timeout=30)


@pytest.fixture(scope="session")
def guarded(tmp_path_factory, slow_model):
    """A server bound to every address, so that all need a key, with the operator's limits."""
    folder = tmp_path_factory.mktemp("guarded")
    server = GuardedServer(folder)
    config = json.loads((ROOT / "langgraph.json").read_text())
    config["http"]["app"] = "./listing.py:app"
    (folder / "langgraph.json").write_text(json.dumps(config))
    (folder / "listing.py").write_text(LISTING)
    (folder / "corpus").mkdir()
    (folder / "corpus" / "curie.txt").write_text("Marie Curie was born on 7 November 1867.")
    most = {"RUNS": 3, "OPEN": 30, "JUDGED": 2, "DRAFT_CHARS": 5_000, "BODY_BYTES": 50_000}
    variables = {f"ERRATA_MAX_{name}": str(number) for name, number in most.items()} | {
        "ERRATA_API_KEYS_FILE": str(server.file),
        "ERRATA_ALLOW_ORIGINS": "https://a.example, https://chat.example,",
        "ERRATA_CORPUS": server.corpus,
        "OPENAI_BASE_URL": slow_model,
        "OPENAI_API_KEY": "sk-of-the-operator-0123",
    }
    with run_server(folder, "0.0.0.0", **variables) as server.url:
        server.routes = json.loads((folder / "routes.json").read_text())
        with server.client("root") as root:
            slow = {"context": {"roles": {"verify": "openai:slow"}}, "metadata": {"shared": "yes"}}
            server.slow = root.assistants.create("rac", **slow)["assistant_id"]
        yield server


@pytest.fixture(scope="session")
def slow_model(serving_all):
    """The base URL of a model that replies after a delay."""
    server = OpenAIServer()
    server.delay, server.replies = DELAY, {"rac/verify": "1: True"}
    return f"{serving_all(server.app)}/v1"
