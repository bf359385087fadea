"""`errata check`: what it prints, what fails it, and what it watches."""

import json
import os

import pytest

from example import ARGUMENTS, CORRECTING, DRAFT, PAGE
from forks import Fork, command

SUPPORTED = "Marie Curie was a physicist."
UNMENTIONED = f"{SUPPORTED} She kept bees."
NOWHERE = f"{SUPPORTED} She moved to London in 1911."
FRENCH = "Marie Curie est née à Varsovie en 1865. Elle était une physicienne célèbre."
FIRM = (
    "Northwind was founded in 2018 in Berlin. Its staff of 95 work in three offices. "
    "The founders met at a chess club. It sells weather stations to farmers."
)
TOWER = "Its staff work in one big tower."
OPENED = "The Eiffel Tower was opened in {}."
CONFLICT = (OPENED.format(1889), OPENED.format(1887))


@pytest.fixture
def check(run, write):
    """Checks a draft by texts."""

    def errata(draft, *options, texts=(PAGE,)):
        names = [f"text-{n}.txt" for n in range(len(texts))]
        for name, text in zip(names, texts, strict=True):
            write(name, text)
        return run("check", "-d", "-", "--documents", *names, *options, stdin=draft)

    return errata


@pytest.mark.parametrize(
    ("draft", "texts", "strict", "fault"),
    [
        (SUPPORTED, [PAGE], "", ""),
        (UNMENTIONED, [PAGE], "=refuted", ""),
        (UNMENTIONED, [PAGE], "=supported", "2 claims: 1 supported, 1 not mentioned"),
        (DRAFT, [PAGE], "", "refuted; 3 claims: 1 supported, 1 refuted, 1 not mentioned"),
        (FRENCH, [PAGE], "", "nothing could be checked: 2 claims unchecked (local code reads"),
        ("***", [PAGE], "", "nothing could be checked: the draft holds no claim"),
        (NOWHERE, [PAGE], "=disputed", ""),
        (NOWHERE, [PAGE], "=unfounded", "stands nowhere in the documents: London, 1911"),
        (TOWER, [FIRM], "", ""),
        (TOWER, [FIRM], "=disputed", "disputed; 1 claim: 1 disputed"),
        (TOWER, [FIRM], "=supported", "1 claim: 1 disputed"),
        (f"{TOWER} Northwind was founded in 2016.", [FIRM], "=disputed", "1 refuted, 1 disputed"),
        (CONFLICT[0], CONFLICT, "", ""),
        (CONFLICT[0], CONFLICT, "=supported", "1 claim: 1 conflicting"),
    ],
)
def test_a_strict_check_fails_and_says_why(check, draft, texts, strict, fault):
    result = check(draft, f"--strict{strict}", texts=texts)
    assert (result.exit_code, fault in result.stderr) == (bool(fault), True)
    assert ("errata: " in result.stderr) == bool(fault)


def test_without_evidence_a_strict_check_fails(run):
    result = run("check", "-d", "draft.txt", "--strict")
    assert result.exit_code == 1
    assert "3 claims unchecked (there is no document to judge by)" in result.stderr
    result = run("check", "--strict=most", "-d", "draft.txt")
    assert (result.exit_code, "'most'" in result.stderr) == (2, True)


@pytest.mark.parametrize("method", ["rac", "errata"])
@pytest.mark.parametrize("draft", ["# One\n\n## Two", "Who was she?", "![A bee](bee.png)"])
def test_a_strict_check_says_that_a_file_holds_no_claim(check, scripted, method, draft):
    model = scripted({"rac/verify": [], "rac/extract": ["None."]})
    result = check(draft, "--strict", "--method", method, "--role", f"verify={model}")
    assert "errata: -: nothing could be checked: the draft holds no claim" in result.stderr


@pytest.mark.parametrize("method", CORRECTING)
def test_every_methods_check_may_be_strict_and_tells_what_was_not_checked(check, method):
    own = ("--method", method)
    codes = [check(text, *own, "--strict").exit_code for text in (DRAFT, SUPPORTED)]
    assert (codes, "[-" in check(DRAFT, *own).stdout) == ([1, 0], False)
    shown = check(FRENCH, *own).stdout
    assert "\nnothing could be checked; 2 claims: 2 unchecked; 0 edits" in shown
    found = json.loads(check(FRENCH, *own, "--json").stdout)
    assert (found["checked"], found["counts"]) == (False, {"unchecked": 2})


def test_what_stands_nowhere_is_marked_in_every_form(check, tmp_path):
    shown = check(NOWHERE, "--html", "report.html").stdout
    assert "She moved to [?London?] in [?1911?]." in shown
    page = (tmp_path / "report.html").read_text()
    assert "She moved to <mark>London</mark> in <mark>1911</mark>." in page
    assert '<b class="note">not mentioned</b>' in page
    assert "moved to **London** in **1911**." in check(NOWHERE, "--format", "markdown").stdout
    lines = check(NOWHERE, "--format", "lines").stdout
    assert lines.startswith("-:1:30: note: not mentioned: ")


def test_a_watched_draft_is_checked_again_when_it_changes(run, tmp_path):
    assert run("check", *ARGUMENTS).exit_code == 0
    reader, writer = os.pipe()
    command_line = ("check", *ARGUMENTS, "--watch")
    watcher = Fork(command(*command_line, environment={}, stdout=writer, stderr=writer))
    os.close(writer)
    with os.fdopen(reader) as told:
        assert any("watching" in line for line in told)
        (tmp_path / "draft.txt").write_text(SUPPORTED)
        assert any(line.startswith("supported; 1 claim") for line in told)
        watcher.kill()
    watcher.wait()
