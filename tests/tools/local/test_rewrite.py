"""Questions rewritten to keywords."""

import pytest

from errata.tools.local.generate import rewrite


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("What is Henry Feilden's occupation?", "Henry Feilden, occupation"),
        ("In what city was Billy Carlson born?", "Billy Carlson, city born"),
        ("who won", "won"),
        ("Who?", "Who?"),
    ],
)
def test_questions_become_keywords(question, query):
    assert rewrite(question) == query
