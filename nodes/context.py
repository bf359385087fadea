"""What every run can set, whatever its method."""

from copy import deepcopy
from functools import cache, cached_property
from typing import Annotated, Any, ClassVar

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from pydantic import BaseModel, ConfigDict, Field, InstanceOf
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from errata.errors import PromptError, SettingError
from errata.prompts.library import Prompt, load_prompt, with_body
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.chat import LOCAL, check_model, is_local, opened, split_cascade
from errata.tools.models.replay import ReplayChat
from errata.tools.net.limits import Limits

Filler = str | SkipJsonSchema[InstanceOf[BaseChatModel]] | SkipJsonSchema[InstanceOf[Evaluator]]


def editable(name: str) -> Any:
    """Make a setting that holds a template's text, which Studio lets a person edit at its node."""
    step = name.partition("/")[2].split(".")[0]
    shown: JsonDict = {"langgraph_type": "prompt", "langgraph_nodes": [step], "template": name}
    return Field(load_prompt(name).body, json_schema_extra=shown)


class Context(BaseModel):
    """Hold the settings that all methods share; JSON-able unless a field holds an object."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    ROLES: ClassVar[tuple[str, ...]] = ()
    CASCADES: ClassVar[tuple[str, ...]] = ()
    """The roles that local code and a model may share: `local>PROVIDER:MODEL`."""

    model: Annotated[Filler, Field(title="Model")] = LOCAL
    """What fills every role: `local`, `PROVIDER:MODEL`, `scripted:FILE`, or a chat model."""
    roles: Annotated[dict[str, Filler], Field(title="Model by role")] = {}
    """What fills single roles instead."""
    prompts: str = ""
    """A folder of templates that override the shipped ones of the same name."""
    corpus: str | SkipJsonSchema[InstanceOf[BaseRetriever]] = ""
    """A folder of texts, an index, `qdrant:URL/COLLECTION?EMBEDDER`, or a LangChain retriever."""
    top_k: Annotated[int, Field(ge=1, le=100)] = 5
    """How many documents of the corpus are kept."""
    entity: str = ""
    """Drop documents that do not name this (RAC appendix A)."""
    blocked_domains: tuple[str, ...] = ()
    """Drop documents whose host has one of these words in it; `leaks`: appendix A's list."""
    cut_sections: bool = False
    """Cut reference lists and the like from documents (RAC appendix A)."""
    max_document_tokens: Annotated[int, Field(ge=0)] = 0
    """Cut the documents to this many tokens in all; 0 sets no limit."""
    max_claims: Annotated[int, Field(ge=1)] = 2000
    """Check at most this many claims; the rest come back as unchecked."""
    page_timeout: Annotated[float, Field(gt=0)] = 10.0
    """Seconds that reading one page of the web may take."""
    page_bytes: Annotated[int, Field(ge=1)] = 5_000_000
    """How large a page of the web may be."""
    record: str = ""
    """Keep every exchange with a model in this folder."""
    replay: str = ""
    """Answer every call to a model from this folder; nothing leaves the machine."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that one call to a model may take."""
    retries: Annotated[int, Field(ge=0, le=10)] = 3
    """How often a call is sent again after a 429, a 5xx or a broken connection."""
    at_once: Annotated[int, Field(ge=1)] = 32
    """How many calls one endpoint gets at a time."""
    per_second: Annotated[float, Field(ge=0)] = 0.0
    """How many calls a second may begin; 0 sets no limit."""

    def model_post_init(self, _: Any) -> None:
        """Refuse unknown roles and fillers before anything runs."""
        unknown = sorted(set(self.roles) - set(self.ROLES))
        if unknown:
            raise SettingError(
                f"no role is called {', '.join(map(repr, unknown))}; "
                f"this method has {', '.join(self.ROLES)}"
            )
        for role, spec in {"": self.model, **self.roles}.items():
            self.check(role, spec)
        for name, template in self.templates().items():
            try:
                self.template(template)
            except PromptError as error:
                raise SettingError(f"{name}: {error}") from error

    @classmethod
    def model_json_schema(cls, *given: Any, **more: Any) -> dict[str, Any]:
        """Give the settings' JSON schema; made once, for a server asks for it at every run."""
        if given or more:
            return super().model_json_schema(*given, **more)
        return deepcopy(_schema(cls))

    @classmethod
    def templates(cls) -> dict[str, str]:
        """Give the settings that hold a template's text, and that template's name."""
        extras = {name: field.json_schema_extra for name, field in cls.model_fields.items()}
        return {
            name: str(extra["template"])
            for name, extra in extras.items()
            if isinstance(extra, dict) and "template" in extra
        }

    def check(self, role: str, spec: Filler) -> None:
        """Refuse what fills no role."""
        if isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel):
            raise SettingError(f"an evaluator cannot fill the role {role!r}")
        first, second = split_cascade(spec)
        if second and not (role in self.CASCADES and is_local(first) and not is_local(second)):
            raise SettingError(
                f"{role or 'model'}={spec!r}: only {', '.join(self.CASCADES) or 'no role'} may be "
                "shared, by local code first and a model after it: local>PROVIDER:MODEL"
            )
        if not self.replay:
            check_model(second or first)

    def template(self, name: str) -> Prompt:
        """Give a template: as this run edits it, from the user's folder, or as shipped."""
        found = load_prompt(name, self.prompts)
        own = next((getattr(self, s) for s, t in self.templates().items() if t == name), "")
        return with_body(found, own) if own and own != load_prompt(name).body else found

    @property
    def limits(self) -> Limits:
        """Give the bounds on what the run asks of a model's server."""
        return Limits(self.timeout, self.retries, self.at_once, self.per_second)

    def weights(self, role: str) -> str:
        """Give the file of weights that a role's `local:WEIGHTS` names, or the empty string."""
        first, _ = split_cascade(self.roles.get(role, self.model))
        return first.partition(":")[2] if isinstance(first, str) and is_local(first) else ""

    def filler(self, role: str) -> BaseChatModel | None:
        """Give the model that fills a role in the running event loop; None for local code."""
        first, second = split_cascade(self.roles.get(role, self.model))
        spec: Any = second or first
        if is_local(spec):
            return None
        return self._replayed if self.replay else opened(spec, self.limits)

    def cascades(self, role: str) -> bool:
        """Tell whether local code and a model share a role."""
        return bool(split_cascade(self.roles.get(role, self.model))[1])

    @cached_property
    def _replayed(self) -> ReplayChat:
        return ReplayChat(folder=self.replay)


@cache
def _schema(kind: type[Context]) -> dict[str, Any]:
    return super(Context, kind).model_json_schema()
