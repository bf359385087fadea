"""What commands read, in whatever form it comes, and the indexes that they make of it."""

import json
import sys
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper

import pytest

from errata.cli import main
from example import ARGUMENTS, BIRTH_QUESTION, DRAFT, PAGE, QUESTION

LATIN = "Marie Curie was born in 1865 in Café Paris.".encode("latin-1")
BINARY = "1 file skipped: 'in/bad.txt' looks binary"
COMMANDS = {"correct": ("-d", "draft.txt"), "check": ("-d", "draft.txt"), "answer": (QUESTION,)}


@pytest.fixture
def folder(write):
    """A folder of a page and a file that is no text."""
    write("in/page.md", PAGE)
    write("in/bad.txt", b"a\0b")
    return "in"


@pytest.mark.parametrize(
    ("command", "label"),
    [
        (("correct", "-d", "draft.txt", "-d", "other.txt"), "refuted"),
        (("check", "-d", "draft.txt"), "refuted"),
        (("answer", BIRTH_QUESTION), "correct"),
    ],
)
def test_the_page_of_an_address_is_fetched_once(run, write, page_site, command, label):
    write("other.txt", DRAFT)
    address, asked = page_site
    result = run(*command, "--documents", address, "--json", ERRATA_ALLOW_PRIVATE_URLS="1")
    assert (result.exit_code, f'"{label}"' in result.stdout, asked) == (0, True, ["/page"])


@pytest.mark.parametrize("command", ["correct -d -", "check -d -", "cite -", "verify -"])
def test_what_is_not_utf_8_is_refused(run, command):
    result = run(*command.split(), stdin=LATIN)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "standard input is not UTF-8 text" in result.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_lone_surrogates_in_documents_and_questions_are_replaced(run, write, command):
    write("rows.jsonl", json.dumps({"text": f"{PAGE} \ud800"}))
    question = "Who was Marie \ud800Curie?"
    given = (question,) if command == "answer" else (*COMMANDS[command], "-q", question)
    reply = json.loads(run(command, *given, "--documents", "rows.jsonl", "--json").stdout)
    assert reply["question"] == "Who was Marie \ufffdCurie?"
    assert reply["documents"][0]["text"] == f"{PAGE} \ufffd"
    assert any("lone surrogates" in note for note in reply["notes"])


def test_documents_may_come_by_standard_input(run):
    result = run("check", "-d", "draft.txt", "--documents", "-", "--json", stdin=PAGE)
    assert json.loads(result.stdout)["documents"][0]["text"] == PAGE
    assert "read 1 document of 'standard input'" in result.stderr
    result = run("check", "-d", "-", "--documents", "-", stdin=DRAFT)
    assert (result.exit_code, "standard input is empty" in result.stderr) == (2, True)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_or_a_corpus_is_read_and_bad_files_are_named(run, folder, command):
    result = run(command, *COMMANDS[command], "--documents", folder, "--json")
    assert json.loads(result.stdout)["documents"][0]["text"] == PAGE
    assert f"read 1 document of 'in/page.md'\nnote: {BINARY}" in result.stderr
    result = run(command, *COMMANDS[command], "--corpus", folder, "--json")
    assert any(note.startswith(f"corpus: {BINARY}") for note in json.loads(result.stdout)["notes"])


def test_an_index_and_a_corpus_may_declare_an_encoding(run, write):
    write("in/town.txt", "Łódź is a town in Poland.".encode("iso-8859-2"))
    asked = "Which town is in Poland?"
    for encoding, word in [("iso-8859-2", "Łódź"), ("iso-8859-1", "£ód¼")]:
        run("index", "in", "--out", "index", "--encoding", encoding)
        result = run("answer", asked, "--corpus", "index", "--json")
        assert word in json.loads(result.stdout)["documents"][0]["text"]
    for place in ("--corpus", "--documents"):
        arguments = (place, "in", "--set", "encoding=iso-8859-2", "--json")
        for command in (("answer",), ("check", "-d", "draft.txt", "-q")):
            reply = json.loads(run(*command, asked, *arguments).stdout)
            assert [d["text"] for d in reply["documents"]] == ["Łódź is a town in Poland."]


def test_an_index_is_built_and_searched_and_a_failed_update_leaves_it(run, write):
    write("index/.building", "")  # what an ended process left
    report = json.loads(run("index", "page.txt", "--out", "index", "--json").stdout)
    assert report == {"files": 1, "passages": 1, "read": 1, "removed": 0, "notes": []}
    assert run("index", "page.txt", "--out", "index").stdout.endswith("0 read, 0 taken out\n")
    result = run("correct", "-d", "draft.txt", "--corpus", "index", "--diff")
    assert "[-1865-]{+1867+}" in result.stdout
    write("empty.txt", "")
    assert run("index", "empty.txt", "--out", "index").exit_code == 2
    assert "7 November 1867" in run("answer", BIRTH_QUESTION, "--corpus", "index").stdout


@pytest.mark.parametrize(
    ("source", "out", "fault"),
    [
        ("texts", "texts", "the folder holds other things and no index; name a new or an empty"),
        ("page.txt", ".", "the folder holds other things and no index"),
        ("page.txt", "draft.txt", ""),
        ("page.txt", "draft.txt/index", ""),
    ],
)
def test_an_index_is_never_written_among_other_files(run, write, tmp_path, source, out, fault):
    write("texts/page.txt", PAGE)
    before = sorted(tmp_path.rglob("*"))
    result = run("index", source, "--out", out)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"cannot write an index to '{out}': {fault}" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_replies_that_cannot_be_recorded_are_used(run, scripted):
    model = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    result = run("check", *ARGUMENTS, "--model", model, "--record", "page.txt", "--json")
    reply = json.loads(result.stdout)
    assert reply["verdicts"][0]["label"] == "supported"
    assert any("were not recorded" in note and "page.txt" in note for note in reply["notes"])


@pytest.mark.usefixtures("run")
def test_what_a_terminal_cannot_show_is_spelled_out(write, monkeypatch):
    write("accents.txt", LATIN.decode("latin-1"))
    command = ["errata", "check", "-d", "accents.txt", "--documents", "page.txt"]
    monkeypatch.setattr(sys, "argv", command)
    terminal = TextIOWrapper(BytesIO(), "ascii")
    with redirect_stdout(terminal), pytest.raises(SystemExit, match="0"):
        main()
    terminal.seek(0)
    assert "Caf\\xe9 Paris" in terminal.read()
