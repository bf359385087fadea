"""Files that loaders of langchain-community read, by the one reader."""

import pytest

from errata.core.errors import InputError
from errata.tools.files.kinds import Kind
from errata.tools.retrieval.documents import read_file

MHTML = """From: <Saved by a browser>
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html
Content-Transfer-Encoding: quoted-printable

<html><head><title>Eiffel Tower</title></head><body><p>It was opened on 31=
 March 1889.</p><p>It is in Paris, caf=C3=A9s included.</p></body></html>
--b--
"""


@pytest.mark.parametrize("name", ["page.mhtml", "page.MHT"])
def test_a_page_that_a_browser_saved_is_read(tmp_path, name):
    (tmp_path / name).write_text(MHTML)
    read = read_file(tmp_path / name)
    assert read.kind is Kind.MHTML
    text = read.documents[0].text
    assert "It was opened on 31 March 1889.\nIt is in Paris, cafés included." in text


@pytest.mark.parametrize(
    ("name", "package"), [("talk.srt", "pip install pysrt"), ("notes.enex", "html2text")]
)
def test_a_package_that_a_loader_needs_is_named(tmp_path, name, package):
    pytest.importorskip("langchain_community.document_loaders")
    note = "<note><content>x</content></note>"
    (tmp_path / name).write_text(note if name == "notes.enex" else "1\n00:00:01 --> 00:00:02\nx\n")
    with pytest.raises(InputError, match=f"needs a package: .*{package}"):
        read_file(tmp_path / name)


def test_a_damaged_file_is_an_error(tmp_path):
    (tmp_path / "page.mhtml").write_bytes(b"MIME-Version: 1.0\n\nnothing")
    with pytest.raises(InputError, match="has no text"):
        read_file(tmp_path / "page.mhtml")
    (tmp_path / "notes.enex").write_text("<note><content>x")
    with pytest.raises(InputError, match=r"notes\.enex' cannot be read by EverNoteLoader"):
        read_file(tmp_path / "notes.enex")
