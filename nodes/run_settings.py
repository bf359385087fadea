"""What every run can set, whatever its method: fillers, documents, bounds, calls."""

import os
from typing import Annotated, Any, Literal

from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf
from pydantic.json_schema import SkipJsonSchema

from errata.core.budgets import Budget, Cost
from errata.core.limits import Bounds, Tell
from errata.nodes.settings import Flag, Remote
from errata.tools.judges.evaluator import Evaluator
from errata.tools.models.replies import Replies
from errata.tools.models.sampling import Sampling, read_sampling
from errata.tools.models.spec import LOCAL
from errata.tools.net.limits import Limits
from errata.tools.retrieval.objects import HasResults, Runs
from errata.tools.web.pages import PageCache

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
    """The settings of every run, and what they come to."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    profile: Annotated[Literal["", "paper", "extractive"], Remote.FREE, Flag()] = ""
    """`paper`: the paper's settings, with prompts in our own words; `extractive`: no model corrects
    and revises, or answers, and edits put in only words of their quotes. It fills in what the run
    does not set itself."""

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

    corpus: Annotated[Corpus, Remote.LISTED, Flag()] = ""
    """What to retrieve from: a folder of texts, an index, or in Python any LangChain retriever."""
    encoding: str = ""
    """What the texts of a corpus folder are encoded in, if it is not found out."""
    top_k: Annotated[int, Field(ge=1, le=100), Remote.FREE, Flag()] = 5
    """How many documents to retrieve for one query."""
    entity: Annotated[str, Remote.FREE, Flag()] = ""
    """Keep only documents that contain this name (RAC appendix A)."""
    blocked_domains: Annotated[tuple[str, ...], Remote.FREE, Flag("--blocked-domain")] = ()
    """Drop documents whose host contains one of these words; `leaks`: RAC appendix A's list."""
    cut_sections: Annotated[bool, Remote.FREE, Flag()] = False
    """Cut references, footnotes and similar sections from documents (RAC appendix A)."""
    max_document_tokens: Annotated[int, Field(ge=0), Remote.FREE, Flag()] = 0
    """Cut the documents to this many tokens in all; 0: no limit."""

    max_documents: Annotated[int, Field(ge=1), Remote.CAPPED, Flag()] = 2000
    """Use at most this many of the given documents, the first ones."""
    max_sentence: Annotated[int, Field(ge=100), Remote.CAPPED] = 5000
    """The most characters of a sentence; a longer one counts as several."""
    max_strips: Annotated[int, Field(ge=1), Remote.CAPPED] = 20_000
    """Read at most this many strips, as a rule sentences, of the documents; the first ones."""
    max_judged: Annotated[int, Field(ge=1), Remote.CAPPED, Flag()] = 1000
    """The most claims that local code judges in one step, the first ones; the others are
    `unchecked`. It judges about 40 a second on two cores."""
    max_seconds: Annotated[float, Field(gt=0), Remote.CAPPED, Flag()] = 600.0
    """Seconds that a run may take, a person's time to decide aside. What is not done by then is
    left out with a note: claims are `unchecked`, and the draft stays."""
    max_calls: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most calls to models that a run may pay for; as with the other budgets, None is no limit,
    and what it stops is left out with a note: claims are `unchecked`, and the draft stays."""
    max_tokens: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most tokens of prompts and replies together that a run may pay for."""
    max_money: Annotated[float | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most that a run's calls and searches may cost, in the currency of the prices."""
    max_searches: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most searches of a corpus and of the web."""
    max_pages: Annotated[int | None, Field(ge=0), Remote.CAPPED, Flag()] = None
    """The most web pages to read; of the others the search engine's snippets are used."""
    prices: Annotated[str, Flag()] = ""
    """A file with prices of models and searches, which replace the shipped ones."""
    page_timeout: Annotated[float, Field(gt=0), Remote.CAPPED] = 10.0
    """Seconds that reading one web page may take."""
    page_bytes: Annotated[int, Field(ge=1), Remote.CAPPED] = 5_000_000
    """The most bytes that a web page may have."""

    record: Annotated[str, Flag()] = ""
    """Record every exchange with a model in this file."""
    reuse: bool = False
    """With `record`: answer from the file what it holds already, and ask the model the rest."""
    replay: Annotated[str, Flag()] = ""
    """Answer every call from this file of exchanges, packed or not; no model is called."""
    call_cache: Annotated[str, Flag()] = ""
    """Keep models' replies, and answer from them what was asked before: a file that processes may
    share; empty: the environment's `ERRATA_CALL_CACHE`, if any."""
    call_cache_hours: Annotated[float, Field(ge=0)] = 0.0
    """Hours after which a kept reply is out of date; 0: never."""
    call_cache_megabytes: Annotated[int, Field(ge=1)] = 1024
    """About the largest size of the file; the least recently used replies go first."""
    page_cache: Annotated[str, Flag()] = ""
    """Keep the web pages that are read in this file, which processes may share; empty: the
    environment's `ERRATA_PAGE_CACHE`, if any."""
    page_cache_hours: Annotated[float, Field(ge=0)] = 24.0
    """Hours that a page stays fresh where its server does not say how long."""
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
    """Stop asking an endpoint after this many failed calls in a row (5xx, no connection, no answer
    in time), plus one for each call that was under way before the row; 0: never stop."""
    breaker_seconds: Annotated[float, Field(gt=0)] = 30.0
    """Seconds until one call tries again whether a stopped endpoint answers."""

    def bounds(self, tell: Tell | None = None) -> Bounds:
        """The bounds on one step's work, nothing of them used up, and what follows its progress."""
        names = ("max_seconds", "max_sentence", "max_strips", "max_judged")
        return Bounds(**{name: getattr(self, name) for name in names}, tell=tell)

    def budget(self, spent: Cost, longest_reply: int = 0) -> Budget:
        """The run's budget, of which some is spent; the tokens of a reply so far."""
        kinds = ("calls", "tokens", "money", "searches", "pages")
        limits = {kind: getattr(self, f"max_{kind}") for kind in kinds}
        return Budget(limits, spent, longest_reply=longest_reply)

    @property
    def replies(self) -> Replies:
        """Where models' replies are kept."""
        spec = self.call_cache or os.environ.get("ERRATA_CALL_CACHE", "")
        bounds = self.call_cache_hours, self.call_cache_megabytes
        return Replies(self.record, self.reuse, spec, *bounds)

    @property
    def pages(self) -> PageCache:
        """Where web pages are kept."""
        file = self.page_cache or os.environ.get("ERRATA_PAGE_CACHE", "")
        return PageCache(file, self.page_cache_hours)

    @property
    def limits(self) -> Limits:
        """The bounds on what the run asks of a model's server."""
        return Limits(**{name: getattr(self, name) for name in Limits.__dataclass_fields__})
