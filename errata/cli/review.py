"""`errata review`: decide on the edits of a correction on a page."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer import Argument, Option

from errata.cli.correct import View, deliver
from errata.cli.drafts import Draft, read_drafts, read_evidence, write_whole
from errata.cli.options import (
    AsJson,
    Documents,
    Encoding,
    Out,
    TakesSettings,
    method_option,
)
from errata.cli.output import check_writable
from errata.cli.progress import Progress
from errata.cli.stream import follow
from errata.core.errors import count
from errata.core.jsonable import from_json
from errata.core.records import Correction, result_json
from errata.methods import CORRECTING
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.cli.decisions import Sheet
    from errata.cli.desk import Desk


@TakesSettings(CORRECTING)
def review(
    settings: dict[str, Any],
    file: Annotated[str, Argument(help="A result of `correct --json`, or a draft.")],
    question: Annotated[str, Option("--question", "-q", help="What the draft answers.")] = "",
    method: Annotated[str, method_option(CORRECTING)] = CORRECTING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    out: Out = None,
    as_json: AsJson = False,
) -> None:
    """Decide on the edits of a correction on a page."""
    check_writable(out)
    view: View = "json" if as_json else "nothing" if out else "text"
    correction, draft = _read(file, encoding, out)
    with _page(question, draft.text) as desk:
        if correction is None:
            own = settings | ({"encoding": encoding} if encoding else {})
            given = (question, draft.text, read_evidence(documents or (), encoding))
            correction = _correct(method, own, given, desk.sheet)
            write_whole(_kept(file), json.dumps(result_json(correction)).encode())
        decided = _decide(desk, correction, Path(f"{file}.decisions.jsonl"))
    deliver(draft, decided, view)


@contextmanager
def _page(question: str, draft: str) -> Iterator["Desk"]:
    """A page while the block runs; stopped by Ctrl-C it says that nothing is lost."""
    from errata.cli.decisions import Sheet
    from errata.cli.desk import Desk

    desk = Desk(Sheet(question, draft))
    Thread(target=desk.serve_forever, daemon=True).start()
    say(f"review: {desk.url}")
    sys.stderr.flush()
    try:
        yield desk
    except KeyboardInterrupt as error:
        say("stopped; what was decided is kept")
        raise typer.Exit(130) from error
    finally:
        desk.shutdown()
        desk.server_close()


def _decide(desk: "Desk", correction: Correction, path: Path) -> Correction:
    """What a person made of a correction, once all is decided."""
    from errata.cli.decisions import Review

    own = Review(correction, path)
    desk.sheet.open(own)
    say(f"{count(own.edits, 'edit')} to decide on; the decisions are kept in {path}")
    desk.finished.wait()
    return own.result()


def _kept(file: str) -> Path:
    """Where the correction of a draft is kept, so that a review goes on with the same edits."""
    return Path(f"{file}.review.json")


def _read(file: str, encoding: str, out: Path | None) -> tuple[Correction | None, Draft]:
    """The correction in a file, or the one kept of the draft there; and the form of its text.

    Raises InputError if the file cannot be read.
    """
    [draft] = read_drafts([file], encoding, out=out)
    if found := _as_correction(draft.text):
        return found, Draft(text=found.draft, out=out)
    kept = _as_correction(_kept(file).read_text("utf-8")) if _kept(file).exists() else None
    if kept is None or kept.draft != draft.text:
        return None, draft
    say(f"note: goes on with the correction in {str(_kept(file))!r}; remove it to begin anew")
    return kept, draft


def _as_correction(text: str) -> Correction | None:
    try:
        values = json.loads(text)
    except ValueError:
        return None
    if not isinstance(values, dict) or not {"draft", "edits"} <= values.keys():
        return None
    return from_json(Correction, values)


def _correct(
    method: str, settings: Mapping[str, Any], given: tuple[Any, ...], sheet: "Sheet"
) -> Correction:
    """The correction of a draft; how far it is stands on the page and on the terminal."""
    from errata.session import Session

    progress = Progress()

    def tell(step: str, done: int, total: int) -> None:
        progress.tell_step(step, done, total)
        sheet.tell(f"{step.replace('_', ' ')}: {done} of {total}")

    with (
        Session(method, on_progress=tell, **settings) as session,
        progress.shown("reading, checking, correcting …"),
    ):
        return cast("Correction", follow(session, "correct", *given, show=sheet.add))
