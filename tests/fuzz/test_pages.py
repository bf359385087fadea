"""Whatever markup a page has, its text comes out in time, and nothing in it is run or fetched."""

import contextlib
import socket

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from errata.core.errors import PageError
from errata.tools.files.main_text import DOCX, PDF, extract_main_text
from strategies import EXAMPLES

NAMES = "p div b a script style table tr td li h1 article svg math iframe template noscript".split()
FORMS = ("<{}>", "</{}>", "<{} onclick=x src=http://10.0.0.1/>", "<{}", "<{}/>")
TAGS = st.builds(str.format, st.sampled_from(FORMS), st.sampled_from(NAMES))
PIECES = st.sampled_from(
    (
        "Ada was born in 1815. |&lt;script&gt;|&#0;|&#xD800;|&#9999999999;|&amp;lt;|<!--|-->|"
        "<![CDATA[|]]>|<?xml version='1.0'?>|<!DOCTYPE x [<!ENTITY a 'b'>]>|&a;|<|>|\"|'|\0|\ufffe|"
        "é|<![if|<!ENTITY x SYSTEM 'file:///etc/passwd'>"
    ).split("|")
)
MARKUP = st.lists(TAGS | PIECES | st.text(max_size=8), max_size=40).map("".join)
PAGES = MARKUP.map(lambda text: text.encode("utf-8", "replace")) | st.binary(max_size=200)
SENTENCE = "Ada Lovelace was born in London in 1815 and wrote the first program. "


@pytest.fixture(scope="module", autouse=True)
def no_socket():
    """Nothing in a page is fetched."""

    def refuse(*_):
        raise AssertionError("a page was fetched")

    before, socket.socket.connect = socket.socket.connect, refuse
    yield
    socket.socket.connect = before


@EXAMPLES
@given(PAGES, st.sampled_from(["text/html", "application/xhtml+xml", "text/plain"]))
@example(b"<p>a\xd8\x00", "text/html")
@example(b"<div>" * 3000 + SENTENCE.encode() + b"</div>" * 3000, "text/html")
@example(b"<b><i>" * 2000 + SENTENCE.encode(), "text/html")
@example(b"<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><p>&e;</p>", "text/html")
def test_any_bytes_are_a_page(content, kind):
    text = extract_main_text(kind, content, "http://page/")
    assert len(text) <= 4 * len(content) + 100
    text.encode("utf-8")


@EXAMPLES
@given(st.binary(max_size=300), st.sampled_from([PDF, DOCX]))
@example(b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj\ntrailer<</Root 1 0 R>>", PDF)
@example(b"%PDF-1.7\ntrailer<</Root 1 0 R/Size 9>>\nstartxref\n0\n%%EOF", PDF)
@example(b"PK\x03\x04" + b"\0" * 30, DOCX)
def test_broken_documents_are_refused(content, kind):
    with contextlib.suppress(PageError):
        assert isinstance(extract_main_text(kind, content, "http://page/"), str)


@EXAMPLES
@given(MARKUP)
@example("<scri<script>pt>alert(1)</script>")
def test_code_in_a_page_is_no_text_of_it(inside):
    code = inside.replace("</script", "").replace("<!--", "")
    script = f"<script>{code} secret_code();</script>"
    page = f"<html><body><article><p>{SENTENCE * 8}</p>{script}</article>"
    assert "secret_code" not in extract_main_text("text/html", page.encode("utf-8", "replace"))
