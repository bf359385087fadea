"""The cache of search results."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from errata.core.records import Hit, SearchResult
from errata.tools.web.caches import SearchCache

RESULT = SearchResult(
    query="q", engine="serper", hits=(Hit(url="https://a.example", title="A"),), answer_box="1867"
)


def test_a_stored_result_comes_back(tmp_path):
    cache = SearchCache(str(tmp_path / "new"), hours=1.0)
    cache.put(RESULT, 10)
    assert cache.get("serper", "q", 10) == RESULT


@pytest.mark.parametrize(
    ("engine", "query", "count"),
    [("serper", "other", 10), ("searxng", "q", 10), ("serper", "q", 30)],
)
def test_results_belong_to_one_engine_query_and_count(tmp_path, engine, query, count):
    cache = SearchCache(str(tmp_path))
    cache.put(RESULT, 10)
    assert cache.get(engine, query, count) is None


def test_an_old_result_is_ignored(tmp_path):
    SearchCache(str(tmp_path)).put(RESULT, 10)
    assert SearchCache(str(tmp_path), hours=0.0).get("serper", "q", 10) is None


def test_without_a_folder_nothing_is_stored():
    cache = SearchCache()
    cache.put(RESULT, 10)
    assert cache.get("serper", "q", 10) is None


@pytest.mark.usefixtures("eager_threads")
def test_one_search_may_be_stored_by_many_threads_at_once(tmp_path):
    cache = SearchCache(str(tmp_path))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(cache.put, [RESULT] * 40, [10] * 40))
    assert cache.get("serper", "q", 10) == RESULT
