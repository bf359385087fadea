"""What commands read to judge by, in any encoding."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from errata.records import Document

Encoding = Annotated[
    str,
    typer.Option("--encoding", help="What the files are encoded in, if it is not found out."),
]


def say(text: str) -> None:
    """Tell the person at the terminal, on standard error."""
    sys.stderr.write(f"{text}\n")


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
