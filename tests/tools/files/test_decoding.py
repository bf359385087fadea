"""Bytes as text: declared, marked, or UTF-8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.errors import InputError, SettingError
from errata.tools.files.decoding import decode_text

TEXT = "Émile Zola was born in Paris – “the city” – in 1840; a coffee cost €2."


@pytest.mark.parametrize("encoding", "utf-8 utf-8-sig utf-16".split())
def test_a_text_reads_alike_in_every_encoding_that_can_be_told(encoding):
    decoded = decode_text(TEXT.encode(encoding), "x")
    assert (decoded.text, decoded.encoding) == (TEXT, encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Мария Кюри родилась в Варшаве.", "windows-1251"),
        ("Émile Zola", "windows-1252"),
        ("Μαρία Κιουρί", "iso-8859-7"),
        ("Maria Skłodowska-Curie mieszkała w Łodzi.", "windows-1250"),
        ("マリ・キュリーはワルシャワで生まれた。", "shift_jis"),
        ("居里夫人", "gb18030"),
    ],
)
def test_other_encodings_are_not_guessed_but_may_be_named(text, encoding):
    with pytest.raises(InputError, match=r"'a' is not UTF-8 text .*--set encoding=NAME"):
        decode_text(text.encode(encoding), "'a'")
    assert decode_text(text.encode(encoding), "'a'", encoding).text == text


@pytest.mark.parametrize("encoding", ["utf-9", "base64", "hex", ""])
@pytest.mark.parametrize(
    "data", [b"\x80\x81\xff", b"\xff\xfe\x00\x01\x02", b"a\0b", bytes(range(256))]
)
def test_what_is_no_text_is_refused(data, encoding):
    with pytest.raises(SettingError if encoding else InputError):
        decode_text(data, "x", encoding)


def test_a_named_encoding_must_fit():
    with pytest.raises(InputError, match=r"'a' is not ASCII text .*byte 0xc3 in position 3"):
        decode_text("Café".encode(), "'a'", "ascii")
    assert decode_text("Café".encode("utf-8-sig"), "'a'", "UTF8").text == "Café"


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1))
def test_utf_8_is_never_taken_for_another_encoding(text):
    decoded = decode_text(text.encode(), "x")
    assert decoded.text == text.removeprefix("\ufeff")
    assert decoded.encoding.startswith("utf-8")
