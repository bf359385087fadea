"""RAC with scripted models in its roles: what they are asked, and what becomes of their replies."""

import json

import pytest

from errata import acheck, acorrect
from errata.tools.models.scripted import ScriptedChat
from example import CLAIMS, CORRECTED_CLAIM, DRAFT, LABELS, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
ABOUT_1865 = [{"when": "1865", "reply": CORRECTED_CLAIM}]
STRICT_REPLIES = REPLIES | dict.fromkeys(
    ("rac/correct", "rac/correct.drop", "rac/revise.sentence"), ABOUT_1865
)
"""Replies to prompts about the wrong claim alone."""
REVISIONS = pytest.mark.parametrize("revision", ["sentences", "draft"])


async def rac(draft=DRAFT, **settings):
    return await acorrect(QUESTION, draft, documents=[PAGE], **settings)


@pytest.mark.parametrize(
    ("draft", "settings", "asks"),
    [
        (DRAFT, {}, False),
        (DRAFT, {"prompts": {"extract": "rac/extract.v1"}}, True),
        (DRAFT, {"profile": "paper"}, True),
        ("Elle est née à Varsovie en 1865. Elle était une physicienne célèbre.", {}, True),
    ],
)
async def test_a_model_splits_what_local_code_does_not_read_or_where_it_is_named(
    scripted, draft, settings, asks
):
    correction = await rac(draft, model=scripted(REPLIES), check_only=True, **settings)
    assert ("model_calls" in correction.usage.by_role["extract"]) == asks


@REVISIONS
async def test_without_rag_every_claim_is_corrected(scripted, revision):
    corrections = zip(CLAIMS, [CORRECTED_CLAIM, *CLAIMS[1:]], strict=True)
    by_claim = [{"when": f"{before}\n</claim>", "reply": after} for before, after in corrections]
    model = scripted(STRICT_REPLIES | {"rac/correct.all": by_claim})
    correction = await rac(model=model, revision=revision, rag=False)
    assert correction.response == RESPONSE
    assert correction.usage.by_role["correct"]["model_calls"] == 3
    assert [v.label for v in correction.verdicts] == ["refuted", "unchecked", "unchecked"]


WITHOUT_BEES = DRAFT.removesuffix(" She kept bees.")
REWRITTEN = DRAFT.replace("a physicist", "a Polish physicist")


@REVISIONS
@pytest.mark.parametrize("drop", [False, True])
@pytest.mark.parametrize("keep", [False, True])
async def test_kat_keeps_a_draft_without_refuted_claims(scripted, revision, drop, keep):
    """Section 4.4: it is revised otherwise, by a model that rewrites it or for what has to go."""
    judged = {"rac/verify": "1: True\n2: True\n3: Not Mentioned"}
    revised = {"rac/revise": REWRITTEN, "rac/revise.drop": WITHOUT_BEES}
    settings = {"model": scripted(REPLIES | judged | revised), "revision": revision}
    correction = await rac(keep_all_true=keep, unsupported="drop" if drop else "flag", **settings)
    rewritten = REWRITTEN if revision == "draft" else DRAFT
    expected = DRAFT if keep else WITHOUT_BEES if drop else rewritten
    assert (correction.response, correction.label) == (expected, "not_mentioned")
    assert correction.usage.model_calls == 1 + (revision == "draft" and not keep)


@pytest.mark.parametrize("keep", [False, True])
async def test_kat_without_rag_keeps_a_draft_that_nothing_corrects(scripted, keep):
    same = [{"when": f"{claim}\n</claim>", "reply": claim} for claim in CLAIMS]
    model = scripted(REPLIES | {"rac/correct.all": same, "rac/revise": REWRITTEN})
    correction = await rac(model=model, rag=False, keep_all_true=keep, revision="draft")
    assert correction.response == (DRAFT if keep else REWRITTEN)


@pytest.mark.parametrize(
    ("name", "refuses", "kept"),
    [
        ("gpt-4o-mini", (), [False, True]),
        ("gpt-4o-mini", ("response_format",), [False, True, False]),
        ("m", (), [False, False]),
    ],
)
async def test_what_cannot_be_read_is_asked_again_by_a_schema_where_the_server_can(
    openai_server, name, refuses, kept
):
    labels = {"1": "False", "2": "True", "3": "Not Mentioned"}
    lines = "\n".join(f"{number}: {label}" for number, label in labels.items())

    def judge(body):
        asked.append(body.get("response_format"))
        return json.dumps(labels) if asked[-1] else lines if len(asked) > 1 else "Hard to say."

    asked, openai_server.replies["rac/verify"] = [], judge
    openai_server.refuses = refuses
    correction = await rac(model=f"openai:{name}", check_only=True)
    bodies = [body for _, body in openai_server.requests]
    assert ["response_format" in body for body in bodies] == kept
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    if any(asked):
        schema = asked[-1]["json_schema"]["schema"]
        assert schema["required"] == [*labels]
        assert schema["properties"]["1"]["enum"] == ["True", "False", "Not Mentioned"]
    assert correction.usage.model_calls == 2


