"""What callers may ask for by the operator's settings; each rule raises Refused, the answer.

No caller sets a model, an address or a path unless the operator lists it.
"""

from collections.abc import Mapping
from functools import cache
from math import inf
from typing import Any, get_args

from langgraph_sdk import Auth

from errata.core.errors import ErrataError, count
from errata.core.records import Hit, SearchResult
from errata.methods import METHODS
from errata.nodes.settings import Setting, describe_unknown, settings_of
from errata.server.settings import ServerSettings
from errata.tools.models.spec import LOCAL, split_cascade, split_models

Refused = Auth.exceptions.HTTPException
WRITING_PARTS = ("input", "command", "values", "supersteps")
"""The parts of a request that write into the state of a run or thread."""
LISTED = ("model", "roles", "corpus", "search")
"""The settings of which callers choose what the operator lists."""
_HOLDS_FIELDS = frozenset({"update", "updates", "values", "goto", "input", "command"})
"""The keys of a command or a superstep below which fields of a state are written."""
_FORM = _HOLDS_FIELDS | {"node", "as_node", "resume"}
"""The keys of commands and supersteps, which are no fields themselves."""
_LISTED = "/assistants/{assistant_id}/schemas lists a graph's"
_NEEDED: Mapping[str, Mapping[str, type]] = {
    "/store/items/search": {"namespace_prefix": list},
    "/runs/crons": {"assistant_id": str, "schedule": str},
}
"""What LangGraph's server breaks down without, by the end of the path that is posted to."""
_LANGGRAPHS = frozenset(
    "assistant_id checkpoint_id checkpoint_map checkpoint_ns cron_id graph_id run_id thread_id "
    "thread_ts user-agent user_id".split()
)
_LANGGRAPHS_PREFIXES = ("__", "langgraph_", "langsmith-", "x-")
"""What LangGraph and its clients themselves write beside a run's settings, or the start of it."""
_PAIR = 2


def check_values(graph: str, *requests: Mapping[str, Any]) -> None:
    """Refuse names and values that are no settings of a graph, or of any where it is not known.

    LangGraph drops unknown names without a word, and finds wrong values when a run begins. A later
    request counts over an earlier one. To be asked after `check_settings`: what settings name is
    looked at. Raises Refused with 422.
    """
    named = {
        name: value
        for request in requests
        for part in _settings_in(request)
        for name, value in part.items()
        if name not in _LANGGRAPHS and not name.startswith(_LANGGRAPHS_PREFIXES)
    }
    kinds = [METHODS[name].context for name in ([graph] if graph in METHODS else METHODS)]
    faults = []
    for kind in [kind for kind in kinds if not kind.unknown_fault(named)] or kinds[:1]:
        try:
            kind(**named)
        except ErrataError as error:
            faults.append(str(error))
        else:
            return
    raise Refused(422, faults[0])


def check_needed(path: str, request: Mapping[str, Any]) -> None:
    """Refuse a request without what it must name. Raises Refused with 422."""
    for end, needed in _NEEDED.items():
        missing = [name for name, kind in needed.items() if not isinstance(request.get(name), kind)]
        if path.rstrip("/").endswith(end) and missing:
            raise Refused(422, f"{path} needs {' and '.join(missing)}")


def check_settings(request: Mapping[str, Any], operator: ServerSettings) -> None:
    """Refuse settings and webhooks that the operator does not allow callers.

    Any other is a caller's to set; an operator's is none of a graph. Raises Refused with 403.
    """
    for part in _settings_in(request):
        for name, value in part.items():
            settings = _settings().get(name, [])
            unchanged = any(value == setting.default for setting in settings)
            if not unchanged and not all(_may_set(each, value, operator) for each in settings):
                fault = f"{name}={value!r} is not yours to set here; ask the operator to allow it"
                raise Refused(403, fault)
    if request.get("webhook") and not operator.allow_webhooks:
        raise Refused(403, "webhooks are not allowed here")


