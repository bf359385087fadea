"""The HTML report, read as text and in a real browser."""

import shutil

import pytest

from errata import answer, correct
from errata.errors import InputError
from errata.render.html import report, write_report

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865 & kept <b>bees</b>.\nShe was a physicist."
PAGE = {
    "title": "A <script>alert(1)</script> page",
    "url": "https://example.org/curie",
    "text": "Marie Curie (born 7 November 1867) was a Polish and French physicist.",
}


def corrected(**document):
    return correct(QUESTION, DRAFT, documents=[PAGE | document])


def test_an_edit_shows_claim_verdict_explanation_quote_and_link():
    text = report(corrected())
    assert "<del>1865</del><ins>1867</ins>" in text
    assert "Marie Curie was born in 1865" in text.split("Claims")[0]
    assert "the draft says 1865; the evidence says 1867" in text
    assert "<q>Marie Curie (born 7 November 1867)" in text
    assert 'href="https://example.org/curie"' in text


def test_drafts_and_evidence_are_escaped():
    text = report(corrected())
    assert "<script" not in text
    assert "<b>bees</b>" not in text
    assert "kept &lt;b&gt;bees&lt;/b&gt;" in text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", ""]
)
def test_only_web_addresses_become_links(url):
    assert "<a " not in report(corrected(url=url))


@pytest.mark.parametrize("method", ["rac", "reex"])
def test_every_method_that_corrects_has_a_report(method):
    done = correct(QUESTION, DRAFT, method, documents=[PAGE])
    assert f"{method}: refuted; " in report(done)


def test_an_answer_has_a_report():
    text = report(answer("When was Marie Curie born?", documents=[PAGE]))
    assert "crag: correct; 1 strips" in text
    assert "<q>Marie Curie (born 7 November 1867)" in text


def test_a_report_that_cannot_be_written_is_said(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        write_report(corrected(), tmp_path / "gone" / "report.html")


@pytest.fixture
def browser(tmp_path):
    """Start Chromium without a window and without the network."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="needs selenium")
    paths = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if not all(paths):
        pytest.skip("needs Chromium and its driver, which are not here")
    options = webdriver.ChromeOptions()
    options.binary_location = paths[0]
    for flag in (
        "headless no-sandbox disable-gpu disable-quic no-first-run disable-component-update "
        "disable-background-networking disable-sync window-size=420,800 "
        f"user-data-dir={tmp_path / 'profile'}"
    ).split():
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options, webdriver.ChromeService(paths[1]))
    yield driver
    driver.quit()


def test_a_click_on_an_edit_opens_what_it_rests_on(browser, tmp_path):
    write_report(corrected(), tmp_path / "report.html")
    browser.get((tmp_path / "report.html").as_uri())
    edit = browser.find_element("css selector", "details.edit")
    why = edit.find_element("css selector", ".why")
    assert not why.is_displayed()
    edit.find_element("css selector", "summary").click()
    assert why.is_displayed()
    assert "the evidence says 1867" in why.text
    wide = "return document.documentElement.scrollWidth > window.innerWidth"
    assert not browser.execute_script(wide)
