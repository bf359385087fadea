"""Judgements kept in a file or in Postgres: found, aged, forgotten, shared, never half written."""

import os
import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from errata.core.errors import InputError, SettingError
from errata.core.records import Document, Quote, Verdict
from errata.tools.judges import evidence_store
from errata.tools.judges.cases import Case, Judgement, digest_document, localize, normal
from errata.tools.judges.evidence_store import EvidenceStore, check_evidence_store, find_evidence
from errata.tools.net.sqlite_store import StoreError

URL = "https://example.org/curie"
DOCUMENT = Document(id="d1", text="She was born in 1867.", title="Curie", url=URL)
DIGEST = digest_document(DOCUMENT)
QUOTE = Quote(document=DIGEST, start=0, end=21, text=DOCUMENT.text)
CASE = Case(
    claim="She was born in 1867.",
    question="",
    language="",
    judge="a",
    filler="local",
    documents=(DIGEST,),
)
JUDGEMENT = Judgement(
    case=CASE,
    verdict=Verdict(claim="", label="supported", score=0.9, evidence=(QUOTE,)),
    mends=(("1865", "1867"),),
    judged="2026-01-02T03:04:05+00:00",
)


def judged(judge="", **changes):
    """The judgement with another case; each test has judges of its own in a shared database."""
    return replace(JUDGEMENT, case=replace(CASE, judge=judge or str(uuid4()), **changes))


@pytest.fixture
def file(tmp_path):
    return str(tmp_path / "evidence.sqlite")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request, file):
    """Each kind of store, empty; Postgres where .ci/run has started one."""
    place = file
    if request.param == "postgres" and not (place := os.environ.get("POSTGRES_DSN")):
        pytest.skip("needs the Postgres that POSTGRES_DSN names, which is not here")
    with closing(EvidenceStore(place)) as store:
        store.forget(before="9999-01-01")
        yield store


def test_what_is_kept_is_found_as_it_was(store):
    own = judged()
    store.keep([own], {DIGEST: DOCUMENT})
    assert store.find([own.case.key, "another"]) == {own.case.key: own}
    assert store.documents([DIGEST]) == {DIGEST: DOCUMENT}
    assert store.sources() == [(DIGEST, URL, "d1")]
    assert store.resting_on([DIGEST]) == [own]


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({"claim": " She was\tborn  in 1867. "}, True),
        ({"claim": "She was born in 1868."}, False),
        ({"claim": "she was born in 1867."}, False),
        ({"claim": "She was not born in 1867."}, False),
        ({"question": "Who was she?"}, False),
        ({"language": "es"}, False),
        ({"judge": "b"}, False),
        ({"documents": (DIGEST, DIGEST)}, True),
        ({"documents": (DIGEST, "another")}, False),
        ({"documents": ()}, False),
    ],
)
def test_only_the_same_case_has_the_same_key(change, is_same):
    assert (replace(CASE, **change).key == CASE.key) is is_same


@pytest.mark.parametrize(
    ("one", "other"), [("10²", "102"), ("½", "1/2"), ("3.5", "35"), ("−3", "3"), ("US", "us")]
)
def test_texts_that_may_differ_in_value_stay_apart(one, other):
    assert normal(one) != normal(other)


@pytest.mark.parametrize(
    "change", [{"text": "She was born in 1867!"}, {"title": "Curie (2026)"}, {"url": "x"}]
)
def test_another_text_title_or_address_makes_another_document(change):
    assert digest_document(replace(DOCUMENT, **change)) != DIGEST
    assert digest_document(replace(DOCUMENT, id="d9", retrieved_at="2026-01-01")) == DIGEST


@pytest.mark.parametrize(
    "own",
    [
        judged(claim="x" * (evidence_store.LONGEST + 1)),
        judged(question="x" * (evidence_store.LONGEST + 1)),
        replace(JUDGEMENT, verdict=Verdict(claim="", label="unchecked")),
        replace(JUDGEMENT, verdict=Verdict(claim="", label="unreadable")),
    ],
)
def test_what_was_not_judged_or_is_too_large_is_not_kept(file, own):
    store = EvidenceStore(file)
    store.keep([own], {DIGEST: DOCUMENT})
    assert not store.search()


def test_too_large_documents_keep_nothing(file):
    store = EvidenceStore(file)
    large = replace(DOCUMENT, text="x" * (evidence_store.LARGEST + 1))
    store.keep([JUDGEMENT], {DIGEST: large})
    assert not store.search()


def test_texts_of_any_signs_are_kept(store):
    document = Document(id="d\0", text="a\0b\ud800", url="http://x/\0", title="%s ? '")
    digest = digest_document(document)
    own = judged(claim="a\0\ud800 ? %s '; --", documents=(digest,))
    store.keep([own], {digest: document})
    assert store.find([own.case.key]) == {own.case.key: own}
    assert store.documents([digest]) == {digest: document}
    assert store.sources() == [(digest, "", "")]


def test_entries_age_and_are_kept_anew(store):
    own = judged()
    store.keep([own], {DIGEST: DOCUMENT})
    assert store.find([own.case.key], since="2026-01-02")
    assert not store.find([own.case.key], since="2026-01-03")
    again = replace(own, judged="2026-02-01T00:00:00+00:00")
    store.keep([again], {DIGEST: DOCUMENT})
    assert store.find([own.case.key], since="2026-01-03") == {own.case.key: again}


