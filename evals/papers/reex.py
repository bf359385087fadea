"""RE-EX's tables (arXiv:2402.17097): detecting errors in responses, and revising biographies."""

from collections.abc import Mapping
from typing import Any

from errata.evals.papers.measures import queries, query_seconds, query_tokens
from errata.evals.papers.table import (
    FACTOR_REVISE,
    FACTORED,
    Column,
    Compute,
    Need,
    Run,
    paper_table,
    run,
    searching,
)

THOUSAND = 1 / 1000
ONE_STEP, TWO_STEP = {"steps": 1}, {"steps": 2}


def _column(name: str, figure: str | Compute, scale: float = 100) -> Column:
    paper = tuple(f"{name} {model}" for model in ("GPT-3.5", "GPT-4"))
    return Column(name=name, figure=figure, paper=paper, scale=scale)


COSTS = (_column("Avg. Time", "cost.seconds", 1), _column("Avg. Token", "cost.tokens", THOUSAND))
DETECTION = (_column("BAcc.", "detection.balanced_accuracy"), _column("F1", "detection.f1_true"))
REVISION = (
    _column("Correction Acc.", "facts.correction_accuracy"),
    _column("Revision Acc.", "facts.revision_accuracy"),
)
QUERIES = (
    _column("Time", query_seconds, 1),
    _column("Token", query_tokens, THOUSAND),
    _column("# Queries", queries, 1),
)


def detect(dataset: str) -> dict[str, Run]:
    """The runs of table 1 on a dataset, by the label of their row."""
    found = searching(dataset)
    forms: dict[str, tuple[str, Mapping[str, Any]]] = {
        "FacTool": ("factool", found),
        "CoVE (F+R)": ("cove", FACTOR_REVISE),
        "RARR": ("rarr", found),
        "RE-EX (one-step)": ("reex", ONE_STEP | found),
        "RE-EX (two-step)": ("reex", TWO_STEP | found),
    }
    scorers = ("detection", "cost")
    return {
        label: run(method, dataset, own, scorers=scorers) for label, (method, own) in forms.items()
    }


def revise(method: str, **own: Any) -> dict[str, Run]:
    """A run on the labelled biographies; internal evidence is a model's own."""
    needs: tuple[Need, ...] = ("model",) if own.get("evidence") == "internal" else ()
    return {"run": run(method, "biography", own, scorers=("facts", "cost"), needs=needs)}


def ablate(evidence: str, explanation: bool) -> dict[str, Run]:
    """A run of table 3."""
    return revise("reex", **TWO_STEP, evidence=evidence, explanation=explanation)


_FACTPROMPT = detect("factprompt")
TABLES = (
    paper_table(
        "re-ex:1",
        (*DETECTION, *COSTS),
        {
            (group, label): {"run": each}
            for group, runs in (("FactPrompt", _FACTPROMPT), ("WiCE", detect("wice")))
            for label, each in runs.items()
        },
    ),
    paper_table(
        "re-ex:2",
        (*REVISION, *COSTS),
        {
            ("", "RARR"): revise("rarr"),
            ("", "CoVE (F)"): revise("cove", **FACTORED),
            ("", "CoVE (F+R)"): revise("cove", **FACTOR_REVISE),
            ("", "RE-EX (one-step)"): revise("reex", **ONE_STEP),
            ("", "RE-EX (two-step)"): revise("reex", **TWO_STEP),
        },
    ),
    paper_table(
        "re-ex:3",
        REVISION,
        {
            ("", "Revision"): ablate("none", False),
            ("", "Explanation, Revision"): ablate("none", True),
            ("", "Internal Evidence, Revision"): ablate("internal", False),
            ("", "Internal Evidence, Explanation, Revision"): ablate("internal", True),
            ("", "External Evidence, Revision"): ablate("external", False),
            ("", "External Evidence, Explanation, Revision"): ablate("external", True),
        },
    ),
    paper_table(
        "re-ex:9",
        QUERIES,
        {
            ("", "FacTool"): {"run": _FACTPROMPT["FacTool"]},
            ("", "CoVE"): {"run": _FACTPROMPT["CoVE (F+R)"]},
            ("", "RARR"): {"run": _FACTPROMPT["RARR"]},
            ("", "RE-EX"): {"run": _FACTPROMPT["RE-EX (two-step)"]},
        },
    ),
)
