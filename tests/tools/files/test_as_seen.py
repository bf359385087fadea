"""Files are read as people see them: the kinds that bug reports named, each with tries of its own.

A row says what a file shows, a draft, and whether the file supports that draft.
"""

import time

import pytest

from errata import check, correct
from errata.tools.files.main_text import extract_main_text
from errata.tools.retrieval.documents import read_documents

MORE = "<p>The river runs through the town for nine miles and meets the sea near the harbour.</p>"
CASINO, CHURCH = "The valley has a casino with forty rooms.", "The valley has one church."
HAS_CASINO = "The valley has a casino."


def page(*blocks, head=""):
    """A page of an article."""
    body = "".join(block if block.startswith("<") else f"<p>{block}</p>" for block in blocks)
    return f"<html><head>{head}</head><body><article><h1>A survey</h1>{body}{MORE}</article></body>"


def labels(path, draft):
    return {verdict.label for verdict in check(draft=draft, documents=[path]).verdicts}


def is_kept(path, draft):
    """Whether a draft is supported and stays as it is."""
    return (
        labels(path, draft) == {"supported"} and not correct(draft=draft, documents=[path]).changed
    )


RAISED = [
    # The reports.
    ("The farm has 45<sup>2</sup> cows and 12<sup>3</sup> goats.", "The farm has 45 cows."),
    ("The vat holds 10<sup>6</sup> litres of milk.", "The vat holds one million litres of milk."),
    # Further tries.
    ("It cost 2.5 &times; 10<sup>6</sup> crowns.", "It cost 2.5 million crowns."),
    ("The weir was built in 1934<sup>5</sup> by monks.", "The weir was built in 1934 by monks."),
    (
        'The weir was built in 1934<sup class="reference"><a href="#cite_note-5">[5]</a></sup>.',
        "The weir was built in 1934.",
    ),
    ('The weir cost 300<a href="#n1"><sup>1</sup></a> crowns.', "The weir cost 300 crowns."),
    (
        'The weir cost 300<span style="vertical-align: super">7</span> crowns.',
        "The weir cost 300 crowns.",
    ),
    ("The mill makes 12<sub>4</sub> engines a day.", "The mill makes 12 engines a day."),
    ("The plant emits 40 tonnes of CO<sub>2</sub>.", "The plant emits 40 tonnes of CO2."),
    ("The lake covers 40 km<sup>2</sup> in June.", "The lake covers 40 km² in June."),
    ("It dates from the 19<sup>th</sup> century.", "It dates from the 19th century."),
    ("The club has 45<sup>2, 3</sup> members.", "The club has 45 members."),
    ("The club has 4,250<sup>a</sup> members.", "The club has 4,250 members."),
]


@pytest.mark.parametrize(("shown", "draft"), RAISED)
def test_raised_characters_are_no_digits_of_a_number(tmp_path, shown, draft):
    path = tmp_path / "a.html"
    path.write_text(page(shown))
    assert is_kept(path, draft)


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("10<sup>&minus;3</sup> g", "10⁻³ g"),
        ("the Ca<sup>2+</sup> ion", "the Ca²⁺ ion"),
        ("<sup>235</sup>U and <sup>14</sup>C", "²³⁵U and ¹⁴C"),
        ("the farm.<sup>3</sup> The inn", "the farm. The inn"),
        ("a cow<sup>*</sup> here", "a cow here"),
        ("<math><msup><mn>10</mn><mn>6</mn></msup></math> of them", "10⁶ of them"),
        ("2<sup>n</sup> parts", "2ⁿ parts"),
        ("45<sup><b>2</b></sup> cows", "45² cows"),
        ("see<sup>citation needed</sup> it", "seecitation needed it"),
    ],
)
def test_raised_characters_are_written_as_such(tmp_path, shown, text):
    (tmp_path / "a.html").write_text(page(f"Here we say {shown}."))
    assert text in read_documents(tmp_path / "a.html")[0].text


GONE = [
    ("<del>The road is closed on Sundays.</del> It is open all week.", "closed on Sundays"),
    ("The ticket costs <s>€49</s> €39 for adults.", "49"),
    ("The ticket costs <strike>49 crowns</strike> 39 crowns for adults.", "49"),
    ('The fee is <span style="text-decoration:line-through">40</span> 60 crowns.', "40"),
    ('<p style="TEXT-DECORATION-LINE: underline line-through">Dogs may enter.</p>', "Dogs"),
    ("<ul><li><del>Dogs may enter.</del></li><li>Cats may enter.</li></ul>", "Dogs"),
    ("It was opened in <del>1931</del><ins>1934</ins> by the king.", "1931"),
    ("<del><p>The mine employs 300 people.</p></del>", "300"),
    ("<s>No <b>dogs</b> or <i>cats</i></s>Children may enter.", "cats"),
]


@pytest.mark.parametrize(("shown", "gone"), GONE)
def test_struck_out_text_is_no_evidence(tmp_path, shown, gone):
    (tmp_path / "a.html").write_text(page(shown, "The mine lies in the north of the valley."))
    text = read_documents(tmp_path / "a.html")[0].text
    assert gone not in text
    assert "The mine lies in the north" in text


