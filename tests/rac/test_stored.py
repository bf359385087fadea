"""The evidence store beside a run: asked first, by the same judge, claim and documents alone."""

import asyncio
import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from errata import Session, check, cite, correct
from errata.core.errors import SettingError
from errata.core.limits import Bounds, open_bounds
from errata.core.records import Claim, Document, Verdict
from errata.nodes.cite.state import CiteContext
from errata.nodes.rac.state import RacContext
from errata.nodes.rac.stored import identify_judge, open_stored
from errata.nodes.rac.verify import judge_claims
from errata.nodes.step import open_ledger
from errata.prompts.library import load_prompt
from errata.tools.judges.evidence_store import open_evidence
from example import LABELS, PAGE, QUESTION, REPLIES, REQUEST, RESPONSE, claims_of, pages_of

PLACES = ("Ulm", "Bonn", "Kiel", "Graz")
YEARS = ("1867", "1876", "1903")
FACTS = st.tuples(st.sampled_from(["Ada", "Bo"]), st.sampled_from(PLACES), st.sampled_from(YEARS))
TEXTS = FACTS.map(lambda fact: "{} was born in {} in {}.".format(*fact))


@pytest.fixture
def file(tmp_path):
    place = str(tmp_path / "evidence.sqlite")
    yield place
    open_evidence(place).close()


@pytest.fixture
def server(openai_server):
    openai_server.replies = REPLIES
    return openai_server


def judge(claims, documents, file, question="", **more):
    """The verdicts, and how many of them the store had."""
    context = RacContext(**{"roles": {"verify": "local:lexical"}, "evidence_store": file} | more)
    with open_ledger() as ledger, open_bounds(context.bounds()):
        judged = asyncio.run(judge_claims(question, claims, documents, context))
    return judged.verdicts, ledger.usage.by_role.get("verify", {}).get("stored", 0)


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    claims=st.lists(TEXTS, min_size=1, max_size=4, unique=True),
    pages=st.lists(TEXTS, min_size=1, max_size=3, unique=True),
    at=st.integers(0, 60),
    sign=st.sampled_from(string.digits + " ."),
)
def test_what_was_judged_is_said_again_until_a_document_changes(file, claims, pages, at, sign):
    open_evidence(file).forget(before="9999-01-01")
    own, documents = claims_of(*claims), pages_of(*pages)
    first, before = judge(own, documents, file)
    again, stored = judge(own, documents[::-1], file)
    assert (again, before) == (first, 0)
    assert stored == sum(verdict.label != "unchecked" for verdict in first)
    text = pages[0][:at] + sign + pages[0][at:]
    changed = [Document(id="d1", text=text), *documents[1:]]
    anew, stored = judge(own, changed, file)
    assert stored == 0
    without = RacContext(roles={"verify": "local:lexical"})
    assert anew == asyncio.run(judge_claims("", own, changed, without)).verdicts


def test_a_run_takes_verdicts_quotes_and_mends_from_the_store_and_says_when_they_are_of(
    server, file
):
    first = correct(**REQUEST, model="openai:m", evidence_store=file)
    asked = len(server.requests)
    again = correct(**REQUEST, model="openai:m", evidence_store=file)
    assert first.response == again.response == RESPONSE
    assert again.verdicts == first.verdicts
    assert [verdict.label for verdict in again.verdicts] == LABELS
    prompts = [headers["x-errata-prompt"] for headers, _ in server.requests]
    assert prompts[asked:]
    assert not any("verify" in prompt for prompt in prompts[asked:])
    [said] = [note for note in again.notes if "judged before" in note]
    assert said.startswith("3 claims were judged before: c1")
    assert "against d1" in said
    assert not any("judged before" in note for note in first.notes)


