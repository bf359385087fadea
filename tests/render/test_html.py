"""What the page of a review shows, read as text."""

import pytest

from errata import correct
from errata.render.html import page
from example import PAGE, QUESTION

DRAFT = "Marie Curie was born in 1865 and kept <b>bees</b>.\nShe was a physicist."
DOCUMENT = {
    "title": "A <script>alert(1)</script> page",
    "url": "https://example.org/curie",
    "text": PAGE,
}


def shown(**document):
    result = correct(QUESTION, DRAFT, documents=[DOCUMENT | document])
    return page(result, {}, result.draft)


def test_an_edit_shows_claim_verdict_explanation_quote_and_link_all_escaped():
    text = shown()
    assert "<del>1865</del><ins>1867</ins>" in text
    assert "Marie Curie was born in 1865" in text.split("Claims")[0]
    assert "the draft says 1865; the evidence says 1867" in text
    assert "<q>Marie Curie (born 7 November 1867)" in text
    assert 'href="https://example.org/curie"' in text
    assert text.count("<script") == 1
    assert "<b>bees</b>" not in text
    assert "kept &lt;b&gt;bees&lt;/b&gt;" in text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://[::1", ""]
)
def test_only_web_addresses_become_links(url):
    assert "<a " not in shown(url=url)