def test_what_stands_beside_struck_out_text_is_evidence(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(page(GONE[0][0]))
    assert labels(path, "The road is closed on Sundays.") != {"supported"}
    path.write_text(page("It was opened in <del>1931</del><ins>1934</ins> by the king."))
    assert is_kept(path, "It was opened in 1934 by the king.")


HIDDEN = """p hidden|p hidden=""|p hidden="until-found"|p aria-hidden="TRUE"|template|noscript
dialog|p style="visibility:hidden"|p style="visibility: collapse"|p style="font-size:0"|iframe
div hidden|p style="font-size: 0px !important"|p style="opacity:0"|p style="opacity: 0.0%"
textarea hidden|p style="DISPLAY : None"|p style="color:#fff;background:#ffffff"
p style="color:white"|font color=white|p style="position:absolute;left:-9999px"
p style="text-indent:-999em"|p style="color:transparent"
p style="position:fixed; width:1px; height:1px; overflow:hidden"|p style="clip-path:inset(50%)"
p style="color:rgb(255, 255, 255); background-color: white"|p style="font-size:1px"
p style="height:0;overflow:hidden"|div style="visibility:hidden"|div style="font-size:0"
p style="display/**/:none"|p style="color:rgba(0,0,0,0)"|p style="content-visibility:hidden"
p style="background:#001;color:#000"|p style="transform:scale(0)\""""
SEEN = """details|p|p style="opacity:0.9"|p aria-hidden="false"
p style="color:white;background:#003"|p style="font-size:12px"|p style="color:#333"|dialog open
p style="text-decoration:underline"|p style="left:-9999px"
p style="background:url(white.png);color:white"|p style="display:block\""""


def opened(names):
    return names.replace("\n", "|").split("|")


@pytest.mark.parametrize("opening", opened(HIDDEN))
def test_text_that_nobody_sees_is_no_evidence(tmp_path, opening):
    name = opening.split()[0]
    inner = f"<p>{CASINO}</p>" if name in ("div", "template", "noscript", "dialog") else CASINO
    (tmp_path / "a.html").write_text(page(f"<{opening}>{inner}</{name}>", CHURCH))
    [document] = read_documents(tmp_path / "a.html")
    assert "casino" not in document.text
    assert CHURCH in document.text


@pytest.mark.parametrize("opening", opened(SEEN))
def test_text_that_is_seen_stays(tmp_path, opening):
    (tmp_path / "a.html").write_text(page(f"<{opening}>{CASINO}</{opening.split()[0]}>"))
    assert CASINO in read_documents(tmp_path / "a.html")[0].text


@pytest.mark.parametrize(
    ("shown", "is_seen"),
    [
        (f"<!-- {CASINO} -->{CHURCH}", False),
        (f'<input type=hidden value="{CASINO}">{CHURCH}', False),
        (f'<div style="background:#000"><p style="color:black">{CASINO}</p></div>', False),
        (f'<div style="background:#000"><p style="color:white">{CASINO}</p></div>', True),
        (f'<div style="font-size:0"><p style="font-size:13px">{CASINO}</p></div>', True),
        (f'<div style="font-size:0"><p style="font-size:2em">{CASINO}</p></div>', False),
        (f'<div style="visibility:hidden"><p style="visibility:visible">{CASINO}</p></div>', True),
        (f'<div style="visibility:hidden">{CASINO}<p>{CHURCH}</p></div>', False),
        (f"<p>The valley has <span hidden>no {CASINO} and </span>one church.</p>", False),
    ],
)
def test_what_is_around_a_text_counts(tmp_path, shown, is_seen):
    (tmp_path / "a.html").write_text(page(shown))
    assert (CASINO in read_documents(tmp_path / "a.html")[0].text) is is_seen


def test_a_style_sheet_may_give_white_text_a_dark_ground(tmp_path):
    white = f'<p style="color:white">{CASINO}</p>'
    (tmp_path / "a.html").write_text(page(white, head="<style>body{background:#000}</style>"))
    assert CASINO in read_documents(tmp_path / "a.html")[0].text


def test_a_hidden_word_does_not_turn_a_statement_around(tmp_path):
    path = tmp_path / "a.html"
    path.write_text(page(f"<p hidden>{CASINO}</p>", 'It has <i aria-hidden="true">no </i>church.'))
    assert labels(path, HAS_CASINO) != {"supported"}
    assert "It has church." in read_documents(path)[0].text


@pytest.mark.parametrize(
    "body",
    [
        "<s>a</s>b" * 60_000,
        "x<sup>2</sup>" * 60_000,
        "<sup>" * 20_000 + "2" + "</sup>" * 20_000,
        '<p style="' + "/*" * 300_000 + '">a</p>',
        "<div hidden>" * 20_000 + "a",
    ],
)
def test_hostile_pages_take_linear_time(body):
    started = time.monotonic()
    extract_main_text("text/html", page(f"<p>{body}</p>").encode())
    assert time.monotonic() - started < 30
