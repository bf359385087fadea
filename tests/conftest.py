import contextlib
import os
import socket
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(autouse=True)
def clean_environment():
    """Keep a developer's own settings out of the tests, and theirs out of each other."""
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("ERRATA_")}
    yield
    os.environ.update(kept)


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def biographies_folder():
    folder = SHARED / "factscore-bio"
    if not folder.is_dir():
        pytest.skip("needs the labelled biographies of shared/data, which are not here")
    return folder


@pytest.fixture
def squad_folder():
    folder = SHARED / "squad"
    if not folder.is_dir():
        pytest.skip("needs the questions of shared/data/squad, which are not here")
    return folder


@pytest.fixture
def script(tmp_path):
    """Write a script of replies and give its spec."""
    import json

    def write(**replies):
        path = tmp_path / "script.json"
        path.write_text(json.dumps({f"rac/{name}": reply for name, reply in replies.items()}))
        return f"scripted:{path}"

    return write


@pytest.fixture
def scripted(tmp_path):
    """Write a script of replies by full prompt name and give its spec."""
    import json

    def write(replies):
        path = tmp_path / f"script-{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps(replies))
        return f"scripted:{path}"

    return write


@contextlib.contextmanager
def served(app, host="127.0.0.1"):
    """Serve an app on loopback; give its address."""
    import uvicorn

    listener = socket.create_server((host, 0))
    config = uvicorn.Config(app, log_level="error", ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://{host}:{listener.getsockname()[1]}"
    server.should_exit = server.force_exit = True
    thread.join(5)
    listener.close()


@pytest.fixture
def serving():
    """Serve apps on loopback while a test runs; give each one's address."""
    with contextlib.ExitStack() as stack:
        yield lambda app, host="127.0.0.1": stack.enter_context(served(app, host))


@pytest.fixture(scope="session")
def serving_all():
    """Serve apps on loopback while all tests run."""
    with contextlib.ExitStack() as stack:
        yield lambda app: stack.enter_context(served(app))
