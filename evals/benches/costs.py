"""What each method asks of a model for one biography, beside what the published programs ask.

Calls, generations waited for, tokens, searches and pages, of every method in its default form
and in the published one. The model is the one at OPENAI_BASE_URL; without that, the simulated
endpoint is started. The biographies are FActScore's, each with the page that a search engine ranked
first; where they are not in the data, invented ones.
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from errata.core.errors import ErrataError
from errata.core.records import Document
from errata.evals.benches import bench_parser, tabulate, write_figures, write_page
from errata.evals.benches.calls import Call, logged_calls
from errata.evals.datasets.biographies import read_biographies
from errata.evals.endpoint.people import people
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings
from errata.evals.items import Item
from errata.evals.runner import run_item
from errata.methods import METHODS, Result
from errata.session import Session

FORMS = ("", "paper")
"""The profiles that are measured."""
GIVEN_ALONE = ("rac",)
"""The methods that need the given page alone; others that can search the web do so besides."""
_CALLS_AT_ONCE = 32
_INTRODUCTION = """\
# Costs

What one biography costs: means of {inputs}, corrected by {endpoint}. Written by
`make bench NAME=costs`.

- **form**: the method's own settings, or `profile="paper"`, which is the paper's settings with
  prompts in our words.
- **calls**: requests to the model. **waits**: how many of them had to be made one after another.
- **prompt tokens**, **completion tokens**: as the endpoint counts them.
- **searches**, **pages**: queries to the search engine, and web pages that were read.
- **published**: the authors' own program, measured once on 20 of FActScore's biographies (which 20
  was not kept) with another simulated endpoint, whose replies hold other numbers of claims and
  errors: compare magnitudes.

"""
_HEAD = (
    *("method", "form", "calls", "waits", "prompt tokens", "completion tokens"),
    *("searches", "pages", "published: calls", "prompt tokens"),
)
_WRITTEN = {
    "calls": ".1f",
    "generations": ".1f",
    "prompt_tokens": ".0f",
    "completion_tokens": ".0f",
    "searches": ".1f",
    "pages": ".1f",
}
PUBLISHED: Mapping[str, tuple[str, str]] = {
    "rac": ("8.9", "5.3K"),
    "cove": ("13.9", "1.8K to 3.6K"),
    "rarr": ("21.6", "38K"),
    "ever": ("55", "31K"),
    "critic": ("12", "43K"),
    "factool": ("34", "19K"),
}
"""Calls and prompt tokens of published programs; CoVE's are two, FacTool's gives verdicts alone."""
Costs = Mapping[str, float]
T = TypeVar("T")


@dataclass(frozen=True)
class Run:
    """One run: its result, its calls in waves, and how many seconds it took."""

    result: Result
    waves: Sequence[Sequence[Call]]
    seconds: float

    @property
    def costs(self) -> Costs:
        """What is counted of it."""
        usage = self.result.usage
        return {
            "calls": usage.model_calls,
            "generations": len(self.waves),
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
            "searches": usage.searches,
            "pages": usage.pages,
            "seconds": self.seconds,
        }


async def run_once(session: Session, item: Item) -> Run:
    """One biography, corrected; or its question, answered."""
    began = time.perf_counter()
    with logged_calls() as log:
        result = await run_item(session, item)
    return Run(result, log.waves, time.perf_counter() - began)


async def measure(items: Sequence[Item], method: str, at_once: int = 1, **settings: Any) -> Costs:
    """The mean costs of one method over some biographies, of which `at_once` run at a time.

    Raises ErrataError if the method cannot run with the settings.
    """
    turns = asyncio.Semaphore(at_once)
    async with Session(method, at_once=_CALLS_AT_ONCE * at_once, **settings) as session:

        async def run(item: Item) -> Costs:
            async with turns:
                return (await run_once(session, item)).costs

        return average(await asyncio.gather(*map(run, items)))


def average(rows: Sequence[Costs]) -> Costs:
    """The mean of what was counted."""
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


def labelled_items(data: Path, count: int, generators: Sequence[str] = ("chatgpt",)) -> list[Item]:
    """FActScore's biographies, of several models in turn, each with its first page of a search.

    Raises FileNotFoundError if they are not in the folder.
    """
    each = [read_biographies(data / "factscore-bio", generator) for generator in generators]
    mixed = (one for group in zip_longest(*each) for one in group if one)
    return [
        Item(id=f"{b.generator}:{b.entity}", question=b.question, draft=b.draft, documents=b.google)
        for b in islice(mixed, count)
    ]


def has_biographies(data: Path) -> bool:
    """Whether FActScore's biographies are there."""
    return (data / "factscore-bio").is_dir()


@contextmanager
def model_endpoint(own: str) -> Iterator[str]:
    """What answers: the endpoint that the environment names, else ours, started for the block."""
    if "OPENAI_BASE_URL" in os.environ:
        yield own
        return
    settings = Settings()
    with start(settings) as url, pointed_at(url):
        yield f"the simulated endpoint ({settings.first:g} s + {settings.token:g} s a token)"


async def in_each_form(
    methods: Sequence[str], search: str, measure: Callable[..., Awaitable[T]], **settings: Any
) -> dict[tuple[str, str], T]:
    """What is measured of each method and form, given the method and its settings.

    A form that cannot run is named on standard error and left out.
    """
    rows = dict[tuple[str, str], T]()
    for method, profile in ((method, profile) for method in methods for profile in FORMS):
        own = settings_for(method, profile, search)
        try:
            rows[method, profile] = await measure(method, **settings, **own)
        except ErrataError as error:
            sys.stderr.write(f"{method} {profile}: {error}\n")
    return rows


def write_table(rows: Mapping[tuple[str, str], Costs], inputs: str, endpoint: str) -> str:
    """A page with a row for each method and form."""
    lines = [
        [
            method,
            profile or "default",
            *write_figures(costs, _WRITTEN),
            *PUBLISHED.get(method, ("", "")),
        ]
        for (method, profile), costs in rows.items()
    ]
    return _INTRODUCTION.format(inputs=inputs, endpoint=endpoint) + tabulate(_HEAD, lines) + "\n"


def main(*arguments: str) -> None:
    """Measure, and print the table or write it to a file."""
    parser = bench_parser(__doc__, "costs.md", drafts=20)
    parser.add_argument("--model", default="openai:m")
    parser.add_argument("--search", default="serpapi")
    parser.add_argument("--at-once", type=int, default=5, help="runs at a time")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=METHODS)
    parser.add_argument(
        "--endpoint",
        default="the model that the environment names",
        help="what the page calls the model at OPENAI_BASE_URL",
    )
    args = parser.parse_args(arguments)
    labelled = has_biographies(args.data)
    items = labelled_items(args.data, args.drafts) if labelled else invented_items(args.drafts)
    texts = "of ChatGPT's biographies in FActScore, the first there"
    inputs = f"{len(items)} {texts if labelled else 'invented ones'}"
    run = partial(measure, items, at_once=args.at_once)
    with model_endpoint(args.endpoint) as endpoint:
        every = in_each_form(args.methods, args.search, run, model=args.model)
        table = write_table(asyncio.run(every), inputs, endpoint)
    write_page(table, args.out)
