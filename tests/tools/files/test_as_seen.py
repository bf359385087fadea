"""Files are read as people see them: the kinds that bug reports named, each with tries of its own.

A row says what a file shows, a draft, and whether the file supports that draft.
"""

import time
import zipfile
from io import BytesIO
from itertools import zip_longest

import pytest

from errata import correct
from errata.tools.files.main_text import extract_main_text
from errata.tools.retrieval.documents import read_source
from heavy_pages import pdf_file

MORE = "<p>The river runs through the town for nine miles and meets the sea near the harbour.</p>"
CASINO, CHURCH = "The valley has a casino with forty rooms.", "The valley has one church."


def page(*blocks, head=""):
    """A page of an article."""
    body = "".join(block if block.startswith("<") else f"<p>{block}</p>" for block in blocks)
    return f"<html><head>{head}</head><body><article><h1>A survey</h1>{body}{MORE}</article></body>"


GONE = [
    ("<del>The road is closed on Sundays.</del> It is open all week.", "closed on Sundays"),
    ("The ticket costs <s>€49</s> €39 for adults.", "49"),
    ('The fee is <span style="text-decoration:line-through">40</span> 60 crowns.', "40"),
    ('<p style="TEXT-DECORATION-LINE: underline line-through">Dogs may enter.</p>', "Dogs"),
    ("It was opened in <del>1931</del><ins>1934</ins> by the king.", "1931"),
    ("<del><p>The mine employs 300 people.</p></del>", "300"),
    ('The valley has <i aria-hidden="true">seven</i> inns.', "seven"),
]


@pytest.mark.parametrize(("shown", "gone"), GONE)
def test_struck_out_or_hidden_words_are_no_evidence(tmp_path, shown, gone):
    (tmp_path / "a.html").write_text(page(shown, "The mine lies in the north of the valley."))
    text = read_source(tmp_path / "a.html").documents[0].text
    assert gone not in text
    assert "The mine lies in the north" in text


HIDDEN = """p hidden|p hidden=""|p hidden="until-found"|p aria-hidden="TRUE"|template|noscript
dialog|p style="visibility:hidden"|p style="visibility: collapse"|p style="font-size:0"|iframe
div hidden|p style="font-size: 0px !important"|p style="opacity:0"|p style="opacity: 0.0%"
textarea hidden|p style="DISPLAY : None"|p style="position:absolute;left:-9999px"
p style="text-indent:-999em"|p style="color:transparent"
p style="position:fixed; width:1px; height:1px; overflow:hidden"|p style="clip-path:inset(50%)"
p style="font-size:1px"
p style="height:0;overflow:hidden"|div style="visibility:hidden"|div style="font-size:0"
p style="display/**/:none"|p style="content-visibility:hidden"|p style="transform:scale(0)\""""
SEEN = """details|p|p style="opacity:0.9"|p aria-hidden="false"
p style="color:white;background:#003"|p style="font-size:12px"|p style="color:#333"|dialog open
p style="text-decoration:underline"|p style="color:white"|p style="display:block\""""


def opened(names):
    return names.replace("\n", "|").split("|")


@pytest.mark.parametrize("opening", opened(HIDDEN))
def test_text_that_nobody_sees_is_no_evidence(tmp_path, opening):
    name = opening.split()[0]
    inner = f"<p>{CASINO}</p>" if name in ("div", "template", "noscript", "dialog") else CASINO
    (tmp_path / "a.html").write_text(page(f"<{opening}>{inner}</{name}>", CHURCH))
    [document] = read_source(tmp_path / "a.html").documents
    assert "casino" not in document.text
    assert CHURCH in document.text


@pytest.mark.parametrize("opening", opened(SEEN))
def test_text_that_is_seen_stays(tmp_path, opening):
    (tmp_path / "a.html").write_text(page(f"<{opening}>{CASINO}</{opening.split()[0]}>"))
    assert CASINO in read_source(tmp_path / "a.html").documents[0].text


@pytest.mark.parametrize(
    "body",
    [
        "x<sup>2</sup>" * 5_000,
        "<sup>" * 20_000 + "2" + "</sup>" * 20_000,
        '<p style="' + "/*" * 300_000 + '">a</p>',
        "<div hidden>" * 20_000 + "a",
    ],
)
def test_hostile_pages_take_linear_time(body):
    started = time.monotonic()
    extract_main_text("text/html", page(f"<p>{body}</p>").encode())
    assert time.monotonic() - started < 30


NAMES = """xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"
 xmlns:v="urn:schemas-microsoft-com:vml"
 xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
 xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape\""""


def r(text, form=""):
    """A run."""
    return f'<w:r><w:rPr>{form}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def taken(text):
    """A deleted run."""
    return f"<w:del><w:r><w:delText>{text}</w:delText></w:r></w:del>"


def box(text):
    """A text box."""
    return f"<w:txbxContent><w:p>{r(text)}</w:p></w:txbxContent>"


def cell(inner):
    return f"<w:tc><w:p>{inner}</w:p></w:tc>"


