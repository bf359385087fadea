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


def pdf_file(commands: bytes) -> bytes:
    """A PDF file of one page, which draws what the commands say in the font /F1."""
    content = zlib.compress(commands, 9)
    font = b"<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count 1/Kids[4 0 R]>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%b\nendstream" % (len(content), content),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R/Resources%b>>" % font,
    ]
    file, places = b"%PDF-1.7\n", list[bytes]()
    for number, body in enumerate(bodies, 1):
        places.append(b"%010d 00000 n \n" % len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"xref\n0 5\n0000000000 65535 f \n" + b"".join(places)
    return file + table + b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(file)
