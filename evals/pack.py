"""Pack recorded replies into one file of gzipped lines of JSON, an exchange a line with its key.

python -m errata.evals.pack FOLDER FILE.jsonl.gz
"""

import gzip
import json
import sys
from pathlib import Path


def pack(folder: Path, target: Path) -> int:
    """Write what was recorded in a folder, and in those inside it, to one file; count exchanges.

    The same exchanges make the same bytes. Raises OSError or ValueError if one cannot be read.
    """
    files, lines = {path.stem: path for path in sorted(folder.rglob("*.json"))}, list[str]()
    for name, path in sorted(files.items()):
        exchange = {"key": name.rpartition("-")[2]} | json.loads(path.read_text(encoding="utf-8"))
        lines.append(json.dumps(exchange, ensure_ascii=False) + "\n")
    target.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    return len(lines)


if __name__ == "__main__":
    source, into = map(Path, sys.argv[1:])
    sys.stdout.write(f"{into}: {pack(source, into)} exchanges\n")
