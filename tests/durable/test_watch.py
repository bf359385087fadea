"""What rests on pages that changed is judged anew and reported once, through kills and faults."""

import json
import os
import subprocess
import sys
import time

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route
from typer.testing import CliRunner

from errata import check
from errata.cli import app
from errata.core.records import Document
from errata.tools.judges.evidence_store import open_evidence

TEXT = "Ada was born in Ulm in 1867. Ada won a prize in 1903. Ada had two sons."
DRAFT = "Ada was born in Ulm in 1867. Ada won a prize in 1903. Ada had two sons."


class Site:
    """One page, whose text and status may change; keeps the headers of what was asked."""

    def __init__(self):
        self.text, self.status, self.asked = TEXT, 200, []

    async def answer(self, request):
        self.asked.append(dict(request.headers))
        tag = f'"{hash(self.text)}"'
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers={"etag": tag})
        return Response(self.text, self.status, {"etag": tag}, "text/plain")


@pytest.fixture
def site(serving, monkeypatch):
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    site = Site()
    site.url = serving(Starlette(routes=[Route("/{path:path}", site.answer)])) + "/ada"
    return site


@pytest.fixture
def file(tmp_path):
    place = str(tmp_path / "evidence.sqlite")
    yield place
    open_evidence(place).close()


@pytest.fixture
def judged(site, file):
    """A store in which the page bears out three claims."""
    check(draft=DRAFT, documents=[site.url], evidence_store=file)
    return file


def errata(*words):
    result = CliRunner().invoke(app, words)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def watch(*words):
    return json.loads(errata("watch", *words, "--json").stdout)


def test_nothing_is_judged_while_the_page_stays(site, judged):
    found = watch(judged)
    assert (found["documents"], found["changed"], found["judged"]) == (1, [], 0)
    assert found["errata"] == []
    assert len(site.asked) == 2


def test_a_changed_page_has_its_claims_judged_anew_and_told_once(site, judged):
    site.text = TEXT.replace("1903", "1911")
    found = watch(judged, "--strict")
    assert (found["changed"], found["judged"], found["unjudged"]) == ([site.url], 3, 0)
    [erratum] = found["errata"]
    assert erratum["before"]["claim"] == erratum["after"]["claim"] == "Ada won a prize in 1903."
    assert [erratum[when]["label"] for when in ("before", "after")] == ["supported", "refuted"]
    [old], [new] = (erratum[when]["quotes"] for when in ("before", "after"))
    assert (old["text"], new["text"]) == ("Ada won a prize in 1903.", "Ada won a prize in 1911.")
    assert old["source"] == new["source"] == site.url
    assert new["read"][:10] == erratum["after"]["judged"][:10]
    again = watch(judged)
    assert (again["changed"], again["judged"], again["errata"]) == ([], 0, [])
    assert check(draft=DRAFT, documents=[site.url], evidence_store=judged).label == "refuted"


def test_a_page_that_changes_back_is_told_without_judging(site, judged):
    site.text = TEXT.replace("1903", "1911")
    watch(judged)
    site.text = TEXT
    found = watch(judged)
    assert [erratum["after"]["label"] for erratum in found["errata"]] == ["supported"]
    assert any("3 claims were judged before" in note for note in found["notes"])


def test_the_report_and_the_exit_codes(site, judged):
    assert errata("watch", judged, "--strict").exit_code == 0
    site.text = TEXT.replace("1903", "1911") + "\x1b[31m"
    result = errata("watch", judged, "--strict")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == "erratum: Ada won a prize in 1903."
    assert lines[1].startswith("  was 20")
    assert lines[2] == f"  “Ada won a prize in 1903.” ({site.url})"
    assert lines[3].endswith(" refuted [local]")
    assert "1 document compared, 1 changed; 3 claims judged anew, 1 erratum" in lines
    assert "\x1b" not in result.stdout
    assert errata("watch", judged, "--strict").exit_code == 0


def test_a_page_that_is_gone_changes_no_verdict(site, judged):
    site.status = 404
    found = watch(judged)
    assert (found["documents"], found["judged"], found["errata"]) == (0, 0, [])
    [fault] = found["unread"]
    assert fault.endswith("answered 404")
    assert {own.verdict.label for own in open_evidence(judged).search()} == {"supported"}


def test_with_a_cache_of_pages_the_server_is_asked_whether_they_changed(site, judged, tmp_path):
    cache = ("--page-cache", str(tmp_path / "pages.sqlite"))
    for _ in range(2):
        assert watch(judged, *cache)["changed"] == []
    assert "if-none-match" not in site.asked[1]
    assert "if-none-match" in site.asked[2]
    site.text = TEXT.replace("1903", "1911")
    assert watch(judged, *cache)["changed"] == [site.url]


