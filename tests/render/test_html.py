"""The HTML report, read as text and in a real browser."""

from dataclasses import replace

import pytest

from errata import answer, correct
from errata.core.errors import InputError
from errata.core.records import Usage
from errata.render.figures import draw_figures
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


def test_the_report_draws_shares_evidence_and_steps():
    share, evidence, steps = draw_figures(correction(retrieved_at="2026-11-26T10:00:00Z"))
    assert [(line.name, line.told) for line in share.lines] == [
        ("supported", "28% of the text, 1 sentence"),
        ("refuted", "70% of the text, 1 sentence"),
    ]
    assert [bar.kind for line in share.lines for bar in line.bars] == ["supported", "refuted"]
    assert [(line.name, line.told) for line in evidence.lines] == [
        ("example.org, 2026-11-26", "1 quote of 1 document")
    ]
    assert "verify" in [line.name for line in steps.lines]
    ends = [line.bars[0].start + line.bars[0].width for line in steps.lines]
    assert ends == sorted(ends)
    assert ends[-1] == pytest.approx(100)


def test_what_a_step_cost_is_told_and_drawn_as_its_share():
    shares = {
        "retrieve": {"seconds": 1.0, "searches": 2},
        "verify": {"seconds": 3.0, "model_calls": 1, "prompt_tokens": 900, "money": 0.00123},
    }
    result = replace(correction(), usage=Usage(by_role=shares))
    lines = draw_figures(result)[-1].lines
    assert [line.told for line in lines] == [
        "1.00 s, 2 searches",
        "3.00 s, 1 model call, 900 tokens, cost 0.0012",
    ]
    assert [line.bars[0][:2] for line in lines] == [(0.0, 25.0), (25.0, 75.0)]
