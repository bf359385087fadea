"""Run one method on many rows: streamed in, each written once, resumed after a kill."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.batch.run import run_batch

__all__ = ["run_batch"]


def __getattr__(name: str) -> Any:
    """Import `run_batch` when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'errata.batch' has no attribute {name!r}")
    from errata.batch.run import run_batch

    return run_batch
