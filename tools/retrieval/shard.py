"""Passages in one shard of qdrant-edge: BM25, and dense vectors where there is an embedder."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.utils.iter import batch_iterate

from errata.records import Document, from_json, to_json

WORDS, MEANING = "words", "meaning"
BATCH = 500
FUSED = 4
"""How many times more passages each half of a hybrid query gives than are wanted."""
RANK = 60
"""The constant of reciprocal rank fusion."""


class Shard:
    """Hold passages that can be searched."""

    def __init__(self, path: Path, embedder: Any = None) -> None:
        """Open the shard of a folder, or make one where there is none."""
        import qdrant_edge

        self._edge = qdrant_edge
        self._bm25 = qdrant_edge.Bm25()
        self._embedder = embedder
        there = path.is_dir() and any(path.iterdir())
        path.mkdir(parents=True, exist_ok=True)
        edge = qdrant_edge.EdgeShard
        self._shard = edge.load(str(path)) if there else edge.create(str(path), self._config())

    def _config(self) -> Any:
        edge, vectors = self._edge, {}
        if self._embedder:
            size = len(self._embedder.embed_query("size"))
            vectors[MEANING] = edge.EdgeVectorParams(size=size, distance=edge.Distance.Cosine)
        idf = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
        return edge.EdgeConfig(vectors=vectors, sparse_vectors={WORDS: idf})

    def add(self, passages: Iterable[Document], first: int) -> int:
        """Add passages, numbered from `first`; give how many there were."""
        count = 0
        for batch in batch_iterate(BATCH, passages):
            points = self._points(batch, first + count)
            self._shard.update(self._edge.UpdateOperation.upsert_points(points))
            count += len(batch)
        return count

    def _points(self, batch: Sequence[Document], first: int) -> list[Any]:
        texts = [f"{passage.title}\n{passage.text}" for passage in batch]
        dense = self._embedder.embed_documents(texts) if self._embedder else [None] * len(texts)
        return [
            self._edge.Point(
                id=number,
                vector={WORDS: self._bm25.embed_document(text)}
                | ({MEANING: vector} if vector else {}),
                payload=to_json(passage),
            )
            for number, (passage, text, vector) in enumerate(
                zip(batch, texts, dense, strict=True), start=first
            )
        ]

    def remove(self, numbers: range) -> None:
        """Take passages out."""
        self._shard.update(self._edge.UpdateOperation.delete_points(list(numbers)))

    def query(self, text: str, k: int) -> list[Document]:
        """Give at most k passages that match best, with their scores."""
        edge = self._edge
        words = edge.Query.Nearest(self._bm25.embed_query(text), using=WORDS)
        request = edge.QueryRequest(limit=k, query=words, with_payload=True)
        if self._embedder:
            near = edge.Query.Nearest(self._embedder.embed_query(text), using=MEANING)
            halves = [edge.Prefetch(limit=k * FUSED, query=query) for query in (words, near)]
            fused = edge.Fusion.Rrf(k=RANK)
            request = edge.QueryRequest(limit=k, query=fused, prefetches=halves, with_payload=True)
        return [
            from_json(Document, (point.payload or {}) | {"score": point.score})
            for point in self._shard.query(request)
        ]

    def close(self) -> None:
        """Write everything and let go of the folder."""
        self._shard.flush()
        self._shard.optimize()
        self._shard.close()
