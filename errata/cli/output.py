"""Results on standard output and in files; the files are checked before any work begins."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from errata.cli.inputs import DraftFile
from errata.core.errors import InputError, count
from errata.core.records import result_json
from errata.render.terminal import say
from errata.tools.files.decoding import read_bytes

if TYPE_CHECKING:
    from errata.core.records import Answer, Correction

LOCAL = "judged by local code; a language model reads more: --model openai:MODEL"
STDOUT = Path("-")
View = Literal["text", "diff", "json", "nothing"]
"""What standard output gets: the corrected text alone, the diff with verdicts, JSON, or nothing."""


@dataclass(frozen=True)
class Job:
    """A draft, and where its corrected text and its report go, if into files."""

    draft: DraftFile
    out: Path | None = None
    html: Path | None = None

    @property
    def in_place(self) -> bool:
        """Whether the corrected text takes the draft's place."""
        return self.out is not None and self.out == self.draft.path


def plan(
    drafts: Sequence[DraftFile], out: Path | None, html: Path | None, *, in_place: bool = False
) -> list[Job]:
    """Decide where each result is written, before any work begins.

    Raises InputError if one of these places cannot be written to, or two drafts would go to one.
    """
    if in_place:
        _check_in_place(drafts, out)
    file = None if out == STDOUT else out
    outs = [d.path for d in drafts] if in_place else _places(drafts, file, "--out", "")
    jobs = list(map(Job, drafts, outs, _places(drafts, html, "--html", ".html")))
    places = [path for job in jobs for path in (job.out, job.html) if path]
    check_writable(*places)
    twice = [path for n, path in enumerate(places) if path in places[:n]]
    if twice:
        raise InputError(f"two results would go to {str(twice[0])!r}; name other files")
    return jobs


def _check_in_place(drafts: Sequence[DraftFile], out: Path | None) -> None:
    if out:
        raise InputError("--in-place writes to the draft's file and --out to another; give one")
    if not all(draft.path for draft in drafts):
        raise InputError("--in-place needs --draft FILE; standard input has no file to write to")


def _places(
    drafts: Sequence[DraftFile], place: Path | None, option: str, suffix: str
) -> list[Path | None]:
    """The output file of each draft: `place` or, if that is a folder, one in it named alike."""
    if place is None:
        return [None] * len(drafts)
    if place.is_dir():
        return [place / _name_in(place, draft, option, suffix) for draft in drafts]
    if len(drafts) > 1:
        raise InputError(f"{option} takes a folder for several drafts; {str(place)!r} is none")
    return [place]


def _name_in(folder: Path, draft: DraftFile, option: str, suffix: str) -> str:
    if not draft.path:
        raise InputError(f"{option} {str(folder)!r} is a folder; name a file")
    return draft.path.with_suffix(suffix).name if suffix else draft.path.name


def check_writable(*paths: Path | None) -> None:
    """Raise InputError if a file cannot be written."""
    for path in filter(None, paths):
        if reason := _obstacle(path):
            raise InputError(f"cannot write {str(path)!r}: {reason}")


def _obstacle(path: Path) -> str:
    folder = path.parent
    if path.is_dir():
        return "it is a folder; name a file"
    if not folder.is_dir():
        return f"there is no folder {str(folder)!r}; make it first"
    return "" if os.access(path if path.exists() else folder, os.W_OK) else "it may not be written"


def check_unchanged(path: Path, data: bytes) -> None:
    """Raise InputError if a file does not hold what it held when it was read."""
    if read_bytes(path) != data:
        raise InputError(f"{str(path)!r} was changed meanwhile, and left as it is now")


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step, so that a failure leaves the old one.

    A pipe or a device, or a file in a read-only folder, is written to directly. Raises InputError
    if writing fails.
    """
    real = path.resolve()
    try:
        if (real.exists() and not real.is_file()) or not os.access(real.parent, os.W_OK):
            real.write_bytes(data)
        else:
            _replace(real, data)
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def _replace(path: Path, data: bytes) -> None:
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        with new.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            shutil.copymode(path, new)
        new.replace(path)
    finally:
        with suppress(OSError):
            new.unlink()


def choose_view(
    *, as_json: bool, diff: bool, out: Path | None = None, in_place: bool = False
) -> View:
    """The view asked for; else nothing if a file is written, a diff on a terminal, or the text."""
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
    """Print the notes and the summary on standard error."""
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
    """Print bytes as they are, with their own line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
