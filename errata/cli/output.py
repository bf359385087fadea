"""What commands share in ending: exit codes, error messages, results on standard output."""

import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from errata.errors import AccessError, ChatError, ErrataError, ReplyError

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.records import Answer, Correction

REFUTED, BAD_INPUT, OUTSIDE, UNSUPPORTED = 1, 2, 3, 4
"""Exit codes: a strict check refuted something; unusable input or settings; a failed model; most
claims of a draft had to go."""


@contextmanager
def failures() -> Iterator[None]:
    """Turn our errors into a line on standard error and an exit code."""
    try:
        yield
    except ErrataError as error:
        sys.stderr.write(f"errata: {error}\n")
        outside = isinstance(error, AccessError | ChatError | ReplyError)
        raise typer.Exit(OUTSIDE if outside else BAD_INPUT) from error


@contextmanager
def _stdout() -> Iterator[Any]:
    """Standard output as a file to write to; it stays open."""
    yield sys.stdout


async def write_rows(results: AsyncIterator[dict[str, Any]], count: int, out: Path | None) -> int:
    """Write rows as they come, with a progress bar; how many of them hold a judgement."""
    from rich.console import Console
    from rich.progress import track

    judgements, console = 0, Console(stderr=True)
    with out.open("w", encoding="utf-8") if out else _stdout() as target:
        for _ in track(range(count), "judging", console=console, disable=not console.is_terminal):
            row = await anext(results)
            judgements += "notes" not in row
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
    return judgements


def exit_if_unjudged(
    correction: "Correction", context: "Context", role: str, *, strict: bool = False
) -> None:
    """Exit with 3 if the model in the deciding role judged nothing; the notes say why.

    If `strict`, a single claim that it left unjudged suffices: what nobody checked must not pass a
    gate.
    """
    if not correction.claims and "extract" in context.ROLES:
        role = "extract"
    unjudged = [v for v in correction.verdicts if v.label in ("unreadable", "unchecked")]
    calls = correction.usage.by_role.get(role, {}).get("model_calls", 0)
    silent = not calls and len(unjudged) == len(correction.verdicts)
    if context.by_model(role) and (silent or (strict and unjudged)):
        raise typer.Exit(OUTSIDE)


def exit_if_unsupported(correction: "Correction") -> None:
    """Exit with 4 if most claims had to go for want of support; the notes say what was done."""
    if correction.mostly_unsupported:
        sys.stderr.write("errata: most of the draft has no support; read it before you use it\n")
        raise typer.Exit(UNSUPPORTED)


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

    from errata.render.terminal import knowledge_list
    from errata.render.text import count

    if as_json:
        write_json(answer)
        return
    console = Console()
    console.print(answer.response, markup=False, highlight=False)
    console.print()
    console.print(knowledge_list(answer), soft_wrap=True)
    for note in answer.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    query = f", searched for {answer.queries[0]!r}" if answer.queries else ""
    console.print(
        f"\n{answer.action}{query}; {count(answer.knowledge, 'strip')}, "
        f"{answer.usage.model_calls} model calls, {answer.usage.seconds:.2f} s",
        highlight=False,
    )


def show_correction(correction: "Correction", as_json: bool) -> None:
    """Print a correction: as JSON, or as a diff with verdicts."""
    from rich.console import Console

    from errata.render.terminal import coloured_diff, plain_diff, verdict_list
    from errata.render.text import count

    if as_json:
        write_json(correction)
        return
    console = Console()
    colour = console.is_terminal and not console.no_color
    console.print(coloured_diff(correction) if colour else plain_diff(correction), markup=False)
    console.print()
    console.print(verdict_list(correction), soft_wrap=True)
    for note in correction.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    console.print(
        f"\n{correction.label.replace('_', ' ')}; {count(correction.claims, 'claim')}, "
        f"{count(correction.edits, 'edit')}, {correction.usage.model_calls} model calls, "
        f"{correction.usage.seconds:.2f} s",
        highlight=False,
    )


def write_json(result: object) -> None:
    """Print a record as JSON."""
    from errata.records import to_json

    sys.stdout.write(json.dumps(to_json(result), ensure_ascii=False, indent=1) + "\n")
