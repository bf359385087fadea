"""CRAG's tables (arXiv:2401.15884): answering with corrected retrieval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from errata.core.records import Action, Answer
from errata.evals.metrics.estimate import SHARE, estimate
from errata.evals.papers.forms import MEMORY, run, searching
from errata.evals.papers.measures import LLAMA_2_7B, T5_LARGE, Removal, count_flops, has_answer
from errata.evals.papers.table import (
    MODEL,
    Column,
    Key,
    Need,
    Run,
    paper_table,
)
from errata.evals.scoring import WEB, Figure, Row

SOURCE = "CRAG, arXiv:2401.15884"
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
BOTH_MODELS = ("LLaMA2-hf-7b", "SelfRAG-LLaMA2-7b")
FROM_MEMORY: tuple[Need, ...] = ("model",)
OURS_OR_PAPER = "Ours | the paper's with LLaMA2-hf-7b / SelfRAG-LLaMA2-7b."
THRESHOLDS = (
    "The local evaluator goes by its own thresholds; a T5 goes by the paper's (appendix B.3)."
)
OWN_MODEL = "Ours stand beside the rows of SelfRAG-LLaMA2-7b, whatever model runs them."


def answer(method: str, dataset: str, own: Mapping[str, Any] | None = None) -> Run:
    """A run of a method that answers; CRAG and Self-CRAG search the dataset's web."""
    settings = {"task": TASKS[dataset]}
    settings |= searching(dataset) if method in SEARCHING else {}
    settings |= own or {}
    needs = FROM_MEMORY if MEMORY.items() <= settings.items() else ()
    return run(method, dataset, settings, scorers=SCORERS[dataset], needs=needs)


def everywhere(method: str, own: Mapping[str, Any] | None = None) -> dict[str, Run]:
    """The runs of a row of table 1, by dataset."""
    return {dataset: answer(method, dataset, own) for dataset in TASKS}


def write_and_verify() -> Run:
    """A run of CoVE on a draft of its own, from a model's memory."""
    every = run("cove", "biography-unlabelled", scorers=SCORERS["biography-unlabelled"])
    return replace(every, task=replace(every.task, draft="own"))


TABLE_1 = paper_table(
    "crag:1",
    caption="Overall results on four datasets",
    source=f"{SOURCE}, table 1",
    columns=[
        Column(name="PopQA (Accuracy)", run="popqa", figure="match.accuracy"),
        Column(name="Bio (FactScore)", run="biography-unlabelled", figure="factscore.factscore"),
        Column(name="Pub (Accuracy)", run="pubhealth", figure="match.accuracy"),
        Column(name="ARC (Accuracy)", run="arc", figure="match.accuracy"),
    ],
    runs={
        ("Baselines without retrieval", "LLaMA2 7B"): everywhere("plain", MEMORY),
        ("Baselines without retrieval", "CoVE 65B"): {"biography-unlabelled": write_and_verify()},
        ("SelfRAG-LLaMA2-7b", "RAG"): everywhere("plain"),
        ("SelfRAG-LLaMA2-7b", "CRAG"): everywhere("crag"),
        ("SelfRAG-LLaMA2-7b", "Self-RAG"): everywhere("selfrag"),
        ("SelfRAG-LLaMA2-7b", "Self-CRAG"): everywhere("selfcrag"),
    },
    notes=(f"Ours | the paper's. {OWN_MODEL}", THRESHOLDS),
)


def ablations(forms: Mapping[str, Mapping[str, Any]]) -> dict[Key, dict[str, Run]]:
    """CRAG and Self-CRAG as they are, and in each form, by the label after their name."""
    methods = {"CRAG": "crag", "Self-CRAG": "selfcrag"}
    return {
        ("", f"{name} {label}".strip()): {"run": answer(method, "popqa", own)}
        for name, method in methods.items()
        for label, own in {"": {}, **forms}.items()
    }


