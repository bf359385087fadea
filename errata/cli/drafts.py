"""Drafts and evidence in files, in any encoding, and where corrected texts go."""

import codecs
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from errata.cli.options import Shared, Target
from errata.cli.output import check_writable
from errata.core.errors import InputError
from errata.render.terminal import say
from errata.tools.files.decoding import (
    DOCX,
    STDIN,
    decode_text,
    describe_binary,
    read_bytes,
    read_input_bytes,
)
from errata.tools.files.kinds import SUFFIXES, Kind, is_page

if TYPE_CHECKING:
    from errata.core.records import Correction, Document
    from errata.tools.files.decoding import Decoded

_FORMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks, each with the encoding of what follows it."""
_CONVERT = "that is read as evidence alone: convert the draft to Markdown or text"


def decode_source(source: str, encoding: str) -> "Decoded":
    """The text of a file or, for `-`, of standard input.

    Raises InputError if it cannot be read.
    """
    with _told_from_text(source):
        name, data = read_input_bytes(source)
    return decode_text(data, name, encoding)


@contextmanager
def _told_from_text(source: str) -> Iterator[None]:
    """Say how a text comes in where one stands for a file that cannot be read."""
    try:
        yield
    except InputError as error:
        if isinstance(error.__cause__, OSError) and any(map(str.isspace, source)):
            remedy = "this takes a file; pipe a text in, and name - for standard input"
            raise InputError(f"{error}; {remedy}") from error
        raise


def read_evidence(sources: Sequence[str], encoding: str = "") -> "list[Document | str]":
    """The documents of files, folders and `-`, then the addresses of pages, which a call fetches.

    What was read is printed on standard error. Raises InputError if a file cannot be read, or no
    file of a folder can.
    """
    from errata.given import addresses_among
    from errata.tools.retrieval.documents import Reading, read_content, read_sources

    reading = Reading()
    addresses, paths = addresses_among(sources)
    for path in map(Path, paths):
        if str(path) == STDIN:
            name, data = read_input_bytes(STDIN)
            reading += Reading((read_content(Path(name), name, data, encoding),))
        else:
            with _told_from_text(str(path)):
                reading += read_sources([path], encoding)
    if paths:
        say(f"read {reading}")
    for note in reading.notes:
        say(f"note: {note}")
    return [*reading.documents, *addresses]


@dataclass(frozen=True)
class Draft:
    """A draft, the form of its file, and the files for its corrected text and its report."""

    name: str = ""
    """As the command line names it: a file, or `-`; empty if no draft was given."""
    text: str = ""
    """The draft, without the line ends after its last line."""
    ending: str = "\n"
    data: bytes = b""
    encoding: str = "utf-8"
    mark: bytes = b""
    """The byte-order mark of its file."""
    out: Path | None = None
    html: Path | None = None

    def encode(self, correction: "Correction") -> bytes:
        """The corrected text as bytes in its file's encoding; in UTF-8 if that lacks a sign."""
        if self.data and correction.response == self.text:
            return self.data
        text = correction.response + self.ending
        try:
            return self.mark + text.encode(self.encoding)
        except UnicodeEncodeError as error:
            if self.encoding != "utf-8":
                lacking = text[error.start]
                say(f"note: {self.name!r} is {self.encoding}, which lacks {lacking!r}: now UTF-8")
            return text.encode(errors="replace")

    def save(self, data: bytes) -> None:
        """Write the corrected text to its file, unless that is the draft's and holds it already.

        Raises InputError if it cannot be written, or the draft's file has changed meanwhile.
        """
        in_place = self.out is not None and self.out == file_of(self.name)
        if self.out is None or (in_place and data == self.data):
            return
        if in_place and read_bytes(self.out) != self.data:
            raise InputError(f"{str(self.out)!r} was changed meanwhile, and left as it is now")
        write_whole(self.out, data)


def file_of(name: str) -> Path | None:
    """A draft's file; None for standard input, or if no draft was given."""
    return Path(name) if name not in ("", STDIN) else None


def read_drafts(sources: Sequence[str], shared: Shared, target: Target) -> list[Draft]:
    """The drafts in files and on standard input, with where each result goes, before any work.

    An empty one if no source is named. Raises InputError if one is empty, named twice, or cannot be
    read, if a place cannot be written to, or if two drafts would go to one.
    """
    resolved = [source if source == STDIN else str(Path(source).resolve()) for source in sources]
    if twice := [source for n, source in enumerate(sources) if resolved[n] in resolved[:n]]:
        raise InputError(f"the draft {twice[0]!r} is named twice; name each draft once")
    given = [_read_draft(source, shared.encoding) for source in sources]
    files = [file_of(name) for name in sources or [""]]
    if target.in_place and target.out:
        raise InputError("--in-place writes to the draft's file and --out to another; give one")
    if target.in_place and None in files:
        raise InputError("--in-place needs --draft FILE; standard input has no file to write to")
    out = target.out if target.is_file else None
    outs = files if target.in_place else _places(files, out, "--out", "")
    htmls = _places(files, shared.html, "--html", ".html")
    drafts = [
        replace(draft, out=out, html=html)
        for draft, out, html in zip(given, outs, htmls, strict=False)
    ]
    places = [path for pair in zip(outs, htmls, strict=True) for path in pair if path]
    check_writable(*places)
    if twice := [str(path) for n, path in enumerate(places) if path in places[:n]]:
        raise InputError(f"two results would go to {twice[0]!r}; name other files")
    return drafts or [Draft(out=outs[0], html=htmls[0])]


def _read_draft(source: str, encoding: str) -> Draft:
    with _told_from_text(source):
        name, data = read_input_bytes(source)
    if describe_binary(data) == DOCX:
        raise InputError(f"{name} is {DOCX}; {_CONVERT}")
    decoded = decode_text(data, name, encoding)
    text = decoded.text.rstrip("\r\n")
    if is_page(text) or SUFFIXES.get(Path(source).suffix.lower()) is Kind.HTML:
        raise InputError(f"{name} is a page of HTML; {_CONVERT}")
    if not text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    forms = ((b"", decoded.encoding), *_FORMS)
    encoded = decoded.text.encode
    exact = (form for form in forms if form[0] + encoded(form[1], "replace") == data)
    mark, codec = next(exact, forms[0])
    return Draft(source, text, decoded.text[len(text) :], data, codec, mark)


def _places(
    files: Sequence[Path | None], place: Path | None, option: str, suffix: str
) -> list[Path | None]:
    """The output file for each draft: `place` or, if that is a folder, one in it named alike."""
    if place is None:
        return [None] * len(files)
    if not place.is_dir():
        if len(files) > 1:
            raise InputError(f"{option} takes a folder for several drafts; {str(place)!r} is none")
        return [place]
    if None in files:
        raise InputError(f"{option} {str(place)!r} is a folder; name a file")
    return [place / (each.with_suffix(suffix) if suffix else each).name for each in files if each]


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a failure leaves the old one.

    A pipe or a device, or a file in a read-only folder, is written to directly. Raises InputError
    if writing fails.
    """
    real = path.resolve()
    new = real.with_name(f".{real.name}.{os.getpid()}.new")
    try:
        if (real.exists() and not real.is_file()) or not os.access(real.parent, os.W_OK):
            real.write_bytes(data)
            return
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            shutil.copymode(real, new)
        new.replace(real)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            new.unlink()
