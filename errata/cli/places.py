"""Where results are written: looked at before any work, and replaced as a whole after it."""

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from errata.cli.drafts import DraftFile
from errata.core.errors import InputError
from errata.tools.files.decoding import read_bytes

STDOUT = Path("-")


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
    """What is written where, before anything is paid for.

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
    """A file for the one draft; in a folder one for each, called as the draft is."""
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
    """Refuse files that cannot be written, before any work begins.

    Raises InputError.
    """
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
    """Write a file so that nobody ever sees a part of it, and a failure leaves the old one.

    What is no regular file, such as a pipe, is written to. Raises InputError if that fails.
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
