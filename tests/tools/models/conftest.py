import pytest

from errata.tools.net.sqlite_store import SqliteStore


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "kept" / "calls.sqlite")


@pytest.fixture
def calls(path):
    store = SqliteStore(path)
    yield store
    store.close()
