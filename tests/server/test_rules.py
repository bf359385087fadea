"""What a caller may set and write: every setting by name, the operator's lists, the limits."""

import contextlib
from math import nan
from typing import get_args

import pytest

from errata.core.records import Hit, SearchResult
from errata.methods import METHODS
from errata.nodes.deployment import Deployment
from errata.nodes.settings import settings_of
from errata.server import rules
from errata.server.rules import Refused, check_settings, check_values, check_written
from errata.server.settings import ServerSettings

ALL_SETTINGS = [(name, s) for name, each in METHODS.items() for s in settings_of(each.context)]


def may_set(requested, **operator):
    """Whether the operator lets callers set this."""
    with contextlib.suppress(Refused):
        check_settings("", {"context": requested}, ServerSettings(**operator))
        return True
    return False


def test_a_refusal_says_whom_to_ask():
    with pytest.raises(Refused, match="403: corpus='/etc' is not yours to set here; ask the oper"):
        check_settings("", {"config": {"configurable": {"corpus": "/etc"}}}, ServerSettings())


@pytest.mark.parametrize("value", ["/etc", "http://10.0.0.7/", {"verify": "/etc"}, ["/etc"]])
def test_no_setting_of_a_caller_takes_a_path_or_an_address(value):
    """But `entity`, a name, that is written and never opened."""
    allowed = {s.name for graph, s in ALL_SETTINGS if passes(graph, {"context": {s.name: value}})}
    assert allowed <= {"entity"}


def passes(graph, request):
    with contextlib.suppress(Refused):
        check_settings(graph, request, ServerSettings())
        check_values(graph, request)
        return True
    return False


def test_a_caller_raises_no_limit():
    for graph, setting in ALL_SETTINGS:
        if setting.capped and setting.default is not None:
            request = {"context": {setting.name: setting.default + 1}}
            with pytest.raises(Refused, match="403"):
                check_settings(graph, request, ServerSettings())


@pytest.mark.parametrize("part", ["context", "config"])
@pytest.mark.parametrize("name", Deployment.model_fields)
def test_what_the_operator_sets_is_refused_as_unknown(name, part):
    default = Deployment.model_fields[name].default
    for value in ("other", 10**9, None, default):
        settings = {name: value}
        request = {part: {"configurable": settings} if part == "config" else settings}
        for graph in ("", *METHODS):
            with pytest.raises(Refused, match=f"422: .*{name}: the operator's to set"):
                check_values(graph, request)


@pytest.mark.parametrize(("value", "allowed"), [(3, True), (0, True), ("3", False), (nan, False)])
def test_a_limit_where_there_is_none_is_a_number(value, allowed):
    assert may_set({"max_calls": value}) is allowed


def test_every_default_is_allowed():
    for _, setting in ALL_SETTINGS:
        assert may_set({setting.name: setting.default}), setting.name


@pytest.mark.parametrize(
    ("requested", "allowed"),
    [
        ({}, True),
        ({"model": "local"}, True),
        ({"model": "openai:a,openai:b"}, True),
        ({"model": "openai:a"}, False),
        ({"model": "openai:a,openai:b@http://10.0.0.7/v1"}, False),
        ({"model": ["openai:a"]}, False),
        ({"roles": {"verify": "openai:a,openai:b"}}, False),
        ({"roles": {"verify": None}}, False),
        ({"roles": None}, False),
        ({"roles": {}}, True),
        ({"corpus": "/data/a"}, True),
        ({"corpus": "/data/a/../b"}, False),
        ({"corpus": ""}, True),
        ({"search": "wikipedia"}, True),
        ({"search": "none"}, True),
        ({"search": "serpapi"}, False),
        ({"max_judged": 30}, True),
        ({"max_seconds": 600.5}, False),
        ({"max_seconds": "600"}, False),
        ({"max_seconds": float("nan")}, False),
        ({"top_k": 100}, True),
        ({"something_else": "x"}, True),
    ],
)
def test_what_the_operator_chose_may_be_named(requested, allowed):
    own = {"model": "openai:a,openai:b", "corpus": "/data/a", "search": "wikipedia"}
    assert may_set(requested, **own) is allowed


