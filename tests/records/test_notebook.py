"""Results as HTML for notebooks."""

import re

import pytest

from errata import correct
from errata.core.notebook import label_with_score
from errata.core.records import Answer, Claim, Correction, Edit, Knowledge, Quote, Verdict
from example import DRAFT, PAGE, QUESTION

ATTACK = "<script>alert('1')</script> & <b>"
ESCAPED = "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt; &amp; &lt;b&gt;"
OWN_TAGS = set("p b q ul li br del ins details summary".split())


def tags(html):
    return set(re.findall(r"</?(\w+)[^>]*>", html))


def test_a_correction_shows_its_diff_and_verdicts():
    html = correct(QUESTION, DRAFT, documents=[PAGE])._repr_html_()
    assert "<p>Marie Curie was born in <del>1865</del><ins>1867</ins>. She was" in html
    assert "<b>refuted 0." in html
    assert "</b> Marie Curie was born in 1865." in html
    assert f"<q>{PAGE}</q>" in html
    assert tags(html) <= OWN_TAGS


def test_all_text_of_a_correction_is_escaped():
    end = len(ATTACK)
    correction = Correction(
        method="rac",
        question="",
        draft=ATTACK,
        response=f"{ATTACK}!",
        changed=True,
        label="refuted",
        claims=(Claim(id="c1", text=f"claim {ATTACK}", start=0, end=end),),
        verdicts=(
            Verdict(
                claim="c1",
                label="refuted",
                evidence=(Quote(document="d1", start=0, end=end, text=f"quote {ATTACK}"),),
            ),
        ),
        edits=(Edit(start=0, end=end, before=ATTACK, after=f"{ATTACK}!"),),
    )
    html = correction._repr_html_()
    for text in ("<del>", "<ins>", "claim ", "quote "):
        assert text + ESCAPED in html
    assert tags(html) <= OWN_TAGS


def test_an_answer_shows_its_escaped_text_and_knowledge():
    strip = Knowledge(document="d1", start=0, end=len(ATTACK), text=f"strip {ATTACK}")
    answer = Answer(
        method="crag",
        question="",
        response=f"line 1\n{ATTACK}",
        action="correct",
        knowledge=(strip,),
    )
    html = answer._repr_html_()
    assert html.startswith(f"<p>line 1<br>{ESCAPED}</p>")
    assert f"<summary>knowledge</summary><ul><li> <q>strip {ESCAPED}</q></li></ul>" in html
    assert tags(html) <= OWN_TAGS


@pytest.mark.parametrize(
    ("verdict", "unmended", "label"),
    [
        ({"label": "not_mentioned", "score": 0.256}, [], "not mentioned 0.26"),
        ({"label": "not_mentioned", "score": 0.0}, [], "not mentioned 0.00"),
        ({"label": "not_mentioned", "reason": "absent"}, [], "not mentioned"),
        ({"label": "not_mentioned", "reason": "not_understood"}, [], "not understood"),
        ({"label": "not_mentioned", "reason": "contradicted"}, [], "doubtful"),
        ({"label": "refuted", "score": 0.1}, ["c2"], "refuted 0.10"),
        ({"label": "refuted", "score": 0.1}, ["c1"], "refuted (stays) 0.10"),
    ],
)
def test_a_verdict_is_shown_with_reason_and_score(verdict, unmended, label):
    assert label_with_score(Verdict(claim="c1", **verdict), unmended) == label
