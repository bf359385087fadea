import json

import pytest

from errata.batch import run_batch


def echo(batch):
    """An engine that hands each draft back, and calls those that hold "fail" failed."""
    for row in batch.rows():
        usage = {"model_calls": 2, "prompt_tokens": 5, "completion_tokens": 1, "money": 0.5}
        result = {"id": row.id, "draft": row.draft, "response": row.draft.upper(), "usage": usage}
        batch.keep(result | ({"error": "it failed"} if "fail" in row.draft else {}))


def read(path):
    """The rows of a file of JSON lines; every line is whole."""
    text = path.read_text()
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


class Bench:
    """A folder with an input and an output, in which batches run."""

    def __init__(self, folder):
        self.source, self.out = folder / "in.jsonl", folder / "out.jsonl"

    def write(self, rows):
        """Write rows as JSON lines; a text stands as it is."""
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        self.source.write_text("".join(f"{line}\n" for line in lines))

    def run(self, rows=None, **options):
        if rows is not None:
            self.write(rows)
        return run_batch(self.source, self.out, **{"engine": echo, **options})

    @property
    def rows(self):
        return read(self.out)

    @property
    def ids(self):
        return [row["id"] for row in self.rows]

    @property
    def problems(self):
        return read(self.out.with_name(f"{self.out.name}.problems.jsonl"))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
