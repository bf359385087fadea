"""RAC's tables (arXiv:2410.15667): correcting biographies and short answers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from errata.evals.items import Task
from errata.evals.papers.table import MEMORY, PAPER, UNCHANGED, Column, Key, Need, Run, paper_table
from errata.evals.papers.table import run as run_on

BIOGRAPHY, GOLD, TRUTHFUL = "biography", "biography-gold", "truthfulqa"
FACTSCORE = ("factscore", "cost")
SCORERS = {BIOGRAPHY: FACTSCORE, GOLD: FACTSCORE, TRUTHFUL: ("truthfulqa", "cost")}
TASKS: Mapping[str, Mapping[str, Any]] = {
    BIOGRAPHY: {"retrieval": "biography"},
    GOLD: {"retrieval": "biography"},
    TRUTHFUL: {"retrieval": "truthfulqa", "answers": "short"},
}
"""RAC's settings for a task (appendix A, table 8)."""
VERIFIED, UNVERIFIED = {"rag": True}, {"rag": False}
"""V+C+R verifies first and corrects what is false; C+R corrects every claim (table 3)."""
KEEP_ALL_TRUE = VERIFIED | {"keep_all_true": True}
WHOLE = VERIFIED | {"retrieval": ""}
"""Without the filters of appendix A."""


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A half of a table's columns: a dataset, and who wrote its drafts."""

    dataset: str
    drafts: Task | None = None
    needs: tuple[Need, ...] = ()

    def run(self, method: str, own: Mapping[str, Any] | None = None) -> Run:
        """A run on these drafts; one of RAC has its settings for the dataset."""
        settings = {**TASKS[self.dataset], **(own or {})} if method == "rac" else own
        scorers = SCORERS[self.dataset]
        return run_on(
            method, self.dataset, settings, scorers=scorers, drafts=self.drafts, needs=self.needs
        )


def write(dataset: str, own: Mapping[str, Any] | None = None) -> Task:
    """Plain answering, which writes the drafts, in the form of the dataset's answers."""
    form = {} if dataset == TRUTHFUL else {"task": "biography"}
    settings = {**PAPER, **form, **(own or {})}
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
ALL = ("bio", "bio rag", "qa", "qa rag")


def correct(method: str, *forms: Mapping[str, Any]) -> dict[str, Run]:
    """The runs of a row: a method on the drafts of each condition, with its form for each."""
    each = forms * 4 if len(forms) == 1 else forms or ({},) * 4
    return {name: CONDITIONS[name].run(method, own) for name, own in zip(ALL, each, strict=True)}


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


BASE: Key = ("GPT-3.5-Turbo", "GPT-3.5-Turbo")
BOTH_HALVES = _columns(" w/ RAG", " w/o RAG")
WITH_RAG = [column for column in _columns("", "") if column.run.endswith("rag")]
GENERATION: Key = ("", "Generation")
LATENCY = Column(name="Latency", run="bio rag", figure="cost.seconds", scale=1, unit=GENERATION)
_BIO, _GOLD = (CONDITIONS[f"{name} rag"] for name in ("bio", "gold"))
TABLES = (
    paper_table(
        "rac:2",
        BOTH_HALVES,
        {
            ("Llama2-7B (With Additional Training)", "Self-RAG"): answer("selfrag"),
            ("Llama2-7B (With Additional Training)", "Self-CRAG"): answer("selfcrag"),
            BASE: correct(UNCHANGED),
            ("GPT-3.5-Turbo", "+ RARR"): correct("rarr"),
            ("GPT-3.5-Turbo", "+ CRITIC"): correct("critic"),
            ("GPT-3.5-Turbo", "+ EVER"): correct("ever"),
            ("GPT-3.5-Turbo", "+ RAC"): correct(
                "rac", UNVERIFIED, KEEP_ALL_TRUE, UNVERIFIED, VERIFIED
            ),
        },
    ),
    paper_table(
        "rac:3",
        BOTH_HALVES,
        {
            BASE: correct(UNCHANGED),
            ("GPT-3.5-Turbo", "+Self C+R"): correct("rac", UNVERIFIED),
            ("GPT-3.5-Turbo", "+Self V+C+R"): correct("rac", VERIFIED),
        },
    ),
    paper_table(
        "rac:4",
        [Column(name="FactScore", figure="factscore.factscore")],
        {
            ("GPT3.5-Turbo", label): {"run": each}
            for label, each in {
                "C + R": CONDITIONS["bio"].run("rac", UNVERIFIED),
                "C + R w/ Gold Retrieved Docs": CONDITIONS["gold"].run("rac", UNVERIFIED),
                "RAG w/o filter": _BIO.run(UNCHANGED),
                "RAG w/o filter + V+C+R": _BIO.run("rac", WHOLE),
                "RAG + V+C+R": _BIO.run("rac", VERIFIED),
                "RAG w/ Gold Retrieved Docs": _GOLD.run(UNCHANGED),
                "RAG + V+C+R w/ Gold Retrieved Docs": _GOLD.run("rac", VERIFIED),
            }.items()
        },
    ),
    paper_table(
        "rac:5",
        [LATENCY],
        {
            GENERATION: {"bio rag": Run(task=write(BIOGRAPHY))},
            ("", "RARR"): {"bio rag": _BIO.run("rarr")},
            ("", "CRITIC*"): {"bio rag": _BIO.run("critic")},
            ("", "EVER*"): {"bio rag": _BIO.run("ever")},
            ("", "RAC"): {"bio rag": _BIO.run("rac", VERIFIED)},
        },
    ),
    paper_table(
        "rac:7",
        WITH_RAG,
        {
            ("GPT-3.5-turbo", "RAG + Self-(V+C+R)"): correct("rac", VERIFIED),
            ("GPT-3.5-turbo", "RAG + Self-(V+C+R) + KAT"): correct("rac", KEEP_ALL_TRUE),
        },
    ),
)
