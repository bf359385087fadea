"""What every step reads from a model's reply, in linear time; `fuzz/` has replies of any kind."""

import doctest
from importlib import import_module
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Claim
from errata.nodes.answer import read_origin, read_verdict
from errata.nodes.ask import read_claims, read_questions
from errata.nodes.crag.knowledge import action_for, read_judgement, read_keywords
from errata.nodes.rac.correct import read_correction, read_corrections
from errata.nodes.rac.judgements import Change, Judgement, read_judgements
from errata.nodes.reex.explain import read_explanations, read_not_shown
from errata.nodes.reex.revise import read_both
from errata.nodes.rewrite import read_lines, read_revision
from errata.tools.local.explain import place_explanations

S, R, N, U = "supported", "refuted", "not_mentioned", "unreadable"
CLAIM = "Ada Byron was born in 1816 in Paris."
TWO = [Claim(id=f"c{n}", text=text, start=0, end=1) for n, text in ((1, "Ada wrote."), (2, "Won."))]
BORN = "Ada Byron was born in 1816 in Paris, a city of France, by candlelight."
YEAR, DARK = {"1816": "1815"}, {"by candlelight": "?"}
IN_LONDON, UNSAID = "in London in 1815", Change("in Paris", unsaid=True)


def read_mends(judgement):
    """The label, and what it puts in the place of words: ? for words that are merely unsaid."""
    return judgement.label, {c.wrong: "?" if c.unsaid else c.right for c in judgement.changes}


