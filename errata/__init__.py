"""Find and correct factual errors in what language models write, with evidence."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from errata.api import (
        aanswer,
        acheck,
        acite,
        acorrect,
        answer,
        astream_answer,
        astream_correct,
        check,
        cite,
        correct,
    )
    from errata.core.errors import ErrataError
    from errata.core.records import (
        Answer,
        Claim,
        Correction,
        Document,
        Edit,
        Knowledge,
        Quote,
        Usage,
        Verdict,
    )
    from errata.langchain.evaluator import aevaluator, evaluator
    from errata.langchain.guardrail import guardrail
    from errata.langchain.middleware import FactCorrection
    from errata.langchain.remote import remote_step
    from errata.langchain.runnable import answerer, corrector, tool
    from errata.session import Session

_HERE = Path(__file__).parent
if not (_HERE / "tools").is_dir():
    # A clone without symbolic links: look for errata.tools and its like beside errata/.
    __path__.append(str(_HERE.parent))

_HOME = {
    **dict.fromkeys(("aanswer", "acheck", "acite", "acorrect"), "errata.api"),
    **dict.fromkeys(("answer", "check", "cite", "correct"), "errata.api"),
    **dict.fromkeys(("astream_answer", "astream_correct"), "errata.api"),
    "ErrataError": "errata.core.errors",
    **dict.fromkeys(("aevaluator", "evaluator"), "errata.langchain.evaluator"),
    "FactCorrection": "errata.langchain.middleware",
    "guardrail": "errata.langchain.guardrail",
    **dict.fromkeys(("answerer", "corrector", "tool"), "errata.langchain.runnable"),
    "remote_step": "errata.langchain.remote",
    "Session": "errata.session",
    **dict.fromkeys(("Answer", "Claim", "Correction", "Document", "Edit"), "errata.core.records"),
    **dict.fromkeys(("Knowledge", "Quote", "Usage", "Verdict"), "errata.core.records"),
}
__all__ = [
    "Answer",
    "Claim",
    "Correction",
    "Document",
    "Edit",
    "ErrataError",
    "FactCorrection",
    "Knowledge",
    "Quote",
    "Session",
    "Usage",
    "Verdict",
    "aanswer",
    "acheck",
    "acite",
    "acorrect",
    "aevaluator",
    "answer",
    "answerer",
    "astream_answer",
    "astream_correct",
    "check",
    "cite",
    "correct",
    "corrector",
    "evaluator",
    "guardrail",
    "remote_step",
    "tool",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import errata` costs nothing."""
    if name == "__version__":
        from importlib.metadata import version

        return version("errata")
    if name not in _HOME:
        raise AttributeError(f"module 'errata' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)
