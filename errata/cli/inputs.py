"""What commands read to judge by, in any encoding."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from errata.bulk import BadRow, Row
    from errata.core.records import Document
    from errata.tools.files.decoding import Decoded

Encoding = Annotated[
    str,
    typer.Option("--encoding", help="What the files are encoded in, if it is not found out."),
]


def say(text: str) -> None:
    """Tell the person at the terminal, on standard error."""
    sys.stderr.write(f"{text}\n")


def with_encoding(settings: Mapping[str, Any], encoding: str) -> dict[str, Any]:
    """The settings of a run whose corpus has the files' encoding, if one is named."""
    return {**settings, **({"encoding": encoding} if encoding else {})}


def read_rows_of(source: str, encoding: str, kind: "type[Row]") -> "list[Row | BadRow]":
    """The rows of a file or, for `-`, of standard input; that there is none is said.

    Raises InputError if it cannot be read, or two rows have one id.
    """
    from errata.bulk import read_rows

    _, decoded = decode_source(source, encoding)
    rows = read_rows(decoded.text, repr(source), kind)
    if not rows:
        say(f"note: {source!r} has no rows")
    return rows


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

    What was read is said on standard error. Raises InputError if a file cannot be read, or no file
    of a folder can.
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
