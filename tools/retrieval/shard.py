"""Passages in one shard of qdrant-edge: BM25, and dense vectors if there is an embedder."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.utils.iter import batch_iterate

from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.models.embeddings import asking_embedder

SPARSE, DENSE = "words", "meaning"
"""Names of the two vectors of a passage."""
BATCH = 500
"""Passages embedded and written at once."""
OVERSAMPLING = 4
"""Passages that each half of a hybrid query returns, in multiples of k."""
RRF_K = 60
"""The constant of reciprocal rank fusion."""
SETTLED = 20_000
"""After how many passages a new shard writes them out as a segment, which frees their memory."""
MANY, FEW = 100_000, 2
"""How many segments a shard may keep: any number while it is built, then one and an empty one for
what an update adds."""
MAX_SEGMENT = 10**9
"""The largest segment in kilobytes: scores in several are rounded otherwise than in one."""


class Shard:
    """A searchable set of passages."""

    def __init__(self, path: Path, embedder: Any = None) -> None:
        """Open the shard in a folder, or create one if the folder is empty or missing.

        Raises InputError, as all that needs vectors does, if the embedder fails.
        """
        import qdrant_edge

        self._edge = qdrant_edge
        self._bm25 = qdrant_edge.Bm25()
        self._embedder = embedder
        self._path, self._unsettled = str(path), 0
        exists = path.is_dir() and any(path.iterdir())
        # Graphs of dense vectors would be built once in each part and again in the whole.
        self._in_parts = not exists and not embedder
        path.mkdir(parents=True, exist_ok=True)
        edge = qdrant_edge.EdgeShard
        self._shard = edge.load(self._path) if exists else edge.create(self._path, self._config())

    def _config(self) -> Any:
        """The settings of a new shard, without a log: before it is closed it is of no use."""
        edge, vectors = self._edge, {}
        if self._embedder:
            size = len(self._meaning("size"))
            vectors[DENSE] = edge.EdgeVectorParams(size=size, distance=edge.Distance.Cosine)
        idf = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
        return edge.EdgeConfig(
            vectors=vectors,
            sparse_vectors={SPARSE: idf},
            optimizers=edge.EdgeOptimizersConfig(
                default_segment_number=MANY if self._in_parts else FEW, max_segment_size=MAX_SEGMENT
            ),
            wal_enabled=False,
        )

    def add(self, passages: Iterable[Document], first: int) -> int:
        """Add passages, numbered from `first`; returns how many."""
        count = 0
        for batch in batch_iterate(BATCH, passages):
            points = self._points(batch, first + count)
            self._shard.update(self._edge.UpdateOperation.upsert_points(points))
            count += len(batch)
            self._unsettled += len(batch)
            if self._in_parts and self._unsettled >= SETTLED:
                self._shard.optimize()
                self._shard.flush()  # lets go of the pages of their files, too
                self._unsettled = 0
        return count

    def _points(self, batch: Sequence[Document], first: int) -> list[Any]:
        texts = [f"{passage.title}\n{passage.text}" for passage in batch]
        dense = self._meanings(texts) if self._embedder else [None] * len(texts)
        rows = zip(batch, texts, dense, strict=True)
        return [
            self._edge.Point(
                id=number,
                vector={SPARSE: self._bm25.embed_document(text)}
                | ({DENSE: vector} if vector else {}),
                payload=to_json(passage),
            )
            for number, (passage, text, vector) in enumerate(rows, start=first)
        ]

    def _meanings(self, texts: list[str]) -> list[Any]:
        with asking_embedder():
            return list(self._embedder.embed_documents(texts))

    def _meaning(self, text: str) -> list[float]:
        with asking_embedder():
            return list(self._embedder.embed_query(text))

    def remove(self, numbers: range) -> None:
        """Delete the passages with these numbers."""
        self._shard.update(self._edge.UpdateOperation.delete_points(list(numbers)))

    def query(self, text: str, k: int) -> list[Document]:
        """The k best passages with scores: BM25, or its rank fusion with dense similarity."""
        edge = self._edge
        sparse = edge.Query.Nearest(self._bm25.embed_query(text), using=SPARSE)
        request = edge.QueryRequest(limit=k, query=sparse, with_payload=True)
        if self._embedder:
            dense = edge.Query.Nearest(self._meaning(text), using=DENSE)
            halves = [edge.Prefetch(limit=k * OVERSAMPLING, query=half) for half in (sparse, dense)]
            fusion = edge.Fusion.Rrf(k=RRF_K)
            request = edge.QueryRequest(limit=k, query=fusion, prefetches=halves, with_payload=True)
        return [
            from_json(Document, (point.payload or {}) | {"score": point.score})
            for point in self._shard.query(request)
        ]

    def close(self) -> None:
        """Write everything to disk and release the folder."""
        self._shard.flush()
        self._shard.optimize()
        self._shard.close()
        if self._in_parts:
            # Make one segment of those that it was built in.
            self._in_parts = False
            shard = self._edge.EdgeShard.load(self._path, self._config())
            shard.optimize()
            shard.close()
