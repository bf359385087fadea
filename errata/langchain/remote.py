"""A method on a LangGraph server as a node of a graph here, with its reviews."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast
from uuid import NAMESPACE_URL, uuid5

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.config import get_stream_writer
from langgraph.runtime import get_runtime
from langgraph.types import interrupt
from langgraph_sdk import get_client
from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError, AuthenticationError, PermissionDeniedError
from langgraph_sdk.schema import Command, Run, ThreadState

from errata.core.errors import AccessError, InputError, RemoteError
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.given import as_documents
from errata.running import run_once
from errata.tools.net.redaction import redact

SENT = ("question", "draft", "documents", "messages")
"""The keys of the graph's state that the server gets."""
TAKEN = {*Correction.__dataclass_fields__, *Answer.__dataclass_fields__, "messages"}
"""The keys that come back; the graph's state takes those that it has."""
ANSWERS = "errata_answers"
"""The key in a run's metadata on the server: how many answers its thread has had so far."""
ANSWERED = {"help": "The server has had this answer and goes on. Resume with any value."}
MOST_RUNS = 100
"""How many of a thread's runs are looked at for the answers that were sent."""
POLL = 0.1
"""Seconds between two looks at a run whose stream has ended."""
_UNDER_WAY = ("pending", "running")
_FAILED = ("error", "timeout", "interrupted")


def remote_step(
    assistant: str,
    *,
    url: str,
    api_key: str | None = None,
    headers: Mapping[str, str] | None = None,
    wait_seconds: float = 600.0,
    **settings: Any,
) -> Runnable[Any, dict[str, Any]]:
    """A node that runs a method, or an assistant by its id, on a LangGraph server.

    It sends question, draft, documents and messages of the state, and updates the state as the
    method would as a sub-graph. Where the server's run stops for a person, the graph stops with the
    same interrupt, and its resume goes to the same run: needs a checkpointer here. The thread's id
    is derived from the node's task, so executing the node again joins the run instead of paying for
    another; the thread stays on the server. `settings` are the run's context, `wait_seconds` bounds
    the wait for the server from one stop to the next.

    A call raises InputError outside a graph, AccessError if the server refuses the key, RemoteError
    if it cannot be reached, its run fails or takes too long; invoking the graph with None goes on.
    """

    async def acall(state: object) -> dict[str, Any]:
        runtime = get_runtime()
        info = runtime and runtime.execution_info
        if not info:
            raise InputError("remote_step makes a node; add it to a graph and invoke that")
        thread = str(uuid5(NAMESPACE_URL, f"errata:{info.thread_id}:{info.task_id}"))
        fields: Mapping[str, Any] = state if isinstance(state, Mapping) else vars(state)
        request = {name: fields[name] for name in SENT if fields.get(name)}
        if "documents" in request:
            request["documents"] = to_json(as_documents(request["documents"]))
        later = "invoke the graph with None to go on where it stopped"
        with explained_errors(url, later, wait_seconds):
            async with get_client(url=url, api_key=api_key, headers=headers) as client:
                runs = _RemoteRuns(client, thread, assistant, settings, wait_seconds)
                return await runs.finish(request)

    def call(state: object) -> dict[str, Any]:
        return run_once(acall, state)

    return RunnableLambda(call, acall, name=f"remote.{assistant}")


@contextmanager
def explained_errors(url: str, later: str, wait_seconds: float = 0.0) -> Iterator[None]:
    """Raise what goes wrong with a server as errors that say what to do, `later` how to go on."""
    import httpx

    try:
        yield
    except TimeoutError as error:
        fault = f"the run at {url} goes on after {wait_seconds:g} s; {later}"
        raise RemoteError(fault) from error
    except (AuthenticationError, PermissionDeniedError) as error:
        raise AccessError(redact(f"{url} refuses this: {error.message}")) from error
    except APIStatusError as error:
        fault = f"{url} answers {error.status_code}: {error.message}"
        raise RemoteError(redact(fault)) from error
    except httpx.HTTPError as error:
        fault = f"cannot reach {url}: {str(error) or type(error).__name__}; {later}"
        raise RemoteError(redact(fault)) from error


@dataclass(frozen=True)
class _RemoteRuns:
    """The runs on one thread of a server: the first, and one more for the answers to each stop."""

    client: LangGraphClient
    thread: str
    assistant: str
    settings: Mapping[str, Any]
    wait_seconds: float

    async def finish(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Start a run, or join the one that the task started earlier; return its final state.

        A run that has failed is started again from its last finished step. Stops the graph here for
        each interrupt of the run there, as `interrupt` does.
        """
        await self.client.threads.create(thread_id=self.thread, if_exists="do_nothing")
        runs = await self.client.runs.list(self.thread, limit=MOST_RUNS)
        run = runs[0] if runs else await self._start(0, input=request)
        sent: Any = [each["metadata"] for each in runs]
        answers = max((int(metadata.get(ANSWERS, 0)) for metadata in sent), default=0)
        if run["status"] in _FAILED:
            state = await self.client.threads.get_state(self.thread)
            if not state["interrupts"]:
                run = await self._start(answers, input=None if state["next"] else request)
        for _ in range(answers):
            interrupt(ANSWERED)
        while (state := await self._wait(run))["interrupts"]:
            resume = {
                each["id"]: interrupt(each["value"], response_schema=each.get("response_schema"))
                for each in state["interrupts"]
            }
            answers += len(resume)
            run = await self._start(answers, command={"resume": resume})
        values = cast("dict[str, Any]", state["values"])
        return {name: value for name, value in values.items() if name in TAKEN}

    async def _start(
        self,
        answers: int,
        input: Mapping[str, Any] | None = None,  # noqa: A002  the SDK's name
        command: Command | None = None,
    ) -> Run:
        return await self.client.runs.create(
            self.thread,
            self.assistant,
            input=input,
            command=command,
            context=self.settings,
            metadata={ANSWERS: answers},
            stream_mode=["custom"],
            stream_resumable=True,
            multitask_strategy="reject",
        )

    async def _wait(self, run: Run) -> ThreadState:
        """The thread's state once a run has ended; its progress goes to the graph's custom stream.

        Raises RemoteError if the run failed, TimeoutError if it takes too long.
        """
        async with asyncio.timeout(self.wait_seconds):
            while run["status"] in _UNDER_WAY:
                stream = self.client.runs.join_stream(
                    self.thread, run["run_id"], stream_mode=["custom"]
                )
                async for part in stream:
                    if part.event == "custom":
                        get_stream_writer()(part.data)
                await asyncio.sleep(POLL)
                run = await self.client.runs.get(self.thread, run["run_id"])
            state = await self.client.threads.get_state(self.thread)
        if run["status"] in _FAILED and not state["interrupts"]:
            outcome = await self.client.runs.join(self.thread, run["run_id"])
            fault = outcome.get("__error__", {}).get("message") or f"it ended as {run['status']}"
            raise RemoteError(redact(f"{self.assistant} failed on the server: {fault}"))
        return state
