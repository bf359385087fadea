"""What an operator sets: servers' limits, stores, what is read of documents and pages.

No graph's context has these settings, so no caller of one can set them.
"""

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from errata.core.errors import SettingError, require
from errata.core.limits import current_run
from errata.nodes.settings import describe_unknown, setting_error
from errata.tools.files.page_parser import PageLimits
from errata.tools.models.prices import Prices
from errata.tools.models.replies import Replies
from errata.tools.net.endpoints import Limits
from errata.tools.net.sqlite_store import check_file


def split_list(value: object) -> object:
    """The items of a comma-separated text; any other value as it is."""
    if isinstance(value, str):
        return tuple(item.strip() for item in value.split(",") if item.strip())
    return value


CommaSeparated = Annotated[tuple[str, ...], BeforeValidator(split_list)]


class FromEnvironment(BaseModel):
    """Settings of which each that is not given is read from the variable ERRATA_ and its name."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    OWNER: ClassVar[str]
    """Whose settings these are, for messages."""

    def __init__(self, **settings: Any) -> None:
        """Take settings by name, the others from the environment.

        Raises SettingError naming each that is wrong or unknown.
        """
        known, owner = type(self).model_fields, self.OWNER
        if fault := describe_unknown(settings, known, "setting", owner):
            raise SettingError(fault)
        variables = {name: os.environ.get(variable_of(name), "") for name in known}
        settings = {name: value for name, value in variables.items() if value} | settings
        try:
            super().__init__(**settings)
        except ValidationError as error:
            raise setting_error(owner, settings, error) from error


class Deployment(FromEnvironment, Limits):
    """An operator's settings."""

    OWNER = "the deployment"

    call_cache: str = ""
    """Keep models' replies, and answer from them what was asked before: a file that processes may
    share."""
    page_cache: str = ""
    """Keep the web pages that are read in this file, which processes may share."""
    record: str = ""
    """Record every exchange with a model in this file, and answer from it what it holds."""
    replay: str = ""
    """Answer every call from this file of exchanges, packed or not; no model is called."""
    prices: str = ""
    """A file with prices of models and searches, which replace the shipped ones."""
    prompt_folder: str = ""
    """A folder of templates that replace the shipped ones of the same name; the newest version in
    it is used."""

    sure_above: Annotated[float, Field(ge=0, le=1)] = 0.9
    """With `verify=local>MODEL`: claims scored above this do not go to the model; so with a
    checkpoint or a decision model in the first place."""
    sure_below: Annotated[float, Field(ge=0, le=1)] = 0.2
    """With `verify=local>MODEL`: claims scored below this do not go to the model if the documents
    have none of their words."""

    max_claims: Annotated[int, Field(ge=1)] = 2000
    """Check at most this many claims; the others are labelled `unchecked`."""
    max_documents: Annotated[int, Field(ge=1)] = 2000
    """Use at most this many of the given documents, the first ones."""
    max_document_tokens: Annotated[int, Field(ge=0)] = 0
    """Cut the documents to this many tokens in all, the least relevant of what RAC retrieved for a
    question first; 0: no limit."""
    max_tokens: Annotated[int | None, Field(ge=0)] = None
    """The most tokens of prompts and replies together that a run may pay for; None: no limit."""
    max_searches: Annotated[int | None, Field(ge=0)] = None
    """The most searches of a corpus and of the web in a run; None: no limit."""
    max_pages: Annotated[int | None, Field(ge=0)] = None
    """The most web pages that a run reads; of the others the search engine's snippets are used."""
    page_timeout: Annotated[float, Field(gt=0)] = 10.0
    """Seconds that reading one web page may take."""
    blocked_domains: CommaSeparated = ()
    """Drop documents whose host contains one of these words; `leaks`: RAC appendix A's list."""
    cut_sections: bool = False
    """Cut references, footnotes and similar sections from documents (RAC appendix A)."""
    encoding: str = ""
    """What the texts of a corpus folder are encoded in, if it is not found out."""

    @model_validator(mode="after")
    def check(self) -> Self:
        """Refuse files that cannot be used, with a SettingError."""
        for name in ("call_cache", "page_cache", "record", "replay"):
            check_file(name, getattr(self, name))
        if self.page_cache:
            require("page_cache", "web", "hishel")
        if self.prompt_folder and not Path(self.prompt_folder).is_dir():
            raise SettingError(f"prompt_folder: there is no folder called {self.prompt_folder!r}")
        if self.prices:
            Prices.read(self.prices)
        return self

    def changed(self, **settings: Any) -> Self:
        """This deployment with other settings; raises SettingError as a new one does."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        return type(self)(**given | settings) if settings else self

    @property
    def replies(self) -> Replies:
        """Where models' replies are kept."""
        return Replies(self.record, self.call_cache)

    def page_limits(self) -> PageLimits:
        """The limits on a web page, to be read within the run's time."""
        return PageLimits(min(self.page_timeout, current_run().seconds_left))

    @cached_property
    def price_list(self) -> Prices:
        """What models and searches cost."""
        return Prices.read(self.prices)


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return f"ERRATA_{name.upper()}"


def operators(names: Iterable[str]) -> list[str]:
    """Those of the names that an operator's settings have."""
    return [name for name in names if name in Deployment.model_fields]
