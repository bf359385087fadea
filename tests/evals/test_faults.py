"""The fault matrix in small, and what it counts."""

import asyncio

import pytest

from errata.core.errors import AccessError, ChatError
from errata.core.records import Claim, Correction, Edit, Verdict
from errata.evals.benches.costs import invented_items
from errata.evals.benches.faults import (
    Cell,
    describe,
    falsely_supported,
    find_broken,
    find_planted,
    loss_in,
    run_cell,
)
from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.faults import REFUSAL
from errata.evals.endpoint.running import pointed_at
from errata.evals.endpoint.settings import Settings

[ITEM] = invented_items(1)


def correction(**fields):
    texts = {"question": "", "draft": ITEM.draft, "response": ITEM.draft}
    rest = {"method": "rac", "changed": False, "label": "not_mentioned"}
    return Correction(**{**texts, **rest, **fields})


def supported(text):
    claim = Claim(id="c1", text=text, start=0, end=9)
    return correction(claims=[claim], verdicts=[Verdict(claim="c1", label="supported")])


def test_the_planted_errors_are_what_the_page_does_not_have():
    planted = list(find_planted(ITEM))
    assert len(planted) == 6
    assert all(each.wrong in ITEM.draft for each in planted)
    assert not any(each.clause in ITEM.documents[0].text for each in planted)


@pytest.mark.parametrize("number", range(6))
def test_a_verdict_that_supports_a_planted_error_is_found_and_no_other(number):
    planted = list(find_planted(ITEM))[number]
    found = supported(f"{planted.clause}.")
    assert falsely_supported(ITEM, found) == {(ITEM.id, planted.clause)}
    right = supported(ITEM.documents[0].text.split(". ")[number])
    assert falsely_supported(ITEM, right) == set()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ""),
        ({"response": " "}, "empty"),
        ({"response": f"{ITEM.draft} More."}, "after its edits"),
        (
            {
                "response": ITEM.draft + REFUSAL,
                "edits": [
                    Edit(start=len(ITEM.draft), end=len(ITEM.draft), before="", after=REFUSAL)
                ],
            },
            "sorry",
        ),
        ({"draft": "another", "response": "another"}, "after its edits"),
    ],
)
def test_a_draft_is_lost_where_the_response_is_not_what_its_edits_make_of_it(fields, words):
    assert words in loss_in(ITEM, correction(**fields))
    assert bool(words) == bool(loss_in(ITEM, correction(**fields)))


@pytest.mark.parametrize(
    ("end", "broken"),
    [
        (correction(), 0),
        (RuntimeError("x"), 1),
        (ChatError("x"), 1),
        (AccessError("x"), 0),
        (correction(response=""), 1),
        (supported(f"{next(find_planted(ITEM)).clause}."), 1),
    ],
)
def test_what_must_not_be_is_named(end, broken):
    cell = Cell("rac", "failing", 1.0)
    cell.count(ITEM, end)
    assert len(find_broken([Cell("rac"), cell])) == broken


@pytest.mark.parametrize("fault", ["failing", "dropped", "echoing", "hostile"])
def test_faults_lose_nothing_and_make_nothing_false_pass(serving, fault):
    settings = Settings(**{fault: 0.5}).scaled(0.0)
    url = serving(Endpoint(settings).app)
    cells = [Cell(method, fault, 0.5) for method in ("rac", "reex", "cove")]
    with pointed_at(url):
        items, limits = invented_items(2), {"timeout": 30.0, "retries": 0}
        done = [asyncio.run(run_cell(cell, items, url, **limits)) for cell in cells]
    base = [Cell(cell.method) for cell in cells]
    own = [cell for cell in done if cell.method != "reex"]
    assert not find_broken([*base, *own])
    assert not any(cell.lost or cell.crashed for cell in done)
    assert all(cell.requests for cell in done)


def test_the_page_has_a_row_a_fault_and_rate_and_one_a_method():
    rows = [
        {**vars(Cell("rac", fault, rate, runs=1, claims=4, unchecked=2, requests=3, seconds=1.0))}
        | {"new_false": 0}
        for fault, rate in (("none", 0.0), ("failing", 1.0))
    ]
    page = describe(rows, 1)
    assert "| failing | 100% | 1 | 0 | 0 | 0 | 0 | 50% | 0% | 1.00 | 0 | 1.00 |" in page
    assert "| rac | 50% |" in page
