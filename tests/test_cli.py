"""The command line, run as a user runs it."""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from errata.cli import app
from errata.edits import apply_edits
from errata.records import Answer, Correction, from_json

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865 and kept bees."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder that holds a draft and a page."""
    (tmp_path / "draft.txt").write_text(DRAFT + "\n")
    (tmp_path / "page.txt").write_text(PAGE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def errata(*arguments, stdin="", **environment):
        done = CliRunner().invoke(app, arguments, input=stdin, env=environment)
        assert done.exception is None or isinstance(done.exception, SystemExit)
        return done

    return errata


def correcting(*more):
    return ("correct", "-q", QUESTION, "--draft", "draft.txt", "--documents", "page.txt", *more)


@pytest.mark.usefixtures("run")
def test_correct_prints_a_diff_and_verdicts_with_quotes():
    """The command runs as a process of its own, as a user starts it."""
    code = "from errata.cli import main; main()"
    command = [sys.executable, "-c", code, *correcting()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "born in [-1865-]{+1867+} and" in done.stdout
    assert "refuted" in done.stdout
    assert "“Marie Curie (born 7 November 1867)" in done.stdout
    assert "[page]" in done.stdout


def test_correct_prints_json(run):
    done = run(*correcting("--json"))
    correction = from_json(Correction, json.loads(done.stdout))
    assert correction.response == "Marie Curie was born in 1867 and kept bees."
    assert apply_edits(correction.draft, correction.edits) == correction.response


def test_a_draft_may_come_from_standard_input(run):
    done = run("correct", "--draft", "-", "--documents", "page.txt", "--json", stdin=DRAFT)
    assert json.loads(done.stdout)["draft"] == DRAFT


@pytest.mark.parametrize("steps", ["1", "2"])
def test_reex_corrects_and_checks(run, steps):
    done = run(*correcting("--method", "reex", "--steps", steps, "--html", "r.html"))
    assert done.exit_code == 0
    assert "born in [-1865-]{+1867+} and" in done.stdout
    assert "the evidence says 1867" in done.stdout
    assert "<ins>1867</ins>" in Path("r.html").read_text()
    strict = run("check", "--method", "reex", "--strict", *correcting()[1:])
    assert strict.exit_code == 1


def test_documents_may_follow_one_another(run, tmp_path):
    (tmp_path / "other.txt").write_text("Marie Curie kept bees in Sceaux.")
    done = run(*correcting("other.txt", "--json"))
    assert [d["title"] for d in json.loads(done.stdout)["documents"]] == ["page", "other"]


def test_drop_takes_out_what_is_unsupported(run):
    done = run(*correcting("--unsupported", "drop", "--json"))
    assert json.loads(done.stdout)["response"] == "Marie Curie was born in 1867."


@pytest.mark.parametrize(
    ("draft", "strict", "code"),
    [
        (DRAFT, True, 1),
        (DRAFT, False, 0),
        ("Marie Curie was a French physicist.", True, 0),
    ],
)
def test_check_is_strict_when_asked(run, draft, strict, code):
    flags = ["--strict"] if strict else []
    done = run("check", "-d", "-", "--documents", "page.txt", *flags, "-q", QUESTION, stdin=draft)
    assert done.exit_code == code


def test_roles_come_from_options_then_environment(run, tmp_path):
    (tmp_path / "s.json").write_text('{"rac/verify": "1: True\\n2: True"}')
    spec = "scripted:s.json"
    by_option = run(*correcting("--role", f"verify={spec}", "--json"))
    assert json.loads(by_option.stdout)["label"] == "supported"
    by_environment = run(*correcting("--json"), ERRATA_MODEL="scripted:gone.json")
    assert "gone.json" in by_environment.stderr
    over = run(*correcting("--json", "--model", "local"), ERRATA_MODEL="scripted:gone.json")
    assert over.exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("correct",), 2, "the draft is empty and so is the question"),
        (("correct", "--draft", "gone.txt"), 2, "cannot read 'gone.txt'"),
        (("correct", "--draft", "empty.txt"), 2, "'empty.txt' is empty"),
        (("correct", "--draft", "binary.bin"), 2, "not UTF-8 text"),
        (correcting("binary.bin"), 2, "not UTF-8 text"),
        (correcting("bad.jsonl"), 2, "'bad.jsonl', line 1: not JSON"),
        (correcting("--role", "cook=local"), 2, "no role is called 'cook'"),
        (correcting("--role", "verify"), 2, "--role takes ROLE=FILLER"),
        (correcting("--model", "gpt-4o"), 2, "'gpt-4o'; known are"),
        (correcting("--model", "magic:x"), 2, "cannot open 'magic:x'"),
        (correcting("--corpus", "nowhere"), 2, "is not a folder"),
        (correcting("--method", "magic"), 2, "magic"),
        (correcting("--method", "reex", "--no-rag"), 2, "reex has no setting 'rag'"),
        (correcting("--steps", "1"), 2, "rac has no setting 'steps'"),
        (correcting("--method", "reex", "--steps", "3"), 2, "steps=3"),
        (correcting("--method", "reex", "--evidence", "internal"), 2, "a model's own"),
        (correcting("--top-k", "0"), 2, "top_k=0"),
        (correcting("--role", "extract=scripted:empty.json"), 3, ""),
        (correcting("--role", "verify=scripted:empty.json"), 3, ""),
        (correcting("--no-rag", "--role", "correct=scripted:empty.json"), 3, ""),
        (("check", *correcting("--strict", "--role", "verify=scripted:one.json")[1:]), 3, ""),
        (("check", *correcting("--role", "verify=scripted:one.json")[1:]), 0, ""),
        (("correct", "-q", "x", "--model", "scripted:empty.json"), 3, "rac/generate.rag.v1"),
        (("verify", "bad.jsonl"), 2, "line 1: not JSON"),
        (("score", "bad.jsonl"), 2, "line 1: not JSON"),
        (("score", "rows.jsonl"), 2, "a row is {id, question, text, title?}"),
        (("answer", " "), 2, "the question is empty"),
        (("answer", "x", "--search", "altavista"), 2, "no search engine is called 'altavista'"),
        (("answer", "x", "--set", "strips"), 2, "--set takes NAME=VALUE"),
        (("answer", "x", "--set", "strips=long"), 2, "strips='long'"),
        (("answer", "x", "--corpus", "nowhere"), 2, "is not a folder"),
        (("index", "nowhere", "--out", "index"), 2, "is missing"),
        (("index", "page.txt", "--out", "qdrant:here"), 2, "is not of the form"),
        (("verify", "rows.jsonl"), 2, "evidence: Field required; see errata.records"),
        (("verify", "gone.jsonl"), 2, "cannot read"),
        (("prompts", "rac/none.v1"), 2, "no prompt is called"),
        (("doctor", "--model", "magic"), 3, ""),
        (("doctor", "--role", "cook=local"), 3, ""),
        (correcting("--method", "reex", "--role", "explain=scripted:empty.json"), 3, ""),
    ],
)
def test_bad_input_has_a_clear_end(run, tmp_path, arguments, code, said):
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "one.json").write_text('{"rac/verify": ["1: True", "?"]}')
    (tmp_path / "binary.bin").write_bytes(b"\x80\x81\xff")
    (tmp_path / "bad.jsonl").write_text("{nope\n")
    (tmp_path / "rows.jsonl").write_text('{"id": 1, "claim": "x"}\n')
    done = run(*arguments)
    assert done.exit_code == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_verify_judges_rows(run, tmp_path):
    rows = [
        {
            "id": "a",
            "claim": "Marie Curie was born in 1865.",
            "evidence": [PAGE],
            "question": QUESTION,
        },
        {"claim": "Marie Curie was a physicist.", "evidence": [PAGE]},
        {"id": 3, "claim": "Marie Curie was a physicist.", "evidence": []},
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    done = run("verify", "rows.jsonl")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["label"]) for row in found] == [
        ("a", "refuted"),
        ("2", "supported"),
        ("3", "not_mentioned"),
    ]
    assert found[2]["score"] == 0
    assert found[0]["quotes"][0]["text"] == PAGE
    assert run("verify", "rows.jsonl", "--out", "out.jsonl").stdout == ""
    assert (tmp_path / "out.jsonl").read_text() == done.stdout


