"""A shard as it is built: its memory, and what of it stays on disk."""

import sys

import pytest

from errata.core.records import Document
from errata.tools.retrieval.shard import Shard

GROWING = """
import sys
from pathlib import Path
from random import Random
from errata.core.records import Document
from errata.tools.retrieval.shard import SETTLED, Shard

def held():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

def passages(count):
    random = Random(1)
    for number in range(count):
        words = " ".join(f"w{random.randrange(20_000)}" for _ in range(80))
        yield Document(id=f"p{number}", title=f"Register {number}", text=words)

shard, sizes = Shard(Path(sys.argv[1])), [held()]
for first in (0, SETTLED, 2 * SETTLED):
    shard.add(passages(SETTLED), first)
    sizes.append(held())
shard.close()
print(sizes[3] - sizes[1] < sizes[1] - sizes[0], len(list(Path(sys.argv[1], "segments").iterdir())))
"""


@pytest.mark.growth
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_passages_leave_memory_while_a_shard_is_built_and_end_in_one_segment(run_python, tmp_path):
    one_and_an_empty_one = 2
    output = run_python(GROWING, str(tmp_path / "shard"), seconds=200)
    assert output == f"True {one_and_an_empty_one}\n"


def test_a_new_shard_keeps_no_log_of_its_building(tmp_path):
    shard = Shard(tmp_path / "shard")
    shard.add([Document(id="p1", text="The Eiffel Tower was opened in 1889.")], 0)
    shard.close()
    assert not [file for file in (tmp_path / "shard" / "wal").rglob("*") if file.is_file()]
