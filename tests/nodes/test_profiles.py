"""The published form of each method: one switch, which what a run says itself overrules."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import answer, correct
from errata.core.edits import apply_edits
from errata.methods import METHODS
from errata.prompts.library import stem_of, versions
from errata.tools.models.request import Sampling
from example import BIRTH_QUESTION, CORRECTED_CLAIM, DRAFT, PAGE, QUESTION, REPLIES, RESPONSE
from strategies import EXAMPLES

PROFILE = {"profile": "paper"}


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_profile_sets_what_the_paper_states_unless_the_run_says_otherwise(method):
    context = method.context(**PROFILE)
    by_hand = {setting: value for setting, value, _ in method.context.PAPER}
    first = {short: versions(stem)[0] for short, stem in method.context.templates().items()}
    by_hand["prompts"] = first | by_hand.get("prompts", {})
    plain = method.context(**by_hand)
    assert context.model_dump(exclude={"profile"}) == plain.model_dump(exclude={"profile"})
    for setting, value, source in method.context.PAPER:
        assert setting in method.context.model_fields
        assert re.search(r"(section|sections|table|appendix) [\dA-Z]", source), setting
        if setting not in ("sampling", "prompts"):
            own = getattr(method.context(), setting)
            said = method.context(**PROFILE, **{setting: own})
            assert (getattr(context, setting), getattr(said, setting)) == (value, own)


def test_a_part_of_a_mapping_leaves_the_profiles_other_parts():
    context = METHODS["rac"].context(**PROFILE, sampling={"seed": 7, "verify.top_p": 0.5})
    assert context.sampling_for("correct") == Sampling(top_p=0.3, seed=7)
    assert context.sampling_for("verify") == Sampling(top_p=0.5, seed=7)
    full = METHODS["rac"].context(**PROFILE, sampling={"": {"top_p": 1.0}})
    assert full.sampling_for("verify") == Sampling(top_p=1.0)
    left_to_the_model = METHODS["rac"].context(**PROFILE, sampling={"top_p": None})
    assert left_to_the_model.sampling_for("verify") == Sampling()


def test_rac_revises_the_whole_draft_without_a_guard_in_the_papers_profile(scripted):
    """The reply says what no document has: the guard would drop it."""
    reply = f"{CORRECTED_CLAIM} She was a physicist. She kept forty bees."
    settings = {"model": scripted({**REPLIES, "rac/revise": reply}), "documents": [PAGE]}
    published = correct(QUESTION, DRAFT, **PROFILE, **settings)
    assert published.response == reply
    assert "rac/revise.v1" in published.prompts
    assert correct(QUESTION, DRAFT, **PROFILE, **settings, guard=True).response != reply


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_form_that_sends_every_setting_leaves_the_profile_what_it_did_not_change(method):
    """As Studio's: what it sends at the default, nobody chose."""
    form = json.loads(method.context().model_dump_json())
    sent = {name: value for name, value in form.items() if value is not None} | PROFILE
    assert method.context(**sent) == method.context(**PROFILE)
    changed = method.context(**sent | {"top_k": 7, "sampling": {"seed": 1}})
    assert (changed.top_k, changed.sampling_for(method.context.ROLES[0]).seed) == (7, 1)


EVIDENCE = f"{PAGE} She was born in Warsaw on 7 November 1867, and died in Passy."
WORDS = st.lists(st.sampled_from([*EVIDENCE.split(), "1866", "Lyon", "bees"]), max_size=4)


@EXAMPLES
@given(WORDS.map(" ".join), st.sampled_from(["rac", "errata", "cite"]))
def test_in_an_extractive_run_new_text_stands_in_its_quote(right, method):
    """The verifying model puts in what it likes; no other is asked."""
    reply = f"1: False [1] | 1865 -> {right or '-'}\n2: True [1]\n3: False | bees -> {right}"
    with TemporaryDirectory() as folder:
        script = Path(folder, "script.json")
        script.write_text(json.dumps({"rac/verify": reply}))
        settings = {"profile": "extractive", "roles": {"verify": f"scripted:{script}"}}
        out = correct(QUESTION, DRAFT, method, documents=[EVIDENCE], **settings)
    for edit in out.edits:
        new = edit.after.strip()
        assert not new or any(new in quote.text for quote in edit.evidence)
    assert apply_edits(DRAFT, out.edits) == out.response


def test_an_extractive_answer_is_put_together_from_the_documents(scripted):
    settings = {"documents": [PAGE], "model": scripted({}), "profile": "extractive"}
    assert answer(BIRTH_QUESTION, **settings).response == PAGE


@pytest.mark.parametrize(
    ("method", "sampling"), [("rac", {"top_p": 0.3}), ("reex", {"temperature": 0.0}), ("crag", {})]
)
def test_a_published_run_asks_by_the_first_prompts_with_the_papers_sampling(
    method, sampling, openai_server
):
    openai_server.replies = {**REPLIES, "crag/rewrite": "Marie Curie, birth"}
    settings = {**PROFILE, "model": "openai:m", "documents": [PAGE]}
    if METHODS[method].corrects:
        assert correct(QUESTION, DRAFT, method, **settings).response == RESPONSE
    else:
        assert answer(BIRTH_QUESTION, **settings).response == REPLIES["crag/generate"]
    assert openai_server.requests
    own = next((p.value for p in METHODS[method].context.PAPER if p.setting == "prompts"), {})
    for headers, body in openai_server.requests:
        name = headers["x-errata-prompt"]
        stem = stem_of(name)
        assert name == own.get(stem.partition("/")[2], versions(stem)[0])
        assert {n: body[n] for n in ("temperature", "top_p", "seed") if n in body} == sampling
