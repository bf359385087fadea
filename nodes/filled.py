"""What fills the roles of a method, and by which prompts."""

from typing import Annotated, Literal

from langchain_core.language_models import BaseChatModel
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf
from pydantic.json_schema import SkipJsonSchema

from errata.nodes.settings import Flag, Remote
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.sampling import Sampling, read_sampling
from errata.tools.models.spec import LOCAL

Model = str | InstanceOf[BaseChatModel]
Filler = (
    str
    | SkipJsonSchema[InstanceOf[BaseChatModel]]
    | SkipJsonSchema[InstanceOf[Evaluator]]
    | SkipJsonSchema[tuple[Model, ...]]
)


class FilledContext(BaseModel):
    """The settings of a method's roles."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    profile: Annotated[Literal["", "paper"], Remote.FREE, Flag()] = ""
    """`paper`: the paper's settings, with prompts in our own words; it fills in what the run does
    not set itself."""

    model: Annotated[
        Filler, Field(title="Model"), Remote.LISTED, Flag(environment="ERRATA_MODEL")
    ] = LOCAL
    """What fills every role: `local`, `PROVIDER:MODEL`, `scripted:FILE`; in Python a chat model.
    Several, separated by commas, are asked in order: the next where one fails."""
    roles: Annotated[
        dict[str, Filler], Field(title="Model by role"), Remote.LISTED, Flag("--role")
    ] = {}
    """What fills single roles in place of `model`, as `ROLE=FILLER`."""
    sampling: Annotated[
        dict[str, Sampling], BeforeValidator(read_sampling), Remote.FREE, Flag()
    ] = {}
    """How models choose their words, for all roles or one: `temperature`, `top_p`, `seed` and
    `max_tokens`, as `NAME=VALUE` or `ROLE.NAME=VALUE`; what is not set is left to the model."""
    prompts: Annotated[dict[str, str], Remote.FREE, Flag("--prompt")] = {}
    """Which version of a template to use, as `STEP=NAME`, such as `verify=rac/verify.v1`."""
    prompt_folder: Annotated[str, Flag()] = ""
    """A folder of templates that replace the shipped ones of the same name; the newest version in
    it is used."""
