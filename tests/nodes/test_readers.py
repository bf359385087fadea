"""What every step reads from a model's reply, in linear time; `fuzz/` has replies of any kind."""

import doctest
import json
from importlib import import_module
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Claim
from errata.evals.baselines.answers import read_conclusion
from errata.evals.baselines.cove import read_check, read_plan
from errata.evals.baselines.critic import read_list, read_query
from errata.evals.baselines.critiques import read_reflection
from errata.evals.baselines.ever import Concept, read_concepts, read_decision, read_sentence
from errata.evals.baselines.factool import read_verdict as read_factuality
from errata.evals.baselines.mend import split_at
from errata.evals.baselines.rarr import read_label
from errata.evals.baselines.verdicts import read_numbers
from errata.nodes.answer import read_origin, read_verdict
from errata.nodes.ask import read_claims, read_questions
from errata.nodes.crag.knowledge import read_judgement, read_keywords
from errata.nodes.rac.corrections import read_correction, read_corrections
from errata.nodes.rac.judgements import Change, Judgement, read_judgements
from errata.nodes.reex.explain import read_explanations, read_not_shown
from errata.nodes.reex.revise import read_both
from errata.nodes.rewrite import read_lines, read_revision
from errata.tools.local.explain import place_explanations

S, R, N, U = "supported", "refuted", "not_mentioned", "unreadable"
CLAIM = "Ada Byron was born in 1816 in Paris."
TWO = [Claim(id=f"c{n}", text=text, start=0, end=1) for n, text in ((1, "Ada wrote."), (2, "Won."))]
FOUND = {"reasoning": "Document 1 says 1867.", "error": "The year.", "correction": "Born in 1867."}
SAID = "reasoning: Document 1 says 1867.; error: The year.; correction: Born in 1867."


ASKED = {"question": "When?", "answers": "In 1867."}
BORN = "Ada Byron was born in 1816 in Paris, a city of France, by candlelight."


YEAR, DARK = {"1816": "1815"}, {"by candlelight": "?"}
BOTH = {"1816": "1815", "by candlelight": ""}
IN_LONDON = "in London in 1815"


def read_mends(judgement):
    """The label, and what it puts in the place of words: ? for words that are merely unsaid."""
    return judgement.label, {c.wrong: "?" if c.unsaid else c.right for c in judgement.changes}


READERS = {
    "verdicts": lambda reply: [each.label for each in read_judgements(reply, [""] * 3)],
    "verdict in doubt": lambda reply: read_judgements(reply, [CLAIM])[0],
    "mends": lambda reply: read_mends(read_judgements(reply, [BORN])[0]),
    "corrections": lambda reply: read_corrections(reply, TWO),
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
    "true or false": lambda reply: read_verdict("", reply),
    "cross-check": lambda reply: read_check(reply, ASKED)[0],
    "numbers": lambda reply: read_numbers(reply, 3),
    "plan": read_plan,
    "factuality": lambda reply: read_factuality(reply, {}),
    "decision": lambda reply: read_decision(reply)[0],
    "concepts": lambda reply: [tuple(concept) for concept in read_concepts(reply)],
    "sentence": read_sentence,
    "fix": lambda reply: split_at(reply, "fix")[1],
    "label": lambda reply: read_label(reply, ["agree", "disagree", "irrelevant"])[0],
    "problems": lambda reply: read_list(reply, "problems"),
}


