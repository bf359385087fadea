"""Edits from two texts, and a text from edits: cases; `fuzz/test_edits.py` has the properties."""

from time import process_time

import pytest

from errata.core.edits import apply_edits, diff, on_word_borders
from errata.core.errors import InputError
from errata.core.records import Edit


@pytest.mark.parametrize(
    ("draft", "response", "changes"),
    [
        ("born in 1865 here", "born in 1867 here", [("1865", "1867")]),
        ("on 1 May 1900, in", "on 2 June 1901, in", [("1 May 1900", "2 June 1901")]),
        ("on May 1, 1900 in", "on June 2, 1901 in", [("May 1, 1900", "June 2, 1901")]),
        ("", "new", [("", "new")]),
        ("a b c", "a c", [("b ", "")]),
        ("is 16.8 km", "is 16.3 km", [("16.8", "16.3")]),
        ("cost $1,200.50 each", "cost $1,300.50 each", [("$1,200.50", "$1,300.50")]),
        ("about 5% of", "about 7% of", [("5%", "7%")]),
        ("at -5°C or", "at -7°C or", [("-5°C", "-7°C")]),
        ("mid-1970s style", "mid-1980s style", [("mid-1970s", "mid-1980s")]),
        ("O'Brien's dog", "O'Neill's dog", [("O'Brien's", "O'Neill's")]),
        ("at 10:30 sharp", "at 10:45 sharp", [("10:30", "10:45")]),
        ("from 1914–1918 on", "from 1914–1919 on", [("1918", "1919")]),
        ("cafe\u0301 noir", "cafe\u0300 noir", [("cafe\u0301", "cafe\u0300")]),
        ("वह हिन्दी है", "वह हिन्दू है", [("हिन्दी", "हिन्दू")]),
    ],
)
def test_a_diff_changes_whole_words(draft, response, changes):
    assert [(e.before, e.after) for e in diff(draft, response)] == changes


def test_edits_that_overlap_are_an_error():
    edits = [
        Edit(start=0, end=2, before="ab", after=""),
        Edit(start=1, end=3, before="bc", after=""),
    ]
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
