"""What CoVe reads in a model's replies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.baselines.cove import LABELS, read_check, read_plan
from errata.evals.baselines.verdicts import read_first_label, read_numbers

ASKED = {"question": "When?", "answers": "In 1867."}


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("CONSISTENT. She was born in 1867.", "supported"),
        ("**Consistent**", "supported"),
        ("Response: CONSISTENT", "supported"),
        ("INCONSISTENT.", "refuted"),
        ("Not consistent: it was 1867.", "refuted"),
        ("PARTIALLY_CONSISTENT. She was born.", "refuted"),
        ("Partially consistent; the year is inconsistent.", "refuted"),
        ("NOT TOLD.", "not_mentioned"),
        ("CONSISTENT or INCONSISTENT?", "unreadable"),
        ("CONSISTENT. But the year is not told.", "unreadable"),
        ("It is hardly consistent.", "unreadable"),
        ("CONSISTENT? No.", "unreadable"),
        ("Consistent with neither.", "unreadable"),
        ("Consistent, not.", "unreadable"),
        ("CONSISTENT. But actually no, it is wrong.", "unreadable"),
        ("inconsistently", "unreadable"),
        ("", "unreadable"),
    ],
)
def test_a_label_counts_if_it_opens_the_reply_and_no_other_disagrees(reply, label):
    assert read_check(reply, ASKED) == (label, f"When? In 1867. {reply}")


@pytest.mark.parametrize(
    ("reply", "count", "texts"),
    [
        ("1: NOT TOLD.\n2. CONSISTENT. It is.", 2, {1: ["NOT TOLD."], 2: ["CONSISTENT. It is."]}),
        ("| 1 | NOT TOLD |\n| 2 | CONSISTENT |", 2, {1: ["NOT TOLD |"], 2: ["CONSISTENT |"]}),
        ('{"1": "NOT TOLD"}', 2, {1: ['"NOT TOLD"}']}),
        ("- Fact #1) NOT TOLD\n\nThat is all.", 2, {1: ["NOT TOLD"]}),
        ("1:\nNOT TOLD\n2:\n3: CONSISTENT", 3, {1: ["NOT TOLD\n2:"], 3: ["CONSISTENT"]}),
        ("1: NOT TOLD\n1: CONSISTENT", 1, {1: ["NOT TOLD", "CONSISTENT"]}),
        ("0: NOT TOLD\n3: CONSISTENT\n1867: INCONSISTENT", 2, {}),
        ("1. 2: CONSISTENT\n1, 2: CONSISTENT\n1-2: CONSISTENT\n1 and 2: CONSISTENT", 2, {}),
        ("CONSISTENT.", 1, {1: ["CONSISTENT."]}),
        ("CONSISTENT.", 2, {}),
        ("", 2, {}),
    ],
)
def test_a_text_counts_for_the_number_that_opens_its_line(reply, count, texts):
    assert read_numbers(reply, count) == texts


@given(st.text(alphabet="123:.) \nCONSITE*|", max_size=60), st.integers(2, 4))
def test_no_text_of_a_number_is_another_numbers(reply, count):
    numbered = read_numbers(reply, count)
    assert set(numbered) <= set(range(1, count + 1))
    assert sum(len(text) for texts in numbered.values() for text in texts) <= len(reply)
    assert not any(text[:1].isdigit() for texts in numbered.values() for text in texts)


@given(st.text(alphabet="consitepraly NOTDL.,_-\n", max_size=60))
def test_only_a_reply_that_opens_with_it_supports(reply):
    if read_first_label(reply, LABELS) == "supported":
        assert "consistent" in reply.lower().partition("consistent")[1]
        assert not any(word in reply.lower() for word in ("inconsistent", "not told"))


@pytest.mark.parametrize(
    ("reply", "plan"),
    [
        ("Ada died in 1852. | When did Ada die?", [("Ada died in 1852.", "When did Ada die?")]),
        ("| Ada died. | Did Ada die? |", [("Ada died.", "Did Ada die?")]),
        ("Plan:\n- Who was Ada?\n2) Who was Ada?", [("", "Who was Ada?")]),
        ("A | B | Who?", [("A | B", "Who?")]),
        ("Ada died. | Look it up.\n\nNone", []),
        ("", []),
    ],
)
def test_a_plan_has_a_fact_and_its_question_on_a_line(reply, plan):
    assert read_plan(reply) == plan