HITS = {"hits": [{"url": "http://intranet.example/"}]}


@pytest.mark.parametrize(
    ("request_", "allowed"),
    [
        ({"input": {"draft": "x"}, "command": None}, True),
        ({"values": {"claims": [], "verdicts": [], "queries": ["q"]}}, True),
        ({"command": {"resume": "accept", "update": None}}, True),
        ({"values": {"found": HITS}}, False),
        ({"values": [{"draft": "x"}, {"found": HITS}]}, False),
        ({"input": {"found": HITS}}, False),
        ({"command": {"update": {"found": HITS}}}, False),
        ({"command": {"update": [["found", HITS]]}}, False),
        ({"command": {"goto": {"node": "select", "input": {"found": HITS}}}}, False),
        ({"supersteps": [{"updates": [{"values": {"found": HITS}, "as_node": "search"}]}]}, False),
        ({"supersteps": [{"updates": [{"command": {"update": {"found": HITS}}}]}]}, False),
    ],
)
def test_no_caller_writes_what_a_search_engine_answered(request_, allowed):
    if allowed:
        check_written(request_, ServerSettings())
    else:
        with pytest.raises(Refused, match="403: found is not yours to write here"):
            check_written(request_, ServerSettings())


def test_no_other_field_holds_what_a_search_engine_answered():
    fields = {
        name: field.annotation
        for method in METHODS.values()
        for name, field in method.graph.builder.state_schema.model_fields.items()
    }
    assert {name for name, kind in fields.items() if mentions_hits(kind)} == {rules.HITS}


def mentions_hits(annotation):
    return annotation in (SearchResult, Hit) or any(map(mentions_hits, get_args(annotation)))


@pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
def test_a_profile_fills_in_only_what_callers_may_set(method):
    """So that naming it opens nothing that is not theirs."""
    settings = {s.name: s for s in settings_of(method.context)}
    filled = [settings[published.setting] for published in method.context.PAPER]
    assert not [s.name for s in filled if s.capped or s.name in rules.OPERATORS]


@pytest.mark.parametrize(
    ("body", "fits"),
    [
        ({"input": {"draft": "x" * 10}}, True),
        ({"input": {"draft": "x" * 8, "question": "x" * 3}}, False),
        ({"input": {"draft": "x", "documents": [{"text": "x" * 99}]}}, True),
        ({"input": {"messages": [{"role": "u", "content": [{"text": "x" * 10}]}]}}, False),
        ({"input": None, "command": {"update": {"draft": "x" * 11}}}, False),
        ({"input": None, "command": {"resume": {"e1": {"replace": "x" * 11}}}}, False),
        ({"input": None, "command": {"resume": "accept"}}, True),
        ({"input": None, "command": {"goto": [{"node": "n", "input": {"draft": "x" * 9}}]}}, True),
        (
            {"input": None, "command": {"goto": [{"node": "n", "input": {"draft": "x" * 10}}]}},
            False,
        ),
        ({"values": {"draft": "x" * 11}}, False),
        ({"values": {"draft": "x", "documents": [{"text": "x" * 99}]}}, True),
        ({"supersteps": [{"updates": [{"values": {"draft": "x" * 11}}]}]}, False),
    ],
)
def test_the_length_of_what_enters_a_state_is_bounded(body, fits):
    settings = ServerSettings(max_draft_chars=10)
    if fits:
        check_written(body, settings)
    else:
        with pytest.raises(Refused, match=r"413: .*at most 10"):
            check_written(body, settings)


@pytest.mark.parametrize("part", ["input", "values", "command", "supersteps"])
def test_the_number_of_documents_is_bounded(part):
    settings = ServerSettings(max_documents=3)

    def request(count):
        fields = {"documents": [{"text": "x"}] * count}
        if part == "supersteps":
            return {part: [{"updates": [{"values": fields}]}]}
        return {part: {"update": fields} if part == "command" else fields}

    check_written(request(3), settings)
    with pytest.raises(Refused, match="413: 4 documents; at most 3"):
        check_written(request(4), settings)
