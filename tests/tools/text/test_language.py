"""The language of a text."""

import pytest

from errata.tools.text.language import detect_foreign_draft


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Marie Curie est née à Varsovie et a étudié à Paris.", "fr"),
        ("Die Stadt wurde im Jahr 1300 gegründet und liegt am Rhein.", "de"),
        ("東京は日本の首都です。", "ja"),
        ("Marie Curie was born in Warsaw.", ""),
        ("Thijs van Leer sang vocals.", ""),
        ("She was born on September 24, 1893, in Nigeria and won a prize.", ""),
        ("Paris.", ""),
        ("", ""),
    ],
)
def test_foreign_languages(text, language):
    assert detect_foreign_draft(text) == language
