"""Edits from two texts, and a text from edits: cases; `fuzz/test_edits.py` has the properties."""

from time import process_time

import pytest

from errata.core.edits import apply_edits, diff, on_word_borders
from errata.core.errors import InputError
from errata.core.records import Edit
from example import before_and_after, rows

CHANGED = """
born in {1865=>1867} here | on {1 May 1900=>2 June 1901}, in | on {May 1, 1900=>June 2, 1901} in
{=>new} | a {b =>}c | is {16.8=>16.3} km | cost {$1,200.50=>$1,300.50} each | about {5%=>7%} of
at {-5°C=>-7°C} or | {mid-1970s=>mid-1980s} style | {O'Brien's=>O'Neill's} dog
at {10:30=>10:45} sharp | from 1914–{1918=>1919} on | {cafe\u0301=>cafe\u0300} noir
वह {हिन्दी=>हिन्दू} है
"""


@pytest.mark.parametrize("marked", [text for row in rows(CHANGED) for text in row])
def test_a_diff_changes_whole_words(marked):
    draft, response = before_and_after(marked)
    [edit] = diff(draft, response)
    assert draft[: edit.start] + f"{{{edit.before}=>{edit.after}}}" + draft[edit.end :] == marked


def test_edits_that_overlap_are_an_error():
    edits = [Edit(start=n, end=n + 2, before="abc"[n : n + 2], after="") for n in (0, 1)]
    with pytest.raises(InputError, match="expects"):
        apply_edits("abc", edits)


@pytest.mark.parametrize(
    ("draft", "stretch", "after", "change"),
    [
        ("It is 16.8 km long.", (9, 10), "3", ("16.8", "16.3")),
        ("Haydn was in Austria.", (18, 20), "alia", ("Austria", "Australia")),
        ("It has a well-known end.", (14, 19), "worn", ("well-known", "well-worn")),
        ("It was in the teen years.", (14, 14), "six", ("teen", "sixteen")),
        ("He met a man there.", (12, 13), "", ("man there", "manthere")),
        ("He met a man there.", (9, 13), "", ("man ", "")),
        ("Rome (Italy) is old.", (4, 12), "", (" (Italy)", "")),
    ],
)
def test_an_edit_is_widened_to_whole_words(draft, stretch, after, change):
    start, end = stretch
    edit = Edit(start=start, end=end, before=draft[start:end], after=after, claims=("c1",))
    [widened] = on_word_borders(draft, [edit])
    assert (widened.before, widened.after) == change
    assert (widened.claims, apply_edits(draft, [widened])) == (("c1",), apply_edits(draft, [edit]))


LONG = 20_000


@pytest.mark.growth
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
    began = process_time()
    edits = diff(draft, response)
    assert process_time() - began < 5
    assert apply_edits(draft, edits) == response


def test_a_diff_of_long_texts_changes_only_the_words_that_differ():
    words = [f"word{i} and" for i in range(LONG)]
    changed = [*words[:500], "other and", *words[501:]]
    [edit] = diff(" ".join(words), " ".join(changed))
    assert (edit.before, edit.after) == ("word500", "other")
