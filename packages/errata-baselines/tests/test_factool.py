"""FacTool with scripted models in its roles: what is searched, and what becomes of the replies."""

import pytest

from errata import acheck, acorrect
from errata.core.errors import InputError
from example import CLAIMS, CORRECTED_CLAIM, DRAFT, LABELS, PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio


async def factool(**settings):
    return await acorrect(QUESTION, DRAFT, "factool", documents=[PAGE], **settings)


async def test_each_claim_has_queries_a_verdict_and_the_correction(scripted):
    correction = await factool(model=scripted(REPLIES))
    assert [claim.text for claim in correction.claims] == CLAIMS
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert correction.verdicts[0].explanation == f"correction: {CORRECTED_CLAIM}"
    assert correction.verdicts[0].evidence[0].text in PAGE
    assert correction.trail["queries"] == [["Marie Curie", "Marie Curie biography"]] * 3
    assert correction.trail["evidence"] == [["d1"]] * 3
    assert (correction.label, correction.response, correction.edits) == ("refuted", DRAFT, ())
    assert correction.usage.model_calls == 1 + 2 * 3


async def test_what_a_search_finds_is_evidence_on_its_claim(scripted, demo):
    settings = {"model": scripted(REPLIES), "search": demo, "top_k": 2}
    correction = await acheck(QUESTION, DRAFT, "factool", **settings)
    found = {document.id: document for document in correction.documents}
    assert {document.source for document in found.values()} == {"web"}
    for ids in correction.trail["evidence"]:
        assert 0 < len(ids) <= 4
        assert set(ids) <= set(found)
    assert correction.usage.searches == 2
    assert [verdict.label for verdict in correction.verdicts] == LABELS


async def test_it_writes_no_draft():
    with pytest.raises(InputError, match="the draft is empty; factool corrects"):
        await acorrect(QUESTION, method="factool", documents=[PAGE])
