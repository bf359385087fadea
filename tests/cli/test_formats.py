"""Findings in the forms that CI reads: places, quotes and repairs, tied to the very file."""

import json
from typing import get_args

import pytest

from errata.core.records import VerdictLabel
from errata.nodes.cite.state import Finding
from errata.render.findings import LEVELS
from errata.render.reports import REPORTS
from example import PAGE

DRAFT = (
    "Un café à Varsovie 🙂\r\n\r\nMarie Skłodowska Curie was born in 1865. She was a physicist. "
    "She\r\nkept bees – in 1865 – [here](1)."
)
SOURCE = PAGE.replace("Marie", "Marie Skłodowska")
ARGUMENTS = ("--draft", "a b/Ångström.md", "--documents", "source.txt")


@pytest.fixture
def on_draft(run, write):
    """Corrects a draft of several scripts: what is printed in a form."""
    write("a b/Ångström.md", DRAFT)
    write("source.txt", SOURCE)

    def use(*form):
        result = run("correct", *ARGUMENTS, *form)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    return use


def test_every_kind_of_verdict_and_of_finding_has_a_level():
    others = {"not_understood", "edited"}
    assert set(LEVELS) == {*get_args(VerdictLabel), *get_args(Finding), *others}
    sound = {kind for kind in get_args(Finding) if LEVELS[kind] == "none"}
    assert sound == {"supported", "unclear", "uncited"}


def test_sarif_has_rules_places_quotes_and_fixes_that_make_the_corrected_text(on_draft):
    log = json.loads(on_draft("--format", "sarif"))
    assert (log["version"], log["$schema"].rpartition("/")[2]) == ("2.1.0", "sarif-2.1.0.json")
    [sarif] = log["runs"]
    assert (sarif["columnKind"], len(sarif["invocations"])) == ("unicodeCodePoints", 1)
    rules, lines, replaced = sarif["tool"]["driver"]["rules"], DRAFT.split("\n"), DRAFT
    for result in sarif["results"]:
        assert result["ruleId"] in {rule["id"] for rule in rules}
        physical = result["locations"][0]["physicalLocation"]
        assert physical["artifactLocation"]["uri"] == "a%20b/%C3%85ngstr%C3%B6m.md"
        region = physical["region"]
        for place, at in (("start", 0), ("end", region["charLength"])):
            before = lines[: region[f"{place}Line"] - 1]
            offset = sum(len(line) + 1 for line in before) + region[f"{place}Column"] - 1
            assert offset == region["charOffset"] + at
    refuted = next(each for each in sarif["results"] if each["ruleId"] == "refuted")
    assert refuted["level"] == "error"
    assert "the claim says 1865" in refuted["message"]["text"]
    assert f"“{SOURCE}” (source.txt)" in refuted["message"]["text"]
    fixes = [fix for result in sarif["results"] for fix in result.get("fixes", ())]
    changes = [each for fix in fixes for each in fix["artifactChanges"][0]["replacements"]]
    for change in reversed(changes):
        start = change["deletedRegion"]["charOffset"]
        end = start + change["deletedRegion"]["charLength"]
        replaced = replaced[:start] + change["insertedContent"]["text"] + replaced[end:]
    assert replaced.splitlines() == on_draft().splitlines() != DRAFT.splitlines()


HOSTILE = "Marie Curie was born in 1865 <!-- @team ![x](http://evil.example/x) `a."


def test_what_a_text_says_cannot_format_a_comment(run):
    arguments = ("check", "-d", "-", "--documents", "page.txt", "--format", "markdown")
    said = run(*arguments, stdin=HOSTILE).stdout
    assert all(sign not in said.replace(f"\\{sign}", "") for sign in ("<", "[", "`"))
    assert "@team" not in said


def test_several_drafts_are_one_report(run, write):
    write("other.txt", "Marie Curie was born in 1867.")
    arguments = ("check", "-d", "draft.txt", "other.txt", "--documents", "page.txt", "--strict")
    sarif = run(*arguments, "--format", "sarif")
    assert sarif.exit_code == 1
    results = json.loads(sarif.stdout)["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"] for each in results]
    assert {place["artifactLocation"]["uri"] for place in places} == {"draft.txt"}
    markdown = run(*arguments, "--format", "markdown").stdout
    assert "#### other.txt\n\nNothing found." in markdown


@pytest.mark.parametrize("form", REPORTS)
def test_citations_have_findings_and_repairs_in_every_form(run, root, form):
    draft, corpus = root / "demo/drafts/towers.md", root / "demo/corpus"
    arguments = ("cite", str(draft), "--documents", str(corpus))
    audit = run(*arguments, "--format", form, "--strict")
    assert (audit.exit_code, "wrong source" in audit.stdout) == (1, True)
    repaired = run(*arguments, "--fix", "--format", form).stdout
    assert ('"fixes"' if form == "sarif" else "→") in repaired


def test_markdown_is_a_list_of_what_is_wrong(on_draft):
    printed = on_draft("--format", "markdown")
    assert "#### a b/Ångström.md" in printed
    assert "\n- **refuted**, line 3: Marie Skłodowska Curie was born in 1865." in printed
    assert "\n  - “1865” → “1867”" in printed
