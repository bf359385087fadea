"""What a result looks like in a terminal, a notebook, in words and on the page of a review."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from errata import check, correct
from errata.core.edits import diff
from errata.core.records import Answer, Claim, Document, Edit, Knowledge, Quote, Usage, Verdict
from errata.render.findings import find
from errata.render.html import page
from errata.render.terminal import coloured_diff, plain_diff, verdict_list
from errata.render.text import describe_cost, label_with_score
from example import DRAFT, PAGE, QUESTION, correction_of


def correction(draft, response):
    """A correction of one claim, with a quote."""
    quote = Quote(document="d1", start=0, end=4, text="page")
    fields = {"claims": (Claim(id="c1", text=draft, start=0, end=len(draft)),)}
    fields |= {"verdicts": (Verdict(claim="c1", label="refuted", evidence=(quote,)),)}
    fields |= {"documents": (Document(id="d1", text="page", title="\x1b[2J page"),)}
    return correction_of(draft, response, edits=tuple(diff(draft, response)), **fields)


def test_a_text_cannot_command_the_terminal():
    shown = correction("Ada \x1b[31mwas\x07 born\x9b1m.", "Ada \x1b[31mwas\x07 dead\x9b1m.")
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None)
    for text in (plain_diff(shown), coloured_diff(shown), verdict_list(shown)):
        console.print(text, markup=False)
    printed = console.file.getvalue()
    assert "␛[31mwas␇" in printed
    assert "␛[2J page" in printed
    assert not {"\x1b", "\x07", "\x9b"} & set(printed)


def test_a_check_underlines_the_sentences_with_a_fault():
    spans = coloured_diff(check(QUESTION, DRAFT, documents=[PAGE])).spans
    lined = {(span.start, span.end) for span in spans if "underline" in str(span.style)}
    faults = {"Marie Curie was born in 1865.", "She kept bees."}
    assert {DRAFT[start:end] for start, end in lined} == faults


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "0 model calls"),
        (Usage(model_calls=1), "1 model call"),
        (Usage(model_calls=2, money=0.00123), "2 model calls, cost 0.0012"),
        (Usage(money=0.000037), "0 model calls, cost 0.000037"),
    ],
)
def test_what_has_a_price_says_what_it_cost(usage, words):
    assert describe_cost(Answer(method="crag", question="", response="", usage=usage)) == words


ATTACK = "<script>alert('1')</script> & <b>"
ESCAPED = "&lt;script&gt;alert(&#x27;1&#x27;)&lt;/script&gt; &amp; &lt;b&gt;"
OWN_TAGS = set("p b q ul li br del ins details summary".split())


def tags(html):
    return set(re.findall(r"</?(\w+)[^>]*>", html))


def test_a_correction_shows_its_diff_and_verdicts():
    html = correct(QUESTION, DRAFT, documents=[PAGE])._repr_html_()
    assert "<p>Marie Curie was born in <del>1865</del><ins>1867</ins>. She was" in html
    assert "<b>refuted</b> Marie Curie was born in 1865." in html
    assert f"<q>{PAGE}</q>" in html
    assert tags(html) <= OWN_TAGS


def test_print_tells_the_text_and_what_was_found():
    corrected = correct(QUESTION, DRAFT, documents=[PAGE])
    told = f"{corrected.response}\n\nrefuted: Marie Curie was born in 1865.\n"
    assert str(corrected).startswith(told)
    assert str(Answer(method="crag", question="", response="Ada.", notes=("so",))) == "Ada.\nso"


def test_all_text_of_a_correction_is_escaped():
    quote = Quote(document="d1", start=0, end=4, text=f"quote {ATTACK}")
    shown = replace(
        correction(ATTACK, f"{ATTACK}!"),
        claims=(Claim(id="c1", text=f"claim {ATTACK}", start=0, end=4),),
        verdicts=(Verdict(claim="c1", label="refuted", evidence=(quote,)),),
        edits=(Edit(start=0, end=len(ATTACK), before=ATTACK, after=f"{ATTACK}!"),),
    )
    html = shown._repr_html_()
    for text in ("<del>", "<ins>", "claim ", "quote "):
        assert text + ESCAPED in html
    assert tags(html) <= OWN_TAGS


def test_an_answer_shows_its_escaped_text_and_knowledge():
    strip = Knowledge(document="d1", start=0, end=len(ATTACK), text=f"strip {ATTACK}")
    own = {"response": f"line 1\n{ATTACK}", "action": "correct", "knowledge": (strip,)}
    html = Answer(method="crag", question="", **own)._repr_html_()
    assert html.startswith(f"<p>line 1<br>{ESCAPED}</p>")
    assert f"<summary>knowledge</summary><ul><li> <q>strip {ESCAPED}</q></li></ul>" in html
    assert tags(html) <= OWN_TAGS


@pytest.mark.parametrize(
    ("verdict", "unmended", "label"),
    [
        ({"label": "not_mentioned", "score": 0.256}, [], "not mentioned 0.26"),
        ({"label": "not_mentioned", "score": 0.0}, [], "not mentioned 0.00"),
        ({"label": "not_mentioned", "reason": "not_understood"}, [], "not understood"),
        ({"label": "disputed", "score": 0.4}, [], "disputed 0.40"),
        ({"label": "refuted", "score": 0.1}, ["c2"], "refuted 0.10"),
        ({"label": "refuted", "score": 0.1}, ["c1"], "refuted (stays) 0.10"),
    ],
)
def test_a_verdict_is_shown_with_reason_and_score(verdict, unmended, label):
    verdict = Verdict(claim="c1", **verdict)
    assert label_with_score(verdict, unmended) == label
    found = find(replace(correction("x", "x"), verdicts=(verdict,), label="not_mentioned"))
    assert [each.kind.replace("_", " ") for each in found] == [re.sub(r" \(.*|[ .\d]+$", "", label)]


HOSTILE = "Marie Curie was born in 1865 and kept <b>bees</b>.\nShe was a physicist."
DOCUMENT = {
    "title": "A <script>alert(1)</script> page",
    "url": "https://example.org/curie",
    "text": PAGE,
}


def page_of(**document):
    result = correct(QUESTION, HOSTILE, documents=[DOCUMENT | document])
    return page(result, {}, result.draft)


def test_an_edit_shows_claim_verdict_explanation_quote_and_link_all_escaped():
    text = page_of()
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
    assert "<a " not in page_of(url=url)
