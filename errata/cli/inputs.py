"""What commands read, in any encoding: drafts and evidence."""

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errata.core.errors import InputError
from errata.render.terminal import say
from errata.tools.files.decoding import STDIN

if TYPE_CHECKING:
    from errata.core.records import Document
    from errata.tools.files.decoding import Decoded

_FORMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks, each with the encoding of what follows it."""


def with_encoding(settings: Mapping[str, Any], encoding: str) -> dict[str, Any]:
    """The settings, with the files' encoding for the corpus too, if one is named."""
    return {**settings, **({"encoding": encoding} if encoding else {})}


def decode_source(source: str, encoding: str) -> "tuple[bytes, Decoded]":
    """The bytes of a file or, for `-`, of standard input, and their text.

    Raises InputError if it cannot be read.
    """
    from errata.tools.files.decoding import decode_text, read_input_bytes

    name, data = read_input_bytes(source)
    decoded = decode_text(data, name, encoding)
    if note := decoded.note(name):
        say(f"note: {note}")
    return data, decoded


def read_evidence(sources: Sequence[str], encoding: str = "") -> "list[Document | str]":
    """The documents of files, folders and `-`, then the addresses of pages, which a call fetches.

    What was read is printed on standard error. Raises InputError if a file cannot be read, or no
    file of a folder can.
    """
    from errata.given import addresses_among
    from errata.tools.files.decoding import STDIN, read_input_bytes
    from errata.tools.retrieval.documents import Reading, read_content, read_sources

    reading = Reading()
    addresses, paths = addresses_among(sources)
    for path in map(Path, paths):
        if str(path) == STDIN:
            name, data = read_input_bytes(STDIN)
            reading += Reading((read_content(Path(name), name, data, encoding),))
        else:
            reading += read_sources([path], encoding)
    if paths:
        say(f"read {reading}")
    for note in reading.notes:
        say(f"note: {note}")
    return [*reading.documents, *addresses]


@dataclass(frozen=True)
class DraftFile:
    """A draft and the form of its file: encoding, byte-order mark, line ends at its end."""

    name: str = ""
    """As the command line names it: a file, or `-`; empty if no draft was given."""
    text: str = ""
    """The draft, without the line ends after its last line."""
    ending: str = "\n"
    data: bytes = b""
    encoding: str = "utf-8"
    mark: bytes = b""

    @property
    def path(self) -> Path | None:
        """Its file; None for standard input, or if no draft was given."""
        return Path(self.name) if self.name not in ("", STDIN) else None

    def encode(self, response: str) -> bytes:
        """A text as bytes in the file's form; in UTF-8, with a note, if that lacks a character."""
        if self.data and response == self.text:
            return self.data
        text = response + self.ending
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            if self.encoding != "utf-8":
                lacking = text[error.start]
                say(f"note: {self.name!r} is {self.encoding}, which lacks {lacking!r}: now UTF-8")
            return text.encode(errors="replace")


def read_drafts(sources: Sequence[str], encoding: str = "") -> list[DraftFile]:
    """The drafts in files and on standard input; an empty one if no source is named.

    Raises InputError if one is empty, named twice, or cannot be read.
    """
    places = [source if source == STDIN else str(Path(source).resolve()) for source in sources]
    twice = [source for n, source in enumerate(sources) if places[n] in places[:n]]
    if twice:
        raise InputError(f"the draft {twice[0]!r} is named twice; name each draft once")
    return [read_draft(source, encoding) for source in sources] or [DraftFile()]


def read_draft(source: str, encoding: str = "") -> DraftFile:
    """The draft in a file or, for `-`, on standard input.

    Raises InputError if it is empty or cannot be read.
    """
    data, decoded = decode_source(source, encoding)
    if not decoded.text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    text = decoded.text.rstrip("\r\n")
    mark, codec = _form(data, decoded.text, decoded.encoding)
    return DraftFile(source, text, decoded.text[len(text) :], data, codec, mark)


def _form(data: bytes, text: str, encoding: str) -> tuple[bytes, str]:
    """The byte-order mark and the encoding that turn the text back into these bytes."""
    forms = ((b"", encoding), *_FORMS)
    exact = (form for form in forms if form[0] + text.encode(form[1], "replace") == data)
    return next(exact, forms[0])
