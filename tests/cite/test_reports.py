"""Long reports: each page is fetched once, progress is told, and a kill loses nothing."""

import json
import re
import time
from collections import Counter

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from typer.testing import CliRunner

from errata import Session
from errata.cli import app
from forks import Fork, command

CACHES = "--page-cache pages.sqlite --call-cache calls.sqlite"
AUDIT = f"cite report.md {CACHES} --role verify=openai:m".split()


def all_true(body):
    """True for each claim."""
    claims = body["messages"][0]["content"].partition("<claims")[2].partition("</claims")[0]
    return re.sub(r"(?m)^(\d+)\. .*$", r"\1: True [1]", claims.partition("\n")[2])


@pytest.fixture
def report(serving, monkeypatch, tmp_path, write):
    """Writes a report that cites pages on loopback, and counts how often each is asked for."""
    monkeypatch.setenv("ERRATA_ALLOW_PRIVATE_URLS", "1")
    monkeypatch.chdir(tmp_path)
    asked = Counter()

    async def answer(request):
        asked[request.path_params["number"]] += 1
        return PlainTextResponse(f"Guide {request.path_params['number']} tells of many halls.")

    address = serving(Starlette(routes=[Route("/{number}", answer)]))

    def make(sentences, pages):
        own = ((n, 1800 + n, n % pages + 1, (n + 1) % pages + 1) for n in range(sentences))
        said = " ".join(f"Hall {n} was opened in {year} [{a}, {b}]." for n, year, a, b in own)
        listed = "\n".join(f"[{n}] Guide {n}. {address}/{n}" for n in range(1, pages + 1))
        return write("report.md", f"{said}\n\n## References\n\n{listed}\n").read_text()

    make.asked = asked
    return make


@pytest.mark.parametrize(
    ("sentences", "pages"), [(12, 4), pytest.param(200, 60, marks=pytest.mark.growth)]
)
def test_a_killed_audit_goes_on_without_fetching_or_asking_again(
    report, openai_server, sentences, pages
):
    report(sentences, pages)
    openai_server.replies, openai_server.delay = {"rac/verify": all_true}, 0.5
    process = Fork(command(*AUDIT, "--set", "at_once=2"))
    while len(openai_server.requests) < pages - 1:
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.wait()
    before = len(openai_server.requests)
    assert set(report.asked.values()) == {1}
    record = json.loads(CliRunner().invoke(app, [*AUDIT, "--json"]).stdout)
    findings = [citation["finding"] for citation in record["trail"]["citations"]]
    assert findings == ["supported"] * sentences
    assert report.asked == dict.fromkeys(map(str, range(1, pages + 1)), 1)
    asked = Counter(json.dumps(body["messages"]) for _, body in openai_server.requests)
    assert before < len(openai_server.requests)
    assert sum(asked.values()) - len(asked) <= 2  # those under way at the kill


def test_progress_is_told_of_claims(report):
    told = []
    with Session("cite", on_progress=lambda *each: told.append(each)) as session:
        session.correct("", report(6, 3))
    judged = [each[1:] for each in told if each[0] == "verify" and each[2] > 1]
    assert {(0, 12), (12, 12)} <= {*judged}
    assert judged == sorted(judged) == sorted(judged, key=lambda each: each[0] / each[1])
