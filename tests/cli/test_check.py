"""`errata check`."""

import json
import os

import pytest

from example import ARGUMENTS, CORRECTING, DRAFT, LABELS, QUESTION
from forks import Fork, command

SUPPORTED = "Marie Curie was a physicist."


def test_a_check_prints_verdicts_and_no_diff(run):
    result = run("check", *ARGUMENTS)
    assert "refuted" in result.stdout
    assert "[-" not in result.stdout
    correction = json.loads(run("check", *ARGUMENTS, "--json").stdout)
    assert (correction["response"], correction["changed"]) == (DRAFT, False)
    assert [verdict["label"] for verdict in correction["verdicts"]] == LABELS


UNMENTIONED = f"{SUPPORTED} She kept bees."
FRENCH = "Marie Curie est née à Varsovie en 1865. Elle était une physicienne célèbre."
FOREIGN = [
    "Paris est la capitale de la France.",
    "Le Rhin traverse Bâle. Marie Curie est née à Varsovie en 1865. Elle était célèbre.",
    "Er starb 1934. Der Turm wurde 1889 eröffnet. Die Donau fließt durch Wien.",
    "Cervantes escribió el Quijote.",
    "Мария Кюри родилась в Варшаве в 1867 году. Она была физиком. Он умер в 1934 году.",
    "彼は1934年に死んだ。",
]


@pytest.mark.parametrize(
    ("draft", "strict", "code", "message"),
    [
        (SUPPORTED, "--strict", 0, ""),
        (SUPPORTED, "--strict=supported", 0, ""),
        (UNMENTIONED, "--strict", 0, ""),
        (UNMENTIONED, "--strict=refuted", 0, ""),
        (UNMENTIONED, "--strict=supported", 1, "2 claims: 1 supported, 1 not mentioned"),
        (DRAFT, "--strict", 1, "refuted; 3 claims: 1 supported, 1 refuted, 1 not mentioned"),
        (DRAFT, "--strict=supported", 1, "refuted; 3 claims: 1 supported, 1 refuted"),
        (FRENCH, "--strict", 1, "nothing could be checked: 2 claims unchecked (local code reads"),
        ("***", "--strict", 1, "nothing could be checked: the draft holds no claim"),
        *((draft, "--strict", 1, "nothing could be checked") for draft in FOREIGN),
    ],
)
def test_a_strict_check_tells_what_was_not_judged_from_what_is_right(
    run, draft, strict, code, message
):
    arguments = ("-q", QUESTION, "-d", "-", "--documents", "page.txt", strict)
    result = run("check", *arguments, stdin=draft)
    assert result.exit_code == code
    assert message in result.stderr
    assert ("errata: " in result.stderr) == bool(code)


@pytest.mark.parametrize("method", ["rac", "errata"])
@pytest.mark.parametrize("draft", ["# One\n\n## Two", "Who was she?", "![A bee](bee.png)"])
def test_a_strict_check_says_that_a_file_holds_no_claim(run, scripted, tmp_path, method, draft):
    (tmp_path / "empty.md").write_text(draft)
    model = scripted({"rac/verify": [], "rac/extract": ["None."]})
    given = ("--documents", "page.txt", "--method", method, "--role", f"verify={model}")
    result = run("check", *given, "-d", "empty.md", "draft.txt", "--strict")
    assert "errata: empty.md: nothing could be checked: the draft holds no claim" in result.stderr


@pytest.mark.parametrize("strict", ["--strict", "--strict=supported"])
def test_without_evidence_a_strict_check_fails(run, strict):
    result = run("check", "-d", "draft.txt", strict)
    assert result.exit_code == 1
    assert "3 claims unchecked (there is no document to judge by)" in result.stderr


@pytest.mark.parametrize("method", CORRECTING)
def test_every_methods_check_may_be_strict_and_tells_what_was_not_checked(run, method):
    arguments = ("-q", QUESTION, "-d", "-", "--documents", "page.txt", "--method", method)
    codes = [
        run("check", *arguments, "--strict", stdin=text).exit_code for text in (DRAFT, SUPPORTED)
    ]
    assert (codes, run("check", *arguments, stdin=DRAFT).exit_code) == ([1, 0], 0)
    shown = run("check", *arguments, stdin=FRENCH).stdout
    assert "\nnothing could be checked; 2 claims: 2 unchecked; 0 edits" in shown
    found = json.loads(run("check", *arguments, "--json", stdin=FRENCH).stdout)
    assert (found["checked"], found["counts"]) == (False, {"unchecked": 2})


