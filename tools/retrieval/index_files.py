"""What an index consists of in its folder: a manifest, and a folder for its shard."""

import shutil
from collections.abc import Collection
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp

from filelock import FileLock, Timeout

MANIFEST = "index.json"
"""The file that makes a folder an index."""
SHARD = "shard-"
"""How the names of its folders begin."""


def has_index(folder: Path) -> bool:
    """Whether a folder has a finished index: a manifest and a shard."""
    return (folder / MANIFEST).is_file() and any(folder.glob(f"{SHARD}*"))


def is_of_index(path: Path, indexes: Collection[Path]) -> bool:
    """Whether a file is the manifest of an index or in its shards, not a text beside them."""
    shards = (parent for parent in path.parents if parent.name.startswith(SHARD))
    is_manifest = path.name == MANIFEST and path.parent in indexes
    return is_manifest or any(shard.parent in indexes for shard in shards)


def shard_folder(folder: Path, version: int) -> Path:
    """Where the shard of a number is."""
    return folder / f"{SHARD}{version}"


def copy_shard(source: Path | None, target: Path) -> None:
    """Copy a shard, or start from an empty folder if there is none."""
    shutil.rmtree(target, ignore_errors=True)
    if source:
        shutil.copytree(source, target, ignore=shutil.ignore_patterns(".reading"))


def own_shard(shard: Path, stack: ExitStack) -> Path:
    """A shard for this process alone until the stack is closed: a copy if another has it open."""
    try:
        stack.enter_context(FileLock(shard / ".reading", timeout=0, thread_local=False))
    except (Timeout, OSError):
        copy = Path(mkdtemp(prefix="errata-index-"))
        stack.callback(shutil.rmtree, copy, ignore_errors=True)
        copy_shard(shard, copy)
        return copy
    return shard
