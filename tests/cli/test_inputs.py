"""What commands read, in whatever form it comes; and where they may write."""

import json
import sys
from contextlib import redirect_stdout
from io import BytesIO, TextIOWrapper

import pytest

from errata.cli import main
from example import ARGUMENTS, BIRTH_QUESTION, DRAFT, PAGE, QUESTION

LATIN = "Marie Curie was born in 1865 in Café Paris.".encode("latin-1")
CLAIM = {"claim": "Ada\u2028 wrote notes.", "evidence": ["Ada wrote notes."]}
SURROGATE = "\ud800"


def lines(*rows, ascii_only=False):
    return "\n".join(json.dumps(row, ensure_ascii=ascii_only) for row in rows) + "\n"


@pytest.fixture
def folder(write):
    """A folder of a page and a file that is no text."""
    write("in/page.md", PAGE)
    write("in/bad.txt", b"a\0b")
    return "in"


@pytest.mark.parametrize(
    ("command", "label"),
    [
        (("correct", "-d", "draft.txt", "--documents"), "refuted"),
        (("check", "-d", "draft.txt", "--documents"), "refuted"),
        (("correct", "-d", "draft.txt", "-d", "other.txt", "--documents"), "refuted"),
        (("answer", BIRTH_QUESTION, "--documents"), "correct"),
    ],
)
def test_the_page_of_an_address_is_fetched_once(run, write, page_site, command, label):
    write("other.txt", DRAFT)
    address, asked = page_site
    result = run(*command, address, "--json", ERRATA_ALLOW_PRIVATE_URLS="1")
    assert (result.exit_code, f'"{label}"' in result.stdout, asked) == (0, True, ["/page"])


@pytest.mark.parametrize(
    "command", [("correct", "-d", "-"), ("check", "-d", "-"), ("cite", "-"), ("verify", "-")]
)
def test_what_is_not_utf_8_is_refused(run, command):
    result = run(*command, stdin=LATIN)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "standard input is not UTF-8 text" in result.stderr


def test_rows_may_come_by_standard_input(run):
    result = run("verify", "-", stdin=lines(CLAIM, CLAIM))
    assert [json.loads(line)["id"] for line in result.stdout.splitlines()] == ["1", "2"]


@pytest.mark.parametrize("command", ["correct", "check", "answer"])
def test_lone_surrogates_in_documents_and_questions_are_replaced(run, write, command):
    write("rows.jsonl", lines({"text": f"{PAGE} {SURROGATE}"}, ascii_only=True))
    question = f"Who was Marie {SURROGATE}Curie?"
    draft = () if command == "answer" else ("-d", "draft.txt", "-q")
    result = run(command, *draft, question, "--documents", "rows.jsonl", "--json")
    reply = json.loads(result.stdout)
    assert reply["question"] == "Who was Marie \ufffdCurie?"
    assert reply["documents"][0]["text"] == f"{PAGE} \ufffd"
    assert any("lone surrogates" in note for note in reply["notes"])


def test_documents_may_come_by_standard_input(run):
    result = run("check", "-d", "draft.txt", "--documents", "-", "--json", stdin=PAGE)
    assert json.loads(result.stdout)["documents"][0]["text"] == PAGE
    assert "read 1 document of 'standard input'" in result.stderr
    result = run("check", "-d", "-", "--documents", "-", stdin=DRAFT)
    assert (result.exit_code, "standard input is empty" in result.stderr) == (2, True)


@pytest.mark.parametrize("command", ["correct", "check", "answer"])
def test_a_folder_of_documents_is_read_and_bad_files_are_named(run, folder, command):
    what = ("-d", "draft.txt") if command != "answer" else (QUESTION,)
    result = run(command, *what, "--documents", folder, "--json")
    assert json.loads(result.stdout)["documents"][0]["text"] == PAGE
    assert "read 1 document of 'in/page.md'" in result.stderr
    assert "note: 1 file skipped: 'in/bad.txt' looks binary" in result.stderr


@pytest.mark.parametrize("command", ["correct", "check"])
def test_bad_files_of_a_corpus_are_in_the_notes_each_time(run, folder, command):
    for _ in range(2):
        result = run(command, "-d", "draft.txt", "--corpus", folder, "--json")
        [note] = [n for n in json.loads(result.stdout)["notes"] if "skipped" in n]
        assert note == (
            "corpus: 1 file skipped: 'in/bad.txt' looks binary: it holds zero bytes; give a text"
        )


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


def test_where_nothing_can_be_written_nothing_is_begun(run, write, folder):
    write("rows.jsonl", lines(CLAIM))
    faults = {
        "gone/out": "there is no folder 'gone'; make it first",
        "page.txt/out": "there is no folder 'page.txt'",
        folder: "it is a folder; name a file",
    }
    for out, message in faults.items():
        result = run("verify", "rows.jsonl", "--out", out, "--model", "scripted:gone.json")
        assert result.exit_code == 2
        assert f"errata: cannot write '{out}': {message}" in result.stderr


def test_replies_that_cannot_be_recorded_are_used(run, scripted):
    model = scripted({"rac/verify": "1: True\n2: True\n3: True"})
    result = run("check", *ARGUMENTS, "--model", model, "--record", "page.txt", "--json")
    reply = json.loads(result.stdout)
    assert reply["verdicts"][0]["label"] == "supported"
    notes = [note for note in reply["notes"] if "were not recorded" in note]
    assert [note for note in notes if "page.txt" in note]


@pytest.mark.usefixtures("run")
def test_what_a_terminal_cannot_show_is_spelled_out(tmp_path, monkeypatch):
    (tmp_path / "accents.txt").write_text(LATIN.decode("latin-1"), "utf-8")
    command = ["errata", "check", "-d", "accents.txt", "--documents", "page.txt"]
    monkeypatch.setattr(sys, "argv", command)
    terminal = TextIOWrapper(BytesIO(), "ascii")
    with redirect_stdout(terminal), pytest.raises(SystemExit, match="0"):
        main()
    terminal.seek(0)
    assert "Caf\\xe9 Paris" in terminal.read()
