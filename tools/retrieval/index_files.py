"""What an index consists of in its folder: a manifest, and a folder for its shard."""

import shutil
from collections.abc import Collection
from pathlib import Path

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
