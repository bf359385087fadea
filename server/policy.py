"""What a remote caller may set: no model, address or path unless the operator lists it.

A setting is refused if its method has none of that name (LangGraph drops unknown ones without a
word), and the operator's where a run has none.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from math import inf
from typing import Any, get_args
from uuid import UUID

from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import NotFoundError

from errata.core.records import Hit, SearchResult
from errata.methods import METHODS
from errata.nodes.settings import Remote, Setting, settings_of
from errata.server.settings import ServerSettings
from errata.tools.models.spec import LOCAL, split_cascade, split_models

WRITING_PARTS = ("input", "command", "values", "supersteps")
"""The parts of a request that write into the state of a run or thread."""
OPERATORS = ("model", "corpus", "search")
"""The settings that the operator chooses for runs that name none."""
_LANGGRAPHS = frozenset(
    "assistant_id checkpoint_id checkpoint_map checkpoint_ns cron_id graph_id run_id thread_id "
    "thread_ts user-agent user_id".split()
)
_LANGGRAPHS_PREFIXES = ("__", "langgraph_", "langsmith-", "x-")
"""What LangGraph and its clients themselves write beside a run's settings, or the start of it."""
_HOLDS_FIELDS = frozenset({"update", "updates", "values", "goto", "input", "command"})
"""The keys of a command or a superstep below which fields of a state are written."""
_PAIR = 2


def refusal(requested: Mapping[str, Any], operator: ServerSettings) -> str:
    """Why a caller may not have these settings; empty if they may.

    What a setting allows is its `Remote`; one without it may not be changed.
    """
    for name, value in requested.items():
        settings = _settings().get(name, [])
        unchanged = any(value == setting.default for setting in settings)
        if not unchanged and not all(_may_set(setting, value, operator) for setting in settings):
            return f"{name}={value!r} is not yours to set here; ask the operator to allow it"
    return ""


def state_refusal(request: Mapping[str, Any]) -> str:
    """Why a caller may not write this into a state; empty if they may.

    Callers may not write what a search engine answered: its hits choose the pages that are read.
    """
    written = set(_keys([request.get(name) for name in WRITING_PARTS]))
    names = sorted(written & _fields_with_hits())
    return f"{names[0]} is not yours to write here: its URLs would be read" if names else ""


def _keys(part: object) -> Iterator[str]:
    """The names of the fields that a part of a request writes, as mappings or as pairs."""
    if isinstance(part, Mapping):
        for name, value in part.items():
            yield name
            if name in _HOLDS_FIELDS:
                yield from _keys(value)
    elif isinstance(part, list | tuple):
        if len(part) == _PAIR and isinstance(part[0], str):
            yield part[0]
        for value in part:
            yield from _keys(value)


@cache
def _fields_with_hits() -> frozenset[str]:
    """The fields of all methods' states that hold hits of a search engine."""
    states = [method.graph.builder.state_schema for method in METHODS.values()]
    return frozenset(
        name
        for state in states
        for name, field in state.model_fields.items()
        if _mentions_hits(field.annotation)
    )


def _mentions_hits(annotation: object) -> bool:
    return annotation in (SearchResult, Hit) or any(map(_mentions_hits, get_args(annotation)))


def _may_set(setting: Setting, value: object, operator: ServerSettings) -> bool:
    if setting.remote is Remote.FREE:
        return True
    if setting.remote is Remote.CAPPED:
        most = inf if setting.default is None else setting.default
        return isinstance(value, int | float) and value <= most
    if setting.remote is Remote.PROMPT:
        return operator.allow_prompts
    return setting.remote is Remote.LISTED and _is_listed(setting.name, value, operator)


def _is_listed(name: str, value: object, operator: ServerSettings) -> bool:
    """Whether the operator lists a value; for roles, cascades and lists, each of their models."""
    if name == "roles":
        return isinstance(value, Mapping) and all(
            _is_listed("model", model, operator) for model in value.values()
        )
    if name == "model":
        listed = ("", LOCAL, *_listed_models(operator))
        return all(model in listed for part in split_cascade(value) for model in split_models(part))
    return value in _listed_values(name, operator)


def _listed_models(operator: ServerSettings) -> Iterator[str]:
    """Every model that callers may choose; of a list that the operator names, each."""
    for value in _listed_values("model", operator):
        yield value
        yield from split_models(value)


def _listed_values(name: str, operator: ServerSettings) -> tuple[str, ...]:
    """The values of a setting that callers may choose from; none without a list."""
    return {
        "model": (operator.model, *operator.allow_models),
        "corpus": (operator.corpus, *operator.allow_corpora),
        "search": (operator.search, *operator.allow_search),
    }.get(name, ())


@cache
def _settings() -> dict[str, list[Setting]]:
    """Every method's settings by name; several methods may have one of a name."""
    settings: dict[str, list[Setting]] = {}
    for method in METHODS.values():
        for setting in settings_of(method.context):
            settings.setdefault(setting.name, []).append(setting)
    return settings


def unknown_fault(graph: str, *requests: Mapping[str, Any]) -> str:
    """Which names in the requests are no settings of a graph; empty if all are.

    Where the graph is not known, they have to be settings of one.
    """
    methods = [METHODS[graph]] if graph in METHODS else METHODS.values()
    faults = [method.context.unknown_fault(_names(requests)) for method in methods]
    return faults[0] if all(faults) else ""


def _names(requests: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The names of the settings in runs, crons or assistants."""
    for request in requests:
        configurable = (request.get("config") or {}).get("configurable") or {}
        for name in chain(request.get("context") or {}, configurable):
            if name not in _LANGGRAPHS and not name.startswith(_LANGGRAPHS_PREFIXES):
                yield name


def add_operators_choice(
    request: dict[str, Any], assistant: Mapping[str, Any], operator: ServerSettings
) -> None:
    """Write the operator's model, corpus and search into a run where it and its assistant do not.

    A run that names one keeps it, also an empty one.
    """
    method = METHODS.get(assistant.get("graph_id", ""))
    if not method:
        return
    context = request.get("context") or {}
    chosen = {*(assistant.get("context") or {}), *context}
    for setting in settings_of(method.context):
        if setting.name in OPERATORS and setting.name not in chosen:
            context[setting.name] = getattr(operator, setting.name)
    request["context"] = context


@cache
def server_client() -> LangGraphClient:
    """A client of this very server."""
    return get_client()


async def find_assistant(name: object) -> Mapping[str, Any]:
    """An assistant by its id or a graph's name; empty if there is none."""
    if name in METHODS:
        return {"graph_id": name}
    try:
        return await server_client().assistants.get(str(UUID(str(name))))
    except (NotFoundError, ValueError):
        return {}
