"""Files of rows that survive a crash: one JSON object a line, added as each is done."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from errata.batch.lines import LineFile, whole_lines
from errata.core.errors import InputError

ID = "id"


class RowFile:
    """A file of rows, each with an `id`; what a killed run left half written is cut off."""

    def __init__(self, path: Path) -> None:
        """Read what is there.

        Raises InputError naming file and line if a whole line is no row.
        """
        self.path = path
        self.rows: dict[str, Mapping[str, Any]] = {}
        """The rows by id; of two with one id the later."""
        if path.exists():
            self._read()

    def _read(self) -> None:
        for number, line in enumerate(whole_lines(self.path), start=1):
            try:
                row = json.loads(line)
                self.rows[row[ID]] = row
            except (ValueError, LookupError, TypeError) as error:
                raise InputError(
                    f"{self.path}, line {number}: not a row of a run ({error}); delete the line "
                    "to have its input run again, or name another folder with --out"
                ) from error

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row to the end of the file, and to the disk, before anything else happens."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with LineFile(self.path) as file:
            file.add(row)
        self.rows[row[ID]] = row
