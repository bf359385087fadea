"""Recorded exchanges in one file: gzipped lines of JSON, an exchange a line with its key.

python -m errata.tools.models.packed FOLDER FILE.jsonl.gz
"""

import gzip
import json
import sys
import zlib
from functools import lru_cache
from pathlib import Path
from typing import Any

Exchanges = dict[tuple[str, str], list[dict[str, Any]]]
"""The replies to each request, by its prompt and its key."""


def pack(folder: Path, target: Path) -> int:
    """Write what was recorded in a folder, and in those inside it, to one file; count exchanges.

    The same exchanges make the same bytes. Raises OSError or ValueError if one cannot be read.
    """
    files = {path.stem: path for path in sorted(folder.rglob("*.json"))}
    lines = [_line(name.rpartition("-")[2], path) for name, path in sorted(files.items())]
    target.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    return len(lines)


def _line(key: str, path: Path) -> str:
    exchange = {"key": key} | json.loads(path.read_text(encoding="utf-8"))
    return json.dumps(exchange, ensure_ascii=False) + "\n"


def unpack(path: Path) -> Exchanges:
    """What a packed file holds.

    Raises OSError or ValueError if it is none.
    """
    return _unpacked(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _unpacked(path: Path, changed: int) -> Exchanges:  # noqa: ARG001  it is read again if changed
    try:
        exchanges = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        return {(each["prompt"], each["key"]): each["replies"] for each in exchanges}
    except (EOFError, zlib.error, LookupError, TypeError) as error:
        raise ValueError(f"{str(path)!r} is no packed recording: {error}") from error


if __name__ == "__main__":
    source, into = map(Path, sys.argv[1:])
    sys.stdout.write(f"{into}: {pack(source, into)} exchanges\n")
