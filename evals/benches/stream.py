"""When the method `errata` has judged and mended an answer, beside the time that it is written in.

Answers of the simulated endpoint about invented people, by pages that contradict none, one or
several of their statements. Times are shares of one generation; the machine must be idle.
"""

import asyncio
from collections.abc import Mapping
from statistics import median
from time import perf_counter

from errata.core.events import Judged, Patched, Text
from errata.core.records import Answer, Document
from errata.evals.benches import bench_parser, print_table
from errata.evals.endpoint.people import Person, people
from errata.evals.endpoint.running import pointed_at, start
from errata.evals.endpoint.settings import Settings
from errata.session import Session

MODEL = "openai:m"
HEAD = (
    *("wrong statements", "seconds to write", "first verdict, share of the text"),
    *("last patch, generations", "end, generations", "extra calls", "tokens"),
)


def page_of(person: Person, wrong: str) -> str:
    """A page that contradicts a person's answer in none, one or several statements."""
    if wrong == "none":
        return person.draft
    first = person.page.partition(". ")[0]
    return f"{first}. {person.draft.partition('. ')[2]}" if wrong == "one" else person.page


async def measure(person: Person, wrong: str) -> Mapping[str, float]:
    """The times, calls and tokens of one answer that is corrected while it is written."""
    document = Document(title=person.name, text=page_of(person, wrong))
    seen, told = dict[str, float](), 0
    async with Session("errata", model=MODEL) as session:
        began = perf_counter()
        async for event in session.astream_answer(person.question, [document]):
            now = perf_counter() - began
            if isinstance(event, Text):
                seen["text"], told = now, told + len(event.text)
            elif isinstance(event, Judged):
                seen.setdefault("judged", told)
            elif isinstance(event, Patched):
                seen["patch"] = now
            elif isinstance(event, Answer):
                result = event
    usage, written = result.usage, seen["text"]
    return {
        "seconds": written,
        "judged": seen["judged"] / told,
        "patch": seen.get("patch", 0.0) / written,
        "end": (perf_counter() - began) / written,
        "calls": usage.model_calls - 1,
        "tokens": usage.prompt_tokens + usage.completion_tokens,
    }


async def write_rows(count: int) -> list[list[object]]:
    """A row of medians for each kind of page; the first answer, which loads models, is not in."""
    await measure(people()[0], "none")
    rows = list[list[object]]()
    for wrong in ("none", "one", "several"):
        runs = [await measure(person, wrong) for person in people()[1 : count + 1]]
        rows.append([wrong, *(f"{median(run[name] for run in runs):.4g}" for name in runs[0])])
    return rows


def main(*arguments: str) -> None:
    """Measure and print the table."""
    parser = bench_parser(__doc__, answers=5)
    args = parser.parse_args(arguments)
    with start(Settings()) as url, pointed_at(url):
        rows = asyncio.run(write_rows(args.answers))
    print_table(f"Medians of {args.answers} answers", HEAD, rows)
