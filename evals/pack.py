"""Pack recorded replies into one file of gzipped lines of JSON, a request's exchanges a line.

python -m errata.evals.pack FOLDER FILE.jsonl.gz
"""

import gzip
import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from errata.tools.net.sqlite_store import SqliteStore


def pack(folder: Path, target: Path) -> int:
    """Write what the SQLite files in a folder, or in one inside it, recorded to one file.

    Returns how many requests it holds. The same exchanges make the same bytes. Raises
    StoreError if a file cannot be read.
    """
    lines = dict[tuple[str, str], dict[str, Any]]()
    for path in sorted(folder.rglob("*.sqlite")):
        with closing(SqliteStore(str(path))) as store:
            for name, value in sorted(store.under("").items()):
                key, sample, _ = name.split("-")
                reply = {"sample": int(sample), **json.loads(value)}
                asked = {"prompt": reply["prompt"], "request": reply.pop("request", "")}
                line = lines.setdefault((reply["prompt"], key), {"key": key, **asked})
                line.setdefault("replies", []).append(reply)
    written = (json.dumps(lines[each], ensure_ascii=False) + "\n" for each in sorted(lines))
    target.write_bytes(gzip.compress("".join(written).encode(), mtime=0))
    return len(lines)


if __name__ == "__main__":
    source, into = map(Path, sys.argv[1:])
    sys.stdout.write(f"{into}: {pack(source, into)} exchanges\n")
