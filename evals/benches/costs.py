"""What each method asks of a model for one draft, beside what RAC's published program asks.

Calls, generations waited for, tokens, searches and pages, of our methods in their default form and
in the published one. The model is the one at OPENAI_BASE_URL; without that, the simulated endpoint
is started. The drafts are FActScore's biographies, each with the page that a search engine ranked
first, or those of a file of rows.
"""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

from errata.core.errors import ErrataError
from errata.core.records import Document
from errata.evals.benches import bench_parser, tabulate, write_page
from errata.evals.endpoint.people import people
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings
from errata.evals.harness import Harness
from errata.evals.items import Item, Task
from errata.evals.papers.table import Run
from errata.evals.runner import Runner, run_item
from errata.methods import ANSWERING, CORRECTING, METHODS
from errata.session import Session

FORMS = ("", "paper")
"""The profiles that are measured."""
GIVEN_ALONE = ("rac", "errata")
"""The methods that need the given page alone; others that can search the web do so besides."""
_INTRODUCTION = """\
# Costs

What one draft costs: means of {count} drafts of `{dataset}`, corrected by {endpoint}. Written by
`make bench NAME=costs`. **Waits**: roles that asked a model. **Published**: RAC's own program,
measured once on 20 of FActScore's biographies (which 20 was not kept) with another simulated
endpoint, whose replies hold other numbers of claims and errors: compare magnitudes.

"""
_FIGURES = {
    "calls": ".1f",
    "generations": ".1f",
    "prompt_tokens": ".0f",
    "completion_tokens": ".0f",
    "searches": ".1f",
    "pages": ".1f",
}
_HEAD = (
    *("method", "form", "calls", "waits", "prompt tokens", "completion tokens"),
    *("searches", "pages", "published: calls, prompt tokens"),
)
PUBLISHED = {"rac": "8.9, 5.3K"}
"""What a published program asks."""
_JUDGES: Mapping[str, Mapping[str, Any]] = {
    "a chat model": {"model": "openai:m"},
    "decisions, and a chat model": {"model": "openai:m", "roles": {"verify": "decisions:m"}},
    "decisions, and local code": {"model": "local", "roles": {"verify": "decisions:m"}},
}
"""Who judges in RAC, and who does the rest."""
METHODS_MEASURED = (*CORRECTING, *ANSWERING)


def settings_for(method: str, profile: str, search: str) -> dict[str, Any]:
    """The settings that a method is measured with, beside the model."""
    searches = "search" in METHODS[method].context.model_fields and method not in GIVEN_ALONE
    return {"profile": profile, **({"search": search} if searches else {})}


async def measure(args: Namespace, method: str, profile: str) -> list[str]:
    """The mean costs of one form of a method, as texts.

    Raises ErrataError if the method cannot run with the settings.
    """
    settings = settings_for(method, profile, args.search)
    task = Task(dataset=args.dataset, method=method, settings=settings, scorers=("cost",))
    with TemporaryDirectory() as folder:  # what another form asked is not known here
        runner = Runner(out=Path(folder), settings={"model": args.model}, at_once=args.at_once)
        harness = Harness(data=args.data, runner=runner, limit=args.drafts)
        figures = await harness.figures(Run(task=task))
    return [f"{figures[f'cost.{name}'].value or 0:{form}}" for name, form in _FIGURES.items()]


@contextmanager
def model_endpoint() -> Iterator[str]:
    """What answers: the endpoint that the environment names, else ours, started for the block."""
    if "OPENAI_BASE_URL" in os.environ:
        yield "the model that the environment names"
        return
    settings = Settings()
    with start(settings) as url, pointed_at(url):
        yield f"the simulated endpoint ({settings.first:g} s + {settings.token:g} s a token)"


async def write_table(args: Namespace) -> str:
    """A table with a row for each method and form; one that cannot run is named and left out."""
    rows = list[list[str]]()
    for method, profile in ((method, profile) for method in args.methods for profile in FORMS):
        try:
            found = await measure(args, method, profile)
        except ErrataError as error:
            sys.stderr.write(f"{method} {profile}: {error}\n")
            continue
        rows.append([method, profile or "default", *found, PUBLISHED.get(method, "")])
    return tabulate(_HEAD, rows) + "\n"


def invented_items(count: int) -> list[Item]:
    """Invented biographies with planted errors, each with its page."""
    return [
        Item(
            id=person.name,
            question=person.question,
            draft=person.draft,
            documents=(Document(id="page", title=person.name, text=person.page),),
            gold={"planted": person.planted},
        )
        for person in people()[:count]
    ]


async def write_judges(count: int) -> str:
    """A table of RAC by who judges: invented people's pages as drafts, and their own drafts."""
    items, rows = invented_items(count), list[list[str]]()
    right = [replace(item, draft=item.documents[0].text) for item in items]
    for drafts, some in (("nothing wrong", right), ("some wrong", items)):
        for who, settings in _JUDGES.items():
            async with Session("rac", **settings) as session:
                used = [(await run_item(session, item)).usage for item in some]
            calls, tokens = (
                fmean(getattr(each, name) for each in used)
                for name in ("model_calls", "completion_tokens")
            )
            rows.append([who, drafts, f"{calls:.1f}", f"{tokens:.0f}"])
    table = tabulate(("judge", "drafts", "calls", "completion tokens"), rows)
    return f"\nRAC on invented biographies, by who judges:\n\n{table}\n"


def main(*arguments: str) -> None:
    """Measure, and print the table or write it to a file."""
    parser = bench_parser(__doc__, "costs.md", drafts=20)
    parser.add_argument("--dataset", default="biography", help="or a file of rows, ROWS.jsonl")
    parser.add_argument("--model", default="openai:m")
    parser.add_argument("--search", default="serpapi")
    parser.add_argument("--at-once", type=int, default=5, help="runs at a time")
    parser.add_argument("--methods", nargs="+", default=METHODS_MEASURED, choices=METHODS)
    args = parser.parse_args(arguments)
    with model_endpoint() as endpoint:
        table = asyncio.run(write_table(args)) + asyncio.run(write_judges(args.drafts))
    about = {"count": args.drafts, "dataset": args.dataset, "endpoint": endpoint}
    write_page(_INTRODUCTION.format(**about) + table, args.out)
