"""Files that are no text, told by how they begin."""

PDF, DOCX = "a PDF file", "a Word document"
_ZIP = b"PK\x03\x04"
_PARTS = (
    (b"word/document.xml", DOCX),
    (b"xl/workbook.", "an Excel workbook: save it as CSV"),
    (b"ppt/presentation.", "a PowerPoint presentation: save it as PDF"),
    (b"opendocument", "an OpenDocument file: save it as DOCX or PDF"),
    (b"application/epub", "an e-book: convert it to HTML or text"),
)
"""Names of parts that tell what an archive is; others are just archives."""
_SIGNATURES = (
    (b"%PDF-", PDF),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file: save it as DOCX or PDF"),
    (b"{\\rtf", "an RTF file: save it as DOCX or PDF"),
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF89a", "a GIF image"),
    (b"\x1f\x8b", "a gzip archive: unpack it"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it"),
    (b"\xfd7zXZ", "an xz archive: unpack it"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive: unpack it"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3\0", "a SQLite database"),
)


def describe_binary(data: bytes) -> str:
    """What a file is that is no text, in words, and what to do about it; empty if it may be text.

    Nothing is unpacked: in an archive, the names of its parts stand uncompressed.
    """
    if data.startswith(_ZIP):
        return next((what for part, what in _PARTS if part in data), "a ZIP archive: unpack it")
    start = data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((what for sign, what in _SIGNATURES if start.startswith(sign)), "")
