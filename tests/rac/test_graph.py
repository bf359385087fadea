"""The ways through RAC, with local code and with a scripted model."""

import asyncio

import pytest

from errata import acheck, acorrect
from errata.edits import apply_edits
from errata.errors import ChatError, InputError
from errata.graphs.rac import graph
from errata.nodes.rac.state import RacContext
from errata.tools.models.scripted import ScriptedChat

pytestmark = pytest.mark.anyio

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist. She kept bees."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist. She lived in Paris."
CLAIMS = ["Marie Curie was born in 1865.", "Marie Curie was a physicist.", "Marie Curie kept bees."]


async def path(request, context):
    """Run the graph and give the steps it took, with what each added."""
    stream = graph.astream(request, context=context, stream_mode="updates")
    return [(name, added) async for update in stream for name, added in update.items()]


@pytest.mark.parametrize(
    ("context", "steps"),
    [
        ({}, "receive retrieve extract verify correct revise report"),
        ({"rag": False}, "receive retrieve extract correct revise report"),
        ({"check_only": True}, "receive retrieve extract verify report"),
        ({"check_only": True, "rag": False}, "receive retrieve extract verify report"),
    ],
)
async def test_a_given_draft_takes_its_way(context, steps):
    request = {"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]}
    assert [name for name, _ in await path(request, context)] == steps.split()


async def test_without_a_draft_one_is_written_first():
    taken = await path({"question": QUESTION, "documents": [{"text": PAGE}]}, {})
    names = [name for name, _ in taken]
    assert names[:4] == ["receive", "retrieve", "generate", "extract"]
    assert taken[2][1]["draft"].startswith("Marie Curie (born")
    assert "put together from sentences" in taken[2][1]["notes"][0]


@pytest.mark.parametrize("rag", [True, False])
async def test_it_retrieves_once_and_corrects_once(rag, root):
    """Table 1: one retrieval and one correction pass, whatever the draft."""
    request = {"question": QUESTION, "draft": DRAFT}
    taken = await path(request, {"rag": rag, "corpus": str(root / "demo" / "corpus")})
    names = [name for name, _ in taken]
    assert names.count("retrieve") == names.count("correct") == 1
    bills = [getattr(added["usage"], "value", added["usage"]) for _, added in taken]
    assert sum(bill["searches"] for bill in bills) == 1


async def test_kat_keeps_a_draft_with_nothing_refuted(script):
    model = script(verify="1: True\n2: True\n3: Not Mentioned", extract="\n".join(CLAIMS))
    done = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model, keep_all_true=True)
    assert (done.response, done.usage.model_calls, done.label) == (DRAFT, 2, "not_mentioned")


REVISED = "Marie Curie was born in 1867. She was a physicist. She kept bees."
VERIFIED = {
    "extract": "\n".join(f"{n}. {claim}" for n, claim in enumerate(CLAIMS, start=1)),
    "verify": "1: False\n2: True\n3: Not Mentioned",
    "correct": [{"when": "1865", "reply": "Marie Curie was born in 1867."}],
    "revise": REVISED,
    "revise.sentence": [{"when": "1865", "reply": "Marie Curie was born in 1867."}],
}
FORMS = pytest.mark.parametrize("revision", ["sentences", "draft"])


@FORMS
async def test_with_rag_a_model_verifies_then_corrects_the_false(script, revision):
    given = {"documents": [PAGE], "model": script(**VERIFIED), "revision": revision}
    done = await acorrect(QUESTION, DRAFT, **given)
    assert done.response == REVISED
    assert [v.label for v in done.verdicts] == ["refuted", "supported", "not_mentioned"]
    assert [(e.before, e.after, e.claims) for e in done.edits] == [("1865", "1867", ("c1",))]
    assert done.verdicts[0].evidence[0].text in PAGE
    assert done.usage.model_calls == 4
    assert done.usage.by_role["correct"]["model_calls"] == 1
    assert done.label == "refuted"


