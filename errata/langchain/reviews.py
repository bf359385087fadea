"""The reviews that wait on a LangGraph server, and the runs that decisions resume there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from errata.core.jsonable import from_json
from errata.core.records import Claim, Correction, Edit, Verdict
from errata.langchain.remote import explained_errors
from errata.methods import METHODS
from errata.nodes.claims import label_for
from errata.nodes.review import edits_by_id

MOST = 100
"""How many waiting threads are listed, those that stopped last."""
_OPERATORS = ("model", "corpus", "search")
"""Settings that a server puts in for its caller, who may not set them himself."""
_KEPT = (
    "claims",
    "verdicts",
    "edits",
    "skipped",
    "documents",
    "usage",
    "notes",
    "trail",
    "prompts",
)
"""What a waiting run of a method has of its result."""


@dataclass(frozen=True)
class Waiting:
    """A review that waits: where, the correction as proposed, and its edits to decide on."""

    interrupt: str
    thread: str
    correction: Correction
    ids: Mapping[str, str]
    """The run's own ids of the edits to decide on, by the ids that they have here."""

    @property
    def about(self) -> str:
        """What the review is of, in a line."""
        words = " ".join((self.correction.question or self.correction.draft).split())
        return f"{words[:80]} ({len(self.ids)} to decide, thread {self.thread})"


class ServerReviews:
    """The waiting reviews of a server; its key is in LANGGRAPH_API_KEY."""

    def __init__(self, url: str) -> None:
        """Name a server; nothing is asked yet."""
        self._url, self._client = url, get_sync_client(url=url)

    def waiting(self) -> list[Waiting]:
        """The reviews that wait. Raises AccessError or RemoteError."""
        with explained_errors(self._url, "load the page again"):
            threads = self._client.threads.search(status="interrupted", limit=MOST)
        found = list[Waiting]()
        for thread in threads:
            values: Any = thread.get("values") or {}
            interrupts: Any = thread["interrupts"]
            for each in (each for task in interrupts.values() for each in task):
                if isinstance(each["value"], dict) and each["value"].get("kind") == "review":
                    correction, ids = _read(each["value"], values)
                    found.append(Waiting(each["id"], thread["thread_id"], correction, ids))
        return found

    def resume(self, waiting: Waiting, decisions: Mapping[str, Any]) -> str:
        """Resume a run with a decision for each edit; its response, once it ends.

        Raises AccessError or RemoteError; the decisions can be sent again.
        """
        answer = {waiting.ids[name]: decision for name, decision in decisions.items()}
        with explained_errors(self._url, "press f again"):
            values: Any = _resume(self._client, waiting, answer)
        return str(values.get("response") or "")


def _resume(client: SyncLangGraphClient, waiting: Waiting, answer: Mapping[str, Any]) -> Any:
    thread = client.threads.get(waiting.thread)
    [last] = client.runs.list(waiting.thread, limit=1)
    kwargs: Any = dict(last).get("kwargs") or {}
    context = dict(kwargs.get("context") or {})
    if (thread["metadata"] or {}).get("graph_id") in METHODS:
        context = {name: value for name, value in context.items() if name not in _OPERATORS}
    return client.runs.wait(
        waiting.thread,
        last["assistant_id"],
        command={"resume": {waiting.interrupt: answer}},
        context=context,
        multitask_strategy="reject",
    )


def _read(value: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[Correction, dict[str, str]]:
    """The correction as a run proposes it, and the run's ids of its edits under review.

    Of an agent's run only what the interrupt itself holds is known.
    """
    judged = {c["claim"]: c for edit in value["edits"] for c in edit["claims"] if "claim" in c}
    own: dict[str, Any] = {
        "claims": [Claim(id=name, text=c["text"], start=0, end=0) for name, c in judged.items()],
        "verdicts": [_record(Verdict, each) for each in judged.values()],
        "edits": [_record(Edit, each, claims=_ids(each)) for each in value["edits"]],
    }
    if values.get("draft") == value["draft"] and values.get("edits"):
        own |= {name: values[name] for name in _KEPT if name in values}
    shared = {name: value[name] for name in ("question", "draft", "response")}
    correction = from_json(
        Correction,
        {"method": "review", "changed": True, "label": "not_mentioned", **shared, **own},
    )
    correction = from_json(Correction, vars(correction) | {"label": label_for(correction.verdicts)})
    here = {(e.start, e.end): name for name, e in edits_by_id(correction.edits).items()}
    return correction, {here[each["start"], each["end"]]: each["id"] for each in value["edits"]}


def _ids(edit: Mapping[str, Any]) -> list[str]:
    return [claim["claim"] for claim in edit["claims"] if "claim" in claim]


def _record(kind: type[Any], values: Mapping[str, Any], **own: Any) -> Any:
    names = kind.__dataclass_fields__
    return from_json(kind, {name: values[name] for name in names if name in values} | own)
