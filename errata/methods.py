"""The one registry of methods: what each is called, does and hands out."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from errata.core.errors import SettingError
from errata.core.jsonable import from_json
from errata.core.records import Answer, Correction

if TYPE_CHECKING:
    from errata.nodes.context import Context

Result = Correction | Answer


@dataclass(frozen=True)
class Method:
    """One method; its graph and its settings are imported when they are first used."""

    name: str
    description: str
    """What it does, in one line; `langgraph.json` says the same."""
    record: type[Correction] | type[Answer] = Correction
    revises: bool = True
    """Whether it changes a draft; a method that only detects errors hands the draft out."""
    joins: tuple[str, ...] = ()
    """The methods whose steps it is wired of."""

    @property
    def graph(self) -> Any:
        """The compiled graph, without a checkpointer."""
        return import_module(f"errata.graphs.{self.name}").graph

    @property
    def context(self) -> "type[Context]":
        """The class of the method's settings."""
        context: type[Context] = self.graph.builder.context_schema
        return context

    @property
    def corrects(self) -> bool:
        """Whether it corrects a draft; the others answer a question."""
        return self.record is Correction

    def read(self, output: Mapping[str, Any]) -> Result:
        """The record of a graph's output."""
        names = self.record.__dataclass_fields__
        return from_json(self.record, {name: output[name] for name in output if name in names})


METHODS: Mapping[str, Method] = {
    method.name: method
    for method in (
        Method(
            "rac",
            "Correct a draft: split it into claims, verify them by documents, correct the refuted "
            "ones, revise.",
        ),
        Method(
            "reex",
            "Correct a draft: ask sub-questions, gather answers, explain the errors, revise.",
        ),
        Method(
            "rarr",
            "Correct a draft: ask questions, find passages, edit where a passage disagrees.",
        ),
        Method(
            "critic",
            "Correct a draft: criticise it by what searches find, correct it, and go round again.",
        ),
        Method(
            "ever",
            "Correct a draft, or write an answer, sentence by sentence: ask about each concept, "
            "validate it by evidence, rectify the sentence.",
        ),
        Method(
            "crag",
            "Answer a question: judge what was retrieved, refine it, search the web, or both.",
            record=Answer,
        ),
        Method(
            "plain",
            "Answer a question in one call: from memory, by what was retrieved, or by the web too.",
            record=Answer,
            joins=("crag",),
        ),
        Method(
            "selfrag",
            "Answer a question: decide whether to retrieve, answer by each passage, take the best.",
            record=Answer,
            joins=("crag",),
        ),
        Method(
            "cove",
            "Correct a draft: plan questions about it, answer each by itself, cross-check, revise.",
        ),
        Method(
            "factool",
            "Check a draft: split it into claims, search for evidence on each, judge, and explain.",
            revises=False,
        ),
        Method(
            "selfcrag",
            "Answer a question: as Self-RAG, by the knowledge that CRAG makes of what it found.",
            record=Answer,
            joins=("crag", "selfrag"),
        ),
    )
}
CORRECTING = tuple(name for name, method in METHODS.items() if method.corrects)
ANSWERING = tuple(name for name, method in METHODS.items() if not method.corrects)


def method_named(name: str) -> Method:
    """A method by its name.

    Raises SettingError naming the methods if there is none of that name.
    """
    if name not in METHODS:
        from errata.nodes.settings import suggest

        there_is = f"{suggest([name], METHODS)}there is {', '.join(METHODS)}"
        raise SettingError(f"no method is called {name!r}; {there_is}")
    return METHODS[name]
