"""`errata correct`."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from errata.core.edits import apply_edits
from errata.core.jsonable import from_json
from errata.core.records import Correction
from example import ARGUMENTS, QUESTION, RESPONSE


@pytest.mark.usefixtures("run")
def test_a_process_prints_a_diff_and_verdicts_with_quotes():
    code = "from errata.cli import main; main()"
    command = [sys.executable, "-c", code, "correct", *ARGUMENTS, "--diff"]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    read = "read 1 document of 'page.txt': plain text\n"
    assert (process.returncode, process.stderr) == (0, read)
    assert "born in [-1865-]{+1867+}. She" in process.stdout
    assert "refuted" in process.stdout
    assert "“Marie Curie (born 7 November 1867)" in process.stdout
    assert "[page.txt]" in process.stdout


def test_json_is_a_correction(run):
    result = run("correct", *ARGUMENTS, "--json")
    correction = from_json(Correction, json.loads(result.stdout))
    assert correction.response == RESPONSE
    assert apply_edits(correction.draft, correction.edits) == correction.response


@pytest.mark.parametrize("steps", ["1", "2"])
def test_reex_corrects_and_writes_a_report(run, steps):
    result = run(
        *("correct", *ARGUMENTS, "--method", "reex", "--steps", steps, "--diff"),
        *("--html", "report.html"),
    )
    assert result.exit_code == 0
    assert "born in [-1865-]{+1867+}. She" in result.stdout
    assert "the evidence says 1867" in result.stdout
    assert "<ins>1867</ins>" in Path("report.html").read_text()


def test_further_documents_may_follow(run, tmp_path):
    (tmp_path / "other.txt").write_text("Marie Curie kept bees in Sceaux.")
    result = run("correct", *ARGUMENTS, "other.txt", "--json")
    assert [d["id"] for d in json.loads(result.stdout)["documents"]] == ["page.txt", "other.txt"]


def test_unsupported_claims_may_be_dropped(run):
    options = ("--unsupported", "drop", "--set", "drop_below=0.2", "--json")
    result = run("correct", *ARGUMENTS, *options)
    response = json.loads(result.stdout)["response"]
    assert response == "Marie Curie was born in 1867. She was a physicist."


INVENTED = "Her parrot spoke Greek. The parrot cost 900 francs. A zoo in Brazil bought it."


@pytest.mark.parametrize(
    ("draft", "response"),
    [
        (f"Marie Curie was a physicist. {INVENTED}", "Marie Curie was a physicist."),
        (f"# Parrots\n\n{INVENTED}\n\nAny questions?", ""),
    ],
)
def test_a_draft_most_of_which_has_no_support_exits_with_4(run, draft, response):
    options = ("--draft", "-", "--documents", "page.txt", "--unsupported", "drop", "--json")
    options = (*options, "--set", "drop_below=0.2")
    result = run("correct", "-q", QUESTION, *options, stdin=draft)
    correction = json.loads(result.stdout)
    assert (result.exit_code, correction["response"]) == (4, response or draft)
    assert "most of the draft has no support" in result.stderr
    assert any("most of the draft has no support: 3 of" in note for note in correction["notes"])
    assert ("nothing in the draft is supported" in correction["notes"][-1]) != bool(response)


@pytest.mark.parametrize(
    ("name", "question", "change"),
    [
        ("marie-curie", QUESTION, "[-1865-]{+1867+}"),
        ("eiffel-tower", "What is the Eiffel Tower?", "[-1887-]{+1889+}"),
        ("apollo-11", "What was Apollo 11?", "[-18-]{+16+}"),
    ],
)
def test_every_demo_draft_is_corrected(run, root, name, question, change):
    draft, corpus = root / "demo" / "drafts" / f"{name}.txt", root / "demo" / "corpus"
    result = run(
        "correct", "-q", question, "--draft", str(draft), "--corpus", str(corpus), "--diff"
    )
    assert change in result.stdout
