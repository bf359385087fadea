"""Find and correct factual errors in what language models write, with evidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.api import aanswer as aanswer
    from errata.api import acheck as acheck
    from errata.api import acite as acite
    from errata.api import acorrect as acorrect
    from errata.api import answer as answer
    from errata.api import astream_answer as astream_answer
    from errata.api import astream_correct as astream_correct
    from errata.api import check as check
    from errata.api import cite as cite
    from errata.api import correct as correct
    from errata.core.errors import ErrataError as ErrataError
    from errata.core.records import Answer as Answer
    from errata.core.records import Claim as Claim
    from errata.core.records import Correction as Correction
    from errata.core.records import Document as Document
    from errata.core.records import Edit as Edit
    from errata.core.records import Knowledge as Knowledge
    from errata.core.records import Quote as Quote
    from errata.core.records import Usage as Usage
    from errata.core.records import Verdict as Verdict
    from errata.langchain.middleware import FactCorrection as FactCorrection
    from errata.langchain.runnable import answerer as answerer
    from errata.langchain.runnable import corrector as corrector
    from errata.langchain.runnable import tool as tool
    from errata.nodes.deployment import Deployment as Deployment
    from errata.session import Session as Session

_HERE = Path(__file__).parent
if not (_HERE / "tools").is_dir():
    # A clone without symbolic links: look for errata.tools and its like beside errata/.
    __path__.append(str(_HERE.parent))

_HOMES = {
    "errata.api": "aanswer acheck acite acorrect answer astream_answer astream_correct check cite "
    "correct",
    "errata.core.errors": "ErrataError",
    "errata.core.records": "Answer Claim Correction Document Edit Knowledge Quote Usage Verdict",
    "errata.langchain.middleware": "FactCorrection",
    "errata.langchain.runnable": "answerer corrector tool",
    "errata.nodes.deployment": "Deployment",
    "errata.session": "Session",
}
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import errata` costs nothing."""
    if name == "__version__":
        from importlib.metadata import version

        return version("errata")
    if name not in _HOME:
        raise AttributeError(f"module 'errata' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