def _settings_in(request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The two places in which a run, a cron or an assistant names settings."""
    config = request.get("config") or {}
    return [config.get("configurable") or {}, request.get("context") or {}]


@cache
def _settings() -> dict[str, list[Setting]]:
    """Every method's settings by name; several methods may have one of a name."""
    settings: dict[str, list[Setting]] = {}
    for method in METHODS.values():
        for setting in settings_of(method.context):
            settings.setdefault(setting.name, []).append(setting)
    return settings


def _may_set(setting: Setting, value: object, operator: ServerSettings) -> bool:
    if setting.capped:
        most = inf if setting.default is None else setting.default
        return isinstance(value, int | float) and value <= most
    return setting.name not in LISTED or _is_listed(setting.name, value, operator)


def _is_listed(name: str, value: object, operator: ServerSettings) -> bool:
    """Whether the operator lists a value; for roles, cascades and lists, each of their models."""
    if name == "roles":
        return isinstance(value, Mapping) and all(
            _is_listed("model", model, operator) for model in value.values()
        )
    listed = {
        "model": (operator.model, *operator.allow_models),
        "corpus": (operator.corpus, *operator.allow_corpora),
        "search": (operator.search, *operator.allow_search),
    }[name]
    if name != "model":
        return value in listed
    models = ("", LOCAL, *listed, *(model for each in listed for model in split_models(each)))
    return all(model in models for part in split_cascade(value) for model in split_models(part))


def check_written(
    request: Mapping[str, Any], operator: ServerSettings, *, limited: bool = True
) -> None:
    """Refuse what is no field of a state, and what a caller with limits may not write into one.

    Raises Refused: 422 for an unknown field, which LangGraph drops without a word; 403 for what a
    search engine answered, since its hits choose the pages that are read; 413 for too many
    documents, or too long texts apart from them.
    """
    written = _Written()
    for part in WRITING_PARTS:
        written.read(request.get(part), written.names)
    unknown = written.names - _FORM
    if fault := describe_unknown(unknown, _fields(), "field", "a state", listing=_LISTED):
        raise Refused(422, fault)
    if not limited:
        return
    if hits := sorted((written.names | written.perhaps) & _fields_with_hits()):
        raise Refused(403, f"{hits[0]} is not yours to write here: its URLs would be read")
    if written.documents > (most := operator.max_documents):
        fault = f"{count(written.documents, 'document')}; at most {most} are allowed"
        raise Refused(413, fault)
    if written.length > (most := operator.max_draft_chars):
        fault = f"the texts apart from documents hold {written.length} characters"
        raise Refused(413, f"{fault}; at most {most} are allowed")


class _Written:
    """What a request writes: names of fields, how many documents, how many characters beside."""

    def __init__(self) -> None:
        self.names, self.perhaps = set[str](), set[str]()
        self.documents = self.length = 0

    def read(self, part: object, names: set[str] | None) -> None:
        """Add a part of the request to what is written, and its fields, if any, to the `names`.

        The fields of a state are mappings or pairs; what stands in a pair is perhaps one more.
        """
        if isinstance(part, Mapping):
            self._read_fields(part, names)
        elif isinstance(part, list | tuple):
            if names is not None and len(part) == _PAIR and isinstance(part[0], str):
                names.add(part[0])
                names = self.perhaps
            for value in part:
                self.read(value, names)
        elif isinstance(part, str):
            self.length += len(part)

    def _read_fields(self, part: Mapping[str, Any], names: set[str] | None) -> None:
        if names is not None:
            names.update(part)
        for name, value in part.items():
            if name == "documents":
                self.documents += len(value) if isinstance(value, list | tuple) else 0
            else:
                self.read(value, names if name in _HOLDS_FIELDS else None)


@cache
def _fields() -> Mapping[str, tuple[object, ...]]:
    """The types of the fields of all methods' states; steps, which a command names, have none."""
    fields = dict[str, tuple[object, ...]]()
    for method in METHODS.values():
        fields |= {node: () for node in method.graph.nodes if node not in fields}
        for name, field in method.graph.builder.state_schema.model_fields.items():
            fields[name] = (*fields.get(name, ()), field.annotation)
    return fields


@cache
def _fields_with_hits() -> frozenset[str]:
    """The fields of all methods' states that hold hits of a search engine."""
    return frozenset(name for name, types in _fields().items() if any(map(_mentions_hits, types)))


def _mentions_hits(annotation: object) -> bool:
    return annotation in (SearchResult, Hit) or any(map(_mentions_hits, get_args(annotation)))
