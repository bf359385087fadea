"""What the command line prints: diffs, verdicts, answers, JSON; and how far the work is."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from errata.core.errors import InputError, count
from errata.core.jsonable import to_json
from errata.core.records import Answer, Correction
from errata.render import terminal
from errata.render.findings import describe_citations
from errata.render.text import describe_claims, describe_cost, describe_label, describe_retrieval

STDOUT = Path("-")
EVERY = 30.0
"""Seconds between two lines on the work where standard error is no terminal."""


@dataclass
class Progress:
    """Tells on standard error how much of some work is done, on a terminal in one line."""

    quiet: bool = False
    _told: float = field(default_factory=monotonic)

    @contextmanager
    def shown(self, doing: str) -> Iterator[None]:
        """Tell what is being done while the block runs, and on a terminal take it away then."""
        self.tell(doing)
        try:
            yield
        finally:
            if sys.stderr.isatty():
                sys.stderr.write(terminal.CLEAR)

    def tell_step(self, step: str, done: int, total: int) -> None:
        """Tell how far a step of a run is; steps that do one thing are not counted."""
        if total > 1:
            self.tell(f"{step}: {done} of {total}")

    def tell(self, text: str) -> None:
        """Tell how far the work is."""
        if self.quiet:
            return
        if sys.stderr.isatty():
            sys.stderr.write(f"{terminal.CLEAR}{text}")
            sys.stderr.flush()
        elif monotonic() - self._told >= EVERY:
            self._told = monotonic()
            terminal.say(text)


def check_writable(path: Path | None) -> None:
    """Raise InputError if a file cannot be written."""
    if path is None:
        return
    if path.is_dir():
        fault = "it is a folder; name a file"
    elif not path.parent.is_dir():
        fault = f"there is no folder {str(path.parent)!r}; make it first"
    elif not os.access(path if path.exists() else path.parent, os.W_OK):
        fault = "it may not be written"
    else:
        return
    raise InputError(f"cannot write {str(path)!r}: {fault}")


def show_answer(answer: Answer) -> None:
    """Print an answer with the knowledge that it rests on, each strip with its score."""
    titles = {document.id: document.title or document.id for document in answer.documents}
    lines = [answer.response, ""]
    for strip in answer.knowledge:
        score = "" if strip.score is None else f"{strip.score:+.2f}"
        lines.append(f"{score:<6}{terminal.quoted(strip.text, titles[strip.document])}")
    lines += [f"note: {note}" for note in answer.notes]
    told = f"{describe_retrieval(answer)}{count(answer.knowledge, 'strip')}"
    cost = f"{describe_cost(answer)}, {answer.usage.seconds:.2f} s"
    show(answer, [*lines, "", f"{told}, {cost}"])


def show_correction(correction: Correction) -> None:
    """Print a correction as a diff with verdicts, coloured on a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    coloured = console.is_terminal and not console.no_color
    diff = terminal.coloured_diff if coloured else terminal.plain_diff
    console.print(diff(correction), markup=False)
    console.print()
    console.print(terminal.verdict_list(correction), soft_wrap=True)
    for note in correction.notes:
        console.print(f"note: {terminal.visible(note)}", markup=False)
    console.print(f"\n{summary(correction)}", markup=False, soft_wrap=True)


def summary(correction: Correction) -> str:
    """A correction in one line: label and claims, or sentences by finding; edits, cost."""
    judged = f"{describe_label(correction)}; {describe_claims(correction)}"
    if correction.checked and "citations" in correction.trail:
        judged = describe_citations(correction)
    return (
        f"{judged}; {count(correction.edits, 'edit')}, {describe_cost(correction)}, "
        f"{correction.usage.seconds:.2f} s"
    )


def write_json(value: object, indent: int | None = 1) -> None:
    """Print a record, or a list or mapping of them, as JSON; without an indent on one line."""
    sys.stdout.write(json.dumps(to_json(value), ensure_ascii=False, indent=indent) + "\n")
    sys.stdout.flush()


def show(value: object, lines: Iterable[str], *, as_json: bool = False) -> None:
    """Print a value as JSON, or else as lines of text that obey no control character."""
    if as_json:
        write_json(value)
    else:
        sys.stdout.write(terminal.visible("".join(f"{line}\n" for line in lines)))


def write_bytes(data: bytes) -> None:
    """Print bytes as they are, with their own line ends."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