def test_strict_takes_no_other_value(run):
    result = run("check", "--strict=most", "-d", "draft.txt")
    assert (result.exit_code, "'most'" in result.stderr) == (2, True)


def test_a_claim_on_which_documents_disagree_fails_only_what_must_be_supported(run, tmp_path):
    for name, year in (("one", 1889), ("other", 1887)):
        (tmp_path / f"{name}.txt").write_text(f"The Eiffel Tower was opened in {year}.")
    arguments = ("check", "-d", "-", "--documents", "one.txt", "other.txt")
    draft = "The Eiffel Tower was opened in 1889."
    found = json.loads(run(*arguments, "--json", stdin=draft).stdout)
    assert found["counts"] == {"conflicting": 1}
    assert run(*arguments, "--strict", stdin=draft).exit_code == 0
    result = run(*arguments, "--strict=supported", stdin=draft)
    assert (result.exit_code, "1 claim: 1 conflicting" in result.stderr) == (1, True)


FIRM = (
    "Northwind was founded in 2018 in Berlin. Its staff of 95 work in three offices. "
    "The founders met at a chess club. It sells weather stations to farmers."
)
TOWER = "Its staff work in one big tower."


@pytest.mark.parametrize("method", ["rac", "reex", "errata"])
def test_a_disputed_claim_has_a_label_of_its_own(run, tmp_path, method):
    (tmp_path / "firm.txt").write_text(FIRM)
    arguments = ("check", "-d", "-", "--documents", "firm.txt", "--method", method)
    found = json.loads(run(*arguments, "--json", stdin=TOWER).stdout)
    assert (found["counts"], found["verdicts"][0]["reason"]) == ({"disputed": 1}, None)
    assert "1 claim: 1 disputed" in run(*arguments, stdin=TOWER).stdout
    assert "**disputed**" in run(*arguments, "--format", "markdown", stdin=TOWER).stdout
    codes = {"refuted": 0, "disputed": 1, "supported": 1}
    for strict, code in codes.items():
        assert run(*arguments, f"--strict={strict}", stdin=TOWER).exit_code == code
    assert (
        "disputed; 1 claim: 1 disputed" in run(*arguments, "--strict=disputed", stdin=TOWER).stderr
    )


def test_a_strict_check_counts_refuted_and_disputed_claims(run, tmp_path):
    (tmp_path / "firm.txt").write_text(FIRM)
    draft = f"{TOWER} Northwind was founded in 2016 in Berlin."
    result = run("check", "-d", "-", "--documents", "firm.txt", "--strict=disputed", stdin=draft)
    assert "refuted; 2 claims: 1 refuted, 1 disputed" in result.stderr


NOWHERE = "Marie Curie was a physicist. She moved to London in 1911."


def test_what_stands_nowhere_is_marked_in_every_form_and_may_fail_a_check(run, tmp_path):
    arguments = ("check", "-d", "-", "--documents", "page.txt")
    shown = run(*arguments, "--html", "report.html", stdin=NOWHERE).stdout
    assert "She moved to [?London?] in [?1911?]." in shown
    page = (tmp_path / "report.html").read_text()
    assert "She moved to <mark>London</mark> in <mark>1911</mark>." in page
    assert '<b class="note">not mentioned</b>' in page
    marked = run(*arguments, "--format", "markdown", stdin=NOWHERE).stdout
    assert "moved to **London** in **1911**." in marked
    lines = run(*arguments, "--format", "lines", stdin=NOWHERE).stdout
    assert lines.startswith("-:1:30: note: not mentioned: ")
    assert run(*arguments, "--strict=disputed", stdin=NOWHERE).exit_code == 0
    result = run(*arguments, "--strict=unfounded", stdin=NOWHERE)
    assert result.exit_code == 1
    assert "stands nowhere in the documents: London, 1911" in result.stderr


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