READERS = {
    "verdicts": lambda reply: [each.label for each in read_judgements(reply, [""] * 3)],
    "verdict in doubt": lambda reply: read_judgements(reply, [CLAIM])[0],
    "mends": lambda reply: read_mends(read_judgements(reply, [BORN])[0]),
    "corrections": lambda reply: read_corrections(reply, TWO),
    "one correction": lambda reply: read_corrections(reply, TWO[:1]),
    "correction": read_correction,
    "claims": read_claims,
    "questions": read_questions,
    "revision": read_revision,
    "lines": lambda reply: read_lines(reply, 2),
    "explanations": read_explanations,
    "not shown": read_not_shown,
    "both": read_both,
    "relevance": read_judgement,
    "keywords": read_keywords,
    "origin": read_origin,
    "true or false": read_verdict,
}
TABLES = {
    "verdicts": [
        ("Statement 1: True\nStatement 2: False\nStatement 3: Not Mentioned", [S, R, N]),
        ("**1:** True\n- 2: **False**\n3: *Not mentioned*.", [S, R, N]),
        ("Here:\n\n1: True (see line 2)\n2: False, it says so\n3: Not Mentioned", [S, R, N]),
        ("1: True\n1: False", [R, U, U]),
        ("1: True or False\n2: True | False\n3: True/False", [U, U, U]),
        ("True\nFalse", [U, U, U]),
    ],
    "verdict in doubt": [
        ("1: True [2]", Judgement(S, 2)),
        ("1: True [1] | born | born in 1815", Judgement(S, 1, (), "born in 1815")),
        ("1: False [1] | 1816; Paris | was 1815", Judgement(R, 1, ("1816", "Paris"), "was 1815")),
        ('- **1**: False [1, 2] | "1816"; “in Paris”. |', Judgement(R, 1, ("1816", "in Paris"))),
        ("1: Not Mentioned | in Paris", Judgement(N, 0, ("in Paris",), "", (UNSAID,))),
        # Words that are not the claim's, or are all that it says, tell no part of it apart.
        ("1: False | in Rome", Judgement(R)),
        (f"1: False | {CLAIM}", Judgement(R)),
        ("1: True, but the year is not mentioned", Judgement()),
        ("| 1 | False [Document 2] | 1816 | was 1815 |", Judgement(R, 2, ("1816",), "was 1815")),
    ],
    # Replies as models of any strength word them; what is not clear mends nothing.
    "mends": [
        ("**1:** **False** [1] | **1816** => **1815** | *in 1815*", (R, YEAR)),
        ("Claim 1: False [1] | ... 1816 ... -> ... 1815 ...", (R, YEAR)),
        ("1: False [1] | in … Paris -> in London in 1815", (R, {"in 1816 in Paris": IN_LONDON})),
        ("1: False [1] 1816 -> 1815", (R, {})),
        ("1: False | 1816 -> 1815 [1] | born in 1815 [1]", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815 (see [1])", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815, by candlelight -> -", (R, {})),
        ("1: False [1] | 1816 -> 1815 | by candlelight -> none | in 1815", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815; by candlelight -> not mentioned", (R, {**YEAR, **DARK})),
        ("1: Verdict: False [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Partially true [1] | 1816 -> 1815 | in 1815", (R, YEAR)),
        ("1: Partly True, but | by candlelight", (N, DARK)),
        ("1: Incorrect [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Not supported | by candlelight", (N, DARK)),
        ("1: Supported [1] | 1816 -> 1815", (S, {})),
        # Words that are no words of the claim, or stand in it twice, or nothing in their place.
        ("1: False [1] | in -> at", (R, {})),
        ("1: False [1] | 1816 -> not 1816", (R, {})),
        ("1: False [1] | 1816 -> Ada Byron was born in 1815 in London", (R, {})),
        ("1: False [1] | 1816 -> 1815 -> 1814", (R, {})),
        (f"1: False [1] | {BORN} -> -", (R, {BORN: ""})),
        ("1: False [1] | all -> ?", (N, {})),
        ("1: False [1] | by candlelight -> ?", (N, DARK)),
        ("1: False [1] | by candlelight -> ? | she was blind", (R, DARK)),
        ("1: Not Mentioned | all -> -", (N, {})),
    ],
    "corrections": [
        ("1: Ada sang.\n2: not told", {"c1": "Ada sang.", "c2": "not told"}),
        ('**1.** "Ada sang."\n2) right', {"c1": "Ada sang.", "c2": "right"}),
        ("Here you are.", {}),
        ('1: ""\n2: None', {}),
    ],
    "one correction": [("Ada sang.", {"c1": "Ada sang."})],
    "correction": [
        ("Ada was born in 1815.", "Ada was born in 1815."),
        ("Corrected statement: Ada was\nborn in 1815.", "Ada was born in 1815."),
        ("Answer: Ada was born in 1815.\n\nThe passage says so.", "Ada was born in 1815."),
        ('She wrote "Notes"', 'She wrote "Notes"'),
    ],
    "claims": [
        ("- Ada wrote.\n* Ada sang.\n• Ada ran.", ["Ada wrote.", "Ada sang.", "Ada ran."]),
        ("Here are the facts:\n\nFact 1: Ada wrote.\n\n", ["Ada wrote."]),
        ("Ada wrote.\nAda wrote.", ["Ada wrote."]),
        ("```text\nAda wrote.\n---\n```", ["Ada wrote."]),
    ],
    "questions": [("Question 1: Who was Ada?\n- who was ada?", ["Who was Ada?"])],
    "revision": [
        ("Ada.\n\nShe wrote.", "Ada.\n\nShe wrote."),
        ("**Corrected answer**: Ada.", "Ada."),
        ("Here is the revised text:\n\nAda.", "Ada."),
        ("```text\nAda.\nShe wrote.\n```", "Ada.\nShe wrote."),
        ("**Corrected text:** <draft>Ada.</draft>", "Ada."),
        ("<b>Ada</b> and <b>Eve</b>", "<b>Ada</b> and <b>Eve</b>"),
        ("<text>Ada</text> and <text>Eve</text>", "<text>Ada</text> and <text>Eve</text>"),
    ],
    "lines": [
        ("1.\n2. She wrote.", {2: "She wrote."}),
        ("```\n1. Ada.\n2. She wrote.\n```", {1: "Ada.", 2: "She wrote."}),
        ("1. Ada.\n2. She wrote.\n\nI fixed both.", {1: "Ada.", 2: "She wrote."}),
        ("1. *Ada*.\n**2.** **She** wrote.", {1: "*Ada*.", 2: "**She** wrote."}),
        ("Here are the sentences:\nShe wrote.", {}),
        ("Mended:\nAda.\nShe wrote.", {1: "Ada.", 2: "She wrote."}),
    ],
    "explanations": [
        *((none, []) for none in ("None", "**None**", "Factual Errors: None", "N/A", "1. None")),
        *((none, []) for none in ("No errors.", "There are no factual errors in the response.")),
        *((none, []) for none in ("No factual error was found.", "I don't see any mistakes.")),
        *((none, []) for none in ("All statements are correct.", "Everything checks out.")),
        *((none, []) for none in ('{"errors": []}', "None\nNot shown: none")),
        ("1. One is wrong.\n2) Two is wrong.", ["One is wrong.", "Two is wrong."]),
        ("Error 1: One.\nIt is two.\nError 2: Three.", ["One. It is two.", "Three."]),
        ("I found these.\n1. One is wrong.", ["One is wrong."]),
        ("The year is wrong, the rest is correct.", ["The year is wrong, the rest is correct."]),
        ('No errors in the opening.\n1. "1865" -> 1867', ['"1865" -> 1867']),
        ('1. "1865" -> 1867 (answer 2)\n**Not shown:** "bees"', ['"1865" -> 1867 (answer 2)']),
        ('1. "1865" -> 1867\n2. "a physicist" is correct (answer 1).', ['"1865" -> 1867']),
        ('"1865" is wrong; 1867 is right.', ['"1865" is wrong; 1867 is right.']),
        ('1. "built" -> only true for the tower', ['"built" -> only true for the tower']),
    ],
    "not shown": [
        ("1. The year is not shown.", None),
        ("None\n\nNot shown:\nNothing.", []),
        ('1. "1865" -> 1867\nNot shown: "kept bees" and “in Paris”', ["kept bees", "in Paris"]),
        ("None\n**Not shown:**\n- kept bees\n- in Paris", ["kept bees", "in Paris"]),
    ],
    "both": [
        ("**Factual Errors:**\n1. A.\n**Revised Response:**\nTwo.\nIn.", (["A."], "Two.\nIn.")),
        ("Revised Response:\nTwo.\nFactual Errors:\n1. One.", (["One."], "Two.")),
        ("1. One.\nRevised Response: Two.", (["One."], "Two.")),
        ("None", ([], "")),
        ("It is fine.", (None, "")),
        ("Factual Errors:\nNone\nNot shown:\nbees\nRevised Response:\nTwo.", ([], "Two.")),
        ("Factual Errors:\n1. One.\nRevised Response:\nTwo.\nNot shown: bees", (["One."], "Two.")),
    ],
    "relevance": [
        ("There is no date in it, but the year is given.\n**Answer:** YES!", 1),
        ("Answer: No, it does not.", -1),
        ("Noted. Yesterday.", None),
    ],
    "keywords": [('query: "Ada Lovelace", born.', "Ada Lovelace, born"), (", ,", "")],
    "origin": [
        ("**Answer:** Riga (Rīga)\n**From:** knowledge", ("Riga (Rīga)", "knowledge")),
        ("Riga (From: both)", ("Riga", "both")),
        ("Riga.\nsource: guess", ("Riga.", "guess")),
        ("She came from: memory lane, Riga.", ("She came from: memory lane, Riga.", "")),
    ],
    "true or false": [
        ("False.", "false"),
        ("It is not true that bees bark.", "false"),
        ("The statement is incorrect.", "false"),
        ("I cannot say whether this is true or false.", ""),
        ("Neither true nor false.", ""),
        ("There is no evidence that it is true.", ""),
        ("I think that is true.", "true"),
    ],
}
ROWS = [(reader, *row) for reader, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("reader", "reply", "found"), ROWS)
def test_a_reply_is_read_leniently_but_says_no_more_than_it_does(reader, reply, found):
    assert READERS[reader](reply) == found


@given(st.text(alphabet="1: True|False[2];\n", max_size=60))
def test_words_in_doubt_are_always_the_claims(reply):
    doubted = READERS["verdict in doubt"](reply).doubted
    assert all(words.lower() in CLAIM.lower() for words in doubted)


@pytest.mark.parametrize(
    ("scores", "action"),
    [
        ([0.9, -1.0], "correct"),
        ([-0.95, -0.99], "incorrect"),
        ([0.59, -1.0], "ambiguous"),
        ([], "incorrect"),
        ([None], "ambiguous"),
        ([None, 0.9], "correct"),
    ],
)
def test_scores_lead_to_actions(scores, action):
    """CRAG's section 4.3, with Biography's lower and PopQA's upper threshold."""
    assert action_for(scores, 0.59, -0.91, ("correct", "incorrect", "ambiguous")) == action


@pytest.mark.parametrize(
    ("allowed", "actions"),
    [
        (("incorrect", "ambiguous"), ["ambiguous", "incorrect", "ambiguous"]),
        (("correct", "ambiguous"), ["correct", "ambiguous", "ambiguous"]),
        (("correct", "incorrect"), ["correct", "incorrect", "incorrect"]),
        *(((one,), [one] * 3) for one in ("correct", "incorrect", "ambiguous")),
    ],
)
def test_actions_may_be_left_out(allowed, actions):
    """CRAG's tables 2 and 11."""
    scores = (0.9, -0.9, 0.0)
    assert [action_for([score], 0.5, -0.5, allowed) for score in scores] == actions


LOOPING = READERS | {
    "place": lambda reply: place_explanations(CLAIM, [reply], []),
    "open tag": lambda reply: read_revision(f"<draft>{reply}"),
}
PIECES = ["\n", " ", '"', "*", "1: False [1] | ", "- ", "From: ", "("]


@pytest.mark.growth
@pytest.mark.parametrize("read", LOOPING.values(), ids=LOOPING)
def test_a_reply_that_repeats_itself_is_read_in_linear_time(read):
    for piece in PIECES:
        seconds = []
        for size in (10_000, 100_000):
            began = process_time()
            read((piece * size)[:size])
            seconds.append(process_time() - began)
        assert seconds[1] <= 12 * max(seconds[0], 0.2), piece


MODULES = """nodes.answer nodes.ask nodes.crag.knowledge nodes.rac.correct nodes.rac.judgements
tools.local.mends nodes.reex.explain nodes.reex.revise nodes.rewrite nodes.settings
core.edits core.errors""".split()


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(import_module(f"errata.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
