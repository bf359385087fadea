"""`errata batch --engine`: where the rows are worked on."""

import pytest


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--engine", "spark"], "the engine is local, or ray"),
        (["--address", "head:6379"], "the engine is local, or ray"),
        (["--engine", "ray", "--address", "ray://head:10001"], "not through Ray's client"),
    ],
)
def test_an_engine_that_cannot_be_is_refused(run, tmp_path, options, words):
    (tmp_path / "in.jsonl").write_text('{"id": "a", "draft": "Apollo 11 landed in 1969."}\n')
    result = run("batch", "in.jsonl", "--out", "out.jsonl", *options)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "out.jsonl").exists()
