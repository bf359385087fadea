"""What a terminal shows of a correction."""

import io

from rich.console import Console

from errata.core.edits import diff
from errata.core.records import Claim, Correction, Document, Quote, Verdict
from errata.render.terminal import coloured_diff, plain_diff, verdict_list


def correction(draft, response):
    """A correction of one claim, with a quote."""
    quote = Quote(document="d1", start=0, end=4, text="page")
    return Correction(
        method="rac",
        question="",
        draft=draft,
        response=response,
        changed=True,
        label="refuted",
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
