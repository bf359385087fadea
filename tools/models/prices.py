"""What tokens and searches cost: a table of list prices that one's own can replace."""

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errata.core.errors import InputError, SettingError
from errata.core.jsonable import describe_faults
from errata.core.records import Usage
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import LOCAL, name_of, split_address

PER = 1_000_000
MOST = 1e12
"""The largest price: sums of larger ones would be no numbers."""
_HERE = (LOCAL, "scripted", "huggingface")
"""What costs nothing, since it runs on this machine."""

Price = Annotated[float, Field(ge=0, le=MOST)]


class ModelPrice(BaseModel):
    """What a million tokens of a model cost."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    prompt: Price
    completion: Price

    def of(self, prompt: float, completion: float) -> float:
        """What a call with so many tokens costs."""
        return (prompt * self.prompt + completion * self.completion) / PER


FREE = ModelPrice(prompt=0, completion=0)


class Prices(BaseModel):
    """A table of prices in one currency."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    as_of: str = ""
    """The month of the prices."""
    currency: str = "USD"
    sources: tuple[str, ...] = ()
    models: dict[str, ModelPrice] = Field(default_factory=dict)
    """By the model's name, without its provider."""
    searches: dict[str, Price] = Field(default_factory=dict)
    """What one search costs, by the engine's name."""

    @classmethod
    def read(cls, path: str = "") -> Self:
        """The shipped table under one's own prices; raises InputError if the file has none."""
        here = files("errata.tools.models").joinpath("prices.json")
        shipped = cls.model_validate_json(here.read_text(encoding="utf-8"))
        if not path:
            return shipped
        try:
            own = cls.model_validate_json(Path(path).read_text(encoding="utf-8"))
        except ValidationError as error:
            raise InputError(f"{path!r} holds no prices: {describe_faults(error)}") from error
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read the prices {path!r}: {error}") from error
        models, searches = shipped.models | own.models, shipped.searches | own.searches
        return own.model_copy(update={"models": models, "searches": searches})

    def model(self, spec: object) -> ModelPrice | None:
        """A model's price, by its whole spec or its name; nothing for what runs on this machine.

        >>> Prices.read().model("openai:gpt-4o-mini@http://localhost:8000/v1")
        ModelPrice(prompt=0.15, completion=0.6)
        """
        name = name_of(spec)
        if isinstance(spec, FakeChat) or name.partition(":")[0] in _HERE:
            return FREE
        whole, _ = split_address(name)
        names = (name, whole, whole.partition(":")[2], whole.rpartition(":")[2])
        return next((self.models[name] for name in names if name in self.models), None)

    def search(self, spec: str) -> float | None:
        """What one search costs; None where the table lacks the engine."""
        names = (spec, spec.partition(":")[0]) if spec else ("none",)
        return next((self.searches[name] for name in names if name in self.searches), None)

    def check(self, models: Iterable[object], search: str) -> None:
        """Raise SettingError, which says what to add, for a model or engine without a price."""
        costs = {"prompt": 0.15, "completion": 0.6}
        for name in (name_of(spec) for spec in models if self.model(spec) is None):
            _refuse(f"the model {name!r}", "a million tokens of it cost", {"models": {name: costs}})
        if self.search(search) is None:
            entry = {"searches": {search: 0.001}}
            _refuse(f"the search engine {search!r}", "one search costs", entry)

    def priced(self, usage: Usage) -> Usage:
        """A call's bill, which names one role and one model, with its money."""
        [role], [name] = usage.by_role, usage.by_model
        money = (self.model(name) or FREE).of(usage.prompt_tokens, usage.completion_tokens)
        if not money:
            return usage
        share = {"money": money}
        return usage + Usage(money=money, by_role={role: share}, by_model={name: dict(share)})


def _refuse(what: str, costs: str, entry: object) -> None:
    raise SettingError(
        f"max_money needs a price for {what}: write what {costs} into a JSON file, "
        f"{json.dumps(entry)}, and name that file by prices (--prices FILE)"
    )
