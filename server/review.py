"""The page where callers decide on the reviews that wait here, by LangGraph's own API alone.

A page without data is open to all; it asks for all else with its reader's key, and every call that
is made for it goes through the same guard and auth as any other of that caller. Decisions are in
LangGraph's store, under their caller: a thread's metadata would be copied into each run and trace.
"""

from asyncio import create_task, sleep, to_thread
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from langgraph_sdk.client import LangGraphClient
from langgraph_sdk.errors import APIStatusError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from errata.core.errors import InputError, count
from errata.core.events import read_event
from errata.core.jsonable import from_json
from errata.core.records import Correction, Verdict
from errata.methods import METHODS
from errata.nodes.claims import label_for
from errata.render.html import PAGE_HEADERS, listing, script
from errata.reviews import REDRAW_SECONDS, Review, Sheet, as_lines
from errata.server.auth import OPERATORS
from errata.server.guard import CALLER, is_unlimited
from errata.server.shares import MCP_CALLER

MOST = 100
"""How many threads are listed, those that changed last; how many decisions are read at a time."""
_FORWARDED = ("x-api-key", "authorization", "host", "origin")
_SHOWN = (
    "question draft response label claims verdicts edits skipped unmended documents notes".split()
)
Json = Mapping[str, Any]


@asynccontextmanager
async def _as_caller(request: Request) -> AsyncIterator[LangGraphClient]:
    """A client of this very server with a caller's rights, and no more."""
    import httpx
    from langgraph_api.asgi_transport import ASGITransport

    user = request.scope[CALLER]
    MCP_CALLER.set("" if is_unlimited(user) else str(user["identity"]))  # who pays for drawing
    headers = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
    here: Any = {"transport": ASGITransport(request.app), "base_url": "http://localhost"}
    try:
        async with httpx.AsyncClient(headers=headers, **here) as http:
            yield LangGraphClient(http)
    except APIStatusError as error:
        raise HTTPException(error.status_code, error.message) from error
    except (ValueError, KeyError, TypeError) as error:
        raise HTTPException(422, str(error)) from error


async def send_pages(request: Request) -> Response:
    """What to show of a thread, or of all, as often as it changes, each a line of JSON."""
    pages = _pages(request)
    first = await anext(pages)  # raises what is wrong while the status can still say so

    async def every() -> AsyncIterator[str]:
        yield first
        async for page in pages:
            yield page

    return StreamingResponse(every(), 200, PAGE_HEADERS, "application/jsonl")


async def _pages(request: Request) -> AsyncIterator[str]:
    name = request.query_params.get("thread")
    async with _as_caller(request) as client:
        if not name:
            yield as_lines([listing([each async for each in _list(client)])])
            return
        while (thread := await _find(client, name))["status"] == "busy":
            async for line in _follow(client, thread):
                yield line
        sheet, review = Sheet(), await _open(client, thread)
        if review:
            sheet.open(review)
        else:
            sheet.so_far = _correction(thread, {})
            sheet.tell(f"nothing to decide on: the thread is {thread['status']}")
        yield as_lines([await to_thread(sheet.page, live=False)])


async def _list(client: LangGraphClient) -> AsyncIterator[dict[str, str]]:
    """The threads with a review that waits, and those under way."""
    for each in await client.threads.search(
        status="interrupted", limit=MOST, select=["thread_id", "interrupts"]
    ):
        for value in _asked(each).values():
            about = " ".join(f"{value.get('question') or value.get('draft')}".split())[:60]
            says = f"waits: {count(list(value.get('edits') or ()), 'edit')}"
            yield {"thread": each["thread_id"], "about": about, "says": says}
    for each in await client.threads.search(status="busy", limit=MOST, select=["thread_id"]):
        yield {"thread": each["thread_id"], "about": each["thread_id"], "says": "under way"}


async def _follow(client: LangGraphClient, thread: Json) -> AsyncIterator[str]:
    """The page while the latest run of a thread goes on."""
    sheet, name = Sheet(), thread["thread_id"]
    sheet.so_far = _correction(thread, {})
    [run] = await client.runs.list(name, limit=1)

    async def listen() -> None:
        own: Any = {"stream_mode": "custom", "last_event_id": "-1"}
        async for part in client.runs.join_stream(name, run["run_id"], **own):
            if part.event.startswith("custom") and (event := read_event(part.data)):
                sheet.add(event)

    listening, lines = create_task(listen()), sheet.lines()
    try:
        while not listening.done():
            if line := await to_thread(next, lines):
                yield line
            await sleep(REDRAW_SECONDS)
        listening.result()
    finally:
        listening.cancel()


