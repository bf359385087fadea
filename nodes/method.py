"""What a method declares of itself, in one object, which is all that the rest of the house asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from errata.core.jsonable import from_json
from errata.core.records import Answer, Correction
from errata.nodes.context import Context


@dataclass(frozen=True)
class Method:
    """One method, as the module of its graph declares it under the name `method`."""

    name: str
    description: str
    """What it does, in one line; `langgraph.json` says the same of what a server runs."""
    graph: Any
    """The compiled graph, without a checkpointer."""
    record: type[Correction] | type[Answer] = Correction
    revises: bool = True
    """Whether it changes a draft; a method that only detects errors hands the draft out."""
    replies: Mapping[str, Any] = field(default_factory=dict)
    """A model's replies to its prompts in the tests' worked example, as a script of them says; for
    a method of another package."""
    makers: Mapping[str, Callable[[Any], str]] = field(default_factory=dict)
    """What the simulated endpoint replies to prompts whose form does not tell, by their stems."""

    @property
    def context(self) -> type[Context]:
        """The class of the method's settings; its `ROLES` are the steps that models may fill."""
        context: type[Context] = self.graph.builder.context_schema
        return context

    @property
    def corrects(self) -> bool:
        """Whether it corrects a draft; the others answer a question."""
        return self.record is Correction

    def read(self, output: Mapping[str, Any]) -> Correction | Answer:
        """The record of a graph's output."""
        names = self.record.__dataclass_fields__
        return from_json(self.record, {name: output[name] for name in output if name in names})
