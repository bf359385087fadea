"""What a result looks like in a terminal and in words."""

import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from errata.core.edits import diff
from errata.core.records import (
    Answer,
    Claim,
    Document,
    Quote,
    Usage,
    Verdict,
)
from errata.render.findings import find
from errata.render.terminal import coloured_diff, plain_diff, verdict_list
from errata.render.text import describe_cost, label_with_score
from example import correction_of


def correction(draft, response):
    """A correction of one claim, with a quote."""
    quote = Quote(document="d1", start=0, end=4, text="page")
    return correction_of(
        draft,
        response,
        claims=(Claim(id="c1", text=draft, start=0, end=len(draft)),),
        verdicts=(Verdict(claim="c1", label="refuted", evidence=(quote,)),),
        edits=tuple(diff(draft, response)),
        documents=(Document(id="d1", text="page", title="\x1b[2J page"),),
    )


def test_a_text_cannot_command_the_terminal():
    shown = correction("Ada \x1b[31mwas\x07 born\x9b1m.", "Ada \x1b[31mwas\x07 dead\x9b1m.")
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None)
    for text in (plain_diff(shown), coloured_diff(shown), verdict_list(shown)):
        console.print(text, markup=False)
    printed = console.file.getvalue()
    assert "␛[31mwas␇" in printed
    assert "␛[2J page" in printed
    assert not {"\x1b", "\x07", "\x9b"} & set(printed)


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "0 model calls"),
        (Usage(model_calls=1), "1 model call"),
        (Usage(model_calls=2, money=0.00123), "2 model calls, cost 0.0012"),
        (Usage(money=0.045), "0 model calls, cost 0.045"),
        (Usage(money=0.000037), "0 model calls, cost 0.000037"),
    ],
)
def test_what_has_a_price_says_what_it_cost(usage, words):
    assert describe_cost(Answer(method="crag", question="", response="", usage=usage)) == words


@pytest.mark.parametrize(
    ("verdict", "unmended", "label"),
    [
        ({"label": "not_mentioned", "score": 0.256}, [], "not mentioned 0.26"),
        ({"label": "not_mentioned", "score": 0.0}, [], "not mentioned 0.00"),
        ({"label": "not_mentioned", "reason": "absent"}, [], "not mentioned"),
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
