"""Words after a command: several drafts behind one option, and values that may be left out."""

import pytest

from errata.cli.options import spell_out


@pytest.mark.parametrize(
    ("given", "spelled_out"),
    [
        ("-d a b", "-d a --draft b"),
        ("--draft a - b", "--draft a --draft - --draft b"),
        ("--draft=a b", "--draft=a --draft b"),
        ("-d a --json b", "-d a --json b"),
        ("-d a -q what b", "-d a -q what b"),
        ("-d a b --documents p q", "-d a --draft b --documents p q"),
        ("--documents p q -d a", "--documents p q -d a"),
        ("p q -d a -d b", "p q -d a -d b"),
        ("-d -a b", "-d -a --draft b"),
        ("-d a -- b --strict", "-d a -- b --strict"),
        ("--strict", "--strict=refuted"),
        ("--strict p", "--strict=refuted p"),
        ("--strict supported p", "--strict=supported p"),
        ("--strict=supported supported", "--strict=supported supported"),
        ("-d a --strict b", "-d a --strict=refuted b"),
        ("", ""),
    ],
)
def test_words_are_spelled_out(given, spelled_out):
    assert spell_out(given.split()) == spelled_out.split()


@pytest.mark.parametrize("flag", ["--version"])
def test_the_version_is_printed(run, flag):
    result = run(flag)
    assert (result.exit_code, result.stdout.split()[0]) == (0, "errata")
    assert result.stdout.split()[1][0].isdigit()


def test_without_a_command_help_is_printed(run):
    result = run()
    assert all(name in result.output for name in ("correct", "check", "--version"))
