"""`errata check`."""

import json

import pytest

from errata.methods import CORRECTING
from example import ARGUMENTS, DRAFT, LABELS, PAGE, QUESTION


def test_a_check_prints_verdicts_and_no_diff(run):
    result = run("check", *ARGUMENTS)
    assert "refuted" in result.stdout
    assert "[-" not in result.stdout
    correction = json.loads(run("check", *ARGUMENTS, "--json").stdout)
    assert (correction["response"], correction["changed"]) == (DRAFT, False)
    assert [verdict["label"] for verdict in correction["verdicts"]] == LABELS


@pytest.mark.parametrize(
    ("draft", "options", "code"),
    [
        (DRAFT, ["--strict"], 1),
        (DRAFT, [], 0),
        ("Marie Curie was a French physicist.", ["--strict"], 0),
    ],
)
@pytest.mark.parametrize("method", CORRECTING)
def test_a_strict_check_fails_if_anything_is_refuted(run, method, draft, options, code):
    arguments = ("-q", QUESTION, "-d", "-", "--documents", "page.txt", "--method", method)
    assert run("check", *arguments, *options, stdin=draft).exit_code == code


@pytest.mark.parametrize(("options", "whole"), [([], True), (["--cut-sections"], False)])
def test_a_check_may_cut_sections(run, tmp_path, options, whole):
    (tmp_path / "page.md").write_text(f"# Curie\n\n{PAGE}\n\n## References\n\nIt is so.\n")
    result = run("check", "-d", "draft.txt", "page.md", "--json", *options)
    [document] = json.loads(result.stdout)["documents"]
    assert PAGE in document["text"]
    assert ("It is so." in document["text"]) == whole


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ([], ["a", "b", "c"]),
        (["--blocked-domain", "blog"], ["a", "c"]),
        (["--blocked-domain", "blog", "--blocked-domain", "leaks"], ["a"]),
    ],
)
def test_a_check_may_block_domains(run, tmp_path, options, ids):
    urls = {"a": "https://x.org/blog", "b": "https://blog.example", "c": "https://github.com/x"}
    rows = [{"id": name, "text": PAGE, "url": url} for name, url in urls.items()]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    result = run("check", "-d", "draft.txt", "pages.jsonl", "--json", *options)
    assert [document["id"] for document in json.loads(result.stdout)["documents"]] == ids