def test_without_a_store_nothing_is_kept(tmp_path):
    check(**REQUEST)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "other",
    [
        {"roles": {"verify": "openai:m2"}},
        {"roles": {"verify": "local"}},
        {"roles": {"verify": "local>openai:m"}},
        {"prompts": {"verify": "rac/verify.v1"}},
        {"verify_prompt": load_prompt("rac/verify.v3").body + "\nBe strict."},
        {"sampling": {"temperature": 0.5}},
        {"passage_tokens": 100},
        {"unsupported": "drop"},
        {"max_strips": 7},
    ],
)
@pytest.mark.usefixtures("server")
def test_a_verdict_of_another_judge_does_not_count(file, other):
    claims, documents = claims_of("Marie Curie was a physicist."), pages_of(PAGE)
    one = {"roles": {"verify": "openai:m"}}
    judge(claims, documents, file, QUESTION, **one)
    assert judge(claims, documents, file, QUESTION, **one | other)[1] == 0
    assert judge(claims, documents, file, QUESTION, **one)[1] == 1


def test_weights_and_checkpoints_are_part_of_the_judge(tmp_path):
    def identity(spec, place=0):
        return identify_judge(RacContext(roles={"verify": spec}), place)

    names = ["local", "local:lexical", "hub:/a", "hub:/b"]
    found = [identity(name) for name in names]
    assert len({digest for digest, _ in found}) == len(names)
    assert [name for _, name in found] == names
    assert [identity("local>hub:/a", n) for n in (0, 1)] == [identity("local"), identity("hub:/a")]
    folder = tmp_path / "checkpoint"
    folder.mkdir()
    before = identity(f"hub:{folder}")
    (folder / "model.onnx").write_bytes(b"1")
    assert identity(f"hub:{folder}") != before


def test_each_verdict_of_a_cascade_is_kept_as_that_of_its_judge(server, file):
    server.replies = {"rac/verify": "1: True"}
    claims = claims_of("Marie Curie was a physicist.", "Marie Curie was born in 1865.")
    cascade = {"roles": {"verify": "local>openai:m"}, "sure_above": 1.0}
    first, stored = judge(claims, pages_of(PAGE), file, QUESTION, **cascade)
    assert ([verdict.label for verdict in first], stored) == (["supported", "refuted"], 0)
    kept = {own.case.claim: own.case.filler for own in open_evidence(file).search()}
    assert kept == {claims[0].text: "openai:m", claims[1].text: "local"}
    asked = len(server.requests)
    assert judge(claims, pages_of(PAGE), file, QUESTION, **cascade) == (first, 2)
    assert len(server.requests) == asked == 1
    assert judge(claims, pages_of(PAGE), file, QUESTION, roles={"verify": "local"})[1] == 1


def test_the_composed_method_asks_for_what_its_model_said(server, file):
    composed = {"method": "errata", "model": "openai:m", "evidence_store": file}
    first = correct(**REQUEST, **composed)
    asked = len(server.requests)
    again = correct(**REQUEST, **composed)
    assert again.verdicts == first.verdicts
    assert again.usage.by_role["verify"]["stored"]
    prompts = [headers["x-errata-prompt"] for headers, _ in server.requests[asked:]]
    assert not any("verify" in prompt for prompt in prompts)


def test_a_scripted_model_and_several_models_are_not_known_beforehand(server, scripted, file):
    server.replies = {"rac/verify": "1: True"}
    claims, documents = claims_of("Marie Curie was a physicist."), pages_of(PAGE)
    for spec in (scripted({"rac/verify": "1: True"}), "openai:m,openai:n"):
        for _ in range(2):
            verdicts, stored = judge(claims, documents, file, roles={"verify": spec})
            assert (stored, verdicts[0].label) == (0, "supported")
    assert not open_evidence(file).search()


def test_what_failed_is_not_kept_and_is_judged_by_the_next_run(server, file):
    claims, documents = claims_of("Marie Curie was a physicist."), pages_of(PAGE)
    server.plan = [500, "no verdict at all", "nor here"]
    model = {"roles": {"verify": "openai:m"}, "retries": 0}
    assert judge(claims, documents, file, **model)[0][0].label == "unchecked"
    assert judge(claims, documents, file, **model)[0][0].label == "unreadable"
    assert not open_evidence(file).search()
    server.replies = {"rac/verify": "1: True"}
    assert judge(claims, documents, file, **model)[0][0].label == "supported"
    server.replies = {"rac/verify": "1: False"}
    assert judge(claims, documents, file, **model) == (
        [*judge(claims, documents, file, **model)[0]],
        1,
    )


