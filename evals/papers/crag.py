"""CRAG's tables (arXiv:2401.15884): answering with corrected retrieval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from errata.core.records import Action, Answer
from errata.evals.items import WEB, Figure, Row
from errata.evals.metrics.estimate import SHARE, estimate
from errata.evals.papers.measures import Removal, has_answer
from errata.evals.papers.table import (
    MEMORY,
    MODEL,
    Column,
    Key,
    Need,
    Run,
    paper_table,
    run,
    searching,
)

TASKS = {
    "popqa": "popqa",
    "biography-unlabelled": "biography",
    "pubhealth": "pubhealth",
    "arc": "arc",
}
"""The setting `task` of what answers a dataset's questions."""
SCORERS = dict.fromkeys(TASKS, ("match", "cost")) | {"biography-unlabelled": ("factscore", "cost")}
SEARCHING = ("crag", "selfcrag")
ACTIONS: tuple[Action, ...] = ("correct", "incorrect", "ambiguous")


def answer(method: str, dataset: str, own: Mapping[str, Any] | None = None) -> Run:
    """A run of a method that answers; CRAG and Self-CRAG search the dataset's web."""
    settings = {"task": TASKS[dataset]}
    settings |= searching(dataset) if method in SEARCHING else {}
    settings |= own or {}
    needs: tuple[Need, ...] = ("model",) if MEMORY.items() <= settings.items() else ()
    return run(method, dataset, settings, scorers=SCORERS[dataset], needs=needs)


def everywhere(method: str, own: Mapping[str, Any] | None = None) -> dict[str, Run]:
    """The runs of a row of table 1, by dataset."""
    return {dataset: answer(method, dataset, own) for dataset in TASKS}


def write_and_verify() -> dict[str, Run]:
    """A run of CoVE on a draft of its own, from a model's memory."""
    name = "biography-unlabelled"
    every = run("cove", name, scorers=SCORERS[name])
    return {name: replace(every, task=replace(every.task, draft="own"))}


def ablations(forms: Mapping[str, Mapping[str, Any]]) -> dict[Key, dict[str, Run]]:
    """CRAG and Self-CRAG as they are, and in each form, by the label after their name."""
    methods = {"CRAG": "crag", "Self-CRAG": "selfcrag"}
    return {
        ("", f"{name} {label}".strip()): {"run": answer(method, "popqa", own)}
        for name, method in methods.items()
        for label, own in {"": {}, **forms}.items()
    }


def assessment_accuracy(rows: Sequence[Row]) -> Figure:
    """How often the evaluator's assessment of a question's retrieval is right (section 5.5).

    It takes the retrieval for right where its action is `correct`; it is right if a document holds
    an accepted answer. A run that failed counts as wrong.
    """
    right = {
        row.item.id: isinstance(row.result, Answer)
        and (row.result.action == "correct") == has_answer(row.item)
        for row in rows
    }
    return estimate(SHARE, {name: (float(each), 1.0) for name, each in right.items()})


def assess(evaluation: str = "") -> dict[str, Run]:
    """A run of CRAG for its action: by the local evaluator, or by the model and a prompt."""
    own: dict[str, Any] = {"model": "local", "search": "none"}
    if not evaluation:
        return {"run": run("crag", "popqa", own, scorers=SCORERS["popqa"])}
    own |= {"roles": {"evaluate": MODEL}, "evaluation": evaluation}
    return {"run": run("crag", "popqa", own, scorers=SCORERS["popqa"], needs=("model",))}


METHODS = {"RAG": "plain", "CRAG": "crag", "Self-RAG": "selfrag", "Self-CRAG": "selfcrag"}
"""By the label of a row."""
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The steps of figure 3."""


def _worse(method: str) -> dict[str, Run]:
    every = answer(method, "popqa")
    return {str(share): replace(every, removal=Removal(share)) for share in SHARES}


BOTH_MODELS = ("LLaMA2-hf-7b", "SelfRAG-LLaMA2-7b")
ACCURACY = Column(name="Accuracy", figure="match.accuracy", paper=BOTH_MODELS)
TABLES = (
    paper_table(
        "crag:1",
        [
            Column(name="PopQA (Accuracy)", run="popqa", figure="match.accuracy"),
            Column(
                name="Bio (FactScore)", run="biography-unlabelled", figure="factscore.factscore"
            ),
            Column(name="Pub (Accuracy)", run="pubhealth", figure="match.accuracy"),
            Column(name="ARC (Accuracy)", run="arc", figure="match.accuracy"),
        ],
        {
            ("Baselines without retrieval", "LLaMA2 7B"): everywhere("plain", MEMORY),
            ("Baselines without retrieval", "CoVE 65B"): write_and_verify(),
            **{("SelfRAG-LLaMA2-7b", label): everywhere(own) for label, own in METHODS.items()},
        },
    ),
    paper_table(
        "crag:2",
        [ACCURACY],
        ablations(
            {
                f"w/o. {action.title()}": {"actions": [each for each in ACTIONS if each != action]}
                for action in ACTIONS
            }
        ),
    ),
    paper_table(
        "crag:3",
        [ACCURACY],
        ablations(
            {f"w/o. {name}": {name: False} for name in ("refinement", "rewriting", "selection")}
        ),
    ),
    paper_table(
        "crag:4",
        [Column(name="Accuracy", figure=assessment_accuracy)],
        {
            ("", "Our Retrieval Evaluator (T5-based)"): assess(),
            ("", "ChatGPT"): assess("direct"),
            ("", "ChatGPT-CoT"): assess("cot"),
            ("", "ChatGPT-few-shot"): assess("few_shot"),
        },
    ),
    paper_table(
        "crag:5",
        [ACCURACY],
        {
            ("PopQA", f"{label} w. web" if own else label): {"run": answer(method, "popqa", own)}
            for label, method, own in (
                ("CRAG", "crag", {}),
                ("RAG", "plain", {}),
                ("RAG", "plain", {"search": WEB}),
                ("Self-CRAG", "selfcrag", {}),
                ("Self-RAG", "selfrag", {}),
                ("Self-RAG", "selfrag", {"search": WEB}),
            )
        },
    ),
    paper_table(
        "crag:6",
        [
            Column(name="executing time(s)", figure="cost.seconds", scale=1, digits=3),
        ],
        {("", label): {"run": answer(method, "popqa")} for label, method in METHODS.items()},
    ),
    paper_table(
        "crag:11",
        [ACCURACY],
        ablations({f"only {action.title()}": {"actions": [action]} for action in ACTIONS}),
    ),
    paper_table(
        "crag:figure3",
        [
            Column(name=f"{share:.0%} removed", run=str(share), figure="match.accuracy")
            for share in SHARES
        ],
        {
            **{("", label): _worse(method) for label, method in METHODS.items()},
            ("", "without retrieval"): dict.fromkeys(
                map(str, SHARES), answer("plain", "popqa", MEMORY)
            ),
        },
    ),
)
