"""Edits from two texts, and a text from edits."""

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits import apply_edits, diff
from errata.errors import InputError
from errata.records import Edit
from strategies import SHORT_TEXTS


@given(SHORT_TEXTS, SHORT_TEXTS)
def test_a_diff_applied_to_the_draft_is_the_response(draft, response):
    assert apply_edits(draft, diff(draft, response)) == response


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_diff_is_exact_for_any_text(draft, response):
    edits = diff(draft, response)
    assert all(draft[e.start : e.end] == e.before for e in edits)
    assert apply_edits(draft, edits) == response


@pytest.mark.parametrize(
    ("draft", "response", "changes"),
    [
        ("born in 1865 here", "born in 1867 here", [("1865", "1867")]),
        ("on 1 May 1900, in", "on 2 June 1901, in", [("1 May 1900", "2 June 1901")]),
        ("on May 1, 1900 in", "on June 2, 1901 in", [("May 1, 1900", "June 2, 1901")]),
        ("same", "same", []),
        ("", "new", [("", "new")]),
        ("a b c", "a c", [("b ", "")]),
    ],
)
def test_a_diff_changes_whole_words(draft, response, changes):
    assert [(e.before, e.after) for e in diff(draft, response)] == changes


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(start=0, end=1, before="b", after="")],
        [Edit(start=0, end=2, before="ab", after=""), Edit(start=1, end=3, before="bc", after="")],
    ],
)
def test_edits_that_do_not_fit_are_an_error(edits):
    with pytest.raises(InputError, match="expects"):
        apply_edits("abc", edits)


LONG = 20_000


@pytest.mark.parametrize(
    ("draft", "response"),
    [
        ("(" * LONG, "(" * (LONG // 2) + ")" * (LONG // 2)),
        ("a b " * LONG, "a c " * LONG),
        ("9," * LONG, "9,," * LONG),
        (" ".join(map(str, range(LONG))), " ".join(str(i + (i % 9 == 0)) for i in range(LONG))),
    ],
)
def test_a_diff_of_long_texts_takes_seconds_whatever_repeats_in_them(draft, response):
    began = perf_counter()
    edits = diff(draft, response)
    assert perf_counter() - began < 5
    assert apply_edits(draft, edits) == response


def test_a_diff_of_long_texts_changes_only_the_words_that_differ():
    words = [f"word{i} and" for i in range(LONG)]
    changed = [*words[:500], "other and", *words[501:]]
    [edit] = diff(" ".join(words), " ".join(changed))
    assert (edit.before, edit.after) == ("word500", "other")
