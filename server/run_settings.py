"""A run's settings: refused if its method has none of that name, the operator's where it has none.

LangGraph drops unknown names without a word.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from errata.methods import METHODS
from errata.nodes.settings import settings_of
from errata.server.settings import ServerSettings

OPERATORS = ("model", "corpus", "search")
"""The settings that the operator chooses for runs that name none."""
_LANGGRAPHS = frozenset(
    "assistant_id checkpoint_id checkpoint_map checkpoint_ns cron_id graph_id run_id thread_id "
    "thread_ts user-agent user_id".split()
)
_LANGGRAPHS_PREFIXES = ("__", "langgraph_", "langsmith-", "x-")
"""What LangGraph and its clients themselves write beside a run's settings, or the start of it."""


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
