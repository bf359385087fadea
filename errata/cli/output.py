"""What commands share in ending: error messages, results on standard output."""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from errata.cli.codes import code_of_error
from errata.cli.counts import Counts
from errata.cli.inputs import say
from errata.core.errors import ErrataError

if TYPE_CHECKING:
    from errata.core.records import Answer, Correction

LOCAL = "judged by local code; a language model reads more: --model openai:MODEL"


@contextmanager
def failures() -> Iterator[None]:
    """Turn our errors into a line on standard error and an exit code."""
    try:
        yield
    except ErrataError as error:
        say(f"errata: {error}")
        raise typer.Exit(code_of_error(error)) from error


@contextmanager
def _stdout() -> Iterator[Any]:
    """Standard output as a file to write to; it stays open."""
    yield sys.stdout


async def write_rows(results: AsyncIterator[dict[str, Any]], count: int, out: Path | None) -> int:
    """Write rows as they come, and tell how many there are; how many of them hold a judgement."""
    judgements, counts = 0, Counts()
    # What is shown takes sys.stdout over, so rows go to the one from before.
    with out.open("w", encoding="utf-8") if out else _stdout() as target, counts.shown("judging …"):
        for done in range(1, count + 1):
            row = await anext(results)
            judgements += not row.keys() & {"notes", "error"}
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
            counts.tell(f"judged {done} of {count} rows")
    return judgements


def write_html(result: "Correction | Answer", path: Path | None) -> None:
    """Write a report where one is asked for.

    Raises InputError if the file cannot be written.
    """
    from errata.render.html import write_report

    if path:
        write_report(result, path)


def show_answer(answer: "Answer", as_json: bool) -> None:
    """Print an answer: as JSON, or with the knowledge it rests on."""
    from rich.console import Console

    from errata.core.errors import count
    from errata.render.terminal import knowledge_list, visible
    from errata.render.text import describe_cost, describe_retrieval

    if as_json:
        write_json(answer)
        return
    console = Console()
    console.print(visible(answer.response), markup=False, highlight=False)
    console.print()
    if answer.knowledge:
        console.print(knowledge_list(answer), soft_wrap=True)
    for note in answer.notes:
        console.print(f"note: {visible(note)}", markup=False, highlight=False)
    console.print(
        f"\n{describe_retrieval(answer)}{count(answer.knowledge, 'strip')}, "
        f"{describe_cost(answer)}, {answer.usage.seconds:.2f} s",
        highlight=False,
    )


def show_correction(correction: "Correction", *, hint: bool = True) -> None:
    """Print a correction as a diff with verdicts, coloured on a terminal.

    With `hint` a terminal also says if local code alone judged, and how to name a model.
    """
    from rich.console import Console

    from errata.render.terminal import coloured_diff, plain_diff, verdict_list, visible

    console = Console(highlight=False)
    colour = console.is_terminal and not console.no_color
    console.print(coloured_diff(correction) if colour else plain_diff(correction), markup=False)
    console.print()
    console.print(verdict_list(correction), soft_wrap=True)
    for note in correction.notes:
        console.print(f"note: {visible(note)}", markup=False)
    console.print(f"\n{summary(correction)}", markup=False, soft_wrap=True)
    if hint and console.is_terminal and by_local_code(correction):
        console.print(LOCAL, markup=False, soft_wrap=True)


def by_local_code(correction: "Correction") -> bool:
    """Whether local code alone judged, and anything was judged."""
    return correction.checked and not correction.usage.replies


def summary(correction: "Correction") -> str:
    """A correction in one line: label, claims by label, edits, cost."""
    from errata.core.errors import count
    from errata.render.text import describe_claims, describe_cost, describe_label

    return (
        f"{describe_label(correction)}; {describe_claims(correction)}; "
        f"{count(correction.edits, 'edit')}, {describe_cost(correction)}, "
        f"{correction.usage.seconds:.2f} s"
    )


def write_json(result: object) -> None:
    """Print a record as JSON."""
    from errata.core.jsonable import to_json

    sys.stdout.write(json.dumps(to_json(result), ensure_ascii=False, indent=1) + "\n")


def write_line(row: object) -> None:
    """Print JSON values on one line."""
    sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def write_bytes(data: bytes) -> None:
    """Print bytes as they are, whatever a terminal or a platform makes of line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
