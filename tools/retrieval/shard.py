"""Passages in one shard of qdrant-edge: BM25, and dense vectors if there is an embedder.

An index is a folder with a manifest and the folder of its shard.
"""

import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.utils.iter import batch_iterate

from errata.core.errors import require
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.models.pool import asking_embedder

MANIFEST = "index.json"
"""The file that makes a folder an index."""
SHARD = "shard-"
"""How the names of its folders begin."""
_READING = ".reading"
"""The lock of the process that has a shard open."""
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


def has_index(folder: Path) -> bool:
    """Whether a folder has a finished index: a manifest and a shard."""
    return (folder / MANIFEST).is_file() and any(folder.glob(f"{SHARD}*"))


def copy_shard(source: Path | None, target: Path) -> None:
    """Copy a shard, or start from an empty folder if there is none."""
    shutil.rmtree(target, ignore_errors=True)
    if source:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(_READING))


def own_shard(shard: Path, stack: ExitStack) -> Path:
    """A shard for this process alone until the stack is closed: a copy if another has it open."""
    try:
        stack.enter_context(FileLock(shard / _READING, timeout=0, thread_local=False))
    except (Timeout, OSError):
        copy = Path(mkdtemp(prefix="errata-index-"))
        stack.callback(shutil.rmtree, copy, ignore_errors=True)
        copy_shard(shard, copy)
        return copy
    return shard


class Shard:
    """A searchable set of passages."""

    def __init__(self, path: Path, embedder: Any = None) -> None:
        """Open the shard in a folder, or create one if the folder is empty or missing.

        Raises InputError, as all that needs vectors does, if the embedder fails, and SettingError
        if qdrant-edge is missing.
        """
        require("an index", "index", "qdrant_edge")
        import qdrant_edge

        self._edge, self._bm25 = qdrant_edge, qdrant_edge.Bm25()
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
            with asking_embedder():
                size = len(self._embedder.embed_query("size"))
            vectors[DENSE] = edge.EdgeVectorParams(size=size, distance=edge.Distance.Cosine)
        idf = edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
        segments = MANY if self._in_parts else FEW
        return edge.EdgeConfig(
            vectors=vectors,
            sparse_vectors={SPARSE: idf},
            optimizers=edge.EdgeOptimizersConfig(
                default_segment_number=segments, max_segment_size=MAX_SEGMENT
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
        texts, points = [f"{passage.title}\n{passage.text}" for passage in batch], []
        dense: list[Any] = []
        if self._embedder:
            with asking_embedder():
                dense = self._embedder.embed_documents(texts)
        for place, (passage, text) in enumerate(zip(batch, texts, strict=True)):
            vector: dict[str, Any] = {SPARSE: self._bm25.embed_document(text)}
            if dense:
                vector[DENSE] = dense[place]
            payload = to_json(passage)
            points.append(self._edge.Point(id=first + place, vector=vector, payload=payload))
        return points

    def remove(self, numbers: range) -> None:
        """Delete the passages with these numbers."""
        self._shard.update(self._edge.UpdateOperation.delete_points(list(numbers)))

    def query(self, text: str, k: int) -> list[Document]:
        """The k best passages with scores: BM25, or its rank fusion with dense similarity."""
        edge = self._edge
        sparse = edge.Query.Nearest(self._bm25.embed_query(text), using=SPARSE)
        query, halves = sparse, []
        if self._embedder:
            with asking_embedder():
                vector = self._embedder.embed_query(text)
            dense = edge.Query.Nearest(list(vector), using=DENSE)
            halves = [edge.Prefetch(limit=k * OVERSAMPLING, query=half) for half in (sparse, dense)]
            query = edge.Fusion.Rrf(k=RRF_K)
        request = edge.QueryRequest(limit=k, query=query, prefetches=halves, with_payload=True)
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