TABLES = {
    "verdicts": [
        ("Statement 1: True\nStatement 2: False\nStatement 3: Not Mentioned", [S, R, N]),
        ("1. true\n2) FALSE\n3 - not_mentioned", [S, R, N]),
        ("**1:** True\n- 2: **False**\n3: *Not mentioned*.", [S, R, N]),
        ("Here:\n\n1: True (see line 2)\n2: False, it says so\n3: Not Mentioned", [S, R, N]),
        ("3: True\n1: False", [R, U, S]),
        ("1: True\n1: False", [R, U, U]),
        ("1: True or False\n2: True | False\n3: True/False", [U, U, U]),
        ("4: True\n0: True\n99999: True", [U, U, U]),
        ("True\nFalse", [U, U, U]),
        ("1: Truely\n2: maybe\n3: unverified", [U, U, U]),
        ("", [U, U, U]),
    ],
    "verdict in doubt": [
        ("1: True [2]", Judgement(S, 2)),
        ("1: True [1] | born | born in 1815", Judgement(S, 1, (), "born in 1815")),
        ("1: False [1] | 1816; Paris | was 1815", Judgement(R, 1, ("1816", "Paris"), "was 1815")),
        ('- **1**: False [1, 2] | "1816"; “in Paris”. |', Judgement(R, 1, ("1816", "in Paris"))),
        (
            "1: Not Mentioned | in Paris",
            Judgement(N, 0, ("in Paris",), "", (Change("in Paris", unsaid=True),)),
        ),
        # Words that are not the claim's, or are all that it says, tell no part of it apart.
        ("1: False | in Rome", Judgement(R)),
        (f"1: False | {CLAIM}", Judgement(R)),
        ("1: True | False", Judgement()),
        ("1: True? No, False", Judgement()),
        ("1: True, but the year is not mentioned", Judgement()),
        ("1: True 2: False", Judgement()),
        ("| 1 | False [Document 2] | 1816 | was 1815 |", Judgement(R, 2, ("1816",), "was 1815")),
    ],
    # Forty replies as models of any strength word them; what is not clear mends nothing.
    "mends": [
        ('1: False [1] | 1816 -> 1815; by candlelight -> - | "in 1815"', (R, BOTH)),
        ("1: False [1] | 1816 -> 1815; by candlelight -> ? | in 1815", (R, {**YEAR, **DARK})),
        ('1: FALSE [1] | "1816" -> "1815" | "in 1815"', (R, YEAR)),
        ("1. false [1] | “1816” → “1815” | “in 1815”", (R, YEAR)),
        ("**1:** **False** [1] | **1816** => **1815** | *in 1815*", (R, YEAR)),
        ("- 1) False (Document 1) | `1816` --> `1815`", (R, YEAR)),
        ("| 1 | False [1] | 1816 -> 1815 | in 1815 |", (R, YEAR)),
        ("Claim 1: False [1] | ... 1816 ... -> ... 1815 ...", (R, YEAR)),
        ("1: False [1] | in … Paris -> in London in 1815", (R, {"in 1816 in Paris": IN_LONDON})),
        ("1: False [1] | IN PARIS -> in London", (R, {"in Paris": "in London"})),
        ("1: False | 1816 -> 1815", (R, YEAR)),
        ("1: False [1] 1816 -> 1815", (R, YEAR)),
        ('1: False [1]: 1816 -> 1815 "born in 1815"', (R, YEAR)),
        ('1: False [1] | 1816 -> 1815 "born in 1815"', (R, YEAR)),
        ("1: False | 1816 -> 1815 [1] | born in 1815 [1]", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815. | born in 1815.", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815 (see [1])", (R, YEAR)),
        ("1: False [1] | 1816 should be 1815", (R, YEAR)),
        ("1: False [1] | 1816 -> 1815, by candlelight -> -", (R, BOTH)),
        ("1: False [1] | 1816 -> 1815 | by candlelight -> none | in 1815", (R, BOTH)),
        ("1: False [1] | 1816 -> 1815; by candlelight -> (removed)", (R, BOTH)),
        ("1: False [1] | 1816 -> 1815; by candlelight -> not mentioned", (R, {**YEAR, **DARK})),
        ("1: Verdict: False [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Partially true [1] | 1816 -> 1815 | in 1815", (R, YEAR)),
        ("1: Partly True, but | by candlelight", (N, DARK)),
        ("1: Mostly true", (N, {})),
        ("1: Mostly false [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Not entirely accurate | by candlelight", (N, DARK)),
        ("1: Incorrect [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Not true [1] | 1816 -> 1815", (R, YEAR)),
        ("1: Not supported | by candlelight", (N, DARK)),
        ("1: UNSUPPORTED | by candlelight -> -", (N, DARK)),
        ("1: Not enough information | by candlelight -> ?", (N, DARK)),
        ("1: Supported [1] | 1816 -> 1815", (S, {})),
        # Words that are no words of the claim, or stand in it twice, or nothing in their place.
        ("1: False [1] | 1817 -> 1815", (R, {})),
        ("1: False [1] | 1816 -> 1815; Rome -> London", (R, {})),
        ("1: False [1] | in -> at", (R, {})),
        ("1: False [1] | 1816 -> | in 1815", (R, {})),
        ("1: False [1] | 1816; by candlelight -> -", (R, {})),
        ("1: False [1] | 1816 -> 1816", (R, {})),
        ("1: False [1] | 1816 -> not 1816", (R, {})),
        ("1: False [1] | 1816 -> Ada Byron was born in 1815 in London", (R, {})),
        ("1: False [1] | 1816 -> 1815 -> 1814", (R, {})),
        (f"1: False [1] | {BORN} -> -", (R, {BORN: ""})),
        ("1: False [1] | All -> - | was never born", (R, {BORN: ""})),
        ("1: False [1] | all -> ?", (N, {})),
        ("1: False [1] | by candlelight -> ?", (N, DARK)),
        ("1: False [1] | by candlelight -> ? | she was blind", (R, DARK)),
        ("1: Not Mentioned | all -> -", (N, {})),
        ("1: Not Mentioned | 1816 -> 1815", (N, {})),
    ],
    "corrections": [
        ("1: Ada sang.\n2: not told", {"c1": "Ada sang.", "c2": "not told"}),
        ('**1.** "Ada sang."\n2) right', {"c1": "Ada sang.", "c2": "right"}),
        ("1：Ada sang。\n2：right", {"c1": "Ada sang。", "c2": "right"}),
        ("Claim 2: Ada ran.", {"c2": "Ada ran."}),
        ("Here you are.", {}),
        ('1: ""\n2: None', {}),
        ("", {}),
    ],
    "correction": [
        ("Ada was born in 1815.", "Ada was born in 1815."),
        ("Corrected statement: Ada was\nborn in 1815.", "Ada was born in 1815."),
        ("Answer: Ada was born in 1815.\n\nThe passage says so.", "Ada was born in 1815."),
        ('She wrote "Notes"', 'She wrote "Notes"'),
    ],
    "claims": [
        ("1. Ada wrote.\n2) Ada sang.", ["Ada wrote.", "Ada sang."]),
        ("- Ada wrote.\n* Ada sang.\n• Ada ran.", ["Ada wrote.", "Ada sang.", "Ada ran."]),
        ("Here are the facts:\n\nFact 1: Ada wrote.\n\n", ["Ada wrote."]),
        ("Ada wrote.\nAda wrote.", ["Ada wrote."]),
        ("1815 was her year.", ["1815 was her year."]),
        ("```text\nAda wrote.\n---\n```", ["Ada wrote."]),
        ("", []),
    ],
    "questions": [
        ("Question 1: Who was Ada?\n- who was ada?", ["Who was Ada?"]),
        ("Here you are.\n* Was she born?\nThat is all.", ["Was she born?"]),
        ("Nothing to ask.", []),
    ],
    "revision": [
        ("Ada.\n\nShe wrote.", "Ada.\n\nShe wrote."),
        ("**Corrected answer**: Ada.", "Ada."),
        ("Here is the revised text:\n\nAda.", "Ada."),
        ("```text\nAda.\nShe wrote.\n```", "Ada.\nShe wrote."),
        ("Revised draft:\n```\nAda.\n```", "Ada."),
        ("**Corrected text:** <draft>Ada.</draft>", "Ada."),
        ("<b>Ada</b> and <b>Eve</b>", "<b>Ada</b> and <b>Eve</b>"),
        ("<text>Ada</text> and <text>Eve</text>", "<text>Ada</text> and <text>Eve</text>"),
    ],
    "lines": [
        ("1.\n2. She wrote.", {2: "She wrote."}),
        ("```\n1. Ada.\n2. She wrote.\n```", {1: "Ada.", 2: "She wrote."}),
        ("1. Ada.\n2. She wrote.\n\nI fixed both.", {1: "Ada.", 2: "She wrote."}),
        ("1. *Ada*.\n**2.** **She** wrote.", {1: "*Ada*.", 2: "**She** wrote."}),
        ("1：Ada.\n2： She wrote.", {1: "Ada.", 2: "She wrote."}),
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
        ("Factual Errors:\n- One\n- Two", ["One", "Two"]),
        ("Error 1: One.\nIt is two.\nError 2: Three.", ["One. It is two.", "Three."]),
        ("I found these.\n1. One is wrong.", ["One is wrong."]),
        ("It is not accurate.", ["It is not accurate."]),
        ("The year is wrong, the rest is correct.", ["The year is wrong, the rest is correct."]),
        ('No errors in the opening.\n1. "1865" -> 1867', ['"1865" -> 1867']),
        ('1. "1865" -> 1867 (answer 2)\n**Not shown:** "bees"', ['"1865" -> 1867 (answer 2)']),
        ('1. "1865" -> 1867\n2. "a physicist" is correct (answer 1).', ['"1865" -> 1867']),
        ('1. "a physicist": correct\n2. "1865" -> 1867', ['"1865" -> 1867']),
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
        ("## Factual errors\n1. One.\n## Revised draft\nTwo.", (["One."], "Two.")),
        ("1. One.\nRevised Response: Two.", (["One."], "Two.")),
        ("None", ([], "")),
        ("It is fine.", (None, "")),
        ("Factual Errors:\nNone\nNot shown:\nbees\nRevised Response:\nTwo.", ([], "Two.")),
        ("Factual Errors:\n1. One.\nRevised Response:\nTwo.\nNot shown: bees", (["One."], "Two.")),
        ("None\nNot shown: bees", ([], "")),
        ("Revised Response: Two.", (None, "Two.")),
    ],
    "relevance": [
        ("yes", 1),
        ("No.", -1),
        ("There is no date in it, but the year is given.\n**Answer:** YES!", 1),
        ("Answer: No, it does not.", -1),
        ("It may be.", None),
        ("Noted. Yesterday.", None),
        ("", None),
    ],
    "keywords": [
        ("Keywords: a, b, c, d", "a, b, c"),
        ('query: "Ada Lovelace", born.', "Ada Lovelace, born"),
        ("one\ntwo", "one"),
        (", ,", ""),
    ],
    "origin": [
        ("**Answer:** Riga (Rīga)\n**From:** knowledge", ("Riga (Rīga)", "knowledge")),
        ("Riga (From: both)", ("Riga", "both")),
        ("Riga.\n\nFrom: my own memory.", ("Riga.", "memory")),
        ("Riga.\nsource: guess", ("Riga.", "guess")),
        ("She came from: memory lane, Riga.", ("She came from: memory lane, Riga.", "")),
        ("", ("", "")),
    ],
    "true or false": [
        ("true", "true"),
        ("False.", "false"),
        ("It is not true that bees bark.", "false"),
        ("The statement is incorrect.", "false"),
        ("It isn't true.", "false"),
        ("Nobody knows.", ""),
        ("I cannot say whether this is true or false.", ""),
        ("Neither true nor false.", ""),
        ("There is no evidence that it is true.", ""),
        ("I think that is true.", "true"),
    ],
    "cross-check": [
        ("CONSISTENT. She was born in 1867.", S),
        ("**Consistent**", S),
        ("Response: CONSISTENT", S),
        ("INCONSISTENT.", R),
        ("Not consistent: it was 1867.", R),
        ("PARTIALLY_CONSISTENT. She was born.", R),
        ("Partially consistent; the year is inconsistent.", R),
        ("NOT TOLD.", N),
        ("CONSISTENT or INCONSISTENT?", U),
        ("CONSISTENT. But the year is not told.", U),
        ("It is hardly consistent.", U),
        ("CONSISTENT? No.", U),
        ("Consistent with neither.", U),
        ("Consistent, not.", U),
        ("CONSISTENT. But actually no, it is wrong.", U),
        ("inconsistently", U),
        ("", U),
    ],
    "numbers": [
        ("| 1 | NOT TOLD |\n| 2 | CONSISTENT |", {1: ["NOT TOLD |"], 2: ["CONSISTENT |"]}),
        ('{"1": "NOT TOLD"}', {1: ['"NOT TOLD"}']}),
        ("- Fact #1) NOT TOLD\n\nThat is all.", {1: ["NOT TOLD"]}),
        ("1:\nNOT TOLD\n2:\n3: CONSISTENT", {1: ["NOT TOLD\n2:"], 3: ["CONSISTENT"]}),
        ("1: NOT TOLD\n1: CONSISTENT", {1: ["NOT TOLD", "CONSISTENT"]}),
        ("0: NOT TOLD\n4: CONSISTENT\n1867: INCONSISTENT", {}),
        ("1. 2: CONSISTENT\n1, 2: CONSISTENT\n1-2: CONSISTENT\n1 and 2: CONSISTENT", {}),
        ("CONSISTENT.", {}),
        ("", {}),
    ],
    "plan": [
        ("| Ada died. | Did Ada die? |", [("Ada died.", "Did Ada die?")]),
        ("Plan:\n- Who was Ada?\n2) Who was Ada?", [("", "Who was Ada?")]),
        ("A | B | Who?", [("A | B", "Who?")]),
        ("Ada died. | Look it up.\n\nNone", []),
    ],
    "factuality": [
        ("\n".join([*map(": ".join, FOUND.items()), "Factuality: False"]), (R, SAID)),
        (json.dumps({**FOUND, "factuality": False}), (R, SAID)),
        (str({**FOUND, "factuality": False}), (R, SAID)),
        ("**Reasoning:** So.\n**Factuality:** True", (S, "reasoning: So.")),
        ("Error: None\nCorrection: None\nFactuality: Not Mentioned", (N, "")),
        ("1: False", (R, "")),
        ("True", (S, "")),
        ("Factuality: True or False", (U, "")),
        ("Factuality: False\nFactuality: True", (U, "")),
        ("Factuality: False\nFactuality: false", (R, "")),
        ("Factuality: True? No.", (U, "")),
        ("True. Not really.", (U, "")),
        ("Factuality: mostly true", (U, "")),
        ("Reasoning: it is true.", (U, "reasoning: it is true.")),
        ("It cannot be true.", (U, "")),
        ("", (U, "")),
    ],
    "decision": [
        ("The page says so. Therefore, the decision is True.", S),
        ("Decision: **False**", R),
        ("False", R),
        ("Decision: Not Enough Information", N),
        ("NEI", N),
        ("1: Not Mentioned", N),
        ("The page says so. The statement is true.", S),
        *((doubt, U) for doubt in ("It is not true", "It isn't true.", "True or False", "")),
        *((doubt, U) for doubt in ("True, because the page says so", "It is hardly true")),
        *((doubt, U) for doubt in ("There is no evidence that it is true.", "hardly true")),
        *((doubt, U) for doubt in ("I cannot say that this is True", "Decision: never True")),
        *((doubt, U) for doubt in ("The statement cannot be verified as true", "Is it true?")),
        ("Decision: not True", U),
    ],
    "concepts": [
        ("1840 | Was it in 1840?", [Concept("1840", *["Was it in 1840?"] * 2)]),
        (
            "Concepts:\n- sang | Did Ada sing? | Ada sang.\nThat is all.",
            [("sang", "Did Ada sing?", "Ada sang.")],
        ),
        ("sang | Ada sang.", []),
        ("Did Ada sing?", []),
    ],
    "sentence": [
        ("Done.", ""),
        ("  ", ""),
        ("Ada\nsang.", "Ada"),
        ("Let me know if you need anything else!", ""),
        ("I'm sorry, I can't.", ""),
        ("I cannot say where Ada lived.", ""),
        ("Sure! Here is the next sentence: Ada sang.", "Ada sang."),
        ("**Next sentence:** Ada sang.", "Ada sang."),
        ("Ada was happy to help.", "Ada was happy to help."),
        ("Certainly the first was Ada.", "Certainly the first was Ada."),
    ],
    "fix": [
        ('"1865" is wrong.\nFix: Ada sang.\n\nShe won.', "Ada sang.\n\nShe won."),
        ("**Fix:**\nAda sang.", "Ada sang."),
        ("5. My fix: Ada sang.", "Ada sang."),
        ("Fix: no\nFix: yes", "yes"),
        ("Here is the fix: Ada sang.", ""),
        ("", ""),
    ],
    "label": [
        ("Both say so.\nTherefore: this agrees with the text.", "agree"),
        ("**Irrelevant**", "irrelevant"),
        ("It is.\nThis is irrelevant to the text.", "irrelevant"),
        ("So.\nMy final answer: disagree", "disagree"),
        *((none, "") for none in ("Not: agree", "Partly: agree", "agreed", "agree or disagree")),
        *((none, "") for none in ("agree with nothing the text says", "This agrees with neither")),
        ("disagree\nbut I may be wrong", ""),
    ],
    "problems": [
        ('Problems:\n1. "1865": 1867\n2) "bees": none', ['"1865": 1867', '"bees": none']),
        *((f"Problems: {none}", []) for none in ("No factual errors.", "There are none.", "none")),
        ("**Problems:** None found.", []),
        ("Problems: I found no problems with it", []),
        ("Problems:\nNone\n\nThe draft is correct.", []),
        ("Problems: None. It is factually accurate.", []),
        ("Problems: none\nThe opposite is true.", ["none", "The opposite is true."]),
        ("Problems: Everything but the date is right.", ["Everything but the date is right."]),
        ("Problems: The text is not correct.", ["The text is not correct."]),
        ("Problems: No errors but the year", ["No errors but the year"]),
        ("Problems: None of the dates is right.", ["None of the dates is right."]),
        ("Problems: There is nothing in it that is true", ["There is nothing in it that is true"]),
        ("Problems:", None),
        ("There are no problems.", None),
    ],
}
ROWS = [(reader, *row) for reader, rows in TABLES.items() for row in rows]


