import contextlib
import gc
import json
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

# A slow machine is no fault of what is tested; each run draws other examples.
settings.register_profile("patient", deadline=None, max_examples=50)
settings.load_profile("patient")
# Tests run side by side: threads of one that wait for a core by spinning take it from others.
os.environ["OMP_NUM_THREADS"] = "1"
ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"


def pytest_collection():
    """Imports make objects that stay: collecting garbage among them is a tenth of the work."""
    gc.disable()


def pytest_collection_finish():
    """Let no later collection of garbage look at what was imported."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out file by file, and those of a folder of real servers together, which start once."""
    from xdist.scheduler import LoadFileScheduling

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            return "tests/server" if file.startswith("tests/server/") else file

    config.option.loadscopereorder = False  # the order is the one below
    return ByServer(config, log)


def pytest_collection_modifyitems(items):
    """Hand out first what takes longest: handed out last, it would be waited for alone."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        tests = Counter(item.path for item in items)
        slow = {item.path for item in items if item.get_closest_marker("slow")}

        def place(item):
            return item.path.parent.name != "server", item.path not in slow, -tests[item.path]

        items.sort(key=place)


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment():
    """Keep a developer's own settings out of the tests."""
    own = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("ERRATA_")}
    yield
    os.environ.update(own)


@pytest.fixture(autouse=True)
def unknown_endpoints():
    """Let no test find a server slowed down or down because of another."""
    from errata.tools.net.endpoints import forget_endpoints

    forget_endpoints()


@pytest.fixture
def eager_threads():
    """Threads take turns after every few instructions, not every five milliseconds."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.fixture
def root():
    """The repository's folder."""
    return ROOT


@pytest.fixture
def transformers():
    """The package, with torch: imported where they are used, as that takes seconds."""
    pytest.importorskip("torch", reason="needs errata[train-neural]")
    return pytest.importorskip("transformers", reason="needs errata[train-neural]")


@pytest.fixture
def demo(root):
    """The demo corpus as a search engine's name."""
    return f"corpus:{root / 'demo' / 'corpus'}"


@pytest.fixture
def shared_data():
    """The folder of the labelled data."""
    if not SHARED.is_dir():
        pytest.skip("needs the labelled data of shared/data")
    return SHARED


@pytest.fixture
def scripted(tmp_path):
    """The spec of a model whose replies to each prompt are written to a script."""

    def write(replies):
        path = tmp_path / f"script-{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(replies))
        return f"scripted:{path}"

    return write


@pytest.fixture
def write(tmp_path):
    """Writes a file into the folder of the test, or into one there; its path."""

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(params=["decisions", "systemone"])
def form(request):
    """A wire form of decision models."""
    return request.param


@pytest.fixture
def deciders(serving):
    """A server of decision models."""
    from decisions_server import DecisionsServer

    server = DecisionsServer()
    server.url = serving(server.app) + "/v1"
    return server


@pytest.fixture
def run_python():
    """The output of code that runs in a process of its own."""

    def run(code, *arguments, seconds=60):
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds)
        assert not done.returncode, done.stderr
        return done.stdout

    return run


@pytest.fixture
def updates():
    """The steps that a run takes, each with its update of the state."""

    async def run(graph, request, context=None):
        options = {"context": context, "stream_mode": "updates", "subgraphs": True}
        stream = graph.astream(request, **options)
        return [step async for _, update in stream for step in update.items()]

    return run


@pytest.fixture
def serving():
    """Serves apps on loopback while a test runs; the address of each."""
    from serve import served

    with contextlib.ExitStack() as stack:
        yield lambda app, *place, **port: stack.enter_context(served(app, *place, **port))


@pytest.fixture(scope="session")
def serving_all():
    """Serves apps on loopback while all tests run."""
    from serve import served

    with contextlib.ExitStack() as stack:
        yield lambda app: stack.enter_context(served(app))


@pytest.fixture
def page_site(serving):
    """The address of the page of the worked example on loopback, and the paths asked for there."""
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.routing import Route

    from example import PAGE

    asked = []

    async def page(request):
        asked.append(request.url.path)
        return PlainTextResponse(PAGE)

    return f"{serving(Starlette(routes=[Route('/page', page)]))}/page", asked


@pytest.fixture
def browser(tmp_path):
    """Chromium without a window and without the network."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    paths = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(paths):
        pytest.skip("needs Chromium and its driver, which are not here")
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for flag in (
        "headless no-sandbox disable-gpu disable-quic no-first-run disable-component-update "
        "disable-background-networking disable-sync window-size=420,800 "
        f"user-data-dir={tmp_path / 'profile'}"
    ).split():
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, webdriver.ChromeService(paths[1]))
    yield driver
    driver.quit()


@pytest.fixture
def openai_server(serving, monkeypatch):
    """A server that the models named `openai:…` are on."""
    from openai_server import OpenAIServer

    server = OpenAIServer()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{serving(server.app)}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", server.KEY)
    return server


@pytest.fixture
def start_review():
    """Starts servers, each with a review and its `url`, that serve while a test runs."""
    from errata.cli.review_page import ReviewServer

    servers = []

    def serve(review):
        server = ReviewServer(review)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return server

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
