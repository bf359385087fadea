"""`errata cite`: on real files, with a site on loopback."""

import json

import pytest

from cited_site import DRAFT, HISTORY, REPAIRED, CitedSite


@pytest.fixture
def cited(run, write, serving, monkeypatch):
    """Runs `errata cite` on a draft whose links lead to a site on loopback."""
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    address = serving(CitedSite().app)

    def cite(*options):
        return run("cite", "cited.md", *options)

    cite.file = write("cited.md", DRAFT.replace("SITE", address))
    cite.repaired = REPAIRED.replace("SITE", address)
    return cite


def test_the_audit_is_a_table_of_the_sources_and_what_is_wrong(cited):
    result = cited()
    assert result.exit_code == 0
    for line in (
        "| 1: History of Skarvik bridge | open | 2 | 1 | 0 |",
        "| 4: Lamps | dead | 1 | 0 | 0 |",
        "- **wrong source (2)**: Skarvik bridge is 240 metres long.",
        "“Skarvik bridge is 240 metres long.” (History of Skarvik bridge)",
        "6 sentences: 2 dead, 1 wrong source, 1 fabricated quote, 1 missing mark; 1 supported",
    ):
        assert line in result.stdout
    assert "Edits" not in result.stdout
    record = json.loads(cited("--json").stdout)
    assert [c["finding"] for c in record["trail"]["citations"]][:2] == ["supported", "wrong_source"]
    strict = cited("--strict")
    assert strict.exit_code == 1
    assert "errata: cited.md: 2 dead, 1 wrong source" in strict.stderr


def test_a_repaired_text_is_printed_or_written(cited):
    assert cited("--fix").stdout == cited.repaired
    assert cited.file.read_text() != cited.repaired
    assert cited("--in-place").stdout == ""
    assert cited.file.read_text() == cited.repaired


def test_the_count_is_one_and_documents_without_a_mark_are_named(run, write):
    write("draft.md", "Skarvik bridge was opened in 1938. See [it](it.md).\n")
    write("history.txt", HISTORY)
    given = ("cite", "draft.md", "--documents", "history.txt")
    audit = run(*given).stdout
    assert "| it.md | local | 1 | 0 | 0 |" in audit
    assert "“Skarvik bridge was opened in 1932.” (history.txt)" in audit
    counted = "2 sentences: 1 contradicted; 1 unclear"
    assert audit.splitlines()[-1] == counted
    assert f"\n{counted}; 0 edits" in run(*given, "--format", "markdown").stderr


GIVEN = "--documents facts more.md".split()
FORMS = ["draft.md GIVEN --in-place", "draft.md --in-place GIVEN", "GIVEN --in-place -- draft.md"]


@pytest.mark.parametrize("form", FORMS)
def test_what_follows_documents_is_no_draft(run, write, form):
    draft = write("draft.md", "Skarvik bridge was opened in 1938 [1].\n\n[1]: History\n")
    more = write("more.md", "It is old [1].\n")
    write("facts/1.txt", HISTORY)
    arguments = form.replace("GIVEN", " ".join(GIVEN)).split()
    assert "read 2 documents of 2 files" in run("cite", *arguments).stderr
    assert "1932" in draft.read_text()
    assert more.read_text() == "It is old [1].\n"
    assert run("cite", "draft.md", *GIVEN, "--strict").exit_code == 0
    result = run("cite", *GIVEN, "--in-place")
    assert (result.exit_code, "name a draft before --documents" in result.stderr) == (2, True)


def test_unclear_sentences_are_listed_last_with_the_nearest_words(run, write):
    sentence = "The town of Skarvik has a bakery and a school"
    write("draft.md", f"{sentence} [1]. It is old [9].\n\n[1]: Guide\n")
    write("1.txt", "The bakery of Skarvik sells bread on Sundays.")
    shown = run("cite", "draft.md", "--documents", "1.txt").stdout
    unclear = f"- **unclear (1)**: {sentence}."
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
def test_strict_fails_and_says_why_where_nothing_could_be_read(run, write, draft, options, why):
    write("draft.md", draft)
    result = run("cite", "draft.md", "--strict", *options)
    assert (result.exit_code, why in result.stderr, "dead" in result.stdout) == (1, True, False)
    assert run("cite", "draft.md", *options).exit_code == 0
