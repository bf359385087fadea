"""One filled prompt on its way to a model: which reply to it is wanted, by what sampling."""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, ConfigDict, Field

from errata.core.errors import SettingError
from errata.core.limits import current_run, note_undone
from errata.tools.net.faults import status_of

_FIELDS = {
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "seed": ("seed", "random_seed"),
    "max_tokens": ("max_tokens", "max_output_tokens", "max_new_tokens", "num_predict"),
}
"""What LangChain's chat models call each, the first that a model has."""
REFUSED = (400, 422)
"""With what status servers answer what they do not take."""


class Sampling(BaseModel):
    """How a model chooses its words; what is not set is left to the model."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    """How much chance decides; 0: the likeliest words."""
    top_p: Annotated[float | None, Field(gt=0, le=1)] = None
    """Choose among the likeliest words that have this probability together."""
    seed: int | None = None
    """What chance begins with, so that it can be repeated."""
    max_tokens: Annotated[int | None, Field(ge=1, le=32_768)] = None
    """The most tokens of a reply."""

    @property
    def given(self) -> dict[str, Any]:
        """What is set, by name."""
        return self.model_dump(exclude_none=True)

    def over(self, other: "Sampling") -> "Sampling":
        """This sampling, and the other's where this sets nothing."""
        return Sampling(**(other.given | self.given))

    def without(self, names: Collection[str]) -> "Sampling":
        """The same but for these."""
        return Sampling(**{name: x for name, x in self.given.items() if name not in names})


def read_sampling(value: object) -> object:
    """Sampling by role from its short forms; the role "" stands for all roles.

    Raises SettingError naming what is no part of sampling.

    >>> read_sampling({"temperature": 0, "verify.top_p": 0.3, "revise": {"seed": 1}})
    {'': {'temperature': 0}, 'verify': {'top_p': 0.3}, 'revise': {'seed': 1}}
    """
    if not isinstance(value, Mapping):
        return value
    by_role: dict[str, dict[str, Any]] = {}
    for key, each in value.items():
        role, _, name = str(key).rpartition(".")
        parts: Mapping[str, Any] = {name: each}
        if isinstance(each, Sampling | Mapping):
            role, parts = str(key), each.given if isinstance(each, Sampling) else each
        for name in parts:
            if name not in Sampling.model_fields:
                place = f" of {role}" if role else ""
                known = ", ".join(Sampling.model_fields)
                raise SettingError(f"sampling{place} has no {name!r}; it has {known}")
        by_role.setdefault(role, {}).update(parts)
    return by_role


def told_to(model: BaseChatModel, sampling: Sampling) -> tuple[BaseChatModel, Sampling]:
    """A copy of a model, on its connections, told the sampling that it knows; what that is."""
    known = type(model).model_fields
    fields = {n: next((f for f in _FIELDS[n] if f in known), "") for n in sampling.given}
    update = {fields[name]: value for name, value in sampling.given.items() if fields[name]}
    taken = sampling.without([name for name, field in fields.items() if not field])
    return (model.model_copy(update=update) if update else model), taken


def less_refused(taken: Sampling, error: object) -> Sampling:
    """The sampling without what a server's error says that it does not take."""
    if status_of(error) not in REFUSED:
        return taken
    words = {"max_tokens": "max_(?:completion_)?tokens"}
    said = (n for n in taken.given if re.search(rf"\b{words.get(n, n)}\b", str(error)))
    return taken.without([*said])


@dataclass(frozen=True)
class Request:
    """One filled prompt, and what it is for."""

    role: str
    prompt: str
    """The template's name."""
    digest: str
    """The SHA-256 of the template."""
    text: str
    sampling: Sampling = field(default_factory=Sampling)
    """How the model is to choose its words."""
    sample: int = 0
    """Which reply to equal requests is wanted, from 0; every try is a sample of its own."""
    place: int = 0
    """Which of a role's models, in order, it is for; above 0 the ones before it failed."""
    marked: str = ""
    """The text with marks in its tags, as a server gets it; nothing is kept under it."""
    tell: Callable[[str], None] | None = field(default=None, compare=False)
    """Takes the reply so far, as it comes; without, it is asked for whole."""
    typed: bool = False
    """Whether it holds typed questions, which servers count in their own ways."""
    shown: bool = True
    """Whether LangGraph's `messages` stream may show the reply's tokens, too."""
    schema: dict[str, Any] | None = field(default=None, compare=False)
    """A JSON Schema that the reply keeps to, if the model's profile says that its server can."""

    @property
    def sent(self) -> str:
        """What a server gets."""
        return self.marked or self.text

    @property
    def tag(self) -> str:
        """The template and its exact words, for notes and traces."""
        return f"{self.prompt}@{self.digest[:8]}"

    @property
    def key(self) -> str:
        """What equal requests share, whoever is asked."""
        return key_of_words(self.prompt, self.text, self.sampling)

    def numbered(self) -> "Request":
        """The request for the sample it wants, or the next one that its run has not had."""
        return replace(self, sample=current_run().next_sample(self.key, self.sample))

    def note_left_out(self, taken: Collection[str]) -> None:
        """Note what of the sampling the model did not take."""
        if names := " and ".join(name for name in self.sampling.given if name not in taken):
            note_undone(f"the model of {self.role} takes no {names}; it chose without")


def key_of_words(prompt: str, text: str, sampling: Sampling) -> str:
    """A short digest of a template's name, a filled prompt and a sampling."""
    parts = [prompt, text]
    if sampling.given:
        parts.append(json.dumps(sampling.given, sort_keys=True))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