@pytest.mark.parametrize(
    ("what", "left"),
    [
        ({"url": URL}, ["It is a bee."]),
        ({"before": "2026-01-02"}, [CASE.claim, "It is a bee."]),
        ({"before": "2026-01-03"}, ["It is a bee."]),
        ({"claim": f" {CASE.claim}"}, ["It is a bee."]),
        ({"claim": "She was born in 1868."}, [CASE.claim, "It is a bee."]),
        ({"url": URL, "claim": "It is a bee."}, [CASE.claim, "It is a bee."]),
    ],
)
def test_what_is_searched_for_is_what_is_forgotten_with_all_that_it_rested_on(store, what, left):
    other = Document(text="Bees are insects.")
    later = replace(
        judged(claim="It is a bee.", documents=(digest_document(other),)), judged="2026-03-01"
    )
    store.keep([judged()], {DIGEST: DOCUMENT})
    store.keep([later], {digest_document(other): other})
    found = store.search(**what)
    assert store.forget(**what) == len(found) == 2 - len(left)
    assert [own.case.claim for own in store.search()] == left
    assert bool(store.documents([DIGEST])) is (CASE.claim in left)
    assert store.documents([digest_document(other)])


def test_what_was_forgotten_is_not_in_the_file(file):
    store = EvidenceStore(file)
    store.keep([judged()], {DIGEST: DOCUMENT})
    store.forget(url=URL)
    for name in (file, f"{file}-wal"):
        assert b"born in 1867" not in Path(name).read_bytes()


def test_a_verdict_that_another_supersedes_is_an_erratum_until_it_is_told(store):
    old, judge = judged(), str(uuid4())
    new = replace(judged(judge), verdict=Verdict(claim="", label="refuted"), judged="2026-05-01")
    store.keep([old, new], {DIGEST: DOCUMENT})
    store.supersede(old, new)
    store.supersede(old, new)
    assert store.untold() == {old.case.key: (old, new)}
    assert store.resting_on([DIGEST]) == [new]
    store.tell(store.untold())
    assert store.untold() == {}
    store.supersede(new, old)  # the page reads as it did at first
    assert [*store.untold().values()] == [(new, old)]
    assert store.resting_on([DIGEST]) == [old]


def test_an_equal_verdict_is_no_erratum(store):
    old, new = judged(), judged()
    store.keep([old, new], {DIGEST: DOCUMENT})
    store.supersede(old, new)
    assert (store.untold(), store.resting_on([DIGEST])) == ({}, [new])


@pytest.mark.parametrize(
    "told",
    [
        "UPDATE errata_verdicts SET body = 'nonsense'",
        "UPDATE errata_verdicts SET body = '{}'",
        "UPDATE errata_verdicts SET body = replace(body, '1867', '1868')",
        "UPDATE errata_verdicts SET key = 'another'",
    ],
)
def test_a_row_that_is_not_what_we_write_counts_as_not_there(file, told):
    with closing(EvidenceStore(file)) as store:
        store.keep([JUDGEMENT], {DIGEST: DOCUMENT})
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(told)
    assert not EvidenceStore(file).find([CASE.key])


def test_a_quote_counts_only_where_it_stands_in_the_runs_document():
    mine = {DIGEST: replace(DOCUMENT, id="d7")}
    verdict = localize(JUDGEMENT, "c1", mine)
    assert (verdict.claim, verdict.evidence[0].document) == ("c1", "d7")
    forged = replace(QUOTE, text="She was born in 1868.")
    lie = replace(JUDGEMENT, verdict=replace(JUDGEMENT.verdict, evidence=(forged,)))
    assert localize(lie, "c1", mine) is None
    assert localize(JUDGEMENT, "c1", {}) is None


def test_each_question_of_ten_thousand_claims_goes_by_an_index(file):
    store, chosen = EvidenceStore(file), random.Random(0)
    documents = [Document(text=f"page {n}", url=f"http://x/{n}") for n in range(200)]
    by_digest = {digest_document(document): document for document in documents}
    for part in range(100):
        used = tuple(chosen.sample(sorted(by_digest), 5))
        many = [judged("a", claim=f"{part} {n}", documents=used) for n in range(100)]
        store.keep(many, {digest: by_digest[digest] for digest in used})
    store.close()
    statements = {
        evidence_store._FIND.format("?"): ("k", ""),
        evidence_store._RESTING.format("?"): ("d",),
        **dict(evidence_store._search(**{name: "x"}) for name in ("url", "before", "claim")),
    }
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT count(*) FROM errata_verdicts").fetchone() == (10_000,)
        for told, values in statements.items():
            plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {told}", values)]
            reads = [step for step in plan if step.startswith(("SCAN", "SEARCH"))]
            assert reads
            assert all(" INDEX " in step for step in reads if "errata_" in step), plan


def test_a_fault_within_leaves_nothing_half_written(file):
    store = EvidenceStore(file)
    with pytest.raises(StoreError):
        store.keep([replace(JUDGEMENT, judged=None)], {DIGEST: DOCUMENT})
    assert (store.sources(), store.documents([DIGEST])) == ([], {})
    store.keep([JUDGEMENT], {DIGEST: DOCUMENT})
    assert store.search() == [JUDGEMENT]


@pytest.mark.parametrize("place", ["redis://x", "https://x/e.sqlite", "mysql://x"])
def test_a_place_of_another_kind_is_refused(place):
    with pytest.raises(SettingError, match=r"takes a file or postgresql://"):
        check_evidence_store(place)


def test_no_store_is_made_where_one_is_looked_for(tmp_path):
    with pytest.raises(InputError, match="no evidence store"):
        find_evidence(str(tmp_path / "none.sqlite"))
    assert not [*tmp_path.iterdir()]


def test_a_database_that_does_not_answer_is_an_error_without_its_password():
    store = EvidenceStore("postgresql://me:mysecret@127.0.0.1:9/x")
    with pytest.raises(StoreError, match=r"127\.0\.0\.1:9/x") as raised:
        store.find(["k"])
    assert "mysecret" not in str(raised.value)
