"""Word documents read as Markdown, and edits of that text written into them."""

from io import BytesIO
from zipfile import ZipFile

import docx
import pytest
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from errata.core.edits import apply_edits
from errata.core.errors import InputError
from errata.core.records import Edit
from errata.tools.files.word import Word

NOTES = f"""<w:footnotes {nsdecls("w")}>
<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>
<w:footnote w:id="7"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> Towns.</w:t>
</w:r></w:p></w:footnote>
<w:footnote w:id="4"><w:p><w:r><w:t>History of Skarvik.</w:t></w:r></w:p></w:footnote>
</w:footnotes>"""
TEXT = """# Skarvik

The bridge was opened in 1938 [1]. It is long².[^1] It is wide.[^2] [Guide](https://a.b/guide)

1. History. https://a.b/1

2. Towns. https://a.b/2

3. History. https://a.b/1

[^1]:  Towns.

[^2]: History of Skarvik.

"""


def note(number):
    return parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="{number}"/></w:r>')


@pytest.fixture
def data():
    """A document with runs, raised numbers, notes, a link and a list that Word numbers."""
    document, buffer = docx.Document(), BytesIO()
    document.add_heading("Skarvik", 1)
    paragraph = document.add_paragraph("The bridge was opened in ")
    paragraph.add_run("1938").bold = True
    paragraph.add_run(" [1]. It is long")
    paragraph.add_run("2").font.superscript = True
    paragraph.add_run(".")
    paragraph._p.append(note(7))
    paragraph.add_run(" It is wide.")
    paragraph._p.append(note(4))
    paragraph.add_run(" ")
    link = document.part.relate_to("https://a.b/guide", RELATIONSHIP_TYPE.HYPERLINK, True)
    paragraph._p.append(
        parse_xml(
            f'<w:hyperlink {nsdecls("w", "r")} r:id="{link}"><w:r><w:t>Guide</w:t></w:r>'
            "</w:hyperlink>"
        )
    )
    document.add_paragraph("")
    for text in ("History. https://a.b/1", "Towns. https://a.b/2", "History. https://a.b/1"):
        document.add_paragraph(text, style="List Number")
    notes = PackURI("/word/footnotes.xml"), CONTENT_TYPE.WML_FOOTNOTES, NOTES.encode()
    part = Part(*notes, document.part.package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document.save(buffer)
    return buffer.getvalue()


def edit(before, after, at=0):
    start = TEXT.index(before, at)
    return Edit(start=start, end=start + len(before), before=before, after=after)


def test_paragraphs_are_markdown_and_notes_come_last(data):
    assert Word(data, "x").text == TEXT


@pytest.mark.parametrize(
    "edits",
    [
        [edit("1938", "1932")],
        [edit("[1]", "[2]"), edit("It is long", "The bridge is quite long")],
        [edit("long²", "long¹"), edit("wide.", "wide [2].")],
        [edit("long²", "long² and new")],
        [edit("²", "¹²")],
        [edit("[Guide](https://a.b/guide)", "[Guide](https://a.b/other)")],
        [edit("wide.", "wide ([Towns](https://a.b/2)).")],
        [edit("Guide", "Handbook")],
        [edit(" It is wide.", "")],
        [edit("2. Towns. https://a.b/2\n\n", "2. History. https://a.b/1\n\n")],
    ],
)
def test_edits_are_written_and_read_back(data, edits):
    new, undone = Word(data, "x").edited(edits)
    assert undone == []
    assert Word(new, "y").text == apply_edits(TEXT, edits)
    docx.Document(BytesIO(new))
    with ZipFile(BytesIO(data)) as old, ZipFile(BytesIO(new)) as file:
        assert file.namelist() == old.namelist()
        changed = {name for name in file.namelist() if file.read(name) != old.read(name)}
    assert changed <= {"word/document.xml", "word/_rels/document.xml.rels"}


def test_what_looks_special_stays_so(data):
    new, _ = Word(data, "x").edited([edit("1938", "1932")])
    runs = docx.Document(BytesIO(new)).paragraphs[1].runs
    assert "193" + "2" in "".join(run.text for run in runs if run.bold)


def test_a_moved_note_is_a_new_one_with_the_words_of_the_other(data):
    new, undone = Word(data, "x").edited([edit("[^1]", "[^2]")])
    assert undone == []
    assert Word(new, "y").text == TEXT.replace("[^1]:  Towns.", "[^1]: History of Skarvik.")


def test_an_entry_that_goes_is_no_paragraph_any_more(data):
    gone = edit("1. History. https://a.b/1\n\n", "")
    numbers = [edit("2. T", "1. T"), edit("3. H", "2. H")]
    new, undone = Word(data, "x").edited([gone, *numbers])
    assert undone == []
    assert Word(new, "y").text == Word(Word(data, "x").edited([gone])[0], "z").text
    assert "1. Towns. https://a.b/2\n\n2. History." in Word(new, "y").text


@pytest.mark.parametrize(
    "impossible",
    [
        edit("[^1]", "[^9]"),
        edit("[Gui", "Gui"),
        edit("https://a.b/2\n\n3. History", "https://a.b/2 History"),
        edit("wide.", "wide.\n\nNew."),
    ],
)
def test_an_edit_that_has_no_place_is_left_out_and_told(data, impossible):
    new, undone = Word(data, "x").edited([impossible, edit("1938", "1932")])
    assert undone == [impossible]
    assert Word(new, "y").text == TEXT.replace("1938", "1932")


@pytest.mark.parametrize("broken", [b"PK\x03\x04word/document.xml", b""])
def test_what_is_no_document_is_refused(broken):
    with pytest.raises(InputError, match="x is not a readable Word document"):
        Word(broken, "x")
