"""Find and correct factual errors in what language models write, with evidence."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.api import acheck, acorrect, check, correct
    from errata.errors import ErrataError
    from errata.records import Claim, Correction, Document, Edit, Quote, Usage, Verdict

_HOME = {
    **dict.fromkeys(("acheck", "acorrect", "check", "correct"), "errata.api"),
    "ErrataError": "errata.errors",
    **dict.fromkeys(
        ("Claim", "Correction", "Document", "Edit", "Quote", "Usage", "Verdict"), "errata.records"
    ),
}
__all__ = [
    "Claim",
    "Correction",
    "Document",
    "Edit",
    "ErrataError",
    "Quote",
    "Usage",
    "Verdict",
    "acheck",
    "acorrect",
    "check",
    "correct",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import errata` costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"module 'errata' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
