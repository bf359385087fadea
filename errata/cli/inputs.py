"""What commands read: drafts and documents, in any encoding."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from errata.errors import InputError

if TYPE_CHECKING:
    from errata.records import Document

Encoding = Annotated[
    str,
    typer.Option("--encoding", help="What the files are encoded in, if it is not found out."),
]


def say(text: str) -> None:
    """Tell the person at the terminal, on standard error."""
    sys.stderr.write(f"{text}\n")


def read_draft(source: str, encoding: str = "") -> str:
    """The draft in a file or, for `-`, on standard input.

    Raises InputError if it is empty or cannot be read.
    """
    from errata.tools.text.files import read_input

    decoded = read_input(source, encoding)
    if note := decoded.note(repr(source)):
        say(f"note: {note}")
    if not decoded.text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    return decoded.text.rstrip("\n")


def read_evidence(paths: Sequence[Path], encoding: str = "") -> "list[Document]":
    """The documents of files and folders; what was read is said on standard error.

    Raises InputError if a file cannot be read, or no file of a folder can.
    """
    from errata.tools.retrieval.documents import read_sources

    reading = read_sources(paths, encoding)
    if paths:
        say(f"read {reading}")
    for note in reading.notes:
        say(f"note: {note}")
    return reading.documents
