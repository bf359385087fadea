"""Rows of files as people publish them: JSON lines, tables and plain lines."""

import csv
import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]
_TABLES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    ".csv": ("", {"strict": True}),
    ".tsv": ("\n", {"delimiter": "\t", "quoting": csv.QUOTE_NONE}),
}
"""By suffix the line ends that are kept apart, and the form; in TSV a quote is a character."""


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a table with a head, or of JSON lines, gzipped if the file's name says so."""
    if path.suffix in _TABLES:
        newline, form = _TABLES[path.suffix]
        with path.open(encoding="utf-8-sig", newline=newline) as file:
            yield from csv.DictReader(file, **form)
        return
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def read_lines(path: Path) -> Iterator[str]:
    """The lines; a carriage return does not end one."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield line.rstrip("\n")
