"""What CRAG's authors published with their test sets: passages, and what searches found.

The files are those of HuskyInSalt/CRAG, folder `data`; the sets with Contriever's passages are
Self-RAG's (AkariAsai/self-rag, folder `eval_data`), which CRAG's authors used too (section 5.1).
"""

import re
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.datasets.rows import Row, read_lines
from errata.evals.datasets.sources import beside

CRAG = "HuskyInSalt/CRAG publishes it"
SELF_RAG = "AkariAsai/self-rag publishes it with its evaluation data"
_PASSAGE = re.compile(r"; (?=[^;]{1,80} // )")
_SNIPPET = re.compile(r"(?:^|; ?|#)([^:;#]{3,90}): ")
Pages = tuple[Document, ...]


def passages(refined: str) -> Pages:
    """The passages of a line of `ref/correct`: `#Title // text; Title // text`."""
    parts = (part.partition(" // ") for part in _PASSAGE.split(refined.strip("# \n")))
    titled = ((title, text) if mark else ("", title) for title, mark, text in parts)
    return tuple(Document(text=text, title=title) for title, text in titled if text.strip())


def snippets(found: str) -> Pages:
    """The paragraphs of a line of `ref/incorrect`: `#Title: text; Title: text`."""
    parts = _SNIPPET.split(found)
    titled = ((t.strip(), x.strip(" ;#\n")) for t, x in zip(parts[1::2], parts[2::2], strict=True))
    return tuple(Document(text=text, title=title) for title, text in titled if text)


def titled(found: Sequence[Row]) -> Pages:
    """Documents of rows with `title` and `text`."""
    return tuple(Document(text=each["text"], title=each["title"]) for each in found)


def contexts(row: Row) -> Pages:
    """The first ten passages of the column `ctxs`, which CRAG's program reads of Contriever's."""
    return titled(row["ctxs"][:10])


def read_web(file: Path, task: str, count: int) -> list[Pages]:
    """For each of `count` questions what a search found, from `TASK/ref/incorrect` beside a file.

    Nothing for any where that file is missing. The file of ARC-Challenge begins with an empty line
    that belongs to no question. Raises InputError if the file has another number of lines.
    """
    path = beside(file, f"{task}/ref/incorrect", "ref/incorrect")
    if not path:
        return [()] * count
    lines = list(read_lines(path))
    if len(lines) == count + 1 and not lines[0].strip("# "):
        lines = lines[1:]
    if len(lines) != count:
        raise InputError(f"{path} has {len(lines):,} lines; expected {count:,} ({CRAG})")
    return [snippets(line) for line in lines]


def deal(pages: Sequence[Pages], count: int) -> list[Pages]:
    """All pages in their order, in `count` heaps of about the same number of questions."""
    edges = [len(pages) * place // count for place in range(count + 1)] if count else []
    return [tuple(chain.from_iterable(pages[start:end])) for start, end in pairwise(edges)]
