"""RAC's tables (arXiv:2410.15667): correcting biographies and short answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from errata.evals.papers.forms import MEMORY, PAPER, UNCHANGED, run
from errata.evals.papers.table import Column, Key, Need, PaperTable, Run, paper_table
from errata.evals.scoring import Task

SOURCE = "RAC, arXiv:2410.15667, table"
BIOGRAPHY, GOLD, TRUTHFUL = "biography", "biography-gold", "truthfulqa"
FACTSCORE = ("factscore", "cost")
SCORERS = {BIOGRAPHY: FACTSCORE, GOLD: FACTSCORE, TRUTHFUL: ("truthfulqa", "cost")}
TASKS: Mapping[str, Mapping[str, Any]] = {
    BIOGRAPHY: {"retrieval": "biography"},
    GOLD: {"retrieval": "biography"},
    TRUTHFUL: {"retrieval": "truthfulqa", "answers": "short"},
}
"""RAC's settings for a task (appendix A, table 8)."""
FORMS: Mapping[str, Mapping[str, Any]] = {
    BIOGRAPHY: {"task": "biography"},
    GOLD: {"task": "biography"},
    TRUTHFUL: {},
}
"""The form of what a method writes by itself."""
VERIFIED, UNVERIFIED = {"rag": True}, {"rag": False}
"""V+C+R verifies first and corrects what is false; C+R corrects every claim (table 3)."""
KEEP_ALL_TRUE = VERIFIED | {"keep_all_true": True}
ALL = ("bio", "bio rag", "qa", "qa rag")
BASE = ("GPT-3.5-Turbo", "GPT-3.5-Turbo")
NOTES = (
    (
        "Ours | the paper's. Drafts without RAG: of Biography ChatGPT's, of TruthfulQA what the "
        "model says from memory; with RAG: what plain answering writes by the documents."
    ),
    (
        "The documents of Biography are the page that a search engine ranked first. TruthfulQA "
        "comes without documents: its runs need a search engine."
    ),
)


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A half of a table's columns: a dataset, and who wrote its drafts."""

    dataset: str
    drafts: Task | None = None
    needs: tuple[Need, ...] = ()

    def run(self, method: str, own: Mapping[str, Any] | None = None) -> Run:
        """A run on these drafts."""
        scorers = SCORERS[self.dataset]
        return run(method, self.dataset, own, scorers=scorers, drafts=self.drafts, needs=self.needs)

    def rac(self, own: Mapping[str, Any]) -> Run:
        """A run of RAC with its settings for the dataset."""
        return self.run("rac", {**TASKS[self.dataset], **own})


def write(dataset: str, own: Mapping[str, Any] | None = None) -> Task:
    """Plain answering, which writes the drafts."""
    settings = {**PAPER, **FORMS[dataset], **(own or {})}
    return Task(dataset=dataset, method="plain", settings=settings, scorers=SCORERS[dataset])


CONDITIONS: Mapping[str, Condition] = {
    "bio": Condition(dataset=BIOGRAPHY),
    "bio rag": Condition(dataset=BIOGRAPHY, drafts=write(BIOGRAPHY)),
    "qa": Condition(dataset=TRUTHFUL, drafts=write(TRUTHFUL, MEMORY), needs=("model", "search")),
    "qa rag": Condition(dataset=TRUTHFUL, drafts=write(TRUTHFUL), needs=("search",)),
    "gold": Condition(dataset=GOLD),
    "gold rag": Condition(dataset=GOLD, drafts=write(GOLD)),
}
"""By the key of a column's run."""


def correct(method: str, conditions: tuple[str, ...] = ALL) -> dict[str, Run]:
    """The runs of a row: the same method on the drafts of each condition."""
    return {name: CONDITIONS[name].run(method) for name in conditions}


def rac(*forms: Mapping[str, Any]) -> dict[str, Run]:
    """The runs of a row of RAC, with its form for each condition."""
    return {name: CONDITIONS[name].rac(own) for name, own in zip(ALL, forms, strict=True)}


def answer(method: str) -> dict[str, Run]:
    """The runs of a row of a method that writes by what it retrieves, and has no draft."""
    return {
        name: Run(task=replace(task, method=method), needs=CONDITIONS[name].needs)
        for name, task in (("bio rag", write(BIOGRAPHY)), ("qa rag", write(TRUTHFUL)))
    }


def _columns(with_rag: str, without_rag: str) -> tuple[Column, ...]:
    truthful = {"BLEURT": "bleurt", "BLEU": "bleu", "ROUGE": "rouge1"}
    halves = (("qa", without_rag), ("qa rag", with_rag))
    return (
        Column(name=f"Biography FactScore{without_rag}", run="bio", figure="factscore.factscore"),
        Column(name=f"Biography FactScore{with_rag}", run="bio rag", figure="factscore.factscore"),
        *(
            Column(name=f"TruthfulQA {name}{half}", run=key, figure=f"truthfulqa.{own}_accuracy")
            for key, half in halves
            for name, own in truthful.items()
        ),
    )


