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
FORMS = {
    "line end": (DRAFT + "\n", "utf-8", b""),
    "no line end": (DRAFT, "utf-8", b""),
    "Windows": (DRAFT.replace(". ", ".\r\n") + "\r\n\r\n", "utf-8", b""),
    "mixed ends": (DRAFT.replace(". She was", ".\r\nShe was") + " \n", "utf-8", b""),
    "UTF-8 with its mark": (DRAFT + " À.\n", "utf-8", codecs.BOM_UTF8),
    "trailing spaces": ("  " + DRAFT + "  \n\t\n", "utf-8", b""),
}


@pytest.fixture(params=FORMS)
def form(request, tmp_path):
    """A draft's bytes, which lie in form.txt, and the same with its one edit."""
    text, encoding, mark = FORMS[request.param]
    before, after = (mark + t.encode(encoding) for t in (text, text.replace("1865", "1867")))
    (tmp_path / "form.txt").write_bytes(before)
    return before, after


@pytest.mark.parametrize("draft", ["form.txt", "-"])
def test_a_pipe_gets_the_corrected_text_alone_byte_for_byte(run, form, draft):
    result = run("correct", "--draft", draft, *EVIDENCE, stdin=form[0])
    assert (result.exit_code, result.stdout_bytes) == (0, form[1])
    assert "1 refuted" in result.stderr


def test_a_draft_is_corrected_in_its_place(run, form, tmp_path):
    (tmp_path / "form.txt").chmod(0o640)
    result = run("correct", "--draft", "form.txt", *EVIDENCE, "--in-place")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "form.txt").read_bytes() == form[1]
    assert (tmp_path / "form.txt").stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["draft.txt", "form.txt", "page.txt"]


def test_a_draft_without_errors_is_left_untouched(run, tmp_path):
    draft = tmp_path / "right.txt"
    draft.write_bytes(b"Marie Curie was a physicist.\r")
    before = draft.stat()
    assert run("correct", "--draft", "right.txt", *EVIDENCE, "--in-place").exit_code == 0
    after = draft.stat()  # reading alone may change when it was last read
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    "settings",
    [
        ("--set", "revision=draft"),
        ("--method", "reex", "--set", "revision=draft"),
        ("--method", "reex", "--set", "steps=1"),
    ],
)
def test_a_models_rewriting_keeps_line_ends(run, tmp_path, scripted, settings):
    draft = "  " + DRAFT.replace(". ", ".\r\n") + "\r\n\r\n"
    (tmp_path / "windows.txt").write_bytes(draft.encode())
    revision = RESPONSE.replace(". ", ".\n")
    both = f"{REPLIES['reex/explain']}\nRevised Response:\n{revision}"
    texts = {"rac/revise": revision, "reex/revise": revision, "reex/explain_and_revise": both}
    model = scripted({**REPLIES, **texts})
    result = run("correct", "-d", "windows.txt", *EVIDENCE, "--model", model, *settings)
    assert result.stdout_bytes.decode() == draft.replace("1865", "1867")


def test_the_diff_and_json_go_into_pipes_if_asked_for(run):
    shown = run("correct", "-d", "draft.txt", *EVIDENCE, "--diff")
    assert "[-1865-]{+1867+}" in shown.stdout
    assert "refuted; 3 claims: 1 supported, 1 refuted, 1 not mentioned; 1 edit" in shown.stdout
    found = json.loads(run("correct", "-d", "draft.txt", *EVIDENCE, "--json").stdout)
    assert found["counts"] == {"supported": 1, "refuted": 1, "not_mentioned": 1}
    assert found["checked"]


@pytest.mark.usefixtures("run")
def test_a_terminal_gets_the_diff(on_terminal):
    command = ("correct", "-d", "draft.txt", *EVIDENCE)
    _, shown = on_terminal("stdout", *command, NO_COLOR="1", COLUMNS="200")
    assert b"born in [-1865-]{+1867+}. She" in shown


