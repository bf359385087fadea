"""What callers may ask for by the operator's settings; each rule raises Refused, the answer.

No caller sets a model, an address or a path; an admin may offer them by shared assistants.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import inf
from typing import Any, TypeGuard

from langgraph_sdk import Auth

from errata.core.errors import ErrataError, count
from errata.methods import METHODS
from errata.nodes.context import Context
from errata.nodes.settings import Setting, describe_unknown, settings_of
from errata.server.settings import ServerSettings

Refused = Auth.exceptions.HTTPException
WRITING_PARTS = ("input", "command", "values", "supersteps")
"""The parts of a request that write into the state of a run or thread."""
OPERATORS = ("model", "roles", "corpus", "search")
"""The settings that the operator chooses; callers may take them or do without."""
HITS = "found"
"""The field of a state that holds what a search engine answered."""
_HOLDS_FIELDS = frozenset({"update", "updates", "values", "goto", "input", "command"})
"""The keys of a command or a superstep below which fields of a state are written."""
_FORM = _HOLDS_FIELDS | {"node", "as_node", "resume"}
"""The keys of commands and supersteps, which are no fields themselves."""
_LISTED = "/assistants/{assistant_id}/schemas lists a graph's"
_LANGGRAPHS = frozenset(
    "assistant_id checkpoint_id checkpoint_map checkpoint_ns cron_id graph_id run_id thread_id "
    "thread_ts user-agent user_id".split()
)
_LANGGRAPHS_PREFIXES = ("__", "langgraph_", "langsmith-", "x-")
"""What LangGraph and its clients themselves write beside a run's settings, or the start of it."""
_PAIR = 2


def check_settings(graph: str, request: Mapping[str, Any], operator: ServerSettings) -> None:
    """Refuse webhooks, and settings that are no caller's; a deployment's are none of a graph."""
    known = _settings(graph)
    for name, value in [item for part in _settings_in(request) for item in part.items()]:
        own = known.get(name, [])
        if own and not any(value == s.default or _may_set(s, value, operator) for s in own):
            fault = f"{name}={value!r} is not yours to set here; ask the operator to allow it"
            raise Refused(403, fault)
    if request.get("webhook"):
        raise Refused(403, "webhooks are not allowed here")


def check_values(graph: str, *requests: Mapping[str, Any]) -> None:
    """Refuse names and values that are no settings of a graph, or of any where it is not known.

    LangGraph drops unknown names without a word, and finds wrong values when a run begins. A later
    request counts over an earlier one. Ask `check_settings` first: what settings name is looked at.
    """
    named, faults = dict[str, Any](), list[str]()
    for part in [part for request in requests for part in _settings_in(request)]:
        own = [n for n in part if n not in _LANGGRAPHS and not n.startswith(_LANGGRAPHS_PREFIXES)]
        named |= {name: part[name] for name in own}
    for kind in _kinds(graph):
        try:
            kind(**named)
        except ErrataError as error:
            faults.append(str(error))
    if len(faults) == len(_kinds(graph)):
        raise Refused(422, faults[0])


def _kinds(graph: str) -> list[type[Context]]:
    """The settings of a graph, or of all where it is not known."""
    return [METHODS[name].context for name in ([graph] if graph in METHODS else METHODS)]


@cache
def _settings(graph: str) -> dict[str, list[Setting]]:
    """The settings of a graph by name; several graphs may have one of a name."""
    settings = dict[str, list[Setting]]()
    for setting in [each for kind in _kinds(graph) for each in settings_of(kind)]:
        settings.setdefault(setting.name, []).append(setting)
    return settings


def _settings_in(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The two places in which a run, a cron or an assistant names settings."""
    config = request.get("config") or {}
    return [config.get("configurable") or {}, request.get("context") or {}]


def _may_set(setting: Setting, value: object, operator: ServerSettings) -> bool:
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
    parts = [request.get(part) for part in WRITING_PARTS]
    unknown = {name for part in parts for name in _fields_in(part)} - _FORM
    if fault := describe_unknown(unknown, _fields(), "field", "a state", listing=_LISTED):
        raise Refused(422, fault)
    documents = length = 0
    for name, value in _walk(parts if limited else []):
        if name == HITS:
            raise Refused(403, f"{HITS} is not yours to write here: its URLs would be read")
        if name == "documents":
            documents += len(value) if isinstance(value, list | tuple) else 0
        elif isinstance(value, str):
            length += len(value)
    if documents > (most := operator.max_documents):
        fault = f"{count(documents, 'document')}; at most {most} are allowed"
        raise Refused(413, fault)
    if length > (most := operator.max_draft_chars):
        fault = f"the texts apart from documents hold {length} characters"
        raise Refused(413, f"{fault}; at most {most} are allowed")


def _fields_in(part: object) -> Iterator[str]:
    """The names of the fields that a part writes, in mappings or pairs, and a command's keys."""
    if isinstance(part, Mapping):
        for name, value in part.items():
            yield name
            yield from _fields_in(value) if name in _HOLDS_FIELDS else ()
    elif _is_pair(part):
        yield part[0]
    elif isinstance(part, list | tuple):
        for each in part:
            yield from _fields_in(each)


def _walk(part: object, name: str = "") -> Iterator[tuple[str, Any]]:
    """All values of a part but those in documents, each with its name, if any; both of a pair."""
    yield name, part
    if name == "documents":
        return
    if _is_pair(part):
        yield "", part[0]
        yield from _walk(part[1], part[0])
    elif isinstance(part, Mapping | list | tuple):
        named = part.items() if isinstance(part, Mapping) else (("", each) for each in part)
        for own, value in named:
            yield from _walk(value, own)


def _is_pair(part: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(part, list | tuple) and len(part) == _PAIR and isinstance(part[0], str)


@cache
def _fields() -> frozenset[str]:
    """The fields of all methods' states, and the steps, which a command names."""
    graphs = [method.graph for method in METHODS.values()]
    names = [*(graph.builder.state_schema.model_fields for graph in graphs)]
    return frozenset().union(*names, *(graph.nodes for graph in graphs))