def test_when_the_time_is_over_nothing_is_kept(file):
    [claim], documents = claims_of("She was born in 1867."), pages_of(PAGE)
    stored = open_stored("", documents, RacContext(evidence_store=file), 0)
    verdicts = [Verdict(claim="c1", label="supported")]
    with open_bounds(Bounds(max_seconds=0)):
        asyncio.run(stored.keep([claim], verdicts, {}))
    assert not open_evidence(file).search()
    asyncio.run(stored.keep([claim], verdicts, {}))
    assert open_evidence(file).search()


def test_a_verdict_that_is_too_old_is_not_used(file):
    claims, documents = claims_of("Ada was born in Ulm."), pages_of("Ada was born in Ulm.")
    judge(claims, documents, file)
    assert judge(claims, documents, file, evidence_store_hours=1)[1] == 1
    assert judge(claims, documents, file, evidence_store_hours=1e-9)[1] == 1  # within its second
    store = open_evidence(file)
    store._database.run(lambda base: base.execute("UPDATE errata_verdicts SET judged = '2020'"))
    assert judge(claims, documents, file, evidence_store_hours=1)[1] == 0
    assert judge(claims, documents, file, evidence_store_hours=1)[1] == 1


def test_the_same_page_twice_has_one_place_in_the_store(file):
    claims, page = claims_of("Ada was born in Ulm."), "Ada was born in Ulm."
    for stored in (0, 1):
        verdicts, found = judge(claims, pages_of(page, page), file)
        assert (verdicts[0].label, found) == ("supported", stored)


@pytest.mark.parametrize("content", [b"SQLite format 3\0" + b"x" * 4096, None])
def test_a_store_that_cannot_be_used_is_noted_and_ends_no_run(tmp_path, content):
    place = tmp_path / "evidence.sqlite"
    if content is None:
        place = tmp_path / "file" / "evidence.sqlite"
        place.parent.write_text("no folder")
    else:
        place.write_bytes(content)
    result = check(**REQUEST, evidence_store=str(place))
    assert [verdict.label for verdict in result.verdicts] == LABELS
    assert any(
        "evidence store cannot be used" in note or "was damaged" in note for note in result.notes
    )


def test_a_file_of_something_else_is_refused_and_stays(tmp_path):
    place = tmp_path / "notes.txt"
    place.write_text("my notes")
    with pytest.raises(SettingError, match="left as it is"):
        check(**REQUEST, evidence_store=str(place))
    assert place.read_text() == "my notes"
    with pytest.raises(SettingError, match="evidence_store takes a file"):
        Session("rac", evidence_store="redis://x")


def test_an_audit_of_citations_asks_the_store_too(file):
    draft = "Marie Curie was a physicist [1].\n\n## References\n\n[1] Curie. https://x.org/c"
    page = Document(text=PAGE, url="https://x.org/c")
    first = cite(draft, [page], evidence_store=file)
    again = cite(draft, [page], evidence_store=file)
    assert again.verdicts == first.verdicts
    assert again.usage.by_role["verify"]["stored"]
    assert any("against https://x.org/c" in note for note in again.notes)
    assert "evidence_store" in CiteContext.model_fields


def test_a_claim_in_the_draft_twice_is_judged_as_one(file):
    claims = [Claim(id=name, text="Ada was born in Ulm.", start=0, end=1) for name in ("c1", "c2")]
    documents = pages_of("Ada was born in Ulm.")
    judge(claims[:1], documents, file)
    verdicts, stored = judge(claims, documents, file)
    assert ([v.claim for v in verdicts], stored) == (["c1", "c2"], 2)