def test_a_models_failure_is_in_its_row(run, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps({"claim": "x y", "evidence": [PAGE]}))
    (tmp_path / "empty.json").write_text("{}")
    done = run("verify", "rows.jsonl", "--model", "scripted:empty.json")
    assert done.exit_code == 3
    row = json.loads(done.stdout)
    assert (row["label"], row["score"]) == ("unchecked", None)
    assert "rac/verify.v1" in row["notes"][0]


QUESTIONS = [
    ("When was the Eiffel Tower opened?", "correct; ", "31 March 1889"),
    ("Who wrote Moby-Dick?", "incorrect, searched for 'Moby-Dick, wrote'; ", "Herman Melville"),
    ("Where did Marie Curie discover polonium?", "ambiguous, searched for", "pitchblende"),
]


@pytest.mark.parametrize(("question", "action", "words"), QUESTIONS)
def test_every_demo_question_takes_its_action(run, root, question, action, words):
    corpus, web = root / "demo" / "corpus", root / "demo" / "web"
    done = run("answer", question, "--corpus", str(corpus), "--search", f"corpus:{web}")
    assert done.exit_code == 0
    assert action in done.stdout
    assert words in done.stdout


def test_answers_are_json(run):
    done = run("answer", "When was Marie Curie born?", "--documents", "page.txt", "--json")
    answer = from_json(Answer, json.loads(done.stdout))
    assert (answer.action, answer.documents[0].text) == ("correct", PAGE)
    assert answer.knowledge[0].text == PAGE