BOTH_HALVES = _columns(" w/ RAG", " w/o RAG")
TABLE_2 = paper_table(
    "rac:2",
    caption="Biography and TruthfulQA",
    source=f"{SOURCE} 2",
    columns=BOTH_HALVES,
    runs={
        ("Llama2-7B (With Additional Training)", "Self-RAG"): answer("selfrag"),
        ("Llama2-7B (With Additional Training)", "Self-CRAG"): answer("selfcrag"),
        BASE: correct(UNCHANGED),
        ("GPT-3.5-Turbo", "+ RARR"): correct("rarr"),
        ("GPT-3.5-Turbo", "+ CRITIC"): correct("critic"),
        ("GPT-3.5-Turbo", "+ EVER"): correct("ever"),
        ("GPT-3.5-Turbo", "+ RAC"): rac(UNVERIFIED, KEEP_ALL_TRUE, UNVERIFIED, VERIFIED),
    },
    notes=(
        *NOTES,
        (
            "The paper prints RAC's best form for each half: C+R without RAG; with RAG V+C+R, on "
            "Biography with keep-all-true (tables 3 and 7)."
        ),
    ),
)
TABLE_3 = paper_table(
    "rac:3",
    caption="Ablation of verification",
    source=f"{SOURCE} 3",
    columns=BOTH_HALVES,
    runs={
        BASE: correct(UNCHANGED),
        ("GPT-3.5-Turbo", "+Self C+R"): rac(*[UNVERIFIED] * 4),
        ("GPT-3.5-Turbo", "+Self V+C+R"): rac(*[VERIFIED] * 4),
    },
    notes=NOTES,
)
_WHOLE = {"retrieval": ""}
"""Without the filters of appendix A."""
TABLE_4 = paper_table(
    "rac:4",
    caption="Correct retrieval on Biography",
    source=f"{SOURCE} 4",
    columns=[Column(name="FactScore", run="run", figure="factscore.factscore")],
    runs={
        ("GPT3.5-Turbo", label): {"run": each}
        for label, each in {
            "C + R": CONDITIONS["bio"].rac(UNVERIFIED),
            "C + R w/ Gold Retrieved Docs": CONDITIONS["gold"].rac(UNVERIFIED),
            "RAG w/o filter": CONDITIONS["bio rag"].run(UNCHANGED),
            "RAG w/o filter + V+C+R": CONDITIONS["bio rag"].rac(VERIFIED | _WHOLE),
            "RAG + V+C+R": CONDITIONS["bio rag"].rac(VERIFIED),
            "RAG w/ Gold Retrieved Docs": CONDITIONS["gold rag"].run(UNCHANGED),
            "RAG + V+C+R w/ Gold Retrieved Docs": CONDITIONS["gold rag"].rac(VERIFIED),
        }.items()
    },
    notes=(
        NOTES[0],
        (
            "Plain answering has no filter of appendix A: its row is the one without, and the row "
            "RAG is the paper's alone. RAC's rows filter, or do not."
        ),
    ),
)
GENERATION: Key = ("", "Generation")
TABLE_5 = paper_table(
    "rac:5",
    caption="Latency on Biography, in uncorrected generations by RAG",
    source=f"{SOURCE} 5",
    columns=[
        Column(
            name="Latency", run="bio rag", figure="cost.seconds", scale=1, digits=1, unit=GENERATION
        )
    ],
    runs={
        GENERATION: {"bio rag": Run(task=write(BIOGRAPHY))},
        ("", "RARR"): correct("rarr", ("bio rag",)),
        ("", "CRITIC*"): correct("critic", ("bio rag",)),
        ("", "EVER*"): correct("ever", ("bio rag",)),
        ("", "RAC"): {"bio rag": CONDITIONS["bio rag"].rac(VERIFIED)},
    },
    notes=(
        (
            "Ours | the paper's. Ours: the seconds of writing the draft and correcting it, over "
            "those of writing it. With a star, as all of ours: the same documents for all "
            "methods."
        ),
        (
            "CRITIC and EVER without a star search the web themselves; these rows are the paper's "
            "alone."
        ),
    ),
)
TABLE_7 = paper_table(
    "rac:7",
    caption="Keep all true (KAT)",
    source=f"{SOURCE} 7",
    columns=[column for column in _columns("", "") if column.run.endswith("rag")],
    runs={
        ("GPT-3.5-turbo", "RAG + Self-(V+C+R)"): rac(*[VERIFIED] * 4),
        ("GPT-3.5-turbo", "RAG + Self-(V+C+R) + KAT"): rac(*[KEEP_ALL_TRUE] * 4),
    },
    notes=NOTES,
)
TABLES: tuple[PaperTable, ...] = (TABLE_2, TABLE_3, TABLE_4, TABLE_5, TABLE_7)
