"""Options for settings, and which of several values counts."""

import json

import pytest

from example import ARGUMENTS

GIVEN = {
    "--profile": ("profile", "extractive"),
    "--top-k": ("top_k", 7),
    "--max-money": ("max_money", 0.5),
    "--call-cache": ("call_cache", "calls.sqlite"),
}


@pytest.mark.parametrize("option", GIVEN)
def test_an_option_sets_its_setting(run, option):
    name, value = GIVEN[option]
    result = run("check", *ARGUMENTS, option, str(value), "--set", f"{name}=[]")
    assert result.exit_code == 2, "the assignment counts over the option"
    assert f"{name}=[]" in result.stderr
    assert run("check", *ARGUMENTS, option, str(value)).exit_code == 0


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--set", "guard=[1]"), "guard must be"),
        (("--set", "entity=Bees"), ""),
        (("--set", "call_cache="), ""),
        (("--role", "verify=local", "--role", "correct=local"), ""),
        (("--sampling", "verify.temperature=hot"), "must be a valid number"),
        (("--set", "guard"), "'--set': it takes NAME=VALUE; got 'guard'"),
    ],
)
def test_pairs_and_assignments_are_read(run, options, fault):
    result = run("correct", *ARGUMENTS, *options)
    assert (result.exit_code, fault in result.stderr) == (2 if fault else 0, True)


@pytest.mark.parametrize(
    ("options", "method", "name"),
    [
        (("--set", "steps=2"), "rac", "steps"),
        (("--method", "reex", "--unsupported", "drop"), "reex", "unsupported"),
        (("--search", "searxng", "--method", "cite"), "cite", "search"),
    ],
)
def test_another_methods_setting_is_an_error(run, options, method, name):
    result = run("correct", *ARGUMENTS, *options)
    assert result.exit_code == 2
    assert f"{method} has no setting '{name}'" in result.stderr


def test_an_assignment_counts_over_the_option(run):
    drop = ("--set", "unsupported=drop", "--set", "drop_below=0.2")
    options = ("--unsupported", "flag", *drop, "--json")
    result = run("correct", *ARGUMENTS, *options)
    response = json.loads(result.stdout)["response"]
    assert response == "Marie Curie was born in 1867. She was a physicist."
    result = run("answer", "When?", "--documents", "page.txt", "--set", 'actions=["incorrect"]')
    assert "\nincorrect" in result.stdout
