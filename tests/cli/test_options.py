"""Options for settings: one for each that has a flag, and which of several values counts."""

import json
from types import NoneType
from typing import Annotated, Literal, get_args, get_origin

import pytest
from pydantic import TypeAdapter

from errata.cli.options import Takes, all_settings, build_command
from errata.methods import ANSWERING, CORRECTING
from example import ARGUMENTS


def parse(methods, arguments, checking=False, **environment):
    """The settings that a command of these methods reads from its arguments."""
    values = {}

    def command(settings: Annotated[dict, Takes(methods, checking=checking)]):
        values.update(settings)

    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        build_command(command, arguments).main(arguments, "command", standalone_mode=False)
    return values


def all_flagged(methods):
    """Every setting of some methods that has an option."""
    return [setting for setting in all_settings(methods).values() if setting.flag]


def other_value(setting):
    """A value of the setting that is not its default."""
    default, annotation = setting.default, setting.field.annotation
    if get_origin(annotation) is Literal:
        return next(choice for choice in get_args(annotation) if choice != default)
    if isinstance(default, bool) or annotation == bool | None:
        return not default
    if setting.name == "sampling":
        return {"temperature": "0.5"}
    samples = {int: 7, float: 0.5, str: "x", tuple: ["a", "b"], dict: {"verify": "local"}}
    return samples[get_args(annotation)[0] if default is None else type(default)]


def arguments_for(setting, value):
    """The arguments that set a value."""
    option = setting.flag.name or f"--{setting.name.replace('_', '-')}"
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    if isinstance(value, list):
        return [argument for each in value for argument in (option, each)]
    if isinstance(value, dict):
        return [option, *("=".join(pair) for pair in value.items())]
    return [option, str(value)]


FLAGGED = [
    pytest.param(methods, setting, id=f"{methods[0]}-{setting.name}")
    for methods in (CORRECTING, ANSWERING)
    for setting in all_flagged(methods)
]


@pytest.mark.parametrize(("methods", "setting"), FLAGGED)
def test_every_flagged_setting_has_an_option_of_its_type(methods, setting):
    value = other_value(setting)
    values = parse(methods, arguments_for(setting, value))
    assert values == {setting.name: value}
    if setting.name != "sampling":  # its short form is read before its type is checked
        TypeAdapter(setting.field.annotation).validate_python(values[setting.name])
    if not isinstance(setting.default, tuple | NoneType):
        assert type(values[setting.name]) is type(setting.default)


def test_check_has_the_options_of_settings_that_bear_on_it():
    settings = all_flagged(CORRECTING)
    assert not all(setting.flag.check for setting in settings)
    for setting in settings:
        value = other_value(setting)
        arguments = arguments_for(setting, value)
        if setting.flag.check:
            assert parse(CORRECTING, arguments, checking=True) == {setting.name: value}
        else:
            with pytest.raises(Exception, match="No such option"):
                parse(CORRECTING, arguments, checking=True)


def test_an_environment_variable_counts_where_its_option_is_not_given():
    assert parse(CORRECTING, []) == parse(ANSWERING, []) == {}
    assert parse(CORRECTING, [], ERRATA_MODEL="openai:m") == {"model": "openai:m"}
    arguments = ["--model", "local"]
    assert parse(CORRECTING, arguments, ERRATA_MODEL="openai:m") == {"model": "local"}


@pytest.mark.parametrize(
    ("options", "method", "name"),
    [(("--steps", "2"), "rac", "steps"), (("--method", "reex", "--rag"), "reex", "rag")],
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
    assert "actions" not in {setting.name for setting in all_flagged(ANSWERING)}
    result = run("answer", "When?", "--documents", "page.txt", "--set", 'actions=["incorrect"]')
    assert "\nincorrect" in result.stdout
