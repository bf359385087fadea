"""What a caller may set and write: every setting by name, the operator's lists, the limits."""

import contextlib
from math import nan
from typing import get_args

import pytest

from errata.core.records import Hit, SearchResult
from errata.methods import METHODS
from errata.nodes.deployment import Deployment
from errata.nodes.settings import list_settings
from errata.server import rules
from errata.server.rules import Refused, check_settings, check_values, check_written
from errata.server.settings import ServerSettings

ALL_SETTINGS = [(name, s) for name, each in METHODS.items() for s in list_settings(each.context)]


def may_set(graph, settings, **operator):
    """Whether the operator lets a caller's run of a graph have these settings."""
    with contextlib.suppress(Refused):
        check_settings(graph, {"context": settings}, ServerSettings(**operator))
        return True
    return False


def has_settings(graph, settings):
    with contextlib.suppress(Refused):
        check_values(graph, {"context": settings})
        return True
    return False


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ({"config": {"configurable": {"corpus": "/etc"}}}, "corpus='/etc' is not yours to set"),
        ({"context": {"corpus": "/etc"}}, "not yours to set here; ask the operator to allow it"),
        ({"webhook": "https://93.184.216.34/hook"}, "webhooks are not allowed"),
    ],
)
def test_a_refusal_says_what_is_not_the_callers(request_, fault):
    with pytest.raises(Refused, match=f"403: .*{fault}"):
        check_settings("rac", request_, ServerSettings())


@pytest.mark.parametrize("value", ["/etc", "http://10.0.0.7/", {"verify": "/etc"}, ["/etc"]])
def test_no_setting_of_a_caller_takes_a_path_or_an_address(value):
    """But `entity`, a name, that is written and never opened."""
    asked = [(graph, {setting.name: value}) for graph, setting in ALL_SETTINGS]
    allowed = [{*own} for graph, own in asked if may_set(graph, own) and has_settings(graph, own)]
    assert all(names == {"entity"} for names in allowed)


def test_a_caller_names_every_default_and_raises_no_limit():
    for graph, setting in ALL_SETTINGS:
        assert may_set(graph, {setting.name: setting.default}), setting.name
        if setting.capped and setting.default is not None:
            assert not may_set(graph, {setting.name: setting.default + 1})


@pytest.mark.parametrize("part", ["context", "config"])
@pytest.mark.parametrize("name", Deployment.model_fields)
def test_what_the_operator_sets_is_refused_as_unknown(name, part):
    for value in ("other", 10**9, None, Deployment.model_fields[name].default):
        settings = {name: value}
        request = {part: {"configurable": settings} if part == "config" else settings}
        for graph in METHODS:
            with pytest.raises(Refused, match=f"422: .*{name}: the operator's to set"):
                check_values(graph, request)


MAY_SET = [
    *({}, {"model": "local"}, {"model": "openai:a,openai:b"}, {"roles": {}}, {"corpus": "/data/a"}),
    *({"corpus": ""}, {"search": "wikipedia"}, {"search": "none"}, {"max_judged": 30}),
    *({"max_calls": 3}, {"max_calls": 0}, {"top_k": 100}, {"something_else": "x"}),
]
MAY_NOT_SET = [
    *({"model": "openai:a"}, {"model": "openai:a,openai:b@http://10.0.0.7/v1"}),
    *({"model": ["openai:a"]}, {"roles": {"verify": "openai:a,openai:b"}}, {"roles": None}),
    *({"roles": {"verify": None}}, {"corpus": "/data/a/../b"}, {"search": "serpapi"}),
    *({"search": "corpus:/etc"}, {"max_seconds": 600.5}, {"max_seconds": "600"}),
    *({"max_seconds": nan}, {"max_calls": "3"}, {"max_calls": nan}),
]


def test_what_the_operator_chose_and_lower_limits_may_be_named():
    own = {"model": "openai:a,openai:b", "corpus": "/data/a", "search": "wikipedia"}
    allowed = [each for each in MAY_SET + MAY_NOT_SET if may_set("errata", each, **own)]
    assert allowed == MAY_SET


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_profile_fills_in_only_what_callers_may_set(method):
    """So that naming it opens nothing that is not theirs."""
    settings = {s.name: s for s in list_settings(method.context)}
    filled = [settings[published.setting] for published in method.context.PAPER]
    assert not [s.name for s in filled if s.capped or s.name in rules.OPERATORS]


WAYS = {
    "input": lambda fields: {"input": fields},
    "values": lambda fields: {"values": fields},
    "a list of values": lambda fields: {"values": [{"draft": "x"}, fields]},
    "update": lambda fields: {"input": None, "command": {"update": fields}},
    "pairs": lambda fields: {"command": {"update": [*map(list, fields.items())]}},
    "goto": lambda fields: {"command": {"goto": {"node": "select", "input": fields}}},
    "several": lambda fields: {"command": {"goto": [{"node": "select", "input": fields}]}},
    "superstep": lambda fields: {"supersteps": [{"updates": [{"values": fields}]}]},
    "command": lambda fields: {"supersteps": [{"updates": [{"command": {"update": fields}}]}]},
}
"""The requests that write into a state."""
HITS = {"hits": [{"url": "http://intranet.example/"}]}
FAULTS = [
    ({"found": HITS}, "403: found is not yours to write here"),
    ({"draf": "x"}, "422: a state has no field 'draf'; did you mean 'draft'"),
    ({"draft": "x" * 31}, "413: .*at most 30"),
    ({"draft": "x" * 16, "question": "x" * 16}, "413: .*at most 30"),
    ({"messages": [{"role": "u", "content": [{"text": "x" * 30}]}]}, "413: .*at most 30"),
    ({"documents": [{"text": "x"}] * 4}, "413: 4 documents; at most 3"),
]
OPERATOR = ServerSettings(max_draft_chars=30, max_documents=3)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("fields", "fault"), FAULTS)
def test_no_way_of_writing_gets_past_the_rules(fields, fault, way):
    with pytest.raises(Refused, match=fault):
        check_written(way(fields), OPERATOR)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_the_rules_allow_is_written(way):
    empty = {"claims": [], "verdicts": [], "queries": ["q"]}
    for fields in ({"draft": "x" * 23}, {"documents": [{"text": "x" * 99}] * 3}, empty):
        check_written(way(fields), OPERATOR)


def test_what_a_person_decides_is_bounded_too():
    check_written({"input": None, "command": {"resume": "accept", "update": None}}, OPERATOR)
    with pytest.raises(Refused, match=r"413: .*at most 30"):
        check_written({"command": {"resume": {"e1": {"replace": "x" * 31}}}}, OPERATOR)


def test_no_other_field_holds_what_a_search_engine_answered():
    fields = {
        name: field.annotation
        for method in METHODS.values()
        for name, field in method.graph.builder.state_schema.model_fields.items()
    }
    assert {name for name, kind in fields.items() if mentions_hits(kind)} == {rules.HITS}


def mentions_hits(annotation):
    return annotation in (SearchResult, Hit) or any(map(mentions_hits, get_args(annotation)))
