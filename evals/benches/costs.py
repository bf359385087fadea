"""What each method asks of a model for one biography, beside what RAC's published program asks.

Calls, generations waited for, tokens, searches and pages, of every method in its default form
and in the published one. The model is the one at OPENAI_BASE_URL; without that, the simulated
endpoint is started. The biographies are FActScore's, each with the page that a search engine ranked
first; where they are not in the data, invented ones.
"""

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from statistics import fmean
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.tracers.context import register_configure_hook

from errata.core.errors import ErrataError, InputError
from errata.core.records import Document
from errata.evals.benches import bench_parser, tabulate, write_figures, write_page
from errata.evals.datasets import dataset_named
from errata.evals.endpoint.people import people
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings
from errata.evals.items import Item
from errata.evals.runner import run_item
from errata.methods import ANSWERING, CORRECTING, METHODS, Result
from errata.session import Session

FORMS = ("", "paper")
"""The profiles that are measured."""
GIVEN_ALONE = ("rac", "errata")
"""The methods that need the given page alone; others that can search the web do so besides."""
_CALLS_AT_ONCE = 32
_INTRODUCTION = """\
# Costs

What one biography costs: means of {inputs}, corrected by {endpoint}. Written by
`make bench NAME=costs`. **Waits** are calls made one after another. **Published**: RAC's own
program, measured once on 20 of FActScore's biographies (which 20 was not kept) with another
simulated endpoint, whose replies hold other numbers of claims and errors: compare magnitudes.

"""
_HEAD = (
    *("method", "form", "calls", "waits", "prompt tokens", "completion tokens"),
    *("searches", "pages", "published: calls", "prompt tokens"),
)
_COUNTED = ("model_calls", "prompt_tokens", "completion_tokens", "searches", "pages")
_WRITTEN = {
    name: ".0f" if "tokens" in name else ".1f"
    for name in ("model_calls", "generations", *_COUNTED[1:])
}
PUBLISHED: Mapping[str, tuple[str, str]] = {"rac": ("8.9", "5.3K")}
"""Calls and prompt tokens of a published program."""
_JUDGES: Mapping[str, Mapping[str, Any]] = {
    "a chat model": {"model": "openai:m"},
    "decisions, and a chat model": {"model": "openai:m", "roles": {"verify": "decisions:m"}},
    "decisions, and local code": {"model": "local", "roles": {"verify": "decisions:m"}},
}
"""Who judges in RAC, and who does the rest."""
_JUDGING = {"model_calls": ".1f", "completion_tokens": ".0f", "seconds": ".2f"}
METHODS_MEASURED = (*CORRECTING, *ANSWERING)
Costs = Mapping[str, float]


@dataclass
class Call:
    """One call to a model: the template's name, and when it began and ended, in seconds."""

    prompt: str
    began: float
    ended: float = float("inf")


@dataclass(eq=False)
class CallLog(AsyncCallbackHandler):
    """The calls of a run, in the order in which they began."""

    calls: list[Call] = field(default_factory=list)
    _open: dict[UUID, Call] = field(default_factory=dict)

    async def on_chat_model_start(
        self, *_: Any, run_id: UUID, metadata: dict[str, Any] | None = None, **__: Any
    ) -> None:
        """Keep a call."""
        call = Call((metadata or {}).get("prompt", ""), time.perf_counter())
        self.calls.append(call)
        self._open[run_id] = call

    async def on_llm_end(self, *_: Any, run_id: UUID, **__: Any) -> None:
        """Say when it ended, with or without a reply."""
        self._open.pop(run_id).ended = time.perf_counter()

    on_llm_error = on_llm_end

    @property
    def waves(self) -> list[list[Call]]:
        """The calls by how many had to end before them, one after another."""
        waves = list[list[Call]]()
        depths = list[tuple[float, int]]()
        for call in self.calls:
            depth = max((depth + 1 for ended, depth in depths if ended <= call.began), default=0)
            if depth == len(waves):
                waves.append([])
            waves[depth].append(call)
            depths.append((call.ended, depth))
        return waves

    @property
    def seconds(self) -> float:
        """For how long calls were waited for."""
        return sum(max(c.ended for c in w) - min(c.began for c in w) for w in self.waves)


_LOG: ContextVar[CallLog | None] = ContextVar("errata.evals.benches.costs", default=None)
register_configure_hook(_LOG, inheritable=True)


