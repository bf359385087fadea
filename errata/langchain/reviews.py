"""The reviews that wait on a LangGraph server, and the runs that decisions resume there."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from langgraph_sdk import get_sync_client

from errata.core.jsonable import from_json
from errata.core.records import Correction, Edit, Verdict
from errata.langchain.remote import explained_errors
from errata.methods import METHODS
from errata.nodes.claims import label_for

MOST = 100
"""How many threads are looked at, those that changed last."""
_OPERATORS = ("model", "corpus", "search")
"""Settings that a server puts in for its callers, who may not set them themselves."""


@dataclass(frozen=True)
class Waiting:
    """A review that waits: the edits that a run asks about, in order, and their ids there."""

    thread: str
    interrupt: str
    correction: Correction
    ids: tuple[str, ...]


def find_waiting(url: str, thread: str = "") -> list[Waiting]:
    """The reviews that wait on a server, of all threads or of one; LANGGRAPH_API_KEY is its key.

    Raises AccessError if it refuses the key, RemoteError if it fails.
    """
    with explained_errors(url, "try again"), get_sync_client(url=url) as client:
        found = client.threads.search(status="interrupted", limit=MOST)
    return [
        _read(one["thread_id"], dict(each), one.get("values") or {})
        for one in found
        if thread in ("", one["thread_id"])
        for each in (each for task in one["interrupts"].values() for each in task)
        if isinstance(each["value"], dict) and each["value"].get("kind") == "review"
    ]


def resume(url: str, waiting: Waiting, decisions: Mapping[str, Any]) -> str:
    """Resume a run with a decision for each edit, in order; its response, if it ends with one.

    The run keeps the settings that it began with. Raises as `find_waiting` does.
    """
    answer = dict(zip(waiting.ids, decisions.values(), strict=True))
    later = "give the command again: the decisions are kept"
    with explained_errors(url, later), get_sync_client(url=url) as client:
        thread, [last] = (
            client.threads.get(waiting.thread),
            client.runs.list(waiting.thread, limit=1),
        )
        run: Any = last
        ours = (thread["metadata"] or {}).get("graph_id") in METHODS
        settings = run["kwargs"].get("context") or {}
        values: Any = client.runs.wait(
            waiting.thread,
            run["assistant_id"],
            command={"resume": {waiting.interrupt: answer}},
            context={n: v for n, v in settings.items() if not (ours and n in _OPERATORS)},
            multitask_strategy="reject",
        )
    return str(values.get("response") or "")


def _read(thread: str, interrupt: Mapping[str, Any], values: Any) -> Waiting:
    """A waiting review, as its interrupt describes it, with what the thread has of documents."""
    value = interrupt["value"]
    judged = {c["claim"]: c for e in value["edits"] for c in e["claims"] if "claim" in c}
    known = {each["id"]: each for each in values.get("claims") or () if isinstance(each, dict)}
    verdicts = [from_json(Verdict, _part(Verdict, each)) for each in judged.values()]
    edits = [
        {**_part(Edit, e), "claims": [c["claim"] for c in e["claims"] if "claim" in c]}
        for e in value["edits"]
    ]
    correction = {
        "method": "review",
        "changed": True,
        "label": label_for(verdicts),
        **{name: value[name] for name in ("question", "draft", "response")},
        "claims": [
            known.get(name) or {"id": name, "text": each["text"], "start": 0, "end": 0}
            for name, each in judged.items()
        ],
        "verdicts": verdicts,
        "edits": edits,
        "documents": values.get("documents") or [],
    }
    ids = tuple(each["id"] for each in value["edits"])
    return Waiting(thread, interrupt["id"], from_json(Correction, correction), ids)


def _part(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    return {each.name: values[each.name] for each in fields(kind) if each.name in values}