async def send_rows(request: Request) -> Response:
    """A caller's decisions, on a thread or on all, as lines that `errata calibrate` reads."""
    async with _as_caller(request) as client:
        place = filter(None, [request.query_params.get("thread")])
        rows = [row async for row in _decided(client, *place)]
    return Response(as_lines(rows), 200, PAGE_HEADERS, "application/jsonl")


async def decide(request: Request) -> Response:
    """Keep a decision on an edit, or finish: resume the run with those on all edits."""
    body = await request.json()
    async with _as_caller(request) as client:
        thread = await _find(client, request.query_params["thread"])
        review = await _open(client, thread)
        if review is None or review.name != body["name"]:
            raise InputError("this review waits no longer; load the page anew")
        if request.url.path.endswith("finish"):
            await _resume(client, thread, review)
            return JSONResponse({"live": True})
        reply = review.answer(body)
        rows = list(review.rows({body["id"]: review.made[body["id"]]}))
        place = ("reviews", thread["thread_id"], review.name)
        await client.store.put_item(place, body["id"], {"rows": rows}, index=False)
    return JSONResponse(reply)


async def _resume(client: LangGraphClient, thread: Json, review: Review) -> None:
    """Resume a run with decisions, in the edits' order, and with the settings that it has."""
    review.check_finished()
    ids = [each["id"] for each in _asked(thread)[review.name]["edits"]]
    answer = dict(zip(ids, review.decisions.values(), strict=True))
    run: Any
    [run] = await client.runs.list(thread["thread_id"], limit=1)
    ours = thread["metadata"].get("graph_id") in METHODS
    context = run["kwargs"].get("context") or {}
    await client.runs.create(
        thread["thread_id"],
        run["assistant_id"],
        command={"resume": {review.name: answer}},
        context={n: v for n, v in context.items() if not (ours and n in OPERATORS)},
        stream_mode=["custom"],
        stream_resumable=True,
        multitask_strategy="reject",
    )


async def _find(client: LangGraphClient, name: str) -> Any:
    """A thread. Raises InputError if the caller has none of that id."""
    for each in await client.threads.search(
        ids=[name], select=["thread_id", "status", "metadata", "interrupts", "values"]
    ):
        return each
    raise InputError(f"no thread {name!r} of yours")


def _asked(thread: Json) -> dict[str, Json]:
    """What the interrupts of a thread that ask for a review say, by their ids."""
    return {
        each["id"]: each["value"]
        for task in thread["interrupts"].values()
        for each in task
        if isinstance(each["value"], Mapping) and each["value"].get("kind") == "review"
    }


async def _open(client: LangGraphClient, thread: Json) -> Review | None:
    """The first review that a thread waits for, with its caller's decisions so far."""
    for name, value in _asked(thread).items():
        review = Review(_correction(thread, value), name)
        review.read([row async for row in _decided(client, thread["thread_id"], name)])
        return review
    return None


def _correction(thread: Json, asked: Json) -> Correction:
    """What a thread holds of a correction, or what its agent said last; the edits asked about."""
    values = thread.get("values") or {}
    last = (values.get("messages") or [{}])[-1]
    edits = [
        {**each, "claims": [c["claim"] for c in each["claims"] if "claim" in c]}
        for each in asked.get("edits", ())
    ]
    judged = {c["claim"]: c for e in asked.get("edits", ()) for c in e["claims"] if "claim" in c}
    verdicts = from_json(list[Verdict], list(judged.values()))
    given = {
        "method": "review",
        "changed": bool(edits),
        **dict.fromkeys(("question", "draft"), ""),
        "response": str(last.get("content") or "") if isinstance(last, Mapping) else "",
        "claims": [{"start": 0, "end": 0, **c, "id": name} for name, c in judged.items()],
        "verdicts": verdicts,
        "label": label_for(verdicts),
        **{name: values[name] for name in _SHOWN if values.get(name)},
        **{name: asked[name] for name in ("question", "draft", "response") if name in asked},
        **({"edits": edits} if edits else {}),
    }
    return from_json(Correction, given)


async def _decided(client: LangGraphClient, *place: str) -> AsyncIterator[dict[str, Any]]:
    """The rows of a caller's decisions: all, or those of a thread or of one review."""
    offset, more = 0, True
    while more:
        found = await client.store.search_items(("reviews", *place), limit=MOST, offset=offset)
        offset, more = offset + MOST, len(found["items"]) == MOST
        for item in found["items"]:
            for row in item["value"]["rows"]:
                yield row


routes = [
    Route("/review", RedirectResponse("review/")),
    Route("/review/", Response(Sheet().page(), 200, PAGE_HEADERS, "text/html")),
    Route("/review/review.js", Response(script(), 200, PAGE_HEADERS, "text/javascript")),
    Route("/review/events", send_pages),
    Route("/review/decisions", send_rows),
    Route("/review/decisions", decide, methods=["POST"]),
    Route("/review/finish", decide, methods=["POST"]),
]
