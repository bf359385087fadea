"""The cache of search results."""

import pytest

from errata.records import Hit, SearchResult
from errata.tools.web.cache import SearchCache

RESULT = SearchResult(
    query="q", engine="serper", hits=(Hit(url="https://a.example", title="A"),), answer_box="1867"
)


def test_a_stored_result_comes_back(tmp_path):
    cache = SearchCache(str(tmp_path / "new"), hours=1.0)
    cache.put(RESULT)
    assert cache.get("serper", "q") == RESULT


@pytest.mark.parametrize(("engine", "query"), [("serper", "other"), ("searxng", "q")])
def test_results_belong_to_one_engine_and_query(tmp_path, engine, query):
    cache = SearchCache(str(tmp_path))
    cache.put(RESULT)
    assert cache.get(engine, query) is None


def test_an_old_result_is_ignored(tmp_path):
    SearchCache(str(tmp_path)).put(RESULT)
    assert SearchCache(str(tmp_path), hours=0.0).get("serper", "q") is None


def test_without_a_folder_nothing_is_stored():
    cache = SearchCache()
    cache.put(RESULT)
    assert cache.get("serper", "q") is None
