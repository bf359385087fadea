"""What every run can set, whatever its method: fillers, documents, bounds."""

from typing import Annotated, Any, Literal

from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf, PrivateAttr
from pydantic.json_schema import SkipJsonSchema

from errata.core.budgets import Budget, Cost
from errata.core.limits import Bounds, Tell
from errata.nodes.deployment import Deployment
from errata.nodes.settings import Capped, Flag
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.sampling import Sampling, read_sampling
from errata.tools.models.spec import LOCAL
from errata.tools.retrieval.objects import HasResults, Runs

Filler = (
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
    """The settings of every run."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    profile: Annotated[Literal["", "paper", "extractive"], Flag()] = ""
    """`paper`: the paper's settings, with prompts in our own words; `extractive`: no model corrects
    and revises, or answers, and edits put in only words of their quotes. It fills in what the run
    does not set itself."""

    model: Annotated[Filler, Field(title="Model"), Flag(environment="ERRATA_MODEL")] = LOCAL
    """What fills every role: `local`, `PROVIDER:MODEL`, `scripted:FILE`; in Python a chat model.
    Several, separated by commas, are asked in order: the next where one fails."""
    roles: Annotated[dict[str, Filler], Field(title="Model by role"), Flag("--role")] = {}
    """What fills single roles in place of `model`, as `ROLE=FILLER`."""
    sampling: Annotated[dict[str, Sampling], BeforeValidator(read_sampling), Flag()] = {}
    """How models choose their words, for all roles or one: `temperature`, `top_p`, `seed` and
    `max_tokens`, as `NAME=VALUE` or `ROLE.NAME=VALUE`; what is not set is left to the model."""
    prompts: Annotated[dict[str, str], Flag("--prompt")] = {}
    """Which version of a template to use, as `STEP=NAME`, such as `verify=rac/verify.v1`."""

    corpus: Annotated[Corpus, Flag()] = ""
    """What to retrieve from: a folder of texts, an index, or in Python any LangChain retriever."""
    top_k: Annotated[int, Field(ge=1, le=100), Flag()] = 5
    """How many documents to retrieve for one query."""
    entity: Annotated[str, Flag()] = ""
    """Keep only documents that contain this name (RAC appendix A)."""
    max_judged: Annotated[int, Field(ge=1), Capped(), Flag()] = 1000
    """The most claims that local code judges in one step, the first ones; the others are
    `unchecked`. It judges about 40 a second on two cores."""
    max_seconds: Annotated[float, Field(gt=0), Capped(), Flag()] = 600.0
    """Seconds that a run may take, a person's time to decide aside. What is not done by then is
    left out with a note: claims are `unchecked`, and the draft stays."""
    max_calls: Annotated[int | None, Field(ge=0), Capped(), Flag()] = None
    """The most calls to models that a run may pay for; as with the other budgets, None is no limit,
    and what it stops is left out with a note: claims are `unchecked`, and the draft stays."""
    max_money: Annotated[float | None, Field(ge=0), Capped(), Flag()] = None
    """The most that a run's calls and searches may cost, in the currency of the prices."""

    _deployment: Deployment = PrivateAttr(default_factory=Deployment)

    @property
    def deployment(self) -> Deployment:
        """What the operator set for this run."""
        return self._deployment

    def bounds(self, tell: Tell | None = None) -> Bounds:
        """The bounds on one step's work, nothing of them used up, and what follows its progress."""
        sizes = self.deployment.max_sentence, self.deployment.max_strips
        return Bounds(self.max_seconds, *sizes, self.max_judged, tell=tell)

    def budget(self, spent: Cost, longest_reply: int = 0) -> Budget:
        """The run's budget, of which some is spent; the tokens of a reply so far."""
        operators = self.deployment
        limits = {
            "calls": self.max_calls,
            "tokens": operators.max_tokens,
            "money": self.max_money,
            "searches": operators.max_searches,
            "pages": operators.max_pages,
        }
        return Budget(limits, spent, longest_reply=longest_reply)
