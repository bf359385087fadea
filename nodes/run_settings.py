"""What every run can set, whatever its method: models, documents, bounds; who fills a role."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeGuard

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from errata.core.budgets import Budget, Cost
from errata.core.errors import SettingError
from errata.core.limits import Run, Tell
from errata.core.records import Usage
from errata.nodes.deployment import Deployment
from errata.nodes.settings import Capped
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.chat import endpoint_for
from errata.tools.models.pool import check_model, current_models
from errata.tools.models.replies import ReplayChat
from errata.tools.models.request import Sampling, read_sampling
from errata.tools.models.spec import (
    HUB,
    LOCAL,
    is_decider,
    is_local,
    name_of,
    split_cascade,
    split_models,
)
from errata.tools.web.search import HasResults, Runs

ModelSpec = (
    str
    | SkipJsonSchema[InstanceOf[Runnable[Any, Any]]]
    | SkipJsonSchema[InstanceOf[Evaluator]]
    | SkipJsonSchema[tuple[str | InstanceOf[Runnable[Any, Any]], ...]]
)
Corpus = str | SkipJsonSchema[InstanceOf[BaseRetriever]]
Search = (
    str
    | SkipJsonSchema[InstanceOf[BaseRetriever]]
    | SkipJsonSchema[InstanceOf[HasResults]]
    | SkipJsonSchema[InstanceOf[Runs]]
)


class RunSettings(BaseModel):
    """The settings of every run, and what fills each role by them."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: Annotated[ModelSpec, Field(title="Model")] = LOCAL
    """What fills every role: `local`, `PROVIDER:MODEL`, `scripted:FILE`; in Python a chat model.
    Several, separated by commas, are asked in order: the next where one fails."""
    roles: Annotated[dict[str, ModelSpec], Field(title="Model by role")] = {}
    """What fills single roles in place of `model`, as `ROLE=MODEL`."""
    profile: Literal["", "paper", "extractive"] = ""
    """`paper`: the paper's settings, with prompts in our own words; `extractive`: no model corrects
    and revises, or answers, and edits put in only words of their quotes. It fills in what the run
    does not set."""
    sampling: Annotated[dict[str, Sampling], BeforeValidator(read_sampling)] = {}
    """How models choose their words, for all roles or one: `temperature`, `top_p`, `seed` and
    `max_tokens`, as `NAME=VALUE` or `ROLE.NAME=VALUE`."""
    prompts: dict[str, str] = {}
    """Which version of a template to use, as `STEP=NAME`, such as `verify=rac/verify.v1`."""

    corpus: Corpus = ""
    """What to retrieve from: a folder of texts, an index, or in Python any LangChain retriever."""
    top_k: Annotated[int, Field(ge=1, le=100)] = 5
    """How many documents to retrieve for one query."""
    entity: str = ""
    """Keep only documents that contain this name (RAC appendix A)."""
    max_judged: Annotated[int, Field(ge=1), Capped()] = 1000
    """The most claims that local code judges in one step, the first ones; the others are
    `unchecked`."""
    max_seconds: Annotated[float, Field(gt=0), Capped()] = 600.0
    """Seconds that a run may take, a person's time to decide aside; what is not done by then is
    left out with a note: claims are `unchecked`, the draft stays."""
    max_calls: Annotated[int | None, Field(ge=0), Capped()] = None
    """The most calls to models that a run may pay for; None: no limit. What it or another budget
    stops is left out with a note: claims are `unchecked`, the draft stays."""
    max_money: Annotated[float | None, Field(ge=0), Capped()] = None
    """The most that a run's calls and searches may cost, in the currency of the prices."""

    ROLES: ClassVar[tuple[str, ...]] = ()
    """The steps that a model or local code may fill."""
    CASCADES: ClassVar[tuple[str, ...]] = ()
    """The roles that may be shared: `local>PROVIDER:MODEL`, `local>hub:ID`, `hub:ID>…`."""
    DECIDED: ClassVar[tuple[str, ...]] = ("verify", "evaluate")
    """The roles that a decision model may fill."""

    _deployment: Deployment = PrivateAttr(default_factory=Deployment)

    @property
    def deployment(self) -> Deployment:
        """What the operator set for this run."""
        return self._deployment

    def record(self, spent: Usage, samples: Mapping[str, int], tell: Tell) -> Run:
        """The record of a step before which so much was spent; `tell` follows its progress."""
        operators = self.deployment
        limits = {
            "calls": self.max_calls,
            "tokens": operators.max_tokens,
            "money": self.max_money,
            "searches": operators.max_searches,
            "pages": operators.max_pages,
        }
        return Run(
            self.max_seconds,
            self.max_judged,
            tell=tell,
            spent_seconds=spent.seconds,
            samples=dict(samples),
            budgets=(Budget(limits, Cost.of(spent)),),
        )

    def check_spec(self, role: str, spec: ModelSpec) -> None:
        """Refuse what cannot fill a role, with a SettingError; the role "" stands for all roles."""
        if isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel):
            raise SettingError(f"an evaluator cannot fill the role {role!r}")
        first, second = split_cascade(spec)
        given = f"{role or 'model'}={spec!r}"
        is_last = is_local(second) and not _is_hub(second)
        judges = is_local(first) or is_decider(first)
        if second and (role not in self.CASCADES or not judges or is_last):
            raise SettingError(
                f"{given}: only {', '.join(self.CASCADES) or 'no role'} may be shared, by local "
                "code, a checkpoint or a decision model first, and one of these two or a model "
                "after it: local>PROVIDER:MODEL, local>decisions:MODEL, "
                "hub:ID_OR_FOLDER>PROVIDER:MODEL"
            )
        if (is_decider(first) or is_decider(second)) and role not in self.DECIDED:
            known = [name for name in self.DECIDED if name in self.ROLES]
            raise SettingError(
                f"{given}: a decision model writes nothing; it can fill "
                f"{' and '.join(known) or 'no role'} alone: "
                f"--role {[*known, 'verify'][0]}=decisions:MODEL"
            )
        if (_is_hub(first) or _is_hub(second)) and role != "verify":
            raise SettingError(f"{given}: a checkpoint of a hub can only verify, and evaluate")
        for each in (first, second) if second else (first,):
            for model in () if self.deployment.replay or is_local(each) else split_models(each):
                check_model(model)

    def check_prices(self) -> None:
        """Refuse, with a SettingError, models and a search engine without a price."""
        models = list[Any]()
        for role in self.ROLES:
            models += (*self.deciders(role), *self.deciders(role, 1), *self.models_named(role))
        self.deployment.price_list.check(models, getattr(self, "engine", "none"))

    def sampling_for(self, role: str) -> Sampling:
        """How the model in a role is to choose its words."""
        every = self.sampling.get("", Sampling())
        return self.sampling.get(role, every).over(every)

    def _specs(self, role: str) -> tuple[Any, Any]:
        """What fills a role, and what takes its unsure cases; that is empty without a cascade."""
        return split_cascade(self.roles.get(role, self.model))

    def weights(self, role: str) -> str:
        """The file that a role's `local:WEIGHTS` names; empty for the shipped weights."""
        name, _, file = str(self._specs(role)[0]).partition(":")
        return file if name == LOCAL else ""

    def checkpoint(self, role: str, place: Literal[0, 1] = 0) -> str:
        """What a role's `hub:SOURCE` names, in a place of a cascade; empty without one."""
        spec = self._specs(role)[place]
        return spec.partition(":")[2] if _is_hub(spec) else ""

    def models_named(self, role: str) -> tuple[Any, ...]:
        """What names the chat models that fill a role, in order; none for what judges alone."""
        first, second = self._specs(role)
        last = second or first
        return () if is_local(last) or is_decider(last) else split_models(last)

    def deciders(self, role: str, place: Literal[0, 1] = 0) -> tuple[Any, ...]:
        """What names the decision models in a role and a place of its cascade; none for others."""
        spec = self._specs(role)[place]
        return split_models(spec) if is_decider(spec) else ()

    def sole_deciders(self, role: str) -> tuple[Any, ...]:
        """What names the decision models that fill a role and pass no case on."""
        return () if self.cascades(role) else self.deciders(role)

    def open(self, specs: Iterable[Any]) -> tuple[BaseChatModel, ...]:
        """The models that specs name, in the running event loop."""
        deployment = self.deployment
        if deployment.replay:
            return tuple(ReplayChat(file=deployment.replay, name=name_of(each)) for each in specs)
        return tuple(current_models().open(spec, deployment) for spec in specs)

    def by_model(self, role: str) -> bool:
        """Whether a model alone fills a role, or is consulted in it."""
        return bool(self.models_named(role))

    def cascades(self, role: str) -> bool:
        """Whether local code, or a checkpoint, passes its unsure cases on."""
        return bool(self._specs(role)[1])

    def passes_on(self, role: str) -> bool:
        """Whether a checkpoint or a decision model takes a role's unsure cases."""
        return bool(self.checkpoint(role, 1) or self.deciders(role, 1))

    def seconds_refused(self) -> float:
        """Seconds for which some role's servers are all down; to be asked in the runs' loop."""
        limits, filled = self.deployment, filter(None, map(self.models_named, self.ROLES))
        waits = (
            min(endpoint_for(model).seconds_refused(limits) for model in self.open(specs))
            for specs in filled
        )
        return max(waits, default=0.0)


def _is_hub(spec: object) -> TypeGuard[str]:
    return isinstance(spec, str) and spec.partition(":")[0] == HUB
