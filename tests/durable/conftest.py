import os

import pytest

from example import REPLIES


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "runs.sqlite")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, file):
    """Each kind of store: Postgres where .ci/run has started one."""
    if request.param == "sqlite":
        return file
    if not (dsn := os.environ.get("POSTGRES_DSN")):
        pytest.skip("needs the Postgres that POSTGRES_DSN names, which is not here")
    return dsn


@pytest.fixture
def server(openai_server):
    openai_server.replies, openai_server.delay = REPLIES, 0.0
    return openai_server
