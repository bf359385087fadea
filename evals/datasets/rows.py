"""Rows of files as people publish them: JSON lines, tables and plain lines."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file of JSON lines, gzipped if its name says so."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def read_csv(path: Path) -> Iterator[Row]:
    """The rows of a table with commas and a head."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file, strict=True)


def read_tsv(path: Path) -> Iterator[Row]:
    """The rows of a table with tabs and a head, where a quote is a character like others."""
    with path.open(encoding="utf-8-sig", newline="\n") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def read_lines(path: Path) -> Iterator[Row]:
    """A row `{"text": line}` for each line; a carriage return does not end one."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield {"text": line.rstrip("\n")}
