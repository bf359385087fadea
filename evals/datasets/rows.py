"""Rows of files as people publish them: JSON lines, tables and plain lines."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a table with a head, or of JSON lines, gzipped if the file's name says so."""
    if path.suffix == ".csv":
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from csv.DictReader(file, strict=True)
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