def test_a_corrected_text_goes_to_a_file_or_for_a_dash_to_standard_output(run, tmp_path):
    result = run("correct", "-d", "draft.txt", *EVIDENCE, "--out", "new.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "new.txt").read_text() == RESPONSE + "\n"
    assert (tmp_path / "draft.txt").read_text() == DRAFT + "\n"
    run("correct", "-q", QUESTION, *EVIDENCE, "--out", "written.txt")
    assert (tmp_path / "written.txt").read_text() == PAGE + "\n"
    assert run("correct", "-d", "draft.txt", *EVIDENCE, "--out", "-").stdout == RESPONSE + "\n"
    assert not (tmp_path / "-").exists()


def test_a_file_that_changed_meanwhile_is_left_and_the_text_is_not_lost(tmp_path, capfdbinary):
    draft = tmp_path / "draft.txt"
    draft.write_text(DRAFT)
    [given] = read_drafts([str(draft)], Target(in_place=True))
    correction = correct(draft=DRAFT, documents=[PAGE])
    draft.write_text("Somebody wrote this meanwhile.")
    with pytest.raises(InputError, match="changed meanwhile"):
        deliver(given, correction, "nothing")
    assert capfdbinary.readouterr().out == RESPONSE.encode()
    assert draft.read_text() == "Somebody wrote this meanwhile."


def test_a_text_that_cannot_be_written_is_not_lost(run):
    result = run("correct", "-d", "draft.txt", *EVIDENCE, "--out", "/dev/full")
    assert (result.exit_code, result.stdout) == (2, RESPONSE + "\n")
    assert "cannot write '/dev/full'" in result.stderr


def test_the_target_of_a_link_is_written(run, tmp_path):
    (tmp_path / "link.txt").symlink_to("draft.txt")
    run("correct", "-d", "link.txt", *EVIDENCE, "--in-place")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "draft.txt").read_text() == RESPONSE + "\n"


@pytest.fixture
def two(tmp_path):
    """Two drafts with an error each, and folders."""
    (tmp_path / "a.txt").write_text("Marie Curie was born in 1865.\n")
    (tmp_path / "b.txt").write_text("Marie Curie was born in 1866.")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.txt").write_text("Marie Curie was a physicist.")
    return tmp_path


@pytest.mark.parametrize(
    "drafts", [("--draft", "a.txt", "b.txt"), ("-d", "a.txt", "--draft", "b.txt")]
)
@pytest.mark.usefixtures("two")
def test_several_drafts_are_corrected_one_after_another_each_named(run, drafts):
    result = run("correct", *drafts, *EVIDENCE)
    right = "Marie Curie was born in 1867."
    assert result.stdout == f"==> a.txt <==\n{right}\n\n==> b.txt <==\n{right}\n"
    assert "b.txt: refuted; 1 claim: 1 refuted" in result.stderr
    rows = [json.loads(r) for r in run("correct", *drafts, *EVIDENCE, "--json").stdout.splitlines()]
    assert [(row["file"], row["response"]) for row in rows] == [("a.txt", right), ("b.txt", right)]


def test_several_drafts_go_to_a_folder_or_stay_in_place(run, two):
    run("correct", "--draft", "a.txt", "b.txt", *EVIDENCE, "--out", "sub")
    assert (two / "sub" / "b.txt").read_text() == "Marie Curie was born in 1867."
    assert (two / "b.txt").read_text() == "Marie Curie was born in 1866."
    run("correct", "--draft", "a.txt", "b.txt", *EVIDENCE, "--in-place")
    assert (two / "a.txt").read_text() == "Marie Curie was born in 1867.\n"


@pytest.mark.usefixtures("two")
def test_the_exit_code_of_several_drafts_is_the_highest(run):
    drafts = ("--draft", "sub/a.txt", "b.txt")
    assert run("check", *drafts, *EVIDENCE, "--strict").exit_code == 1
    assert run("check", *drafts, *EVIDENCE).exit_code == 0


@pytest.mark.usefixtures("two")
def test_a_draft_whose_model_fails_leaves_the_others_alone(run, scripted):
    model = scripted({"rac/verify": [{"when": "1866", "reply": "1: False"}]})
    drafts = ("--draft", "a.txt", "b.txt")
    result = run("correct", *drafts, *EVIDENCE, "--role", f"verify={model}", "--json")
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["checked"] for row in rows] == [False, True]
    assert result.exit_code == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-d", "a.txt", "--out", "gone/new.txt"), "there is no folder 'gone'"),
        (("-d", "a.txt", "--out", "a.txt/b"), "there is no folder 'a.txt'"),
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
