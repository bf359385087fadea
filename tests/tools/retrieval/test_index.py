"""Indexes, built from real files, searched, brought up to date, and read by two processes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import answer
from errata.errors import InputError, SettingError
from errata.tools.retrieval import qdrant
from errata.tools.retrieval.index import build, search
from errata.tools.retrieval.passages import passage_spans
from errata.tools.retrieval.retrieve import retrieve

QUESTION = "When was the Eiffel Tower opened?"


@pytest.fixture
def texts(tmp_path):
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


def test_an_index_finds_what_files_say(texts, tmp_path):
    built = build([texts], tmp_path / "index")
    assert (built.files, built.read, built.removed) == (4, 4, 0)
    for query, title in [("opened tower", "Eiffel Tower"), ("moon landing 1969", "Moon")]:
        best = search(query, tmp_path / "index", 3)
        assert best[0].title == title
        assert best[0].source == "corpus"
        assert best[0].score > 0
    assert search("zebra", tmp_path / "index", 3) == []


def test_places_point_into_the_file(texts, tmp_path):
    build([texts], tmp_path / "index")
    [found] = search("tower tall", tmp_path / "index", 1)
    path, _, place = found.url.partition("#char=")
    start, end = map(int, place.split(","))
    assert Path(path).read_text()[start:end] == found.text


def test_only_what_changed_is_read(texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)
    assert search("honey", index, 1)
    (texts / "bees.txt").write_text("Bees make wax.\n")
    (texts / "rows.jsonl").unlink()
    (texts / "new.txt").write_text("Cats purr.\n")
    built = build([texts], index)
    assert (built.files, built.read, built.removed) == (4, 2, 2)
    assert build([texts], index).read == 0
    assert search("honey", index, 1) == search("moon", index, 1) == []
    assert search("wax", index, 1)[0].text == "Bees make wax."
    assert search("purr", index, 1)
    assert len(list(index.glob("shard-*"))) == 1


def test_a_second_process_reads_the_same_index(texts, tmp_path):
    index = tmp_path / "index"
    build([texts], index)
    assert search("honey", index, 1)
    code = (
        "import sys; from pathlib import Path\n"
        "from errata.tools.retrieval.index import search, build\n"
        "index = Path(sys.argv[1]); print(search('honey', index, 1)[0].text)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(index)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "Bees make honey.\n"
    assert search("honey", index, 1)[0].text == "Bees make honey."


def test_passages_are_whole_sentences_of_at_most_a_hundred_words():
    text = " ".join(f"Sentence {n} has exactly seven words here." for n in range(100))
    spans = passage_spans(text)
    assert all(len(text[a:b].split()) <= 100 for a, b in spans)
    assert " ".join(text[a:b] for a, b in spans) == text


@pytest.mark.parametrize(
    ("names", "said"), [(["gone"], "is missing"), (["texts/notes.bin"], "nothing to index")]
)
def test_what_cannot_be_indexed_is_refused(texts, tmp_path, names, said):
    assert texts.is_dir()
    with pytest.raises(InputError, match=said):
        build([tmp_path / name for name in names], tmp_path / "index")


def test_no_index_is_said(tmp_path):
    with pytest.raises(InputError, match="holds no index"):
        search("x", tmp_path, 1)


def test_an_unknown_embedder_is_refused(texts, tmp_path):
    with pytest.raises(SettingError, match="cannot open the embedder"):
        build([texts], tmp_path / "index", "magic:x")


@pytest.fixture
def embedder(serving, monkeypatch):
    """Serve embeddings in which feline words are near each other."""
    feline = ("cat", "purr", "kitten")

    async def embed(request):
        rows = (await request.json())["input"]
        vectors = [[float(any(w in row.lower() for w in feline)), 1.0, 0.5] for row in rows]
        data = [{"object": "embedding", "index": n, "embedding": v} for n, v in enumerate(vectors)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse({"object": "list", "data": data, "model": "m", "usage": usage})

    from errata.tools.models.embeddings import embedder_for

    embedder_for.cache_clear()
    address = serving(Starlette(routes=[Route("/v1/embeddings", embed, methods=["POST"])]))
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield "openai:m"
    embedder_for.cache_clear()


def test_dense_vectors_find_what_words_do_not(texts, tmp_path, embedder):
    (texts / "cats.txt").write_text("Cats purr.\n")
    words, both = tmp_path / "words", tmp_path / "both"
    build([texts], words)
    build([texts], both, embedder)
    assert search("kitten", words, 1) == []
    assert search("kitten", both, 1)[0].text == "Cats purr."
    assert search("honey", both, 2)[0].text == "Bees make honey."


def test_crag_answers_from_an_index(root, tmp_path):
    build([root / "demo" / "corpus"], tmp_path / "index")
    done = answer(QUESTION, corpus=tmp_path / "index")
    assert "31 March 1889" in done.response


class Shelf(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002
        text = "The Eiffel Tower was opened on 31 March 1889."
        return [
            LangChainDocument(page_content=text, metadata={"title": "Tower", "source": "shelf"})
        ]


def test_a_langchain_retriever_is_a_corpus():
    done = answer(QUESTION, corpus=Shelf())
    assert done.response == "The Eiffel Tower was opened on 31 March 1889."
    assert (done.documents[0].title, done.documents[0].url) == ("Tower", "shelf")


KEYS = ("ids", "vectors", "payloads")


class Qdrant:
    """Speak as much of Qdrant's REST interface as its LangChain store uses; rank by cosine."""

    def __init__(self):
        self.config, self.points = None, {}

    async def collection(self, request):
        if request.method == "PUT":
            self.config = (await request.json())["vectors"]
        if request.method == "DELETE":
            self.config, self.points = None, {}
        if request.method == "GET" and self.config is None:
            return JSONResponse({"status": {"error": "Not found"}}, 404)
        params = {"vectors": self.config, "shard_number": 1, "replication_factor": 1}
        hnsw = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000}
        optimizer = {"deleted_threshold": 0.2, "vacuum_min_vector_number": 1}
        optimizer |= {"default_segment_number": 0, "flush_interval_sec": 5}
        info = {"status": "green", "optimizer_status": "ok", "segments_count": 1}
        info |= {"payload_schema": {}, "points_count": len(self.points)}
        info["config"] = {
            "params": params,
            "hnsw_config": hnsw,
            "optimizer_config": optimizer,
            "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
        }
        return self.said(True if request.method != "GET" else info)

    async def exists(self, _):
        return self.said({"exists": self.config is not None})

    async def upsert(self, request):
        body = await request.json()
        rows = body.get("points") or [
            {"id": i, "vector": v, "payload": p}
            for i, v, p in zip(*map(body["batch"].get, KEYS), strict=True)
        ]
        self.points |= {row["id"]: row for row in rows}
        return self.said({"operation_id": 1, "status": "completed"})

    async def query(self, request):
        body = await request.json()
        wanted = body["query"]
        wanted = wanted["nearest"] if isinstance(wanted, dict) else wanted
        scored = sorted(self.points.values(), key=lambda row: -self.near(row, wanted))
        found = [
            {
                "id": row["id"],
                "version": 1,
                "score": self.near(row, wanted),
                "payload": row["payload"],
            }
            for row in scored[: body["limit"]]
        ]
        return self.said({"points": found})

    @staticmethod
    def near(row, wanted):
        vector = row["vector"]
        vector = vector.get("") if isinstance(vector, dict) else vector
        return sum(a * b for a, b in zip(vector, wanted, strict=True))

    @staticmethod
    def said(result):
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


