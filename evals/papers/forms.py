"""The settings with which the tables run each method: one place for what a row stands for."""

from collections.abc import Mapping
from typing import Any

from errata.evals.papers.table import Need, Run
from errata.evals.scoring import WEB, Task

SEARCHED = ("popqa", "biography-unlabelled", "pubhealth", "arc", "factprompt")
"""Datasets that bring along what a search finds."""
PAPER = {"profile": "paper"}
MEMORY = {"rag": False}
"""Plain answering without retrieval."""
FACTORED, FACTOR_REVISE = {"variant": "factored"}, {"variant": "factor_revise"}
"""CoVe's two variants in RE-EX's tables."""
RECALLING = ("cove",)
"""Methods whose published form answers from a model's memory."""
UNCHANGED = "no_correction"
"""The control that leaves a draft as it is, and takes no settings."""


def run(
    method: str,
    dataset: str,
    own: Mapping[str, Any] | None = None,
    *,
    scorers: tuple[str, ...],
    drafts: Task | None = None,
    needs: tuple[Need, ...] = (),
) -> Run:
    """A run of a method's published form, with its own settings over that."""
    settings = {} if method == UNCHANGED else PAPER | dict(own or {})
    recalls: tuple[Need, ...] = ("model",) if method in RECALLING else ()
    return Run(
        task=Task(dataset=dataset, method=method, settings=settings, scorers=scorers),
        drafts=drafts,
        needs=tuple(dict.fromkeys((*recalls, *needs))),
    )


def searching(dataset: str) -> dict[str, Any]:
    """The setting of a method that searches, where the dataset has what a search finds."""
    return {"search": WEB} if dataset in SEARCHED else {}