async def run_once(session: Session, item: Item) -> tuple[Result, CallLog]:
    """One biography, corrected; or its question, answered. The calls to models that it took."""
    log = CallLog()
    token = _LOG.set(log)
    try:
        return await run_item(session, item), log
    finally:
        _LOG.reset(token)


async def measure(items: Sequence[Item], method: str, at_once: int = 1, **settings: Any) -> Costs:
    """The mean costs of one method over some biographies, of which `at_once` run at a time.

    Raises ErrataError if the method cannot run with the settings.
    """
    turns = asyncio.Semaphore(at_once)
    async with Session(method, at_once=_CALLS_AT_ONCE * at_once, **settings) as session:

        async def run(item: Item) -> Costs:
            async with turns:
                result, log = await run_once(session, item)
            counts = {name: getattr(result.usage, name) for name in _COUNTED}
            return counts | {"generations": len(log.waves), "seconds": log.seconds}

        rows = await asyncio.gather(*map(run, items))
    return {name: fmean(row[name] for row in rows) for name in rows[0]}


def settings_for(method: str, profile: str, search: str) -> dict[str, Any]:
    """The settings that a method is measured with, beside the model."""
    searches = "search" in METHODS[method].context.model_fields and method not in GIVEN_ALONE
    return {"profile": profile, **({"search": search} if searches else {})}


def invented_items(count: int) -> list[Item]:
    """Invented biographies with planted errors, each with its page."""
    return [
        Item(
            id=person.name,
            question=person.question,
            draft=person.draft,
            documents=(Document(id="page", title=person.name, text=person.page),),
        )
        for person in people()[:count]
    ]


@contextmanager
def model_endpoint() -> Iterator[str]:
    """What answers: the endpoint that the environment names, else ours, started for the block."""
    if "OPENAI_BASE_URL" in os.environ:
        yield "the model that the environment names"
        return
    settings = Settings()
    with start(settings) as url, pointed_at(url):
        yield f"the simulated endpoint ({settings.first:g} s + {settings.token:g} s a token)"


async def write_table(
    items: Sequence[Item], methods: Sequence[str], search: str, **own: Any
) -> str:
    """A table with a row for each method and form, beside the published program.

    A form that cannot run is named on standard error and left out.
    """
    rows = list[list[str]]()
    for method, profile in ((method, profile) for method in methods for profile in FORMS):
        try:
            found = await measure(items, method, **own, **settings_for(method, profile, search))
        except ErrataError as error:
            sys.stderr.write(f"{method} {profile}: {error}\n")
            continue
        published = PUBLISHED.get(method, ("", ""))
        rows.append([method, profile or "default", *write_figures(found, _WRITTEN), *published])
    return tabulate(_HEAD, rows) + "\n"


async def write_judges(items: Sequence[Item]) -> str:
    """A table of RAC by who judges: the items' pages as drafts, and their own drafts."""
    right = [replace(item, draft=item.documents[0].text) for item in items]
    rows = [
        [who, drafts, *write_figures(await measure(some, "rac", **settings), _JUDGING)]
        for drafts, some in (("nothing wrong", right), ("some wrong", items))
        for who, settings in _JUDGES.items()
    ]
    head = ("judge", "drafts", "calls", "completion tokens", "seconds in calls")
    return f"\nRAC on invented biographies, by who judges:\n\n{tabulate(head, rows)}\n"


def main(*arguments: str) -> None:
    """Measure, and print the table or write it to a file."""
    parser = bench_parser(__doc__, "costs.md", drafts=20)
    parser.add_argument("--model", default="openai:m")
    parser.add_argument("--search", default="serpapi")
    parser.add_argument("--at-once", type=int, default=5, help="runs at a time")
    parser.add_argument("--methods", nargs="+", default=METHODS_MEASURED, choices=METHODS)
    args = parser.parse_args(arguments)
    try:
        items = dataset_named("biography").read(args.data).items[: args.drafts]
        kind = "of ChatGPT's biographies in FActScore, the first there"
    except InputError:
        items, kind = invented_items(args.drafts), "invented ones"
    with model_endpoint() as endpoint:
        own = {"model": args.model, "at_once": args.at_once}
        table = asyncio.run(write_table(items, args.methods, args.search, **own))
        table += asyncio.run(write_judges(invented_items(args.drafts)))
    inputs = f"{len(items)} {kind}"
    write_page(_INTRODUCTION.format(inputs=inputs, endpoint=endpoint) + table, args.out)
