import json

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from errata.evals.endpoint.faults import flood


@pytest.fixture
def texts(tmp_path):
    """A folder with one file of each kind, and one that cannot be read."""
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "tower.md").write_text("# Eiffel Tower\n\nThe tower was opened in 1889. It is tall.")
    (folder / "bees.txt").write_text("Bees make honey.\n")
    (folder / "page.html").write_text(
        f"<html><body><article><p>{'The canal of Panama was opened in 1914. ' * 9}</p></article>"
    )
    rows = [{"id": "r1", "title": "Moon", "text": "Apollo 11 landed on the moon in July 1969."}]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "notes.bin").write_bytes(b"\x80")
    return folder


@pytest.fixture
def embedder(serving, monkeypatch):
    """The spec of served embeddings in which words about cats are similar."""
    feline = ("cat", "purr", "kitten")

    async def embed(request):
        if "flood" in request.headers["authorization"]:
            return StreamingResponse(flood(), media_type="application/json")
        rows = (await request.json())["input"]
        vectors = [[float(any(w in row.lower() for w in feline)), 1.0, 0.5] for row in rows]
        data = [{"object": "embedding", "index": n, "embedding": v} for n, v in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse({"object": "list", "data": data, "model": "m", "usage": usage})

    from errata.tools.models.pool import embedder_for

    embedder_for.cache_clear()
    address = serving(Starlette(routes=[Route("/v1/embeddings", embed, methods=["POST"])]))
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield "openai:m"
    embedder_for.cache_clear()
