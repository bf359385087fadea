"""`errata cite`: on real files, with a site on loopback."""

import json

import pytest

from cited_site import DRAFT, HISTORY, REPAIRED, CitedSite


@pytest.fixture
def cited(run, tmp_path, serving, monkeypatch):
    """Runs `errata cite` on a draft whose links lead to a site on loopback."""
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    site = CitedSite()
    address = serving(site.app)
    (tmp_path / "cited.md").write_text(DRAFT.replace("SITE", address))

    def cite(*options):
        return run("cite", "cited.md", *options)

    cite.file, cite.repaired = tmp_path / "cited.md", REPAIRED.replace("SITE", address)
    cite.site = site
    return cite


def test_the_audit_is_a_table_of_the_sources_and_what_is_wrong(cited):
    result = cited()
    assert result.exit_code == 0
    assert "| 1: History of Skarvik bridge | open | 2 | 1 | 0 |" in result.stdout
    assert "| 4: Lamps | dead | 1 | 0 | 0 |" in result.stdout
    assert "- **wrong source (2)**: Skarvik bridge is 240 metres long." in result.stdout
    assert "“Skarvik bridge is 240 metres long.” (History of Skarvik bridge)" in result.stdout
    assert (
        "6 sentences: 2 dead, 1 wrong source, 1 fabricated quote, 1 missing mark; 1 supported"
        in (result.stdout)
    )
    assert "Edits" not in result.stdout


def test_the_count_is_one_and_documents_without_a_mark_are_named(run, tmp_path):
    (tmp_path / "draft.md").write_text("Skarvik bridge was opened in 1938. See [it](it.md).\n")
    (tmp_path / "history.txt").write_text(HISTORY)
    given = ("cite", "draft.md", "--documents", "history.txt")
    audit = run(*given).stdout
    assert "| it.md | local | 1 | 0 | 0 |" in audit
    assert "“Skarvik bridge was opened in 1932.” (history.txt)" in audit
    counted = "2 sentences: 1 contradicted; 1 unclear"
    assert audit.splitlines()[-1] == counted
    assert f"\n{counted}; 0 edits" in run(*given, "--format", "markdown").stderr


GIVEN = ("--documents", "facts", "more.md")


@pytest.mark.parametrize(
    "arguments",
    [
        ("draft.md", *GIVEN, "--in-place"),
        ("draft.md", "--in-place", *GIVEN),
        (*GIVEN, "--in-place", "--", "draft.md"),
    ],
)
def test_what_follows_documents_is_no_draft(run, tmp_path, arguments):
    wrong, more = "Skarvik bridge was opened in 1938 [1].\n\n[1]: History\n", "It is old [1].\n"
    (tmp_path / "facts").mkdir()
    for name, text in (("draft.md", wrong), ("more.md", more), ("facts/1.txt", HISTORY)):
        (tmp_path / name).write_text(text)
    assert "read 2 documents of 2 files" in run("cite", *arguments).stderr
    assert "1932" in (tmp_path / "draft.md").read_text()
    assert (tmp_path / "more.md").read_text() == more
    result = run("cite", *GIVEN, "--in-place")
    assert (result.exit_code, "name a draft before --documents" in result.stderr) == (2, True)


def test_strict_fails_for_any_fault(cited, run, tmp_path):
    result = cited("--strict")
    assert result.exit_code == 1
    assert "errata: cited.md: 2 dead, 1 wrong source" in result.stderr
    (tmp_path / "good.md").write_text("Skarvik bridge was opened in 1932 [1].\n\n[1]: History\n")
    (tmp_path / "1.txt").write_text(HISTORY)
    assert run("cite", "good.md", "--documents", "1.txt", "--strict").exit_code == 0


def test_fix_prints_the_repaired_text(cited):
    assert cited("--fix").stdout == cited.repaired
    assert cited.file.read_text() != cited.repaired


def test_in_place_writes_it(cited):
    assert cited("--in-place").stdout == ""
    assert cited.file.read_text() == cited.repaired


def test_json_has_the_findings(cited):
    record = json.loads(cited("--json").stdout)
    assert [c["finding"] for c in record["trail"]["citations"]][:2] == ["supported", "wrong_source"]


def test_unclear_sentences_are_listed_last_with_the_nearest_words(run, tmp_path):
    (tmp_path / "draft.md").write_text(
        "The town of Skarvik has a bakery and a school [1]. It is old [9].\n\n[1]: Guide\n"
    )
    (tmp_path / "1.txt").write_text("The bakery of Skarvik sells bread on Sundays.")
    shown = run("cite", "draft.md", "--documents", "1.txt").stdout
    unclear = "- **unclear (1)**: The town of Skarvik has a bakery and a school."
    nearest = "nearest: “The bakery of Skarvik sells bread on Sundays.” (Guide)"
    assert shown.index("**dead (9)**") < shown.index(unclear) < shown.index(nearest)


@pytest.mark.parametrize(
    ("draft", "options", "why"),
    [
        ("Tall [1].\n\n[1]: https://no-such-host.invalid/a\n", (), "its host is unknown"),
        ("Tall [1].\n\n[1]: https://a.invalid/\n", ("--set", "max_links=0"), "max_links=0"),
        ("Tall [1].\n\n[1]: History\n", (), "1: it has no link, and no document is it"),
        ("It is ([tall](guide.md)).\n", (), "give it with --documents"),
        ("# Towers\n\n## Bridges\n", (), "2 sentences (a heading)"),
        ("```\ncode\n```\n", (), "it has no sentences"),
    ],
)
def test_strict_fails_and_says_why_where_nothing_could_be_read(run, tmp_path, draft, options, why):
    (tmp_path / "draft.md").write_text(draft)
    result = run("cite", "draft.md", "--strict", *options)
    assert result.exit_code == 1
    assert why in result.stderr
    assert "dead" not in result.stdout
    assert run("cite", "draft.md", *options).exit_code == 0
