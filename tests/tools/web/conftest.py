import json

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from errata.evals.endpoint.faults import flood


class SearchServer:
    """Answers requests with the statuses of a plan, then with a reply; records their content.

    The headers of a status that is no success are `wait`.
    """

    KEY = "serpapi-secret-key"

    def __init__(self):
        self.plan, self.reply, self.requests, self.address = [], {}, [], ""
        self.wait = {"Retry-After": "0.01"}

    async def answer(self, request):
        body = await request.body()
        self.requests.append(json.loads(body) if body else dict(request.query_params))
        status = self.plan.pop(0) if self.plan else 200
        if status == "flooded":
            return StreamingResponse(flood(), media_type="application/json")
        if status == "broken":
            return Response("{nope", media_type="application/json")
        if status != 200:
            return JSONResponse({"error": f"no, {self.KEY}"}, status, self.wait)
        return Response(json.dumps(self.reply), media_type="application/json")


@pytest.fixture
def server(serving, monkeypatch):
    """A server that every search engine's requests go to."""
    server = SearchServer()
    route = Route("/{path:path}", server.answer, methods=["GET", "POST"])
    server.address = serving(Starlette(routes=[route]))
    for name in ("SERPAPI_BASE_URL", "SERPER_BASE_URL", "SEARXNG_URL"):
        monkeypatch.setenv(name, server.address)
    monkeypatch.setenv("WIKIPEDIA_API_URL", f"{server.address}/w/api.php")
    monkeypatch.setenv("SERPAPI_API_KEY", server.KEY)
    monkeypatch.setenv("SERPER_API_KEY", server.KEY)
    return server