UP = '<w:vertAlign w:val="superscript"/>'


def word_of(*blocks, notes=""):
    """A Word document of paragraphs, or of other blocks, and of footnotes."""
    whole = (
        block if block.startswith(("<w:tbl", "<w:sdt", "<w:p>")) else f"<w:p>{block}</w:p>"
        for block in blocks
    )
    body, buffer = f"<w:body>{''.join(whole)}</w:body>", BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("word/document.xml", f"<w:document {NAMES}>{body}</w:document>")
        if notes:
            file.writestr("word/footnotes.xml", f"<w:footnotes {NAMES}>{notes}</w:footnotes>")
    return buffer.getvalue()


def m(number):
    """A run of a formula."""
    return f"<m:r><m:t>{number}</m:t></m:r>"


FIELD = '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>REF x</w:instrText></w:r>'
DEEP = box("It is deep.")
TWICE = (
    f"<mc:AlternateContent><mc:Choice>{DEEP}</mc:Choice>"
    f"<mc:Fallback><w:pict><v:t>{DEEP}</v:t></w:pict></mc:Fallback></mc:AlternateContent>"
)
NOT_OPEN = r("The mine is ") + f"<w:ins>{r('not ')}</w:ins>" + r("open to visitors.")
BRIDGE = r("The bridge was opened in ") + taken("1931") + f"<w:ins>{r('1934')}</w:ins>" + r(".")
WORDS = [
    # The reports.
    (NOT_OPEN, "The mine is not open to visitors."),
    (BRIDGE, "The bridge was opened in 1934."),
    # Further tries.
    (f"<w:moveTo>{r('It is old.')}</w:moveTo><w:moveFrom>{r('No.')}</w:moveFrom>", "It is old."),
    (f"{r('In ')}<w:sdt><w:sdtContent>{r('1934')}</w:sdtContent></w:sdt>{r('.')}", "In 1934."),
    (f'{r("Page ")}<w:fldSimple w:instr="PAGE">{r("7")}</w:fldSimple>', "Page 7"),
    (FIELD + r("7"), "7"),
    (f"<w:hyperlink>{r('Skarvik')}</w:hyperlink>{r(' grew.')}", "Skarvik grew."),
    (r("It costs ") + r("49", "<w:strike/>") + r("39"), "It costs 39"),
    (r("It costs ") + r("39", '<w:strike w:val="0"/>'), "It costs 39"),
    (r("It is ") + r("not ", "<w:vanish/>") + r("open."), "It is open."),
    (r("It has 45") + r("2", UP) + r(" cows, 10") + r("6", UP) + r(" ants."), "45² cows, 10⁶"),
    (r("Of the farm") + r("3", UP) + r(" in 1934") + r("4", UP) + r("."), "Of the farm in 1934."),
    (f"<m:oMath><m:sSup><m:e>{m(10)}</m:e><m:sup>{m(6)}</m:sup></m:sSup></m:oMath>", "10⁶"),
    (f"{r('A box')}<w:r>{TWICE}</w:r>", "A box\n\nIt is deep."),
    (f"<w:r><w:pict>{DEEP}</w:pict></w:r>", "It is deep."),
    (f"<w:sdt><w:sdtContent><w:p>{r('It is deep.')}</w:p></w:sdtContent></w:sdt>", "It is deep."),
]


@pytest.mark.parametrize(("block", "text"), WORDS)
def test_word_documents_are_read_with_what_was_put_in(tmp_path, block, text):
    (tmp_path / "a.docx").write_bytes(word_of(block))
    read = read_source(tmp_path / "a.docx").documents[0].text
    assert text in read
    assert read.count("It is deep.") <= 1


def test_tables_are_read_with_controls_and_changes(tmp_path):
    gone = f"<w:tr><w:trPr><w:del/></w:trPr>{cell(r('No'))}</w:tr>"
    held = f"<w:sdt><w:sdtContent>{cell(r('Lund'))}</w:sdtContent></w:sdt>"
    rows = [
        cell(r("Town")) + cell(r("People")) + cell(r("Year")),
        cell(r("Skarvik")) + cell(f"<w:ins>{r('4,250')}</w:ins>") + cell(r("1990")),
        held + cell(r("none")),
    ]
    table = "".join(f"<w:tr>{row}</w:tr>" for row in rows)
    (tmp_path / "a.docx").write_bytes(word_of(f"<w:tbl>{table}{gone}</w:tbl>"))
    assert read_source(tmp_path / "a.docx").documents[0].text.split("\n\n") == [
        "Town | People | Year",
        "Skarvik | 4,250 | 1990",
        "Lund | none",
    ]


def drawn(*lines, lead=14):
    """Commands that draw texts, each at a place: (x, line, text)."""
    places = [f"1 0 0 1 {x} {700 - lead * line} Tm ({text}) Tj" for x, line, text in lines]
    return f"BT /F1 11 Tf {' '.join(places)} ET".encode("latin-1")


