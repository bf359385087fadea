"""Files of every kind as documents: told by content, bounded, and refused with a reason."""

import json
import os
import zipfile
from io import BytesIO

import pytest

from errata.core.errors import InputError, OutOfTimeError, SettingError
from errata.core.limits import Run, open_run
from errata.tools.retrieval.documents import read_file, read_source
from heavy_pages import pdf_file

SENTENCE = "The Eiffel Tower was opened on 31 March 1889 in Paris."
PAGE = f"<html><head><title>T</title></head><body><p>{SENTENCE * 3}</p></body></html>"


def pdf_of(text):
    """A PDF file of one page with a line of text, or with none."""
    return pdf_file(f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode() if text else b"")


def zip_of(**parts):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__xml", ".xml").replace("__", "/"), content)
    return buffer.getvalue()


def docx_of(text):
    """A Word document of one paragraph."""
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = f"<body><p><r><t>{text}</t></r></p></body>"
    return zip_of(word__document__xml=f'<document xmlns="{name}">{body}</document>')


CONTENTS = {"pdf": pdf_of(SENTENCE), "docx": docx_of(SENTENCE), "html": PAGE.encode()}


@pytest.mark.parametrize("name", ["a.txt", "a", "a.dat", "a.{}"])
@pytest.mark.parametrize("kind", CONTENTS)
def test_the_kind_is_told_by_content_whatever_the_name(write, kind, name):
    read = read_file(write(name.format(kind), CONTENTS[kind]))
    assert read.documents[0].text.startswith(SENTENCE)


@pytest.mark.parametrize(
    ("name", "content", "text", "title"),
    [
        ("ada.md", "# Ada\n\nShe wrote.\n", "\nShe wrote.\n", "Ada"),
        ("ada.md", "<div align=center><b>Ada</b></div>\n", None, "Ada"),
        ("ada.txt", "[1] Ada wrote.", "[1] Ada wrote.", "Ada"),
        ("ada.txt", "A PDF file begins with %PDF-.", None, ""),
        ("ada.txt", "<b> is a tag of HTML.", "<b> is a tag of HTML.", ""),
        ("ada.html", "Ada wrote.", "Ada wrote.", "Ada"),
        ("ada.pdf", "Ada wrote.", "Ada wrote.", "Ada"),
        ("ada.csv", "who,did\nAda,wrote\n", "who: Ada; did: wrote.", "Ada"),
        ("ada.tsv", "who\tdid\nAda\twrote\n", "who: Ada; did: wrote.", "Ada"),
        ("ada.html", "<p>Ada wrote notes.</p>", "Ada wrote notes.", "Ada"),
    ],
)
def test_a_text_is_what_it_begins_as(write, name, content, text, title):
    read = read_file(write(name, content))
    assert read.documents[0].text == (content if text is None else text)
    assert read.documents[0].title == title


@pytest.mark.parametrize(
    ("name", "title"),
    [
        *((name, "Eiffel Tower") for name in ("eiffel-tower.txt", "EIFFEL_TOWER.md")),
        *((f"{name}.txt", name.title()) for name in ("tower", "Marie Curie")),
        *((f"{name}.txt", "") for name in ("x", "notes", "document-17", "17", "_")),
    ],
)
def test_a_files_name_is_a_title_if_it_is_a_name(write, name, title):
    """What says nothing of the text must change no verdict."""
    text = "It is the Eiffel Tower, of which these are notes."
    assert read_source(write(name, text)).documents[0].title == title


METADATA = {"id": "7", "title": "Ada", "source": "https://a.example/"}


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl"])
@pytest.mark.parametrize(
    "row",
    [
        {**METADATA, "id": 7, "text": "She wrote."},
        {"page_content": "She wrote.", "metadata": METADATA},
    ],
)
def test_rows_of_json_are_documents(write, name, row):
    [document] = read_source(write(name, json.dumps(row))).documents
    assert (document.id, document.title, document.text) == ("7", "Ada", "She wrote.")
    assert (document.url, document.source) == ("https://a.example/", "given")


def test_a_folder_is_read_only_as_long_as_there_is_time(write, tmp_path):
    write("a.txt", "Ada wrote.")
    with open_run(Run(max_seconds=0)), pytest.raises(OutOfTimeError):
        read_source(tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"", r"a\.txt' is empty"),
        ("a.txt", b"a\0b", "looks binary"),
        ("a.txt", b"\x80\x81\xff", "is not UTF-8 text"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "is an old Office file: .* errata reads"),
        ("a.rtf", b"{\\rtf1 Ada}", "is an RTF file"),
        ("a.zip", zip_of(notes="Ada"), "is a ZIP archive or an Office file: unpack it"),
        ("a.xlsx", zip_of(xl__workbook__xml=""), "or save it as DOCX, PDF or CSV"),
        ("a.docx", zip_of(word__document__xml="<nope"), "is not a readable Word document"),
        ("a.pdf", b"%PDF-1.4 nope", "is not a readable PDF"),
        ("a.pdf", pdf_of(""), "has no text .*a scanned one"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b"[1]", "item 1: expected a text or an object, got int"),
        ("a.jsonl", b'{"text": "a"}\n{', "line 2: not JSON"),
        ("a.jsonl", b'{"name": "x"}', "expected an object with a `text`, got 'name'"),
        ("a.json", b"[]", "has no text"),
    ],
)
def test_the_error_says_what_is_wrong_with_a_file(write, name, content, message):
    with pytest.raises(InputError, match=message):
        read_source(write(name, content))


def test_a_name_that_no_file_can_have_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot read "):
        read_source(tmp_path / "a\0null")


def test_a_file_larger_than_the_limit_is_refused_without_reading_it_all(tmp_path):
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 10**12)
    with pytest.raises(InputError, match="is larger than 200 MB"):
        read_source(path)


def test_a_page_may_state_its_encoding(write):
    page = PAGE.replace("Paris", "Łódź").replace("<head>", '<head><meta charset="iso-8859-2">')
    assert "Łódź" in read_source(write("a.html", page.encode("iso-8859-2"))).documents[0].text
    assert "Łódź" in read_source(write("a.html", page.encode("cp1250")), "cp1250").documents[0].text


def test_bad_files_of_a_folder_are_named_and_skipped(write, tmp_path):
    write("in/a.txt", "Ada wrote.")
    write("in/b.pdf", b"%PDF-1.4 nope")
    write("in/c.json", "{")
    write("in/.hidden.txt", "x")
    write("in/d.py", "x = 1")
    reading = read_source(tmp_path / "in")
    assert [document.text for document in reading.documents] == ["Ada wrote."]
    [note] = reading.notes
    assert note.startswith("2 files skipped: ")
    assert "b.pdf' is not a readable PDF" in note
    assert "c.json': not JSON" in note
    (tmp_path / "in" / "a.txt").unlink()
    with pytest.raises(InputError, match="has no file that can be read: 2 files skipped"):
        read_source(tmp_path / "in")


def test_an_unknown_encoding_is_an_error_even_in_a_folder(write, tmp_path):
    write("a.txt", "Ada wrote.")
    with pytest.raises(SettingError, match="no encoding is called 'utf-9'"):
        read_source(tmp_path, "utf-9")
