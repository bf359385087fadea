"""A corpus on a Qdrant server, with a stand-in that speaks its REST interface."""

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import answer
from errata.core.errors import InputError, SettingError
from errata.tools.retrieval import qdrant


class Qdrant:
    """As much of Qdrant's REST interface as its LangChain store uses; ranks by dot product."""

    def __init__(self):
        self.config, self.points = None, {}

    async def collection(self, request):
        if request.method == "PUT":
            self.config = (await request.json())["vectors"]
        if request.method == "DELETE":
            self.config, self.points = None, {}
        if request.method == "GET" and self.config is None:
            return JSONResponse({"status": {"error": "Not found"}}, 404)
        return self.respond(True if request.method != "GET" else self.info())

    def info(self):
        optimizer = {"deleted_threshold": 0.2, "vacuum_min_vector_number": 1}
        optimizer |= {"default_segment_number": 0, "flush_interval_sec": 5}
        config = {
            "params": {"vectors": self.config, "shard_number": 1, "replication_factor": 1},
            "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
            "optimizer_config": optimizer,
            "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
        }
        counts = {"segments_count": 1, "points_count": len(self.points), "payload_schema": {}}
        return {"status": "green", "optimizer_status": "ok", "config": config, **counts}

    async def exists(self, _):
        return self.respond({"exists": self.config is not None})

    async def upsert(self, request):
        body = await request.json()
        columns = map(body["batch"].get, ("ids", "vectors", "payloads")) if "batch" in body else ()
        rows = body.get("points") or [
            {"id": i, "vector": v, "payload": p} for i, v, p in zip(*columns, strict=True)
        ]
        self.points |= {row["id"]: row for row in rows}
        return self.respond({"operation_id": 1, "status": "completed"})

    async def query(self, request):
        body = await request.json()
        query = body["query"]
        query = query["nearest"] if isinstance(query, dict) else query
        rows = [
            {
                "id": row["id"],
                "version": 1,
                "score": self.score(row, query),
                "payload": row["payload"],
            }
            for row in self.points.values()
        ]
        points = sorted(rows, key=lambda row: -row["score"])[: body["limit"]]
        return self.respond({"points": points})

    @staticmethod
    def score(row, query):
        vector = row["vector"]
        vector = vector.get("") if isinstance(vector, dict) else vector
        return sum(a * b for a, b in zip(vector, query, strict=True))

    @staticmethod
    def respond(result):
        return JSONResponse({"result": result, "status": "ok", "time": 0.001})

    @property
    def app(self):
        name = "/collections/{name}"
        return Starlette(
            routes=[
                Route("/", lambda _: JSONResponse({"title": "qdrant", "version": "1.16.0"})),
                Route(f"{name}/exists", self.exists),
                Route(f"{name}/points/query", self.query, methods=["POST"]),
                Route(f"{name}/points", self.upsert, methods=["PUT"]),
                Route(name, self.collection, methods=["GET", "PUT", "DELETE"]),
            ]
        )


@pytest.mark.slow
def test_a_corpus_may_be_on_a_qdrant_server(texts, serving, embedder):
    pytest.importorskip("langchain_qdrant", reason="needs errata[qdrant]")
    (texts / "cats.txt").write_text("Cats purr.\n")
    corpus = f"qdrant:{serving(Qdrant().app)}/texts?{embedder}"
    assert qdrant.build([texts], corpus).passages == 5
    [best, _] = qdrant.search("kitten", corpus, 2)
    assert (best.text, best.source) == ("Cats purr.", "corpus")
    assert best.url.endswith("cats.txt#char=0,10")
    result = answer("Which cats purr like a kitten?", corpus=corpus)
    assert "Cats purr." in [document.text for document in result.documents]


@pytest.mark.parametrize("corpus", ["qdrant:http://127.0.0.1:9/texts", "qdrant:texts?openai:m"])
def test_an_incomplete_address_is_an_error(corpus):
    with pytest.raises(SettingError, match="is not of the form"):
        answer("When was the Eiffel Tower opened?", corpus=corpus)


def test_a_server_that_does_not_answer_is_an_error(embedder):
    pytest.importorskip("langchain_qdrant", reason="needs errata[qdrant]")
    with pytest.raises(InputError, match="cannot be used"):
        qdrant.search("x", f"qdrant:http://127.0.0.1:9/texts?{embedder}", 3)