@FORMS
async def test_without_rag_a_model_corrects_every_claim(script, revision):
    replies = [{"when": f"<claim>\n{claim}", "reply": claim} for claim in CLAIMS[1:]]
    model = script(
        **VERIFIED | {"correct.all": [{"when": "1865.\n</claim>", "reply": REVISED[:29]}, *replies]}
    )
    given = {"documents": [PAGE], "model": model, "revision": revision}
    done = await acorrect(QUESTION, DRAFT, rag=False, **given)
    assert done.response == REVISED
    assert done.usage.by_role["correct"]["model_calls"] == 3
    assert [v.label for v in done.verdicts] == ["refuted", "unchecked", "unchecked"]


async def test_a_claim_may_be_corrected_by_its_best_strips(script):
    reply = {
        "when": "<documents>\n[1] \nMarie Curie (born 7 November 1867) was a Polish and French "
        "physicist.\n</documents>",
        "reply": "Marie Curie was born in 1867.",
    }
    model = script(**VERIFIED | {"correct": [reply]})
    given = {"documents": [PAGE], "model": model}
    assert (await acorrect(QUESTION, DRAFT, strips_per_claim=1, **given)).response == REVISED
    assert (await acorrect(QUESTION, DRAFT, **given)).response == DRAFT


async def test_local_revises_what_a_model_corrects(script):
    roles = dict.fromkeys(("extract", "verify", "correct"), script(**VERIFIED))
    done = await acorrect(QUESTION, DRAFT, documents=[PAGE], roles=roles)
    assert done.response == REVISED


@pytest.mark.parametrize(
    ("settings", "facts"),
    [
        ({}, ["1867", "physicist", "bees"]),
        ({"drop_not_mentioned": True}, ["1867", "physicist"]),
        ({"unsupported": "drop"}, ["1867", "physicist"]),
    ],
)
async def test_the_reviser_is_given_the_claims_after_correction(script, settings, facts):
    """Equations 8 and 9."""
    listed = "\n".join(f"{n}. " for n, _ in enumerate(facts, start=1)).split("\n")
    model = script(**VERIFIED | {"revise": [{"when": f"\n{listed[-1]}", "reply": REVISED}]})
    given = {"documents": [PAGE], "model": model, "revision": "draft"}
    done = await acorrect(QUESTION, DRAFT, **given, **settings)
    assert done.notes == ()
    assert done.response == REVISED


@pytest.mark.parametrize(
    ("role", "reply", "labels", "noted"),
    [
        ("verify", "It depends.", {"unreadable"}, "held no verdict for 3 claims"),
        ("verify", " ", {"unchecked"}, "is empty"),
        ("correct", " ", None, "claim c1 keeps its text"),
        ("revise.sentence", " ", None, "the sentence at 0 was not revised"),
        ("revise.sentence", DRAFT, None, "holds more than that sentence"),
    ],
)
async def test_a_failed_reply_never_changes_the_draft(script, role, reply, labels, noted):
    model = script(**VERIFIED | {role: reply})
    done = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model)
    assert done.response == DRAFT
    assert any(noted in note for note in done.notes)
    assert labels is None or {v.label for v in done.verdicts} == labels
    assert labels is None or done.label == "not_mentioned"


async def test_what_a_reply_leaves_out_is_asked_for_once_more(script):
    roles = {
        "extract": script(**VERIFIED),
        "verify": ScriptedChat(script={"rac/verify": ["1: False\n3: Not Mentioned", "1: True"]}),
    }
    done = await acheck(QUESTION, DRAFT, documents=[PAGE], roles=roles)
    assert [v.label for v in done.verdicts] == ["refuted", "supported", "not_mentioned"]
    assert done.usage.by_role["verify"]["model_calls"] == 2
    assert done.notes == ()


async def test_an_empty_reply_is_asked_for_once_more():
    roles = {"verify": ScriptedChat(script={"rac/verify": [" ", "1: True\n2: True\n3: True"]})}
    done = await acheck(QUESTION, DRAFT, documents=[PAGE], roles=roles)
    assert done.label == "supported"
    assert done.usage.model_calls == 2


