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


def test_a_run_without_checkpoints_is_refused(run):
    refused = run("correct", *ARGUMENTS, "--run", "one")
    assert refused.exit_code == 2
    assert "--checkpoints FILE" in refused.stderr
