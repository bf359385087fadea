"""Sentences with their citation marks, tied to the sources; edits that keep the draft's form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.edits import apply_edits
from errata.tools.text.mark_edits import MarkWriter
from errata.tools.text.references import read_cited


def cited(draft):
    """Each sentence with the addresses that its marks stand for."""
    sentences, references = read_cited(draft)
    urls = {reference.key: reference.url for reference in references}
    return [(s.text, [tuple(urls.get(k, k) for k in m.keys) for m in s.marks]) for s in sentences]


def changed(draft, edit):
    return apply_edits(draft, edit if isinstance(edit, list) else [edit])


NUMBERED = "\n\n## References\n\n1. Old. https://a.b/1\n2. New. https://a.b/2"
NOTED = "\n\n[^1]: Old. https://a.b/1\n[^doe2019]: New. https://a.b/2"
AUTHORS = (
    "\n\n# Bibliography\n\nDoe, A. (2019). Old. https://a.b/1\n\n"
    "Roe, B. and Poe, C. (2020). New. https://a.b/2"
)


@pytest.mark.parametrize(
    ("marks", "below", "numbers"),
    [
        ("[1] | (1) | ¹ | <sup>1</sup> | 【1†source】", NUMBERED, "1"),
        ("[1, 2] | [1; 2] | [1-2] | [1–2]", NUMBERED, "12"),
        ("[^1]", NOTED, "1"),
        ("[^doe2019]", NOTED, "2"),
        ("(Doe, 2019)", AUTHORS, "1"),
        ("(Doe, 2019; Roe and Poe, 2020)", AUTHORS, "12"),
        ("([Old](https://a.b/1)) | [(Old)](https://a.b/1) | [1](https://a.b/1)", "", "1"),
        ("(https://a.b/1)", "", "1"),
        ("([Old](https://a.b/1), [New](https://a.b/2))", "", "12"),
    ],
)
def test_a_mark_is_tied_to_its_sentence_and_source(marks, below, numbers):
    urls = tuple(f"https://a.b/{n}" for n in numbers)
    for mark in marks.split(" | "):
        put = f" {mark}" if mark[0] in "([" else mark
        for said in (f"The E. coli grew (in 1869){put}.", f"The E. coli grew (in 1869).{put}"):
            draft = f"{said} It is tall.{below}"
            assert cited(draft) == [("The E. coli grew (in 1869).", [urls]), ("It is tall.", [])]
            [[own], []] = [s.marks for s in read_cited(draft)[0]]
            assert draft[own.start : own.end] == own.text == mark


@pytest.mark.parametrize(
    ("draft", "text", "mark"),
    [
        ("It grew https://a.b/1", "It grew", "https://a.b/1"),
        ("[It grew](https://a.b/1) in May.", "It grew in May.", "[It grew](https://a.b/1)"),
    ],
)
def test_an_address_or_linked_words_may_be_a_mark(draft, text, mark):
    [sentence], [reference] = read_cited(draft)
    assert (sentence.text, sentence.marks[0].text, reference.url) == (text, mark, "https://a.b/1")


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("It is 5 m² wide, 10⁶ times [sic] (2020). E = mc². CO² fell.", []),
        ("In 1999 (a year) it won (3 times). The Titanic (1997) film and a[1] or `x[2]`.", []),
        ("It is 5 m<sup>2</sup> wide, x<sup>2</sup>.", []),
        ("It rose [citation needed]. Costs fell [unverified].", []),
        ("It is tall [7].", ["7"]),
        ("It is tall[^x].", ["^x"]),
        ("It is tall【4:0†guide.pdf】 and wide [guide.pdf, p. 3].", ["guide.pdf"] * 2),
        ("Smith et al. (2020) say so.", []),
        ("It is tall [doc 1, doc 2].", ["1", "2"]),
        ("See [the guide](#top) or [us](mailto:a@b.c).", []),
        ("It is tall [2, p. 4], wide [see 3] and old [4 and 5].", ["2", "3", "4", "5"]),
        ("It is tall (see [2], [4]). It is wide (see above).", ["2", "4"]),
        ("It is tall² ³. It covers 12 km² ⁴.", ["2", "3", "4"]),
    ],
)
def test_marks_without_a_list_of_references(draft, expected):
    sentences, references = read_cited(draft)
    assert [key for s in sentences for mark in s.marks for key in mark.keys] == expected
    assert not references


@pytest.mark.parametrize(
    ("below", "expected"),
    [
        ("References:\n1. Doe, A. Old. https://a.b/1\n2. Roe. https://a.b/2", "Doe, A. Old|Roe"),
        ("**Sources**\n\n1. [Old](https://a.b/1) - Wiki\n2. [New](https://a.b/2)", "Old|New"),
        ('[1]: https://a.b/1 "Old"\n[2]: https://a.b/2', "Old|"),
        ("Works cited\n\n- Old, https://a.b/1\n- New, https://a.b/2", "Old|New"),
        ("# Notes\n\n[1] Old\n    https://a.b/1\n[2] New\n    https://a.b/2\n\n# End", "Old|New"),
        ("References\n\nOld. https://a.b/1\n\nNew. https://a.b/2", "Old|New"),
        ("Sources: [1] Old https://a.b/1, [2] New https://a.b/2", "Old|New"),
        ("Sources: [Old](https://a.b/1), [New](https://a.b/2)", "Old|New"),
        ("**Sources**\n[1] Old. https://a.b/1\n[2] New. https://a.b/2", "Old|New"),
        ("Source 1: Old. https://a.b/1\nSource 2: New. https://a.b/2", "Old|New"),
        ("---\n\n*[1] Old. https://a.b/1*\n\n*[2] New. https://a.b/2*", "Old|New"),
        ("1. Old (2019). https://a.b/1\n2. New (https://a.b/2)", "Old (2019)|New"),
        ("1. Old. Retrieved 3 May 2024, from https://a.b/1\n2. New https://a.b/2", "Old|New"),
        ("- [1] Old. https://a.b/1\n- [2] New. https://a.b/2", "Old|New"),
        ("1 – Old. https://a.b/1\n2 – New. https://a.b/2", "Old|New"),
        ("**1.** Old. https://a.b/1\n**2.** New. https://a.b/2", "Old|New"),
        ("[[1]] Old. https://a.b/1\n【2】 New. https://a.b/2", "Old|New"),
        (
            "Sources\n\n|#|T|L|\n|-|-|-|\n| 1 | Old | https://a.b/1 |\n| 2 | New | https://a.b/2 |",
            "Old|New",
        ),
        ("[1]: <https://a.b/1> (Old)\n[2]: <https://a.b/2> (New)", "Old|New"),
        ("## 5. References & Further Reading\n\n- https://a.b/1\n- https://a.b/2", "|"),
    ],
)
def test_lists_of_references(below, expected):
    sentences, references = read_cited(f"It is tall [1]. It is wide [2].\n\n{below}")
    assert [r.title for r in references] == expected.split("|")
    assert [r.url for r in references] == ["https://a.b/1", "https://a.b/2"]
    assert [(s.text, s.marks[0].keys) for s in sentences] == [
        ("It is tall.", (references[0].key,)),
        ("It is wide.", (references[1].key,)),
    ]


TALL = "It is tall."


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("It is tall.[^1]\n\n---\n\n[^1] Old. https://a.b/1\n[^2] New. https://a.b/2", [TALL]),
        ("It is tall [1].\n\n- Wide things, https://a.b/2\n\n[1]: https://a.b/1", [TALL]),
        (
            "It is tall [1].\n\n- It was [red](https://a.b/r) in 1976 [1].\n\n[1]: https://a.b/1",
            [TALL, "It was red in 1976."],
        ),
    ],
    ids=["notes without a colon", "an entry without a label", "a last item that says something"],
)
def test_what_an_entry_of_a_list_is_and_which_label_it_has(draft, expected):
    sentences = cited(draft)
    assert [text for text, _ in sentences] == expected
    assert all(urls[-1] == ("https://a.b/1",) for _, urls in sentences)


def test_authors_are_found_in_the_list():
    draft = (
        "As Smith et al. (2020) show, it is tall. The WHO (2019) agrees. It fell (Doe 1999). "
        "It leans (Society of Science, 2001).\n\n"
        "Bibliography\n\nSmith, A., Jones, B., & Lee, C. (2020). Title one. https://a.b/1\n\n"
        "World Health Organization (WHO). (2019). Title two. https://a.b/2\n\n"
        'Doe, J. 1999. "It fell." Journal of Falls 4.\n\n'
        "Society of Science. (2001). Title three. https://a.b/3\n"
    )
    sentences, references = read_cited(draft)
    assert [r.title for r in references] == ["Title one", "Title two", "It fell", "Title three"]
    assert [(s.text, s.marks[0].keys[0]) for s in sentences] == [
        ("As Smith et al. show, it is tall.", references[0].key),
        ("The WHO agrees.", references[1].key),
        ("It fell.", references[2].key),
        ("It leans.", "society-of-science-2001"),
    ]


def test_a_source_is_named_by_author_and_year_as_in_the_draft_or_its_entry():
    draft = (
        "It rose (Society of Science 2019).\nIt fell (Kolb 2021).\n\nBibliography\n\n"
        "Kolb, T. 2021. A dip. https://a.b/1\n\nSociety of Science 2019. Its rise.\n\n"
        "Osei, A. and Rae, B. 2020. Its end."
    )
    [sentence, *_], references = read_cited(draft)
    for reference, name in zip(references, ("Kolb 2021", "", "Osei and Rae, 2020"), strict=True):
        keys = {sentence.marks[0]: (reference.key,)}
        edits = MarkWriter(draft).change(sentence.marks, keys)
        own = "Society of Science 2019"
        assert changed(draft, edits) == draft.replace(own, name or own, 1)


PIECES = st.lists(
    st.sampled_from(
        "It is tall|. |[1]|[^a]|(|)|[|]|](https://a.b)|https://a.b/c|(Doe, 2020)|Doe (2020)"
        "|<sup>1</sup>|<a href='#x'>|</a>|<li id=x>|</li>|<html>|\n|\n\n|## References\n\n|[1] "
        "|[^a]: |1. |- |¹|&amp;|| a | b |\n|---|\r\n|<p>|`|**|, |;|<cite>|</cite>|【1†s】|[a]: https://a.b\n".split(
            "|"
        )
    ),
    max_size=30,
).map("".join)


@given(PIECES)
def test_any_text_is_read_and_its_marks_are_where_they_are_said_to_be(draft):
    (sentences, references), writer = read_cited(draft), MarkWriter(draft)
    marks = [mark for sentence in sentences for mark in sentence.marks]
    assert all(draft[mark.start : mark.end] == mark.text and mark.keys for mark in marks)
    assert len({reference.key for reference in references}) == len(references)
    assert all(0 <= s.start < s.end <= len(draft) for s in sentences)
    changed(draft, writer.change(marks, dict.fromkeys(marks, ())))
    for mark in marks:
        for edit in writer.change(marks, {mark: ("9", *mark.keys[1:])}):
            assert draft[edit.start : edit.end] == edit.before
    for sentence in sentences:
        changed(draft, writer.insert(sentence, ["9"]))
    for form in ("number", "footnote"):
        changed(draft, writer.add_entries(["New", "Newer"], form)[0])


@pytest.mark.parametrize(
    ("unit", "expected"), [("kg²", "kg² ²"), ("km²", "km² ²"), ("m³", "m³ ²"), ("kg", "kg²")]
)
def test_a_raised_mark_is_not_glued_to_a_power(unit, expected):
    draft = f"It was opened in 1932¹. The plate has 40 {unit}.\n\n## References\n\n1. a\n2. b\n"
    sentences, _ = read_cited(draft)
    assert changed(draft, MarkWriter(draft).insert(sentences[-1], ["2"])) == draft.replace(
        f"40 {unit}.", f"40 {expected}."
    )