def test_files_are_compared_by_name(file, tmp_path):
    page = tmp_path / "ada.txt"
    page.write_text(TEXT)
    check(draft=DRAFT, documents=[page], evidence_store=file)
    assert [watch(file)[name] for name in ("documents", "apart")] == [0, 1]
    assert "1 document without an address not compared" in errata("watch", file).stdout
    page.write_text(TEXT.replace("two", "nine"))
    found = watch(file, "--documents", str(page))
    assert (found["changed"], found["apart"], len(found["errata"])) == (["ada.txt"], 0, 1)
    assert watch(file, "--documents", str(page))["changed"] == []


def test_the_other_documents_of_a_claim_stay_its_evidence(site, file):
    other = Document(id="d1", text="Ada won a prize in 1903.")
    check(draft=DRAFT, documents=[other, site.url], evidence_store=file)
    site.text = "Ada was born in Ulm in 1867. Ada had two sons."
    found = watch(file)
    assert (found["judged"], found["errata"]) == (3, [])


def test_claims_of_another_judge_wait_for_it(site, judged):
    site.text = TEXT.replace("1903", "1911")
    found = watch(judged, "--role", "verify=local:lexical")
    assert (found["judged"], found["others"]) == (0, {"local": 3})
    assert len(watch(judged)["errata"]) == 1


def test_a_model_that_fails_leaves_the_verdicts_and_exits_with_3(site, file, server):
    server.replies = {"rac/verify": "1: True\n2: True\n3: True"}
    model = ("--role", "verify=openai:m", "--set", "retries=0")
    roles = {"verify": "openai:m"}
    check(draft=DRAFT, documents=[site.url], evidence_store=file, roles=roles)
    site.text = TEXT.replace("1903", "1911")
    server.plan = [500]
    result = errata("watch", file, *model, "--json")
    assert (result.exit_code, json.loads(result.stdout)["unjudged"]) == (3, 3)
    server.replies = {"rac/verify": "1: True\n2: False\n3: True"}
    assert len(watch(file, *model)["errata"]) == 1


def test_a_killed_look_goes_on_where_it_was(site, file, server):
    server.replies = {"rac/verify": "1: True\n2: True\n3: True"}
    roles = {"verify": "openai:m"}
    check(draft=DRAFT, documents=[site.url], evidence_store=file, roles=roles)
    site.text = TEXT.replace("1903", "1911")
    server.replies, server.delay = {"rac/verify": "1: False"}, 0.5
    words = ["watch", file, "--role", "verify=openai:m", "--set", "claims_per_call=1"]
    before = len(server.requests)
    command = [sys.executable, "-c", "from errata.cli import main; main()", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=os.environ) as process:
        while len(server.requests) < before + 2:  # the first claim is stored
            assert process.poll() is None
            time.sleep(0.02)
        process.kill()
    server.delay = 0.0
    asked = len(server.requests)
    found = watch(*words[1:])
    assert len(server.requests) == asked + 2
    assert (found["judged"], len(found["errata"])) == (2, 3)
    assert watch(*words[1:])["errata"] == []


def test_what_is_listed_is_forgotten(site, judged):
    listed = json.loads(errata("evidence", "list", judged, "--json").stdout)
    assert sorted(row["claim"] for row in listed) == sorted(DRAFT.replace(". ", ".|").split("|"))
    assert {(row["label"], row["judge"]) for row in listed} == {("supported", "local")}
    assert "Ada had two sons. [local]" in errata("evidence", "list", judged).stdout
    assert errata("evidence", "forget", judged, "--claim", "Ada had two sons.").stdout == (
        "1 claim was forgotten\n"
    )
    assert errata("evidence", "forget", judged, "--url", site.url).stdout == (
        "2 claims were forgotten\n"
    )
    assert errata("evidence", "list", judged).stdout == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("forget",), "say what to forget"),
        (("list", "--before", "yesterday"), "--before takes a day such as"),
    ],
)
def test_what_cannot_be_done_is_said(judged, words, told):
    result = errata("evidence", words[0], judged, *words[1:])
    assert (result.exit_code, told in result.stderr) == (2, True)


@pytest.mark.parametrize("words", [("watch",), ("evidence", "list"), ("evidence", "forget")])
def test_a_store_that_is_not_there_is_not_made(tmp_path, words):
    result = errata(*words, str(tmp_path / "none.sqlite"), *(["--url", "x"] * ("forget" in words)))
    assert result.exit_code == 2
    assert "no evidence store" in result.stderr
    assert not [*tmp_path.iterdir()]
