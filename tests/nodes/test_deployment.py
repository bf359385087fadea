"""An operator's settings: where they come from, which counts, and that no graph takes one."""

import pytest

from errata import Deployment, Session, check
from errata.core.errors import SettingError
from errata.graphs.rac import graph
from errata.methods import METHODS
from errata.nodes.rac.state import RacContext
from example import DOCUMENTS, DRAFT, QUESTION

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
def test_a_wrong_one_is_named(settings, fault):
    for attempt in (Deployment, lambda **own: check(QUESTION, DRAFT, documents=DOCUMENTS, **own)):
        with pytest.raises(SettingError, match=fault):
            attempt(**settings)


def test_a_wrong_variable_is_named(monkeypatch):
    monkeypatch.setenv("ERRATA_AT_ONCE", "many")
    with pytest.raises(SettingError, match="at_once must be a valid integer"):
        Session()
