"""How a run calls models: recorded, replayed, within limits."""

import os
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from errata.nodes.settings import Flag, Remote
from errata.tools.models.call_cache import CallCache, check_call_cache
from errata.tools.models.replies import Replies
from errata.tools.net.limits import Limits
from errata.tools.web.page_cache import PageCache, check_page_cache


class CallingContext(BaseModel):
    """The settings of calls to models."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    record: Annotated[str, Flag()] = ""
    """Record every exchange with a model in this folder."""
    reuse: bool = False
    """With `record`: answer from the folder what it holds already, and ask the model the rest."""
    replay: Annotated[str, Flag()] = ""
    """Answer every call from this folder or packed file of exchanges; no model is called."""
    call_cache: Annotated[str, Flag()] = ""
    """Keep models' replies, and answer from them what was asked before: a file that processes may
    share, or `redis://HOST:PORT/NUMBER`; empty: the environment's `ERRATA_CALL_CACHE`, if any."""
    call_cache_hours: Annotated[float, Field(ge=0)] = 0.0
    """Hours after which a kept reply is out of date; 0: never."""
    call_cache_megabytes: Annotated[int, Field(ge=1)] = 1024
    """About the largest size of the file; the least recently used replies go first."""
    page_cache: Annotated[str, Flag()] = ""
    """Keep the web pages that are read in this file, which processes may share; empty: the
    environment's `ERRATA_PAGE_CACHE`, if any."""
    page_cache_hours: Annotated[float, Field(ge=0)] = 24.0
    """Hours for which a page is not asked for again where its server says nothing of that."""
    timeout: Annotated[float, Field(gt=0), Remote.CAPPED] = 60.0
    """Seconds that one call to a model may take."""
    retries: Annotated[int, Field(ge=0, le=10), Remote.FREE] = 3
    """How often a call is repeated after a 429, a 5xx or a broken connection; once if no answer
    came in time."""
    at_once: Annotated[int, Field(ge=1), Remote.CAPPED] = 32
    """The most calls under way to one endpoint, over all runs of the process; fewer while the
    endpoint answers 429 or 503."""
    per_second: Annotated[float, Field(ge=0)] = 0.0
    """The most calls that may start in a second; 0: no limit."""
    breaker_after: Annotated[int, Field(ge=0)] = 5
    """Ask an endpoint no more after this many failed calls in a row (5xx, no connection, no answer
    in time), and one more for each call under way since before the row; 0: ask it always."""
    breaker_seconds: Annotated[float, Field(gt=0)] = 30.0
    """For how many seconds it is not asked; then one call tries whether it answers."""

    @field_validator("call_cache")
    @classmethod
    def _check_call_cache(cls, spec: str) -> str:
        check_call_cache(spec)
        return spec

    @field_validator("page_cache")
    @classmethod
    def _check_page_cache(cls, file: str) -> str:
        check_page_cache(file)
        return file

    @property
    def replies(self) -> Replies:
        """Where models' replies are kept."""
        spec = self.call_cache or os.environ.get("ERRATA_CALL_CACHE", "")
        bounds = self.call_cache_hours, self.call_cache_megabytes
        return Replies(self.record, self.reuse, CallCache.open(spec, *bounds) if spec else None)

    @property
    def pages(self) -> PageCache:
        """Where web pages are kept."""
        file = self.page_cache or os.environ.get("ERRATA_PAGE_CACHE", "")
        return PageCache(file, self.page_cache_hours)

    @property
    def limits(self) -> Limits:
        """The bounds on what the run asks of a model's server."""
        return Limits(
            timeout=self.timeout,
            retries=self.retries,
            at_once=self.at_once,
            per_second=self.per_second,
            breaker_after=self.breaker_after,
            breaker_seconds=self.breaker_seconds,
        )
