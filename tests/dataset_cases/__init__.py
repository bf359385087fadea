"""Small files of every dataset, in its authors' form and in ours: its rows, and the first item."""

import csv
import gzip
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml


@dataclass
class Case:
    """A file of authors: the dataset and source, its rows, what lies beside it, the first item."""

    dataset: str
    path: str
    rows: list[dict[str, Any]]
    first: dict[str, Any]
    """Fields of the first item; documents and web as their texts, gold as it is."""
    items: int = 1
    beside: dict[str, Any] = field(default_factory=dict)
    """By name, the text or the rows of a file."""

    def write(self, folder):
        """Write the file and what lies beside it; the file's path."""
        path = folder / self.path
        for place, content in {".": self.rows, **self.beside}.items():
            file = path if place == "." else path.parent / place
            file.parent.mkdir(parents=True, exist_ok=True)
            text = content if isinstance(content, str) else dump(file.name, content)
            data = text.encode()
            file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
        return path


def dump(path, rows):
    """Rows in the form that a file's name tells."""
    if path.endswith((".jsonl", ".jsonl.gz")):
        return "".join(json.dumps(row) + "\n" for row in rows)
    if path.endswith(".csv"):
        table = io.StringIO()
        writer = csv.DictWriter(table, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
        return table.getvalue()
    return "\n".join(row["text"] for row in rows)


def read_cases():
    """The cases of `cases.yaml`; one that stands for several files is a case of each."""
    text = Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8")
    for case in yaml.safe_load(text):
        for dataset, path in case.pop("files").items():
            yield Case(dataset, path, **case)


CASES = list(read_cases())