def columns(*texts, xs, head=""):
    """Columns of lines, drawn from left to right, line by line."""
    rows = enumerate(zip_longest(*texts, fillvalue=""), start=2)
    cells = [(x, n, text) for n, row in rows for x, text in zip(xs, row, strict=True) if text]
    return drawn(*([(xs[0], 0, head)] if head else []), *cells)


def lines(*texts, x=72, **form):
    return drawn(*((x, n, text) for n, text in enumerate(texts)), **form)


def read_pdf(path, *pages):
    path.write_bytes(pdf_file(*pages))
    return read_source(path).documents[0].text


MINE, SHAFT = ("The mine was opened in", "1934 by the king."), "It closed in 1950."
KIRK = "The church was built in", "1801 by the farmers."
SCHOOL = "The school has 40", "pupils, all girls."
NORTH, VALLEY = ("It lies in the", "north of the"), ("valley. It is", "old.")
HEAD = "A chronicle of the valley and its buildings"
MINE_TEXT, KIRK_TEXT = " ".join(MINE), " ".join(KIRK)


@pytest.mark.parametrize(
    ("drawing", "text"),
    [
        # The report, in the two ligatures of standard fonts.
        (lines("The \xaerm was founded in 1934 by two engineers."), "The firm was founded in 1934"),
        (lines("The \xafag is of\xaecial."), "The flag is official."),
        # Further tries, of lines and hyphens.
        (lines("They built an observa-", "tory in 1934."), "an observatory in 1934."),
        (lines("It was a well-", "known inn. A well-known inn."), "It was a well-known inn."),
        (lines("It was a well-", "known inn. All is known well."), "It was a well-known inn."),
        (
            lines("The Anglo-", "Saxon farm of 1914-", "1918 stood."),
            "Anglo-Saxon farm of 1914-1918",
        ),
        (lines("The mine was opened in", "1934 by the king.", lead=22), MINE_TEXT),
        (lines("It is wide.", "", "", "It is deep. The mine", "is open."), "wide.\n\nIt is deep."),
    ],
)
def test_words_of_a_pdf_are_whole(tmp_path, drawing, text):
    assert text in read_pdf(tmp_path / "a.pdf", drawing)


@pytest.mark.parametrize(
    ("drawing", "texts"),
    [
        # The report.
        (columns(MINE, KIRK, xs=(72, 320)), [MINE_TEXT, KIRK_TEXT]),
        # Further tries: a small gap, a heading over both, three columns, one that is longer.
        (columns(MINE, KIRK, xs=(72, 215)), [MINE_TEXT, KIRK_TEXT]),
        (columns(MINE, KIRK, xs=(72, 320), head=HEAD), [HEAD, MINE_TEXT, KIRK_TEXT]),
        (
            columns((*MINE, SHAFT), KIRK, SCHOOL, xs=(50, 210, 370)),
            [f"{MINE_TEXT} {SHAFT}", KIRK_TEXT, " ".join(SCHOOL)],
        ),
        (
            columns((*MINE, *NORTH), VALLEY, xs=(72, 320)),
            [f"{MINE_TEXT} It lies in the north of the valley. It is old."],
        ),
    ],
)
def test_columns_of_a_pdf_are_read_in_turn(tmp_path, drawing, texts):
    assert read_pdf(tmp_path / "a.pdf", drawing).split("\n\n") == texts


SHOWN = {
    # The reports.
    "The farm has 45 cows.": page("The farm has 45<sup>2</sup> cows and 12<sup>3</sup> goats."),
    "The vat holds one million litres.": page("The vat holds 10<sup>6</sup> litres of milk."),
    "The firm was founded in 1934.": pdf_file(
        lines("The \xaerm was founded in 1934 by two engineers.")
    ),
    # Further tries.
    "The weir was built in 1934.": page(
        'The weir was built in 1934<sup class="reference"><a href="#cite_note-5">[5]</a></sup>.'
    ),
    "The weir cost 300 crowns.": page('The weir cost 300<a href="#n1"><sup>1</sup></a> crowns.'),
    "The dam cost 300 crowns.": page(
        'The dam cost 300<span style="vertical-align: super">7</span> crowns.'
    ),
    "The plant emits 40 tonnes of CO2.": page("The plant emits 40 tonnes of CO<sub>2</sub>."),
    "The lake covers 40 km² in June.": page("The lake covers 40 km<sup>2</sup> in June."),
    "The club has 45 members.": page("The club has 45<sup>2, 3</sup> members."),
}


@pytest.mark.parametrize(("draft", "content"), SHOWN.items(), ids=[*SHOWN])
def test_what_a_file_shows_supports_a_draft(write, draft, content):
    correction = correct(draft=draft, documents=[write("a", content)])
    assert correction.label == "supported"
    assert not correction.changed


def test_what_a_file_shows_corrects_a_draft(write):
    file = write("a", SHOWN["The firm was founded in 1934."])
    correction = correct(draft="The firm was founded in 1931.", documents=[file])
    assert correction.response == "The firm was founded in 1934."