async def test_a_long_draft_is_judged_in_batches(script):
    model = script(verify="1: True\n2: True")
    done = await acheck(
        QUESTION, DRAFT, documents=[PAGE], roles={"verify": model}, claims_per_call=2
    )
    assert [v.label for v in done.verdicts] == ["supported"] * 3
    assert done.usage.model_calls == 2


async def test_a_draft_that_cannot_be_split_comes_back(script):
    model = script(verify="1: True", revise=REVISED)
    done = await acorrect(QUESTION, DRAFT, documents=[PAGE], model=model)
    assert (done.response, done.claims, done.label) == (DRAFT, (), "not_mentioned")
    assert "rac/extract.v1" in done.notes[0]
    assert "is returned as it was" in done.notes[0]


async def test_a_draft_that_cannot_be_written_is_an_error(script):
    with pytest.raises(ChatError, match=r"rac/generate\.rag\.v1"):
        await acorrect(QUESTION, documents=[PAGE], model=script(verify="1: True"))


@pytest.mark.parametrize(
    ("settings", "prompt"),
    [
        ({}, "generate.rag"),
        ({"answers": "short"}, "generate.rag.short"),
        ({"rag": False}, "generate"),
    ],
)
async def test_each_form_of_answer_has_its_prompt(script, settings, prompt):
    roles = {"generate": script(**{f"{prompt}.v1": "Marie Curie was born in 1867."})}
    done = await acorrect(QUESTION, documents=[PAGE], roles=roles, **settings)
    assert done.draft == "Marie Curie was born in 1867."


async def test_short_answers_are_revised_by_their_prompt(script):
    model = script(**VERIFIED | {"revise": "wrong", "revise.short": REVISED})
    given = {"documents": [PAGE], "model": model, "revision": "draft"}
    done = await acorrect(QUESTION, DRAFT, answers="short", **given)
    assert done.response == REVISED


async def test_claims_over_the_limit_are_unchecked():
    done = await acheck(QUESTION, DRAFT, documents=[PAGE], max_claims=1)
    assert [v.label for v in done.verdicts] == ["refuted", "unchecked", "unchecked"]
    assert "2 claims over max_claims=1" in done.notes[0]


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"entity": "Curie"}, ["a"]),
        ({"blocked_domains": ["github"]}, ["a"]),
        ({"max_document_tokens": 20}, ["a"]),
        ({}, ["a", "b"]),
    ],
)
async def test_retrieval_is_post_processed(settings, kept):
    documents = [
        {"id": "a", "text": PAGE},
        {"id": "b", "text": "Another person.", "url": "https://github.com/x"},
    ]
    done = await acheck(QUESTION, DRAFT, documents=documents, **settings)
    assert [document.id for document in done.documents] == kept


@pytest.mark.parametrize("request_", [{}, {"draft": "  \n"}, {"messages": []}])
async def test_nothing_to_do_is_an_input_error(request_):
    with pytest.raises(InputError, match="give at least one"):
        await graph.ainvoke(request_)


async def test_corrections_of_several_claims_run_at_once():
    """A model that waits until all its calls are there would hang if they came in turn."""
    barrier = asyncio.Barrier(2)

    class Waiting(ScriptedChat):
        async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
            await asyncio.wait_for(barrier.wait(), 5)
            return self._generate(messages, stop, run_manager, **kwargs)

    slow = Waiting(script={"rac/correct": "Marie Curie was born in 1867."})
    roles = {"correct": slow}
    draft = "Marie Curie was born in 1865. Marie Curie died in 1990."
    page = "Marie Curie (born 7 November 1867 – died 4 July 1934) was a physicist."
    done = await acorrect(QUESTION, draft, documents=[page], roles=roles)
    assert done.usage.model_calls == 2


async def test_settings_are_those_of_the_run_not_of_the_environment():
    assert RacContext().model == "local"
    out = await graph.ainvoke({"question": QUESTION, "draft": DRAFT, "documents": [{"text": PAGE}]})
    assert apply_edits(out["draft"], [_edit(edit) for edit in out["edits"]]) == out["response"]


def _edit(value):
    from errata.records import Edit, from_json

    return from_json(Edit, value)
