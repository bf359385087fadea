"""Settings of a method's published form, and an operator's: where they come from, which count."""

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata import Deployment, Session, answer, check, correct
from errata.core.edits import apply_edits
from errata.core.errors import SettingError
from errata.graphs.rac import graph
from errata.methods import METHODS
from errata.nodes.rac.state import RacContext
from errata.prompts.library import stem_of, versions
from errata.tools.models.request import Sampling
from example import (
    BIRTH_QUESTION,
    CORRECTED_CLAIM,
    DOCUMENTS,
    DRAFT,
    PAGE,
    QUESTION,
    REPLIES,
    RESPONSE,
)
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
    model = scripted({**REPLIES, "rac/revise": reply})
    settings = {**PROFILE, "model": model, "documents": [PAGE]}
    assert correct(QUESTION, DRAFT, **settings).response == reply
    assert correct(QUESTION, DRAFT, **settings, guard=True).response != reply


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


REQUEST = {"question": QUESTION, "draft": DRAFT, "documents": DOCUMENTS}


def unchecked(output):
    return sum(verdict["label"] == "unchecked" for verdict in output["verdicts"])


def test_what_is_given_counts_over_a_deployment_and_that_over_the_environment(monkeypatch):
    monkeypatch.setenv("ERRATA_TIMEOUT", "7")
    monkeypatch.setenv("ERRATA_RETRIES", "1")
    monkeypatch.setenv("ERRATA_BLOCKED_DOMAINS", "a.example, b.example")
    session = Session(deployment=Deployment(timeout=8, at_once=2), at_once=3)
    found = session.context.deployment
    assert (found.timeout, found.retries, found.at_once, found.per_second) == (8, 1, 3, 0)
    assert found.blocked_domains == ("a.example", "b.example")
    assert Deployment(call_cache="").call_cache == ""


def test_a_graph_has_the_environments_or_that_of_its_context(monkeypatch):
    own = RacContext(Deployment(max_claims=1), check_only=True)
    assert unchecked(graph.invoke(REQUEST, context=own)) == 2
    assert unchecked(graph.invoke(REQUEST)) == 0
    monkeypatch.setenv("ERRATA_MAX_CLAIMS", "1")
    assert unchecked(graph.invoke(REQUEST, context={"check_only": True})) == 2


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_no_graph_takes_an_operators_setting_and_it_says_where_that_is_set(method):
    for name, field in Deployment.model_fields.items():
        fault = f"{name}: the operator's to set, by ERRATA_{name.upper()}, in errata.toml, or by"
        with pytest.raises(SettingError, match=fault):
            method.context(**{name: field.default})
    assert len(method.context.model_fields) <= 35
    with pytest.raises(SettingError, match="has no setting 'deployment'"):
        method.context(deployment={"timeout": 1})


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"timeot": 1}, "no setting 'timeot'; did you mean 'timeout'"),
        ({"timeout": 0}, "the deployment: timeout must be greater than 0; got timeout=0"),
        ({"prompt_folder": "gone"}, "there is no folder called 'gone'"),
    ],
)
def test_a_wrong_one_is_named(settings, fault, monkeypatch):
    for attempt in (Deployment, lambda **own: check(QUESTION, DRAFT, documents=DOCUMENTS, **own)):
        with pytest.raises(SettingError, match=fault):
            attempt(**settings)
    monkeypatch.setenv("ERRATA_AT_ONCE", "many")
    with pytest.raises(SettingError, match="at_once must be a valid integer"):
        Session()
