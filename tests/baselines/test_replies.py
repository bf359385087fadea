"""What is read from a model's reply: a heading's text, a list under it, a label at the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.baselines.critic import read_list
from errata.evals.baselines.mend import split_at
from errata.evals.baselines.rarr import read_label

LABELS = ["agree", "disagree", "irrelevant"]


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Fix: Ada sang.", "Ada sang."),
        ('"1865" is wrong.\nFix: Ada sang.\n\nShe won.', "Ada sang.\n\nShe won."),
        ("**Fix:**\nAda sang.", "Ada sang."),
        ("5. My fix: Ada sang.", "Ada sang."),
        ("Fix: no\nFix: yes", "yes"),
        ("Here is the fix: Ada sang.", ""),
        ("Ada sang.", ""),
        ("", ""),
    ],
)
def test_what_stands_after_a_heading(reply, text):
    assert split_at(reply, "fix")[1] == text


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


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("The passage says 1867.\ndisagree", "disagree"),
        ("Both say so.\nTherefore: this agrees with the text.", "agree"),
        ("**Irrelevant**", "irrelevant"),
        ("It is.\nThis is irrelevant to the text.", "irrelevant"),
        ("So.\nMy final answer: disagree", "disagree"),
        ("They do not agree", ""),
        ("Not: agree", ""),
        ("Partly: agree", ""),
        ("agree with nothing the text says", ""),
        ("This agrees with neither", ""),
        ("disagree\nbut I may be wrong", ""),
        ("agree or disagree", ""),
        ("agreed", ""),
        ("", ""),
    ],
)
def test_a_label_stands_alone_on_the_last_line(reply, label):
    assert read_label(reply, LABELS)[0] == label


@pytest.mark.parametrize(
    ("reply", "problems"),
    [
        ('Problems:\n1. "1865": 1867\n2) "bees": none', ['"1865": 1867', '"bees": none']),
        ("All is well.\nProblems: none", []),
        ("**Problems:** None found.", []),
        ("Problems:\nNo problems.", []),
        ("Problems: No factual errors.", []),
        ("Problems: There are none.", []),
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
        ("", None),
    ],
)
def test_a_list_is_empty_only_where_the_reply_says_so(reply, problems):
    assert read_list(reply, "problems") == problems


@given(st.text())
def test_nothing_breaks_the_readers(reply):
    assert all(part in reply for part in split_at(reply, "fix"))
    assert read_label(reply, LABELS)[0] in ("", *LABELS)
    assert read_list(reply, "problems") is None or ":" in reply or "：" in reply
