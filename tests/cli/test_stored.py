"""`--checkpoints` and `--run`: a command's runs are kept, and handed out again."""

import pytest

from example import ARGUMENTS, QUESTION, REPLIES, RESPONSE

KEPT = ("--model", "openai:m", "--checkpoints", "runs.sqlite", "--run", "one")


@pytest.fixture
def server(openai_server):
    openai_server.replies, openai_server.delay = REPLIES, 0.0
    return openai_server


def test_a_command_hands_a_stored_run_out_again(run, server):
    first = run("correct", *ARGUMENTS, *KEPT, "--json")
    asked = len(server.requests)
    assert asked
    assert RESPONSE in first.stdout
    assert run("correct", *ARGUMENTS, *KEPT, "--json").stdout == first.stdout
    assert len(server.requests) == asked
    refused = run("check", *ARGUMENTS, *KEPT)
    assert refused.exit_code == 2
    assert "different check_only" in refused.stderr


def test_several_drafts_have_a_run_each(run, server, tmp_path):
    (tmp_path / "other.txt").write_text("Marie Curie kept bees.")
    both = ("--draft", "draft.txt", "--draft", "other.txt", "--documents", "page.txt")
    first = run("check", *both, *KEPT, "--json")
    asked = len(server.requests)
    assert run("check", *both, *KEPT, "--json").stdout == first.stdout
    assert len(server.requests) == asked


def test_an_answer_is_kept_too(run, server):
    arguments = ("answer", QUESTION, "--method", "plain", "--documents", "page.txt", *KEPT)
    first = run(*arguments)
    assert run(*arguments).stdout == first.stdout
    assert len(server.requests) == 1


@pytest.mark.parametrize("command", ["correct", "check", "answer"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--run", "one"), "--checkpoints FILE"),
        (("--checkpoints", "runs.sqlite"), "--run NAME"),
        (("--checkpoints", "postgresql://me:hidden@127.0.0.1:9/x"), "--run NAME"),
    ],
)
def test_a_run_and_its_checkpoints_go_together(run, tmp_path, command, options, message):
    given = [QUESTION, "--documents", "page.txt"] if command == "answer" else ARGUMENTS
    refused = run(command, *given, *options)
    assert (refused.exit_code, message in refused.stderr) == (2, True)
    assert "hidden" not in refused.stderr
    assert not (tmp_path / "runs.sqlite").exists()


def test_the_environments_checkpoints_are_for_the_runs_that_have_a_name(run, tmp_path):
    environment = {"ERRATA_CHECKPOINTS": str(tmp_path / "runs.sqlite")}
    unnamed = run("correct", *ARGUMENTS, **environment)
    assert not (tmp_path / "runs.sqlite").exists()
    named = run("correct", *ARGUMENTS, "--run", "one", **environment)
    assert (tmp_path / "runs.sqlite").exists()
    assert named.exit_code == unnamed.exit_code