async def test_a_model_gets_the_passages_that_match_the_claims(scripted):
    """Documents over `passage_tokens` are not sent whole."""
    about = f"<documents>\n[1]\n{PAGE}\n</documents>"
    when = [{"when": about, "reply": REPLIES["rac/verify"]}]
    roles = {"verify": scripted({"rac/verify": when})}
    documents = [PAGE, "The weather in Patagonia is windy. " * 20]
    settings = {"documents": documents, "roles": roles}
    correction = await acheck(QUESTION, DRAFT, passage_tokens=40, **settings)
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    correction = await acheck(QUESTION, DRAFT, passage_tokens=0, **settings)
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}


async def test_local_code_revises_what_a_model_corrects(scripted):
    roles = dict.fromkeys(("extract", "verify", "correct"), scripted(STRICT_REPLIES))
    assert (await rac(roles=roles)).response == RESPONSE


@pytest.mark.parametrize(("settings", "count"), [({}, 3), ({"unsupported": "drop"}, 2)])
async def test_the_reviser_receives_the_claims_after_correction(scripted, settings, count):
    """Equations 8 and 9; what equation 9 leaves out has to go from the draft as well."""
    claims = [CORRECTED_CLAIM, *CLAIMS[1:]][:count]
    listed = "\n".join(f"{n}. {claim}" for n, claim in enumerate(claims, start=1))
    prompt, template, revised = f"<claims>\n{listed}\n</claims>", "rac/revise", RESPONSE
    if count < len(CLAIMS):
        prompt += f"\nWithout support:\n<errors>\n1. {CLAIMS[-1]}\n</errors>"
        template, revised = "rac/revise.drop", RESPONSE.removesuffix(" She kept bees.")
    model = scripted(STRICT_REPLIES | {template: [{"when": prompt, "reply": revised}]})
    correction = await rac(model=model, revision="draft", **settings)
    assert (correction.notes, correction.response) == ((), revised)


async def test_what_a_model_does_not_take_out_is_noted(scripted):
    model = scripted(STRICT_REPLIES | {"rac/revise.drop": RESPONSE})
    correction = await rac(model=model, revision="draft", unsupported="drop")
    left = "the rewriting left what has no support where it was: c3"
    assert (correction.response, correction.notes) == (RESPONSE, (left,))


@pytest.mark.parametrize(
    ("replies", "labels"),
    [
        ({"v6": ["1: False\n3: Not Mentioned"], "v1": ["1: True"]}, LABELS),
        ({"v6": [" ", "1: True\n2: True\n3: True"]}, ["supported"] * 3),
    ],
)
async def test_the_verifier_is_asked_once_more_for_missing_verdicts(replies, labels):
    forms = {f"rac/verify.{version}": said for version, said in replies.items()}
    roles = {"verify": ScriptedChat(script=forms)}
    correction = await acheck(QUESTION, DRAFT, documents=[PAGE], roles=roles)
    assert [verdict.label for verdict in correction.verdicts] == labels
    assert (correction.usage.model_calls, correction.notes) == (2, ())


async def test_a_long_draft_is_judged_in_batches_and_those_that_fail_are_noted(scripted):
    replies = [
        {"when": "\n2. ", "reply": "1: True\n2: True"},
        {"when": "<claims>", "reply": "1: True"},
    ]
    settings = {"documents": [PAGE], "roles": {"verify": scripted({"rac/verify": replies})}}
    correction = await acheck(QUESTION, DRAFT, claims_per_call=2, **settings)
    assert [verdict.label for verdict in correction.verdicts] == ["supported"] * 3
    assert correction.usage.model_calls == 2
    settings["roles"] = {"verify": scripted({})}
    correction = await acheck(QUESTION, DRAFT, claims_per_call=1, **settings)
    assert [verdict.label for verdict in correction.verdicts] == ["unchecked"] * 3
    assert [note.split(":")[0] for note in correction.notes] == ["1 claim was not checked"]
    assert "3" in correction.failed


@pytest.mark.parametrize(
    ("settings", "prompt"),
    [
        ({}, "rac/generate.rag"),
        ({"answers": "short"}, "rac/generate.rag.short"),
        ({"rag": False}, "rac/generate"),
        ({"generate_with_rag": False}, "rac/generate"),
        ({"rag": False, "generate_with_rag": True}, "rac/generate.rag"),
    ],
)
async def test_each_form_of_draft_has_its_prompt(scripted, settings, prompt):
    roles = {"generate": scripted({prompt: CORRECTED_CLAIM})}
    assert (await rac("", roles=roles, **settings)).draft == CORRECTED_CLAIM


async def test_local_code_says_that_it_writes_by_the_documents():
    correction = await rac("", generate_with_rag=False)
    assert any("writes from the documents" in note for note in correction.notes)


async def test_short_answers_are_revised_by_their_prompt(scripted):
    replies = STRICT_REPLIES | {"rac/revise": "wrong", "rac/revise.short": RESPONSE}
    correction = await rac(model=scripted(replies), revision="draft", answers="short")
    assert correction.response == RESPONSE
