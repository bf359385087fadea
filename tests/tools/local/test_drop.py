"""Sentences taken out of drafts in markdown: what remains is whole, and what stays is verbatim."""

import pytest

from errata.core.edits import apply_edits
from errata.core.records import Fix
from errata.tools.local.extract import extract
from errata.tools.local.revise import revise
from errata.tools.local.tidy import UNSUPPORTED
from example import before_and_after

ADA = "Who was Ada Lovelace?"
FENCE = "```py\nprint('Ada kept 0 bees. It was red.')\n```"
IMAGE = "![pic](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB5==)"
WRAPPED = "Ada worked for many years in the big house of a rich friend and was"


def drop(draft, *words, question=ADA):
    """The draft without the claims whose sentences hold any of the words, its edits and notes."""
    claims = extract(question, draft)
    goes = [c for c in claims if any(word in draft[c.start : c.end] for word in words)]
    edits, notes = revise(question, draft, claims, [Fix(claim=c.id, text="") for c in goes])
    return apply_edits(draft, edits), edits, notes


@pytest.mark.parametrize(
    "marked",
    [
        "Ada wrote.{ She ate 9.} She died.",
        "Ada wrote.{ Bo ate 9.} In addition to songs, Ada wrote plays.",
        "Ada wrote.{ Ada's career ended in 1849.} She died.",
        "{Ada wrote 9. She=>Ada Lovelace} sang. She died.",
        "Ada wrote.{\n\nShe ate 9.\n\nShe died at 99.}",
        "## Life\n\nAda wrote.{\n\n## Death\n\nShe ate 9.}\n",
        "**Life**\n\nAda wrote.{\n\n**Sport**\n\nShe ran 9.}",
        "Ada wrote.{ Her interests were:\n\n- riding 9 bears\n- racing 9 cars}\n\nAda died.",
        "1. Ann sang.\n{2. Bo ate 9.\n}3. Cy ran.",
        "- Ann sang.\n{  - Bo ate 9.\n}- Cy ran.",
        "• Ann sang.\n{• Bo ate 9.\n}• Cy ran.",
        "| A | B | C |\n|---|---|---|\n| Oslo | Norway | 5 |\n| Rome | {Peru 9} | 3 |",
        "Ann sang.[^1]{ Bo ate 9.[^2]}\n\n[^1]: A.",
        "**Ann sang.{ Bo ate 9.}** Cy ran.",
        "{Ann [sang. It](http://x.y) was 9. }Bo ran.",
        "> Ann sang.{\n> Bo ate 9.}\n>\n> Cy ran.",
        "Ann sang.<br>{Bo ate 9.<br/>}Cy ran.",
        "Ann <b>sang</b>.{ <i>Bo ate 9.</i>} Cy ran.",
        "<b>Ann sang.{ Bo ate <i>9</i>.}</b> Cy ran.",
        '{Ann <a href="b>c">sang. It</a> was 9. }Bo ate.',
        "{- [x] Bo ate 9.\n}- [ ] Cy ran.",
        "Ann sang [a song][s].{\n\nBo ate 9.}\n\n[s]: x",
        f"Ann sang.{{ Bo ate 9.}} {IMAGE} Cy ran.",
        f"{{Bo ate 9. }}Ann sang a song:\n\n{FENCE}\n",
        f"{WRAPPED}\nglad.{{ She ate\nhot 9 pies.}} Bo ran.",
        "{Bo ate 9.\n\n}# Ann\n\n{Bo ate 9.\n\n}<p>Ann sang.</p><p>Bo ate 9.</p>\n\nCy ran.",
    ],
)
def test_sentences_with_a_9_go_and_leave_whole_markdown(marked):
    draft, response = before_and_after(marked)
    assert drop(draft, "9")[::2] == (response, [])


@pytest.mark.parametrize(
    "marked",
    [
        "The tea is hot. {Ann Lee made 9 pies. She=>Ann Lee} ran.",
        "{Rex Ek is a cook of 9. His=>Rex Ek's} pies won.",
        "Bo sang.{ He ate 9 pies.} He ran.",
    ],
)
def test_a_pronoun_whose_name_is_gone_becomes_the_name(marked):
    draft, response = before_and_after(marked)
    assert drop(draft, "9", question="")[::2] == (response, [])


@pytest.mark.parametrize(
    "draft",
    [
        "Ada wrote 9. This made her famous. Ada died.",
        "Ada was born in 9. However, she wrote notes.",
        "The museum was built by 9. It closes in May.",
        "Boris Ek met Carl Holm and Jonas Berg 9. He was a king. Bo died.",
        "Some parts 9 were lost. They are sought by 8 people.",
        "Ada sang. In 1849 she wrote two works:\n\n- a march\n- a waltz",
        "Ada sang.\n\n- Bo ate 9 pies.\n  - Cy ran.\n- Di slept.",
        "Ada sang. Her works were:\n\n- a march 9\n\nThis made her known.",
        "# Mill\n\nThe mill has 9 wheels.\n\n## Fire\n\nIt burned.",
    ],
)
def test_what_the_rest_needs_stays_with_a_note(draft):
    response, _, notes = drop(draft, "9", question="")
    assert response == draft
    assert "has no support and stays in the draft" in notes[0]


@pytest.mark.parametrize(
    "draft",
    [
        "Ada ate 9. She ran 9.",
        "Hello! Ada ate 9 pies. Anything else?",
        "# Ada\n\nAda ate 9 pies.",
        f"Ada ate 9.\n\n{FENCE}",
    ],
)
def test_a_draft_is_never_emptied_and_remnants_are_no_response(draft):
    assert drop(draft, "9") == (draft, [], [UNSUPPORTED])
