"""The HTML report, read as text and in a real browser."""

import pytest

from errata import answer, correct
from errata.core.errors import InputError
from errata.render.html import report, write_report
from example import BIRTH_QUESTION, CORRECTING, PAGE, QUESTION

DRAFT = "Marie Curie was born in 1865 and kept <b>bees</b>.\nShe was a physicist."
DOCUMENT = {
    "title": "A <script>alert(1)</script> page",
    "url": "https://example.org/curie",
    "text": PAGE,
}


def correction(**document):
    return correct(QUESTION, DRAFT, documents=[DOCUMENT | document])


def test_an_edit_shows_claim_verdict_explanation_quote_and_link_all_escaped():
    text = report(correction())
    assert "<del>1865</del><ins>1867</ins>" in text
    assert "Marie Curie was born in 1865" in text.split("Claims")[0]
    assert "the draft says 1865; the evidence says 1867" in text
    assert "<q>Marie Curie (born 7 November 1867)" in text
    assert 'href="https://example.org/curie"' in text
    assert "<script" not in text
    assert "<b>bees</b>" not in text
    assert "kept &lt;b&gt;bees&lt;/b&gt;" in text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", ""]
)
def test_only_web_addresses_become_links(url):
    assert "<a " not in report(correction(url=url))


@pytest.mark.parametrize("method", CORRECTING)
def test_every_method_that_corrects_has_a_report(method):
    text = report(correct(QUESTION, DRAFT, method, documents=[DOCUMENT]))
    assert f"{method}: refuted; " in text


def test_an_answer_has_a_report():
    text = report(answer(BIRTH_QUESTION, documents=[DOCUMENT]))
    assert "crag: correct; 1 strip" in text
    assert "<q>Marie Curie (born 7 November 1867)" in text


def test_a_report_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        write_report(correction(), tmp_path / "gone" / "report.html")


def test_a_click_on_an_edit_shows_its_explanation(browser, tmp_path):
    write_report(correction(), tmp_path / "report.html")
    browser.get((tmp_path / "report.html").as_uri())
    edit = browser.find_element("css selector", "details.edit")
    explanation = edit.find_element("css selector", ".why")
    assert not explanation.is_displayed()
    edit.find_element("css selector", "summary").click()
    assert explanation.is_displayed()
    assert "the evidence says 1867" in explanation.text
    wide = "return document.documentElement.scrollWidth > window.innerWidth"
    assert not browser.execute_script(wide)