ACCURACY = Column(name="Accuracy", run="run", figure="match.accuracy", paper=BOTH_MODELS)
TABLE_2 = paper_table(
    "crag:2",
    caption="Removing each single action, on PopQA",
    source=f"{SOURCE}, table 2",
    columns=[ACCURACY],
    runs=ablations(
        {
            f"w/o. {action.title()}": {"actions": [each for each in ACTIONS if each != action]}
            for action in ACTIONS
        }
    ),
    notes=(OURS_OR_PAPER, THRESHOLDS),
)
TABLE_3 = paper_table(
    "crag:3",
    caption="Removing each operation on knowledge, on PopQA",
    source=f"{SOURCE}, table 3",
    columns=[ACCURACY],
    runs=ablations(
        {f"w/o. {name}": {name: False} for name in ("refinement", "rewriting", "selection")}
    ),
    notes=(OURS_OR_PAPER, THRESHOLDS),
)
TABLE_11 = paper_table(
    "crag:11",
    caption="One action alone, on PopQA",
    source=f"{SOURCE}, table 11",
    columns=[ACCURACY],
    runs=ablations({f"only {action.title()}": {"actions": [action]} for action in ACTIONS}),
    notes=(OURS_OR_PAPER, THRESHOLDS),
)
WITH_WEB = {"search": WEB}
TABLE_5 = paper_table(
    "crag:5",
    caption="The same input with and without self-correction",
    source=f"{SOURCE}, table 5",
    columns=[ACCURACY],
    runs={
        ("PopQA", label): {"run": answer(method, "popqa", own)}
        for label, method, own in (
            ("CRAG", "crag", {}),
            ("RAG", "plain", {}),
            ("RAG w. web", "plain", WITH_WEB),
            ("Self-CRAG", "selfcrag", {}),
            ("Self-RAG", "selfrag", {}),
            ("Self-RAG w. web", "selfrag", WITH_WEB),
        )
    },
    notes=(OURS_OR_PAPER, THRESHOLDS),
)


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
    if evaluation:
        own |= {"roles": {"evaluate": MODEL}, "evaluation": evaluation}
    needs = FROM_MEMORY if evaluation else ()
    return {"run": run("crag", "popqa", own, scorers=SCORERS["popqa"], needs=needs)}


TABLE_4 = paper_table(
    "crag:4",
    caption="Accuracy of the retrieval evaluator on PopQA",
    source=f"{SOURCE}, table 4",
    columns=[Column(name="Accuracy", run="run", figure=assessment_accuracy)],
    runs={
        ("", "Our Retrieval Evaluator (T5-based)"): assess(),
        ("", "ChatGPT"): assess("direct"),
        ("", "ChatGPT-CoT"): assess("cot"),
        ("", "ChatGPT-few-shot"): assess("few_shot"),
    },
    notes=(
        (
            "Ours | the paper's. Ours: the local evaluator with its own thresholds, and the model "
            "with the prompts of tables 8 to 10."
        ),
        (
            "The paper does not say what makes a retrieval right; here it is right if a document "
            "holds an accepted answer."
        ),
    ),
)
INPUT_TOKENS, EVALUATED_TOKENS = 2048, 512
"""Tokens that a generator reads for an answer, and T5's longest text."""
METHODS = {"RAG": "plain", "CRAG": "crag", "Self-RAG": "selfrag", "Self-CRAG": "selfcrag"}
"""By the label of a row."""
PASSAGES = {"RAG": (1, 1), "CRAG": (1, 1), "Self-RAG": (1, 5), "Self-CRAG": (1, 3)}
"""The fewest and the most texts that the generator reads for an answer (table 6)."""


def predict_flops(method: str) -> Figure:
    """The operations for an answer: the fewest and the most, and the value if they agree.

    CRAG and Self-CRAG have their evaluator read one text, as the paper's figures come to.
    """
    generator = count_flops(LLAMA_2_7B, INPUT_TOKENS)
    evaluator = count_flops(T5_LARGE, EVALUATED_TOKENS) if "CRAG" in method else 0.0
    fewest, most = (texts * generator + evaluator for texts in PASSAGES[method])
    return Figure(fewest) if fewest == most else Figure(None, fewest, most)


TABLE_6 = paper_table(
    "crag:6",
    caption="Computational overhead on PopQA",
    source=f"{SOURCE}, table 6",
    columns=[
        Column(name="TFLOPs per token", run="flops", scale=1e-12),
        Column(name="executing time(s)", run="run", figure="cost.seconds", scale=1, digits=3),
    ],
    runs={
        ("", label): {"run": answer(method, "popqa"), "flops": predict_flops(label)}
        for label, method in METHODS.items()
    },
    notes=(
        (
            "Ours | the paper's. TFLOPs by the formula of Narayanan et al. (2021), with the "
            "dimensions of LLaMA-2-7B and T5-large, whatever model answers. The paper names no "
            f"lengths: here the generator reads {INPUT_TOKENS:,} tokens to write one, the "
            f"evaluator {EVALUATED_TOKENS}."
        ),
    ),
)
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""The steps of figure 3."""


def _worse(method: str) -> dict[str, Run]:
    every = answer(method, "popqa")
    return {str(share): replace(every, removal=Removal(share)) for share in SHARES}


FIGURE_3 = paper_table(
    "crag:figure3",
    caption="Accuracy on PopQA while accurate retrieval results are removed",
    source=f"{SOURCE}, figure 3",
    columns=[
        Column(name=f"{share:.0%} removed", run=str(share), figure="match.accuracy")
        for share in SHARES
    ],
    runs={
        **{("", label): _worse(method) for label, method in METHODS.items()},
        ("", "without retrieval"): dict.fromkeys(
            map(str, SHARES), answer("plain", "popqa", MEMORY)
        ),
    },
    notes=(
        (
            "Ours | the paper's, which draws lines without numbers. A step removes the documents "
            "that hold an accepted answer from a share of the questions that have such."
        ),
    ),
    axis="share of questions that lose their accurate results",
)
TABLES = (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_6, TABLE_11, FIGURE_3)