@pytest.mark.parametrize(("reader", "reply", "found"), ROWS)
def test_a_reply_is_read_leniently_but_says_no_more_than_it_does(reader, reply, found):
    assert READERS[reader](reply) == found


def test_what_a_cross_check_says_is_its_explanation():
    assert read_check("CONSISTENT.", ASKED)[1] == "When? In 1867. CONSISTENT."


def test_one_reply_about_one_thing_needs_no_number():
    assert read_corrections("Ada sang.", TWO[:1]) == {"c1": "Ada sang."}
    assert read_numbers("CONSISTENT.", 1) == {1: ["CONSISTENT."]}


@given(st.text(alphabet="123:.) \nCONSITE*|", max_size=60))
def test_no_text_of_a_number_is_another_numbers(reply):
    numbered = READERS["numbers"](reply)
    assert set(numbered) <= {1, 2, 3}
    assert sum(len(text) for texts in numbered.values() for text in texts) <= len(reply)
    assert not any(text[:1].isdigit() for texts in numbered.values() for text in texts)


@pytest.mark.parametrize(
    ("before", "draft"),
    [
        ("It is wrong.", "Fix: Ada sang."),
        ("It is wrong.", "Ada sang.\nFix: she won.\n**Fix:** she sang."),
        ("Fix: is no word of mine.", "Ada sang.\nFix: she won."),
        ("", "Ada sang.\nFix: she won."),
    ],
)
def test_headings_of_the_text_itself_stay_in_it(before, draft):
    reply = f"{before}\nFix: {draft.replace('sang', 'sung')}"
    assert split_at(reply, "fix", draft) == (before, draft.replace("sang", "sung"))


LOOPING = READERS | {
    "place": lambda reply: place_explanations(CLAIM, [reply], []),
    "conclusion": read_conclusion,
    "reflection": read_reflection,
    "query": lambda reply: read_query(f"Search: {reply}"),
    "open tag": lambda reply: read_revision(f"<draft>{reply}"),
    "open list": lambda reply: read_list(f"Problems: {reply}", "problems"),
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


MODULES = """nodes.answer nodes.ask nodes.crag.knowledge nodes.rac.corrections nodes.rac.judgements
tools.local.mends nodes.reex.explain nodes.reex.revise nodes.rewrite nodes.settings
evals.baselines.cove evals.baselines.critic evals.baselines.ever evals.baselines.mend
evals.baselines.rarr evals.baselines.verdicts evals.baselines.answers evals.baselines.critiques
core.edits core.errors""".split()


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings_are_true(module):
    results = doctest.testmod(import_module(f"errata.{module}"))
    assert results.attempted > 0
    assert results.failed == 0