def test_score_scores_rows(run, tmp_path):
    rows = [
        {"id": "a", "question": "When was Marie Curie born?", "text": PAGE},
        {"question": "When was Marie Curie born?", "text": "Bees make honey.", "title": "Bees"},
    ]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = [json.loads(line) for line in run("score", "rows.jsonl").stdout.splitlines()]
    assert [row["id"] for row in found] == ["a", "2"]
    assert 1 >= found[0]["score"] > 0 > found[1]["score"] >= -1


def test_index_is_built_and_searched(run):
    built = run("index", "page.txt", "--out", "index", "--json")
    assert json.loads(built.stdout) == {"files": 1, "passages": 1, "read": 1, "removed": 0}
    assert run("index", "page.txt", "--out", "index").stdout.endswith("0 read, 0 taken out\n")
    done = run("answer", "When was Marie Curie born?", "--corpus", "index")
    assert "7 November 1867" in done.stdout
    corrected = run("correct", "-q", QUESTION, "-d", "draft.txt", "--corpus", "index")
    assert "[-1865-]{+1867+}" in corrected.stdout


def test_any_setting_can_be_set(run):
    done = run(*correcting("--set", "unsupported=drop", "--json"))
    assert json.loads(done.stdout)["response"] == "Marie Curie was born in 1867."
    done = run("answer", "When?", "--documents", "page.txt", "--set", 'actions=["incorrect"]')
    assert "\nincorrect" in done.stdout


def test_prompts_are_listed_and_printed(run):
    listing = run("prompts").stdout
    assert "rac/verify.v1" in listing
    assert "table 8: Verification" in listing
    assert "<claims>\n$claims\n</claims>" in run("prompts", "rac/verify.v1").stdout
    assert {"name", "digest", "source"} <= set(json.loads(run("prompts", "--json").stdout)[0])


def test_doctor_says_what_is_there(run):
    done = run("doctor", "--json")
    found = {row["what"]: row for row in json.loads(done.stdout)}
    assert done.exit_code == 0
    assert {found[f"role {name}"]["found"] for name in ("verify", "evaluate", "explain")} == {
        "local"
    }
    assert all(row["ok"] for row in found.values())


def test_help_needs_nothing_heavy(run):
    heavy = ("langgraph", "pydantic")
    code = f"import sys, errata.cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    assert "correct" in run("--help").stdout


@pytest.mark.parametrize(
    ("name", "question", "change"),
    [
        ("marie-curie", "Who was Marie Curie?", "[-1865-]{+1867+}"),
        ("eiffel-tower", "What is the Eiffel Tower?", "[-1887-]{+1889+}"),
        ("apollo-11", "What was Apollo 11?", "[-18-]{+16+}"),
    ],
)
def test_every_demo_draft_is_mended(run, root, name, question, change):
    draft, corpus = root / "demo" / "drafts" / f"{name}.txt", root / "demo" / "corpus"
    done = run("correct", "-q", question, "--draft", str(draft), "--corpus", str(corpus))
    assert change in done.stdout


def test_the_script_is_declared(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"errata": "errata.cli:main"}