def test_a_corpus_may_live_on_a_qdrant_server(texts, serving, embedder):
    pytest.importorskip("langchain_qdrant", reason="needs errata[qdrant]")
    (texts / "cats.txt").write_text("Cats purr.\n")
    place = f"qdrant:{serving(Qdrant().app)}/texts?{embedder}"
    assert qdrant.build([texts], place) == 5
    [best, _] = qdrant.search("kitten", place, 2)
    assert (best.text, best.source) == ("Cats purr.", "corpus")
    assert best.url.endswith("cats.txt#char=0,10")
    done = answer("Which cats purr like a kitten?", corpus=place)
    assert "Cats purr." in [document.text for document in done.documents]


@pytest.mark.parametrize("place", ["qdrant:http://127.0.0.1:9/texts", "qdrant:texts?openai:m"])
def test_a_place_on_a_server_is_named_in_full(place):
    with pytest.raises(SettingError, match="is not of the form"):
        answer(QUESTION, corpus=place)


def test_a_server_that_is_not_there_is_said(embedder):
    pytest.importorskip("langchain_qdrant", reason="needs errata[qdrant]")
    with pytest.raises(InputError, match="cannot be used"):
        qdrant.search("x", f"qdrant:http://127.0.0.1:9/texts?{embedder}", 3)


@pytest.mark.anyio
async def test_a_folder_is_read_anew_when_a_file_in_it_was_written(texts):
    assert (await retrieve("honey", str(texts), 1))[0].title == "bees"
    (texts / "page.html").unlink()
    (texts / "bees.txt").write_text("Bees make wax.\n")
    assert await retrieve("honey", str(texts), 1) == []
    assert (await retrieve("wax", str(texts), 1))[0].text == "Bees make wax.\n"
