"""Drafts and evidence in files, and where corrected texts go."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from errata.cli.options import Target
from errata.cli.output import STDOUT, check_writable
from errata.core.errors import InputError
from errata.core.records import Correction, Document
from errata.render.terminal import say
from errata.tools.files.decoding import STDIN, decode_text, read_bytes, read_input_bytes
from errata.tools.files.kinds import SUFFIXES, Kind, is_page


def read_input(source: str) -> tuple[bytes, str]:
    """The bytes and text of a file or, for `-`, of standard input; InputError if not UTF-8."""
    name, data = read_input_bytes(source)
    return data, decode_text(data, name, "utf-8")


def load_evidence(sources: Sequence[str], encoding: str = "") -> list[Document | str]:
    """The documents of files, folders and `-`, then addresses of pages; says what was read."""
    from errata.given import is_address
    from errata.tools.retrieval.documents import DocumentsRead, read_content, read_source

    reading = DocumentsRead()
    paths = [source for source in sources if not is_address(source)]
    for path in paths:
        if path == STDIN:
            name, data = read_input_bytes(STDIN)
            reading += DocumentsRead((read_content(Path(name), name, data, encoding),))
        else:
            reading += read_source(Path(path), encoding)
    if paths:
        say(f"read {reading}")
    for note in reading.notes:
        say(f"note: {note}")
    return [*reading.documents, *filter(is_address, sources)]


@dataclass(frozen=True)
class Draft:
    """A draft, and the file for its corrected text."""

    name: str = ""
    """As the command line names it: a file, or `-`; empty if no draft was given."""
    text: str = ""
    """The draft, without a byte-order mark, and without the line ends after its last line."""
    data: bytes = b""
    out: Path | None = None

    def encode(self, correction: Correction) -> bytes:
        """The corrected text as bytes, with what stood around the draft."""
        if self.data and correction.response == self.text:
            return self.data
        before, _, after = self.data.decode().partition(self.text) if self.data else ("", "", "\n")
        return f"{before}{correction.response}{after}".encode(errors="replace")

    def save(self, data: bytes) -> None:
        """Write the text to its file; raises InputError if the draft's file has changed."""
        in_place = self.out is not None and self.out == Path(self.name)
        if self.out is None or (in_place and data == self.data):
            return
        if in_place and read_bytes(self.out) != self.data:
            raise InputError(f"{str(self.out)!r} was changed meanwhile, and left as it is now")
        write_whole(self.out, data)


def read_drafts(sources: Sequence[str], target: Target) -> list[Draft]:
    """The drafts, an empty one if none is named, and where each goes; InputError if none can."""
    if target.in_place and target.out:
        raise InputError("--in-place writes to the draft's file and --out to another; give one")
    several = len(sources) > 1
    drafts = [_read_draft(name, _place_for(name, target, several=several)) for name in sources]
    drafts = drafts or [Draft(out=_place_for("", target, several=False))]
    places = [draft.out.resolve() for draft in drafts if draft.out]
    if twice := [str(path) for n, path in enumerate(places) if path in places[:n]]:
        raise InputError(f"two results would go to {twice[0]!r}; name other files")
    return drafts


def _read_draft(source: str, out: Path | None) -> Draft:
    data, whole = read_input(source)
    text = whole.rstrip("\r\n")
    if is_page(text) or SUFFIXES.get(Path(source).suffix.lower()) is Kind.HTML:
        raise InputError(
            f"{source!r} is a page of HTML; that is read as evidence alone: convert the draft to "
            "Markdown or text"
        )
    if not text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    return Draft(source, text, data, out)


def _place_for(name: str, target: Target, *, several: bool) -> Path | None:
    """The file for a draft's result: its own, `--out` or one in that folder; None for stdout."""
    file = None if name in ("", STDIN) else Path(name)
    if target.in_place and not file:
        raise InputError("--in-place needs --draft FILE; standard input has no file to write to")
    out = file if target.in_place else target.out
    if out is None or out == STDOUT:
        return None
    if file and out.is_dir():
        out /= file.name
    elif several and not target.in_place:
        raise InputError(f"--out takes a folder for several drafts; {str(out)!r} is none")
    check_writable(out)
    return out


def write_whole(path: Path, data: bytes) -> None:
    """Replace a file in one step; write to a pipe, or a file in a read-only folder, directly."""
    real = path.resolve()
    new = real.with_name(f".{real.name}.{os.getpid()}.new")
    try:
        if (real.exists() and not real.is_file()) or not os.access(real.parent, os.W_OK):
            real.write_bytes(data)
            return
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            shutil.copymode(real, new)
        new.replace(real)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
