"""What callers may ask for by the operator's settings; each rule raises Refused, the answer.

No caller sets a model, an address or a path; an admin may offer them by shared assistants.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import inf
from typing import Any

from langgraph_sdk import Auth

from errata.core.errors import ErrataError, count
from errata.methods import METHODS
from errata.nodes.settings import Setting, describe_unknown, list_settings
from errata.server.settings import ServerSettings

Refused = Auth.exceptions.HTTPException
OPERATORS = ("model", "roles", "corpus", "search")
"""The settings that the operator chooses; callers may take them or do without."""
HITS = "found"
"""The field of a state that holds what a search engine answered."""
_HOLDS_FIELDS = frozenset({"update", "updates", "values", "goto", "input", "command"})
"""The keys of a command or a superstep below which fields of a state are written."""
_FORM = _HOLDS_FIELDS | {"node", "as_node", "resume"}
"""The keys of commands and supersteps, which are no fields themselves."""
_LANGGRAPHS = frozenset(
    "assistant_id checkpoint_id checkpoint_map checkpoint_ns cron_id graph_id run_id thread_id "
    "thread_ts user-agent user_id".split()
)
_LANGGRAPHS_PREFIXES = ("__", "langgraph_", "langsmith-", "x-")
"""What LangGraph and its clients themselves write beside a run's settings, or the start of it."""


def check_settings(graph: str, request: Mapping[str, Any], operator: ServerSettings) -> None:
    """Refuse webhooks, and settings that are no caller's; a deployment's are none of a graph."""
    known = _settings(graph)
    for name, value in [item for part in _settings_in(request) for item in part.items()]:
        if name in known and not _may_set(known[name], value, operator):
            fault = f"{name}={value!r} is not yours to set here; ask the operator to allow it"
            raise Refused(403, fault)
    if request.get("webhook"):
        raise Refused(403, "webhooks are not allowed here")


def check_values(graph: str, *requests: Mapping[str, Any]) -> None:
    """Refuse names and values that are no settings of a graph.

    LangGraph drops unknown names without a word, and finds wrong values when a run begins. A later
    request counts over an earlier one. Ask `check_settings` first: what settings name is looked at.
    """
    named = dict[str, Any]()
    for part in [part for request in requests for part in _settings_in(request)]:
        own = [n for n in part if n not in _LANGGRAPHS and not n.startswith(_LANGGRAPHS_PREFIXES)]
        named |= {name: part[name] for name in own}
    try:
        METHODS[graph].context(**named)
    except ErrataError as error:
        raise Refused(422, str(error)) from error


@cache
def _settings(graph: str) -> dict[str, Setting]:
    """The settings of a graph by name."""
    return {setting.name: setting for setting in list_settings(METHODS[graph].context)}


def _settings_in(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The two places in which a run, a cron or an assistant names settings."""
    config = request.get("config") or {}
    return [config.get("configurable") or {}, request.get("context") or {}]


def _may_set(setting: Setting, value: object, operator: ServerSettings) -> bool:
    if value == setting.default:
        return True
    if setting.capped:
        most = inf if setting.default is None else setting.default
        return isinstance(value, int | float) and value <= most
    return setting.name not in OPERATORS or bool(value == getattr(operator, setting.name, {}))


def check_written(
    request: Mapping[str, Any], operator: ServerSettings, *, limited: bool = True
) -> None:
    """Refuse what is no field of a state, and what a caller with limits may not write into one.

    Raises Refused: 422 for an unknown field, which LangGraph drops without a word; 403 for what a
    search engine answered, since its hits choose the pages that are read; 413 for too many
    documents, or too long texts apart from them.
    """
    parts = [request.get(part) for part in ("input", "command", "values", "supersteps")]
    unknown = {name for part in parts for name in _fields_in(part)} - _FORM
    listed = "/assistants/{assistant_id}/schemas lists a graph's"
    if fault := describe_unknown(unknown, _fields(), "field", "a state", listing=listed):
        raise Refused(422, fault)
    documents = length = 0
    for name, value in _walk(parts) if limited else ():
        if name == HITS:
            raise Refused(403, f"{HITS} is not yours to write here: its URLs would be read")
        if name == "documents":
            documents += len(value) if isinstance(value, list | tuple) else 0
        elif isinstance(value, str):
            length += len(value)
    for fault, number, most in (
        (count(documents, "document"), documents, operator.max_documents),
        (f"{length} characters apart from documents", length, operator.max_draft_chars),
    ):
        if number > most:
            raise Refused(413, f"{fault}; at most {most} are allowed")


def _items(part: object) -> Iterable[tuple[str | None, Any]]:
    """The values of a mapping or a list, each with its name, if it has one.

    A pair of a text and a value, by which LangGraph also writes a field, is both.
    """
    if isinstance(part, Mapping):
        return part.items()
    match part:
        case [str(name), value]:
            return [(None, name), (name, value)]
        case [*values]:
            return [(None, value) for value in values]
    return ()


def _fields_in(part: object) -> Iterator[str]:
    """The names of the fields that a part writes, and a command's keys."""
    for name, value in _items(part):
        if name is not None:
            yield name
        if name is None or name in _HOLDS_FIELDS:
            yield from _fields_in(value)


def _walk(part: object, name: str | None = None) -> Iterator[tuple[str | None, Any]]:
    """All values of a part but those in documents, each with its name, if it has one."""
    yield name, part
    for own, value in _items(part) if name != "documents" else ():
        yield from _walk(value, own)


@cache
def _fields() -> frozenset[str]:
    """The fields of all methods' states, and the steps, which a command names."""
    graphs = [method.graph for method in METHODS.values()]
    names = [*(graph.builder.state_schema.model_fields for graph in graphs)]
    return frozenset().union(*names, *(graph.nodes for graph in graphs))
