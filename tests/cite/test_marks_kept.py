"""Repairs never break a mark: each kind that a repair once spoiled, and more of it."""

import pytest

from cited_site import GUIDE, HISTORY, PAINT
from errata import cite
from errata.core.edits import apply_edits
from errata.core.records import Document
from errata.tools.text.references import read_cited

SOURCES = {"history.txt": HISTORY, "guide.txt": GUIDE, "paint.txt": PAINT}
DOCUMENTS = [Document(id=name, text=text) for name, text in SOURCES.items()]
DEFINED = "\n\n[1]: history.txt\n[2]: guide.txt\n[3]: paint.txt\n"
LISTED = "\n\n## References\n\n1. history.txt\n2. guide.txt\n3. paint.txt\n"
NOTED = "\n\n[^1]: history.txt\n[^2]: guide.txt\n[^n]: paint.txt\n"
OPENED = "Skarvik bridge was opened in 1932"
TWO = {
    "rac/extract": f"1. {OPENED}.",
    "rac/verify": [
        {"when": "two long summers", "reply": "1: True [1]"},
        {"when": "sells bread", "reply": "1: Not Mentioned"},
        {"when": "Paint keeps", "reply": "1: Not Mentioned"},
    ],
}


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        # Marks side by side that have definitions are no link with a number for its words.
        (f"{OPENED} [1][3].{DEFINED}", f"{OPENED} [1]."),
        (f"{OPENED}.[1][3]{DEFINED}", f"{OPENED}.[1]"),
        (f"{OPENED} [3][1].{DEFINED}", f"{OPENED} [1]."),
        (f"{OPENED} [2][1][3].{DEFINED}", f"{OPENED} [1]."),
        # Several idle keys in one mark go in one edit.
        (f"{OPENED} [1, 2, 3].{LISTED}", f"{OPENED} [1]."),
        (f"{OPENED} [1-3].{LISTED}", f"{OPENED} [1]."),
        (f"{OPENED} [2, 3, 1].{DEFINED}", f"{OPENED} [1]."),
        (f"{OPENED} [2], [3], [1].{LISTED}", f"{OPENED} [1]."),
        (f"{OPENED} [2], [1] and [3].{LISTED}", f"{OPENED} [1]."),
        (f"{OPENED}.[^2][^1][^n]{NOTED}", f"{OPENED}.[^1]"),
    ],
)
def test_idle_marks_go_and_the_others_stay(scripted, draft, expected):
    result = cite(draft, DOCUMENTS, model=scripted(TWO))
    assert result.response == expected + draft[draft.index("\n\n") :]
    assert apply_edits(draft, result.edits) == result.response


@pytest.mark.parametrize(
    "draft",
    [
        f"Skarvik bridge was [opened in 1932][3].{DEFINED}",
        f"Skarvik bridge was [opened *in* 1932][2].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)). See [history][1].{DEFINED}",
        f"{OPENED} ([paint](paint.txt)).{LISTED}",
        f"Skarvik bridge was [opened in 1932](guide.txt).{NOTED}",
    ],
)
def test_no_link_is_left_without_words_or_target(draft):
    result = cite(draft, DOCUMENTS)
    assert "]()" not in result.response
    assert "[]" not in result.response
    assert [s.text for s in read_cited(result.response)[0]] == [
        s.text for s in read_cited(draft)[0]
    ]
