"""Where corrected texts go: pipes, terminals and files, byte for byte."""

import codecs
import json

import pytest

from errata import correct
from errata.cli.correct import deliver
from errata.cli.drafts import read_drafts
from errata.cli.options import Target
from errata.core.errors import InputError
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

EVIDENCE = ("--documents", "page.txt")
ONE = ("correct", "-d", "draft.txt", *EVIDENCE)
TWO = ("--draft", "a.txt", "b.txt", *EVIDENCE)
RIGHT = "Marie Curie was born in 1867."
FORMS = {
    "line end": f"{DRAFT}\n".encode(),
    "no line end": DRAFT.encode(),
    "Windows": DRAFT.replace(". ", ".\r\n").encode() + b"\r\n\r\n",
    "mixed ends": DRAFT.replace(". She was", ".\r\nShe was").encode() + b" \n",
    "UTF-8 with its mark": codecs.BOM_UTF8 + f"{DRAFT} À.\n".encode(),
    "trailing spaces": f"  {DRAFT}  \n\t\n".encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_text_is_corrected_byte_for_byte_in_a_pipe_and_in_its_place(run, write, tmp_path, form):
    before = FORMS[form]
    after, file = before.replace(b"1865", b"1867"), write("form.txt", before)
    for draft in ("form.txt", "-"):
        result = run("correct", "--draft", draft, *EVIDENCE, stdin=before)
        assert (result.exit_code, result.stdout_bytes) == (0, after)
        assert "1 refuted" in result.stderr
    file.chmod(0o640)
    result = run("correct", "--draft", "form.txt", *EVIDENCE, "--in-place")
    assert (result.exit_code, result.stdout, file.read_bytes()) == (0, "", after)
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["draft.txt", "form.txt", "page.txt"]


def test_a_draft_without_errors_is_left_untouched(run, write):
    draft = write("right.txt", "Marie Curie was a physicist.\r")
    before = draft.stat()
    assert run("correct", "--draft", "right.txt", *EVIDENCE, "--in-place").exit_code == 0
    after = draft.stat()  # reading alone may change when it was last read
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize("way", ["rac revision=draft", "reex revision=draft", "reex steps=1"])
def test_a_models_rewriting_keeps_line_ends(run, write, scripted, way):
    method, setting = way.split()
    draft = "  " + DRAFT.replace(". ", ".\r\n") + "\r\n\r\n"
    write("windows.txt", draft)
    revision = RESPONSE.replace(". ", ".\n")
    both = f"{REPLIES['reex/explain']}\nRevised Response:\n{revision}"
    texts = {"rac/revise": revision, "reex/revise": revision, "reex/explain_and_revise": both}
    model = scripted({**REPLIES, **texts})
    own = ("--model", model, "--method", method, "--set", setting)
    result = run("correct", "-d", "windows.txt", *EVIDENCE, *own)
    assert result.stdout_bytes.decode() == draft.replace("1865", "1867")


@pytest.mark.usefixtures("run")
def test_a_terminal_gets_the_diff(on_terminal):
    _, shown = on_terminal("stdout", *ONE, NO_COLOR="1", COLUMNS="200")
    assert b"born in [-1865-]{+1867+}. She" in shown


def test_a_corrected_text_goes_to_a_file_or_for_a_dash_to_standard_output(run, tmp_path):
    result = run(*ONE, "--out", "new.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "new.txt").read_text() == RESPONSE + "\n"
    assert (tmp_path / "draft.txt").read_text() == DRAFT + "\n"
    run("correct", "-q", QUESTION, *EVIDENCE, "--out", "written.txt")
    assert (tmp_path / "written.txt").read_text() == PAGE + "\n"
    assert run(*ONE, "--out", "-").stdout == RESPONSE + "\n"
    assert not (tmp_path / "-").exists()


def test_a_file_that_changed_meanwhile_is_left_and_the_text_is_not_lost(write, capfdbinary):
    draft = write("draft.txt", DRAFT)
    [given] = read_drafts([str(draft)], Target(in_place=True))
    correction = correct(draft=DRAFT, documents=[PAGE])
    draft.write_text("Somebody wrote this meanwhile.")
    with pytest.raises(InputError, match="changed meanwhile"):
        deliver(given, correction, "nothing")
    assert capfdbinary.readouterr().out == RESPONSE.encode()
    assert draft.read_text() == "Somebody wrote this meanwhile."


def test_a_text_that_cannot_be_written_is_not_lost(run):
    result = run(*ONE, "--out", "/dev/full")
    assert (result.exit_code, result.stdout) == (2, RESPONSE + "\n")
    assert "cannot write '/dev/full'" in result.stderr


def test_the_target_of_a_link_is_written(run, tmp_path):
    (tmp_path / "link.txt").symlink_to("draft.txt")
    run("correct", "-d", "link.txt", *EVIDENCE, "--in-place")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "draft.txt").read_text() == RESPONSE + "\n"


@pytest.fixture
def two(write, tmp_path):
    """Two drafts with an error each, and a folder with one of the first's name."""
    write("a.txt", "Marie Curie was born in 1865.\n")
    write("b.txt", "Marie Curie was born in 1866.")
    write("sub/a.txt", "Marie Curie was a physicist.")
    return tmp_path


@pytest.mark.usefixtures("two")
def test_several_drafts_are_corrected_one_after_another_each_named(run):
    for drafts in (TWO, ("-d", "a.txt", "--draft", "b.txt", *EVIDENCE)):
        result = run("correct", *drafts)
        assert result.stdout == f"==> a.txt <==\n{RIGHT}\n\n==> b.txt <==\n{RIGHT}\n"
        assert "b.txt: refuted; 1 claim: 1 refuted" in result.stderr
    rows = [json.loads(row) for row in run("correct", *TWO, "--json").stdout.splitlines()]
    assert [(row["file"], row["response"]) for row in rows] == [("a.txt", RIGHT), ("b.txt", RIGHT)]
    found = json.loads(run(*ONE, "--json").stdout)
    assert found["counts"] == {"supported": 1, "refuted": 1, "not_mentioned": 1}
    assert found["checked"]


def test_several_drafts_go_to_a_folder_or_stay_in_place(run, two):
    run("correct", *TWO, "--out", "sub")
    assert (two / "sub" / "b.txt").read_text() == RIGHT
    assert (two / "b.txt").read_text() == "Marie Curie was born in 1866."
    run("correct", *TWO, "--in-place")
    assert (two / "a.txt").read_text() == f"{RIGHT}\n"


@pytest.mark.usefixtures("two")
def test_the_exit_code_of_several_drafts_is_the_highest(run, scripted):
    drafts = ("--draft", "sub/a.txt", "b.txt", *EVIDENCE)
    assert run("check", *drafts, "--strict").exit_code == 1
    assert run("check", *drafts).exit_code == 0
    model = scripted({"rac/verify": [{"when": "1866", "reply": "1: False"}]})
    result = run("correct", *TWO, "--role", f"verify={model}", "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert ([row["checked"] for row in rows], result.exit_code) == ([False, True], 3)


@pytest.mark.usefixtures("two")
def test_a_refused_key_ends_the_drafts_and_each_that_failed_is_named(run, openai_server):
    openai_server.plan = [401] * 9
    result = run("correct", *TWO, "--model", "openai:m", "--json")
    row = json.loads(result.stdout)
    assert (result.exit_code, row["file"], "check the key" in row["error"]) == (3, "a.txt", True)
    assert "errata: a.txt: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-d", "a.txt", "--out", "gone/new.txt"), "there is no folder 'gone'"),
        (("-d", "a.txt", "b.txt", "--out", "new.txt"), "--out takes a folder for several drafts"),
        (("-d", "a.txt", "sub/a.txt", "--out", "sub"), "two results would go to"),
        (("-d", "-", "--out", "sub"), "is a folder; name a file"),
        (("-d", "-", "--in-place"), "standard input has no file"),
        (("-q", "Who?", "--in-place"), "--in-place needs --draft"),
        (("-d", "a.txt", "--in-place", "--out", "new.txt"), "give one"),
        (("-d", "a.txt", "./a.txt", "--in-place"), "two results would go to"),
        (("-d", "a.txt", "gone.txt"), "cannot read 'gone.txt'"),
    ],
)
def test_a_place_is_refused_before_any_model_is_asked(run, two, scripted, arguments, message):
    model = scripted({})
    before = {path: path.read_bytes() for path in two.rglob("*.txt")}
    result = run("correct", *arguments, *EVIDENCE, "--model", model, "--record", "asked", stdin="x")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not (two / "asked").exists()
    assert {path: path.read_bytes() for path in two.rglob("*.txt")} == before
