"""Run one method on many rows: streamed in, each written once, resumed after a kill."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.batch.ray_data import RowCorrector
    from errata.batch.run import run_batch

__all__ = ["RowCorrector", "run_batch"]
_MODULES = {"RowCorrector": "errata.batch.ray_data", "run_batch": "errata.batch.run"}


def __getattr__(name: str) -> Any:
    """Import what is named when it is first used."""
    if name not in _MODULES:
        raise AttributeError(f"module 'errata.batch' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
