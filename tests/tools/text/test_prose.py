"""Markdown read as words, each with its place; what holds none, and marks of citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.tools.text.citations import find_marks, strip_marks
from errata.tools.text.markdown import read_blocks
from errata.tools.text.prose import read_passages, read_sentences

MARKDOWN = st.lists(
    st.sampled_from(
        "# |*|**|_|`|[|](|)|![|<!--|-->|$|$$|\n|\n\n|> |- |1. |```|Ada sang. |Bo |  |\t|\r\n|\0|"
        "<p>|<b>|</b>|<br>|[x] |[^1]|[^1]: |---|é|\\(|\\)|data:image/png;base64,".split("|")
    ),
    max_size=40,
).map("".join)


def sentences(text):
    return [
        (passage.text[a:b], text[slice(*passage.span(a, b))])
        for passage in read_passages(text)
        for a, b in read_sentences(passage)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada sang. Bo ran.", [("Ada sang.",) * 2, ("Bo ran.",) * 2]),
        ("*A* ran.[^1] Bo\n\n[^1]: x", [("A ran.", "*A* ran.[^1]"), ("Bo",) * 2, ("x",) * 2]),
        ("> Ada\n> sang.", [("Ada sang.", "Ada\n> sang.")]),
        ("Born: 1815\nDied: 1852", [("Born: 1815",) * 2, ("Died: 1852",) * 2]),
        ("I [ran. Two](x) sat. Bo.", [("I ran. Two sat.", "I [ran. Two](x) sat."), ("Bo.",) * 2]),
        ("• Ada sang\n• Bo ran", [("Ada sang", "• Ada sang"), ("Bo ran", "• Bo ran")]),
        ("Ada ![x](y) sang.", [("Ada sang.", "Ada ![x](y) sang.")]),
        ("It costs $5 and $6.", [("It costs $5 and $6.",) * 2]),
        ("Ada <b>sang</b>.", [("Ada sang.", "Ada <b>sang</b>.")]),
        ("Ada sang.<br>Bo ran.", [("Ada sang.",) * 2, ("Bo ran.",) * 2]),
        ("<b>Ada <i>sang</b>.", [("Ada sang.", "Ada <i>sang</b>.")]),
        ("- [x] Ada.\n- [ ] Bo.", [("Ada.", "[x] Ada."), ("Bo.", "[ ] Bo.")]),
        ("# Ada was born in 1815.", [("Ada was born in 1815.",) * 2]),
        ("<p>Ada <b>sang</b>.</p>", []),
        ("    The tower was opened in May.", []),
        ("```\nAda sang.\n```", []),
        ("$$\nx\n$$", []),
        ("<!-- Ada sang. -->", []),
        ("---\ntitle: Ada sang.\n---", []),
        ("[a]: http://b", []),
        ("QUJD" * 40, []),
    ],
)
def test_sentences_of_markdown_and_where_they_stand(text, expected):
    assert sentences(text) == expected


@given(MARKDOWN)
def test_any_text_is_read_and_every_place_is_in_it(text):
    root, _ = read_blocks(text)
    assert all(0 <= block.start <= block.end <= len(text) for block in root.walk())
    for passage in read_passages(text):
        assert list(passage.places) == sorted(passage.places)
        for start, end in read_sentences(passage):
            first, last = passage.span(start, end)
            assert passage.text[start] == text[at := passage.places[start]] or text[at] in "\0\r\n"
            assert first < last


MARKS = """
[1] | [1, 2] | [1-3] | [1][2] | [1], [2] | [[1]](https://a.org/b) | [1](https://a.org/b) | (1)
【1】 | 【4:0†source】 | [doc1] | [Document 2, 3] | (source 2) | [S1] | [citation needed]
[report.pdf, p. 3] | [^1] | [^smith] | (Smith, 2019) | (see Smith, 2019, p. 12)
(Smith et al., 2019a; Lee & Wu, 2020) | [Smith and Lee, 2019] | ([source](https://a.org/b))
([A page](https://a.org) [B](https://b.org)) | [source](https://a.org/b) | (Source: The Times)
(https://a.org/b) | <sup>1</sup> | <sup>[1]</sup>
"""


@pytest.mark.parametrize("mark", MARKS.strip().replace("\n", " | ").split(" | "))
def test_marks_of_citations_are_stripped_with_the_space_before_them(mark):
    for marked in (f"The tower is tall {mark}.", f"La tour mesure 330 m. {mark}"):
        assert strip_marks(marked) == marked.replace(f" {mark}", "")


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("The tower [1] is tall [1, 2].", "The tower is tall."),
        ("The tower is tall. (1) It is old. (2)", "The tower is tall. It is old."),
        ("It lost a kilometre (1)(5).", "It lost a kilometre."),
        ("Wards were loud (L. Okafor, 2022).", "Wards were loud."),
        ("The tower is tall¹².", "The tower is tall."),
        ("The tower is tall.¹,²", "The tower is tall."),
        ("It opened in 1889.³", "It opened in 1889."),
        ("[1] The tower is tall.", "The tower is tall."),
    ],
)
def test_marks_are_stripped_wherever_they_stand(marked, plain):
    assert strip_marks(marked) == plain


UNMARKED = """
In 2019 (1) the tower was closed and (2) it was painted. | (1) first, (2) second
1. The tower is tall. | The tower opened (1889) in Paris. | The tower opened in Paris (2019).
The tower opened [1889] in Paris. | The tower opened (March, 1889). | It opened (March 1889).
Read a[1] and `list[2]` and `x [3]`. | Set rows[1] = 5. | Use x1[2] and row_[3].
The range is [0, 1]. | It is 10² metres on a plot of 5 km². | It covers 330 metres².
Here E is mc² and x² is x³. | Air has CO₂. | She took Type (II) and group (A).
The team (12 players) won. | He said [sic] that it is [very] tall. | [^1]: The tower is tall.
See [the tower](https://a.org/b) in Paris. | It is tall (330 m). | It was Apollo (11) at first.
"""


@pytest.mark.parametrize("text", UNMARKED.strip().replace("\n", " | ").split(" | "))
def test_what_only_looks_like_a_mark_stays(text):
    assert (find_marks(text), strip_marks(text)) == ([], text)
