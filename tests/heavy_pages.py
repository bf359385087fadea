"""Pages that take much time and memory to parse."""

import random
import zlib

WORDS = "Marie Curie was born in Warsaw in 1867, a city in what was then the Kingdom of Poland. "


def large_page(size: int) -> bytes:
    """A page of about `size` bytes whose paragraphs all differ and have links."""
    chance = random.Random(1)
    words = [*WORDS.split(), *(f'<a href="/{word}">{word}</a>' for word in WORDS.split()[:2])]
    paragraphs, length = list[str](), 0
    while length < size:
        paragraphs.append(f"<p>{WORDS} {' '.join(chance.choices(words, k=80))}.</p>")
        length += len(paragraphs[-1])
    return f"<html><body><article>{''.join(paragraphs)}</article></body></html>".encode()


def pdf_bomb() -> bytes:
    """A PDF file of 82 KB whose one page unpacks to 42 MB of text commands."""
    return pdf_file(b"BT (a) Tj ET " * 3_230_000)


def pdf_file(*pages: bytes) -> bytes:
    """A PDF file of pages, which draw what their commands say in the font /F1."""
    font = b"<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    ids = [3 + 2 * number for number in range(len(pages))]
    kids = b" ".join(b"%d 0 R" % each for each in ids)
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%b]>>" % (len(pages), kids),
    ]
    for each, commands in zip(ids, pages, strict=True):
        content = zlib.compress(commands, 9)
        form = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources%b>>"
        bodies += [
            form % (each + 1, font),
            b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(content), content),
        ]
    file, places = b"%PDF-1.7\n", list[bytes]()
    for number, body in enumerate(bodies, 1):
        places.append(b"%010d 00000 n \n" % len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    size = len(bodies) + 1
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, b"".join(places))
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, len(file))
    return file + table + trailer
