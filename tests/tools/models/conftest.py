import pytest

from errata.tools.models.sqlite_calls import SqliteCalls


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "kept" / "calls.sqlite")


@pytest.fixture
def calls(path):
    store = SqliteCalls(path)
    yield store
    store.close()
