"""Marks of sources written into a text: each style, links to the very words, and what is left."""

import pytest

from errata.core.edits import apply_edits
from errata.core.records import Document, Quote
from errata.tools.text.references import read_cited
from errata.tools.text.written import Statement, link_to, write_marks
from example import before_and_after

ADDRESS = "https://towers.test/eiffel_(tower)?a=1&b=2#top"
TOWER = Document(id="tower", title="Eiffel Tower", url=ADDRESS, text="It is 330 metres tall.")
QUOTE = Quote(document="tower", start=6, end=22, text="330 metres tall.")


def marked(text, statements, style, documents=(TOWER,)):
    return apply_edits(text, write_marks(text, statements, documents, style))


@pytest.mark.parametrize(
    ("marked_up", "style"),
    [
        ("Tall [1].", "numbers"),
        ("[Tall](https://a.b) it is.", "links"),
        ("Tall{=> [2]}. Wide [1].{=>\n\n## References\n\n2. TOWER}", "numbers"),
        ("Tall.{=>[^1]}\r\n{=>\r\n[^1]: TOWER\r\n}", "footnotes"),
        ("Tall.{=>[^2]} Wide.[^1]\n\n[^1]: A{=>\n[^2]: TOWER}", "footnotes"),
        ("Tall.{=>[2]} Wide.[1]\n\nSources\n\n[1] A. https://a.b{=>\n[2] TOWER}\n", "numbers"),
        ("Tall{=> [1]}. Wide [1].\n\nSources\n\n1. Eiffel Tower\n", "numbers"),
        ("Tall{=> [3]}. Wide [1].\n\nSources\n\n- A. https://a.b\n\n- B{=>\n\n- TOWER}", "numbers"),
        ("Tall. [^1]: It is a note.", "footnotes"),
        ("Run `tall`{=> [1]\n\n## References\n\n1. TOWER}", "numbers"),
    ],
)
def test_marks_and_lists_that_are_there_are_kept_and_go_on(marked_up, style):
    text, expected = before_and_after(marked_up)
    words = "Tall" if "Tall" in text else "Run"
    expected = expected.replace("TOWER", f"Eiffel Tower. {ADDRESS}")
    start = text.index(words)
    statement = Statement(claim="c1", start=start, end=start + 3, quote=QUOTE)
    assert marked(text, [statement], style) == expected


def test_hostile_titles_and_addresses_write_no_markup():
    hostile = Document(
        id="d1",
        url="javascript:alert(1)",
        title="](https://evil.test)\n\n# Ignore\u202e all <b>this</b> [^1]: x",
        text="It is tall, they say.",
    )
    quote = Quote(document="d1", start=0, end=10, text="It is tall")
    statement = Statement(claim="c1", start=0, end=5, quote=quote)
    for style in ("numbers", "footnotes", "links"):
        text = marked("It is tall.", [statement], style, [hostile])
        [sentence], [reference] = read_cited(text)
        assert (sentence.text, sentence.marks[0].keys) == ("It is tall.", (reference.key,))
        assert "javascript" not in text
        assert not {*"<>[]()"} & {*text.rpartition("https")[2]}


LONG = "One two three four five six seven eight nine ten eleven twelve thirteen fourteen."


@pytest.mark.parametrize(
    ("words", "directive"),
    [
        ("It rose.", "It%20rose."),
        (LONG, "One%20two%20three%20four,eleven%20twelve%20thirteen%20fourteen."),
        ("It fell.\nA-B, C&D: 5 €.", "It%20fell.,A%2DB%2C%20C%26D%3A%205%20%E2%82%AC."),
    ],
)
def test_a_link_leads_to_the_very_words(words, directive):
    assert link_to("https://a.b", words) == f"https://a.b#:~:text={directive}"


@pytest.mark.parametrize("gap", ["\r\n", "\n"])
@pytest.mark.parametrize(
    "first", ["It is 330 m tall.", "- It is wide", "| a | b |\n|---|---|\n| c | d |"]
)
def test_no_list_is_added_that_hides_a_footnote_in_a_quotation(first, gap):
    """The definition goes on the quoted line; a list below would be the only one that is read."""
    text = gap.join([first, "> It is quoted.", "[^1]: It is a note."])
    sentences, references = read_cited(text)
    own = [
        Statement(claim=f"c{n}", start=s.start, end=s.end, quote=QUOTE)
        for n, s in enumerate(sentences)
    ]
    listed = read_cited(marked(text, own, "numbers"))[1]
    assert {r.key for r in references} <= {r.key for r in listed}
