"""RE-EX's tables (arXiv:2402.17097): detecting errors in responses, and revising biographies."""

from collections.abc import Mapping
from typing import Any

from errata.evals.papers.forms import FACTOR_REVISE, FACTORED, run, searching
from errata.evals.papers.measures import queries, query_seconds, query_tokens
from errata.evals.papers.table import Column, Compute, Key, Need, PaperTable, Run, paper_table

SOURCE = "RE-EX, arXiv:2402.17097, table"
DETECTING = ("detection", "cost")
REVISING = ("facts", "cost")
MODELS = ("GPT-3.5", "GPT-4")
THOUSAND = 1 / 1000
ONE_STEP, TWO_STEP = {"steps": 1}, {"steps": 2}
LOCAL = (
    "A run without a model spends no tokens. CoVE answers from a model's memory, as RE-EX does "
    "with internal evidence."
)


def _column(name: str, figure: str | Compute, scale: float = 100) -> Column:
    paper = tuple(f"{name} {model}" for model in MODELS)
    return Column(name=name, run="run", figure=figure, paper=paper, scale=scale)


COSTS = (
    _column("Avg. Time", "cost.seconds", 1),
    _column("Avg. Token", "cost.tokens", THOUSAND),
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
    return {
        label: run(method, dataset, own, scorers=DETECTING)
        for label, (method, own) in forms.items()
    }


def revise(method: str, own: Mapping[str, Any] | None = None) -> Run:
    """A run on the labelled biographies."""
    return run(method, "biography", own, scorers=REVISING)


TABLE_1 = paper_table(
    "re-ex:1",
    caption="Detecting factual errors",
    source=f"{SOURCE} 1",
    columns=[
        _column("BAcc.", "detection.balanced_accuracy"),
        _column("F1", "detection.f1_true"),
        *COSTS,
    ],
    runs={
        (group, label): {"run": each}
        for group, dataset in (("FactPrompt", "factprompt"), ("WiCE", "wice"))
        for label, each in detect(dataset).items()
    },
    notes=(
        "Ours | the paper's with GPT-3.5 / GPT-4. Time in seconds, tokens in thousands.",
        (
            "A ? could not be read: in the text of the paper the rows of RARR and RE-EX on "
            "FactPrompt run into each other. One of RE-EX's two forms takes 1.0K tokens, with "
            "either model."
        ),
        LOCAL,
    ),
)
TABLE_2 = paper_table(
    "re-ex:2",
    caption="Revising factual errors in biographies",
    source=f"{SOURCE} 2",
    columns=[
        _column("Correction Acc.", "facts.correction_accuracy"),
        _column("Revision Acc.", "facts.revision_accuracy"),
        *COSTS,
    ],
    runs={
        ("", label): {"run": each}
        for label, each in {
            "RARR": revise("rarr"),
            "CoVE (F)": revise("cove", FACTORED),
            "CoVE (F+R)": revise("cove", FACTOR_REVISE),
            "RE-EX (one-step)": revise("reex", ONE_STEP),
            "RE-EX (two-step)": revise("reex", TWO_STEP),
        }.items()
    },
    notes=(
        "Ours | the paper's with GPT-3.5 / GPT-4. Time in seconds, tokens in thousands.",
        "The evidence of ours is the page that a search engine ranked first.",
        LOCAL,
    ),
)


def ablate(evidence: str, explanation: bool) -> Run:
    """A run of table 3; internal evidence is a model's own."""
    own = TWO_STEP | {"evidence": evidence, "explanation": explanation}
    needs: tuple[Need, ...] = ("model",) if evidence == "internal" else ()
    return run("reex", "biography", own, scorers=REVISING, needs=needs)


TABLE_3 = paper_table(
    "re-ex:3",
    caption="Ablation of RE-EX's steps",
    source=f"{SOURCE} 3",
    columns=TABLE_2.columns[:2],
    runs={
        ("", label): {"run": ablate(evidence, explanation)}
        for label, evidence, explanation in (
            ("Revision", "none", False),
            ("Explanation, Revision", "none", True),
            ("Internal Evidence, Revision", "internal", False),
            ("Internal Evidence, Explanation, Revision", "internal", True),
            ("External Evidence, Revision", "external", False),
            ("External Evidence, Explanation, Revision", "external", True),
        )
    },
    notes=("Ours | the paper's with GPT-3.5 / GPT-4.",),
)


FACTPROMPT: Mapping[Key, str] = {
    ("", "FacTool"): "FacTool",
    ("", "CoVE"): "CoVE (F+R)",
    ("", "RARR"): "RARR",
    ("", "RE-EX"): "RE-EX (two-step)",
}
"""The rows of table 9, and those of table 1 whose runs they look at."""
TABLE_9 = paper_table(
    "re-ex:9",
    caption="The query step on FactPrompt",
    source=f"{SOURCE} 9",
    columns=[
        _column("Time", query_seconds, 1),
        _column("Token", query_tokens, THOUSAND),
        _column("# Queries", queries, 1),
    ],
    runs={key: {"run": detect("factprompt")[label]} for key, label in FACTPROMPT.items()},
    notes=(
        (
            "Ours | the paper's with GPT-3.5 / GPT-4. Seconds, thousands of tokens, and queries "
            "of the step that writes them; FacTool's begins with splitting the response into "
            "claims."
        ),
        LOCAL,
    ),
)
TABLES: tuple[PaperTable, ...] = (TABLE_1, TABLE_2, TABLE_3, TABLE_9)
