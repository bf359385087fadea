"""`errata review`: decide on the edits of a correction on a page."""

import json
import sys
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer
from typer import Argument

from errata.cli.correct import View, deliver
from errata.cli.drafts import Draft, read_input
from errata.cli.options import AsJson, Out
from errata.cli.output import check_writable
from errata.core.errors import InputError, count
from errata.core.jsonable import from_json
from errata.core.records import Correction
from errata.render.terminal import say


def review(
    file: Annotated[str, Argument(help="A result of `correct --json`.")],
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Decide on the edits of a correction on a page."""
    from errata.cli.review_page import Review, ReviewServer

    check_writable(out)
    view: View = "json" if as_json else "nothing" if out else "text"
    correction = _read(file)
    own = Review(correction, Path(f"{file}.decisions.jsonl"))
    say(f"{count(own.edits, 'edit')} to decide on; the decisions are kept in {own.path}")
    shown = ReviewServer(own)
    Thread(target=shown.serve_forever, daemon=True).start()
    say(f"review: {shown.url}")
    sys.stderr.flush()
    try:
        shown.finished.wait()
    except KeyboardInterrupt as error:
        say("stopped; what was decided is kept")
        raise typer.Exit(130) from error
    finally:
        shown.shutdown()
        shown.server_close()
    deliver(Draft(text=correction.draft, out=out), own.result(), view)


def _read(file: str) -> Correction:
    """The correction in a file; raises InputError if it cannot be read, or holds none."""
    _, text = read_input(file)
    try:
        values = json.loads(text)
    except ValueError as error:
        raise InputError(
            f"{file!r} is no result; make one: errata correct --draft {file} --json > result.json"
        ) from error
    return from_json(Correction, values)
