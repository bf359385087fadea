"""The simulated endpoint as an application: completions, decisions, searches, pages, counts."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from html import escape

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from errata.evals.endpoint.decisions import FORMS, answer_body
from errata.evals.endpoint.faults import DroppedResponse, faulty_reply, flood
from errata.evals.endpoint.matching import find_sentence, words_of
from errata.evals.endpoint.people import people
from errata.evals.endpoint.replies import reply_to
from errata.evals.endpoint.settings import SEARCH_FAILING, Settings, draw
from errata.evals.endpoint.wire import COMPLETIONS, SEARCH, chunk, completion, error, prompt_text
from errata.prompts.library import stem_of
from errata.tools.models.chat import HEADER
from errata.tools.text.words import count_tokens

HITS = 10
REFUSED: dict[str, tuple[int, str, dict[str, str]]] = {
    "limited": (429, "too many requests", {"retry-after-ms": "50"}),
    "failing": (500, "something broke", {}),
    "denied": (401, "the key is not valid", {}),
}


class Endpoint:
    """Replies to our templates, waits as a model would, fails as often as it is told to."""

    def __init__(self, settings: Settings | None = None) -> None:
        """Nothing was asked yet."""
        self.settings = settings or Settings()
        self.counts = Counter[str]()
        """Calls, searches, pages, tokens and faults."""
        self.prompts = Counter[str]()
        """Calls by template, without its version."""
        self._attempts = Counter[str]()

    @property
    def app(self) -> Starlette:
        """The application, with one state for all that serve it."""
        routes = [
            Route(COMPLETIONS, self.complete, methods=["POST"]),
            *(Route(path, self.decide, methods=["POST"]) for path in FORMS),
            Route(SEARCH, self.search),
            Route("/page/{number:int}", self.send_page),
            Route("/counts", self.send_counts),
        ]
        return Starlette(routes=routes)

    async def complete(self, request: Request) -> Response:
        """One chat completion, or the fault that its text draws; 400 if it is no such request.

        It comes, whole or spoilt, when its last token would have come, or as a stream.
        """
        try:
            text = prompt_text(await request.json())
        except (ValueError, LookupError, TypeError):
            return JSONResponse(error("expected JSON with messages, each with a content"), 400)
        name = request.headers.get(HEADER, "")
        fault = self._count(text, stem_of(name))
        if failed := await _fail(fault, request):
            return failed
        reply = faulty_reply(fault, text, reply_to(name, text))
        tokens = count_tokens(reply)
        self.counts.update(prompt_tokens=count_tokens(text), completion_tokens=tokens)
        if not fault and (await request.json()).get("stream"):
            return StreamingResponse(self._write(reply), media_type="text/event-stream")
        await asyncio.sleep(self.settings.first + self.settings.token * tokens)
        said = {"role": "assistant", "content": reply}
        reason = "length" if fault == "cut" else "stop"
        kind = DroppedResponse if fault == "dropped" else JSONResponse
        return kind(completion(said, reason=reason, prompt=text))

    async def decide(self, request: Request) -> Response:
        """Typed answers, or the fault that what is asked draws; 400 if it is no such request."""
        try:
            reply = answer_body(request.url.path, await request.json())
        except (ValueError, LookupError, TypeError):
            return JSONResponse(error("expected JSON with a model, a state and questions"), 400)
        fault = self._count(str(await request.json()), "decisions")
        if failed := await _fail(fault, request):
            return failed
        await asyncio.sleep(self.settings.decision)
        return (DroppedResponse if fault == "dropped" else JSONResponse)(reply)

    def _count(self, text: str, stem: str) -> str:
        """Count a call; the fault that it gets, or none."""
        self._attempts[text] += 1
        fault = self.settings.draw_fault(text, self._attempts[text])
        self.counts.update(["calls", *([fault] if fault else [])])
        self.prompts[stem] += 1
        return fault

    async def _write(self, reply: str) -> AsyncIterator[bytes]:
        """A reply word by word, each when its tokens would have come."""
        loop = asyncio.get_running_loop()
        begun, sent = loop.time() + self.settings.first, ""
        for word in re.findall(r"\s*\S+", reply):
            sent += word
            due = begun + self.settings.token * count_tokens(sent)
            await asyncio.sleep(max(0.0, due - loop.time()))
            yield chunk(word)
        yield chunk("", reason="stop")

    async def search(self, request: Request) -> Response:
        """SerpAPI's organic results: the people whose pages share words with the query."""
        query = request.query_params.get("q", "")
        self._attempts[query] += 1
        self.counts["searches"] += 1
        await asyncio.sleep(self.settings.search)
        if draw(query, self._attempts[query]) < self.settings.rates.get(SEARCH_FAILING, 0.0):
            return JSONResponse({"error": "something broke"}, 500)
        results = [
            {
                "position": place,
                "title": people()[number].name,
                "link": f"{request.base_url}page/{number}",
                "snippet": find_sentence(query, people()[number].page),
            }
            for place, number in enumerate(_rank(query), start=1)
        ]
        return JSONResponse({"organic_results": results})

    async def send_page(self, request: Request) -> Response:
        """The page of one person; 404 if there is none of the number."""
        number = request.path_params["number"]
        if number >= len(people()):
            raise HTTPException(404)
        self.counts["pages"] += 1
        await asyncio.sleep(self.settings.page)
        person = people()[number]
        return HTMLResponse(
            f"<!doctype html><html lang=en><head><title>{escape(person.name)}</title></head><body>"
            f"<article><h1>{escape(person.name)}</h1><p>{escape(person.page)}</p></article></body>"
        )

    async def send_counts(self, _: Request) -> Response:
        """What was asked and spent until now, and the calls by template."""
        return JSONResponse({**self.counts, "prompts": self.prompts})


async def _fail(fault: str, request: Request) -> Response | None:
    """What comes in place of any answer; None for other faults."""
    if fault == "broken":
        return Response('{"choices": [', media_type="application/json")
    if fault == "flooding":
        return StreamingResponse(flood(), media_type="application/json")
    if fault == "hanging":
        await request.receive()  # comes when the caller has gone
    status, message, headers = REFUSED.get(fault, (0, "", {}))
    return JSONResponse(error(message), status, headers) if status else None


def _rank(query: str) -> list[int]:
    """The numbers of the people whose pages share words with a query, the most words first."""
    asked = words_of(query)
    shared = {n: len(asked & words_of(person.page)) for n, person in enumerate(people())}
    found = [number for number in shared if shared[number]]
    return sorted(found, key=lambda number: -shared[number])[:HITS]
