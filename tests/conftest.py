import os
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
def script(tmp_path):
    """Write a script of replies and give its spec."""
    import json

    def write(**replies):
        path = tmp_path / "script.json"
        path.write_text(json.dumps({f"rac/{name}": reply for name, reply in replies.items()}))
        return f"scripted:{path}"

    return write
