"""What a correction looks like on standard output, and where its text is written."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from errata.cli.inputs import say
from errata.cli.output import (
    show_correction,
    summary,
    write_bytes,
    write_html,
    write_json,
    write_line,
)
from errata.cli.places import STDOUT, Job, check_unchanged, write_whole
from errata.core.errors import InputError
from errata.core.records import result_json

if TYPE_CHECKING:
    from errata.core.records import Correction

View = Literal["text", "diff", "json", "nothing"]
"""What standard output gets: the corrected text alone, the diff with verdicts, JSON, or nothing."""


def choose_view(
    *, as_json: bool, diff: bool, out: Path | None = None, in_place: bool = False
) -> View:
    """What was asked for; else nothing beside a file, a diff on a terminal, the text in a pipe."""
    if as_json or diff:
        return "json" if as_json else "diff"
    if in_place or (out and out != STDOUT):
        return "nothing"
    return "diff" if sys.stdout.isatty() and not out else "text"


def deliver(job: Job, correction: "Correction", view: View, *, several: bool = False) -> None:
    """Show a correction and write its files; of several drafts each is named.

    Raises InputError if a file cannot be written; the text is then on standard output.
    """
    if several and view in ("text", "diff"):
        sys.stdout.write(f"==> {job.draft.name} <==\n")
    if view == "diff":
        show_correction(correction, hint=not several)
    elif view == "json":
        _show_json(job, correction, several=several)
    else:
        _tell(job, correction, several=several)
    if view == "text":
        write_bytes(job.draft.encode(correction.response))
    if several and view in ("text", "diff"):
        sys.stdout.write("\n")
    _save(job, correction, shown=view != "nothing")
    write_html(correction, job.html)


def _show_json(job: Job, correction: "Correction", *, several: bool) -> None:
    if several:
        write_line({"file": job.draft.name, **result_json(correction)})
    else:
        write_json(result_json(correction))


def _tell(job: Job, correction: "Correction", *, several: bool) -> None:
    """Say beside the text, on standard error, what came of it."""
    name = f"{job.draft.name}: " if several else ""
    for note in correction.notes:
        say(f"{name}note: {note}")
    say(f"{name}{summary(correction)}")


def _save(job: Job, correction: "Correction", *, shown: bool) -> None:
    """Write the corrected text to its file, unless that holds it already."""
    data = job.draft.encode(correction.response)
    if job.out is None or (job.in_place and data == job.draft.data):
        return
    try:
        if job.in_place:
            check_unchanged(job.out, job.draft.data)
        write_whole(job.out, data)
    except InputError:
        if not shown:
            write_bytes(data)
        raise
