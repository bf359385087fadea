"""Citation marks are told from all that only looks like them."""

import pytest

from errata.tools.text.citations import find_marks, strip_marks

MARKED = (
    ("The tower is 330 m tall [1].", "The tower is 330 m tall."),
    ("The tower is 330 m tall[1].", "The tower is 330 m tall."),
    ("The tower is 330 m tall.[1]", "The tower is 330 m tall."),
    ("The tower is tall. [1] It is old.", "The tower is tall. It is old."),
    ("The tower [1] is tall [1, 2].", "The tower is tall."),
    ("The tower is tall [1-3].", "The tower is tall."),
    ("The tower is tall [1][2].", "The tower is tall."),
    ("The tower is tall [1], [2].", "The tower is tall."),
    ("The tower is tall [[1]](https://a.org/b).", "The tower is tall."),
    ("The tower is tall [1](https://a.org/b).", "The tower is tall."),
    ("The tower is tall (1).", "The tower is tall."),
    ("The tower is tall. (1) It is old. (2)", "The tower is tall. It is old."),
    ("It opened in 1889 (1).", "It opened in 1889."),
    ("The tower is tall【1】.", "The tower is tall."),
    ("The tower is tall.【4:0†source】", "The tower is tall."),
    ("The tower is tall [doc1].", "The tower is tall."),
    ("The tower is tall [Document 2, 3].", "The tower is tall."),
    ("The tower is tall (source 2).", "The tower is tall."),
    ("The tower is tall [S1].", "The tower is tall."),
    ("The tower is tall [citation needed].", "The tower is tall."),
    ("The tower is tall [report.pdf, p. 3].", "The tower is tall."),
    ("The tower is tall.[^1]", "The tower is tall."),
    ("The tower is tall.[^smith]", "The tower is tall."),
    ("The tower is tall.¹", "The tower is tall."),
    ("The tower is tall¹².", "The tower is tall."),
    ("The tower is tall.¹,²", "The tower is tall."),
    ("It opened in 1889.³", "It opened in 1889."),
    ("The tower is tall (Smith, 2019).", "The tower is tall."),
    ("The tower is tall (Smith et al., 2019a; Lee & Wu, 2020).", "The tower is tall."),
    ("The tower is tall (see Smith, 2019, p. 12).", "The tower is tall."),
    ("The tower is tall [Smith and Lee, 2019].", "The tower is tall."),
    ("The tower is tall ([source](https://a.org/b)).", "The tower is tall."),
    ("The tower is tall ([A page](https://a.org) [B](https://b.org)).", "The tower is tall."),
    ("The tower is tall [source](https://a.org/b).", "The tower is tall."),
    ("The tower is tall (Source: The Times).", "The tower is tall."),
    ("The tower is tall (https://a.org/b).", "The tower is tall."),
    ("The tower is tall<sup>1</sup>.", "The tower is tall."),
    ("The tower is tall.<sup>[1]</sup>", "The tower is tall."),
    ("[1] The tower is tall.", "The tower is tall."),
    ("La tour mesure 330 m [1].", "La tour mesure 330 m."),
)

UNMARKED = (
    "In 2019 (1) the tower was closed and (2) it was painted.",
    "(1) first, (2) second",
    "1. The tower is tall.",
    "The tower opened (1889) in Paris.",
    "The tower opened in Paris (2019).",
    "The tower opened [1889] in Paris.",
    "The tower opened (March, 1889).",
    "The tower opened (March 1889).",
    "Read a[1] and `list[2]` and `x [3]`.",
    "Set rows[1] = 5.",
    "Use x1[2] and row_[3].",
    "The range is [0, 1].",
    "It is 10² metres on a plot of 5 km².",
    "It covers 330 metres².",
    "Here E is mc² and x² is x³.",
    "Air has CO₂.",
    "She took Type (II) and group (A).",
    "The team (12 players) won.",
    "He said [sic] that it is [very] tall.",
    "See [the tower](https://a.org/b) in Paris.",
    "It is tall (330 m).",
    "It was called Apollo (11) at first.",
    "[^1]: The tower is tall.",
)


@pytest.mark.parametrize(("text", "plain"), MARKED, ids=[text for text, _ in MARKED])
def test_marks_are_stripped_with_the_space_before_them(text: str, plain: str) -> None:
    assert strip_marks(text) == plain


@pytest.mark.parametrize("text", UNMARKED)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert find_marks(text) == []
    assert strip_marks(text) == text
