"""`errata review`: decide on the edits of a correction on a page of this machine."""

import json
import sys
import webbrowser
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from errata.cli.correct import View, deliver
from errata.cli.drafts import Draft, decode_source, read_drafts, read_evidence, write_whole
from errata.cli.options import (
    AsJson,
    Documents,
    Encoding,
    TakesSettings,
    fit_settings,
    method_option,
)
from errata.cli.output import check_writable
from errata.cli.progress import Progress
from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.core.records import Correction, result_json
from errata.methods import CORRECTING
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.cli.decisions import Review
    from errata.cli.desk import Sheet

REPLY_SECONDS = 0.3
"""How long the page has to hear that it is finished before the server ends."""
_NAME = "draft"
"""The name of a file's review in the page's address."""


@TakesSettings(CORRECTING)
def review(
    settings: dict[str, Any],
    file: Annotated[
        str, Argument(help="A result of `correct --json`, a draft, or a thread of --url.")
    ] = "",
    question: Annotated[str, Option("--question", "-q", help="What the draft answers.")] = "",
    method: Annotated[str, method_option(CORRECTING)] = CORRECTING[0],
    documents: Documents = None,
    encoding: Encoding = "",
    url: Annotated[
        str, Option("--url", metavar="SERVER", help="Review what waits on this LangGraph server.")
    ] = "",
    port: Annotated[int, Option("--port", help="Serve the page here; 0: on any free port.")] = 0,
    browser: Annotated[bool, Option("--browser", help="Open the page in the browser.")] = False,
    out: Annotated[Path | None, Option("--out", help="Write the text to this file.")] = None,
    as_json: AsJson = False,
) -> None:
    """Decide on the edits of a correction, or of runs that wait, on a page."""
    if url:
        _review_threads(url, file, port, browser)
        return
    if not file:
        raise InputError("name a FILE, or with --url a server whose reviews wait")
    from errata.cli.decisions import Review
    from errata.cli.desk import Sheet

    check_writable(out)
    correction, draft = _read(file, encoding, out)
    sheet, done = Sheet(question, draft.text), Event()
    with _served({_NAME: file}.copy, lambda name: _only(sheet, name), port, browser, f"{_NAME}/"):
        if correction is None:
            given = read_evidence(documents or (), encoding)
            own = settings | ({"encoding": encoding} if encoding else {})
            correction = _correct(method, own, (question, draft.text, given), sheet)
            write_whole(_kept(file), json.dumps(result_json(correction)).encode())
        opened = Review(correction, Path(f"{file}.decisions.jsonl"))

        def finish(_: "Review") -> str:
            Timer(REPLY_SECONDS, done.set).start()
            return "finished; you may close this page"

        sheet.open(opened, finish)
        done.wait()
        view: View = "json" if as_json else "nothing" if out else "text"
        deliver(draft, opened.result(), view)


def _kept(file: str) -> Path:
    """Where the correction of a draft is kept, so that a review goes on with the same edits."""
    return Path(f"{file}.review.json")


def _read(file: str, encoding: str, out: Path | None) -> tuple[Correction | None, Draft]:
    """The correction in a file, or of the draft there if one is kept; and the form of its text.

    Raises InputError if the file cannot be read.
    """
    _, decoded = decode_source(file, encoding)
    if decoded.text.lstrip().startswith("{") and (found := _as_correction(decoded.text)):
        return found, Draft(text=found.draft, out=out)
    [draft] = read_drafts([file], encoding, out=out)
    kept = _as_correction(_kept(file).read_text("utf-8")) if _kept(file).exists() else None
    if kept and kept.draft == draft.text:
        say(f"note: goes on with the correction in {str(_kept(file))!r}; remove it to begin anew")
        return kept, draft
    return None, draft


def _as_correction(text: str) -> Correction | None:
    try:
        values = json.loads(text)
    except ValueError:
        return None
    if not isinstance(values, dict) or not {"draft", "edits"} <= values.keys():
        return None
    names = Correction.__dataclass_fields__
    return from_json(Correction, {name: values[name] for name in values if name in names})


def _correct(
    method: str, settings: Mapping[str, Any], given: tuple[Any, ...], sheet: "Sheet"
) -> Correction:
    """The correction of a draft; how far it is stands on the page and on the terminal."""
    from errata.session import Session

    progress = Progress()

    def tell(step: str, done: int, total: int) -> None:
        progress.tell_step(step, done, total)
        sheet.tell(f"{step.replace('_', ' ')}: {done} of {total}")

    own = fit_settings(method, CORRECTING, settings)
    with (
        Session(method, on_progress=tell, **own) as session,
        progress.shown("reading, checking, correcting …"),
    ):
        return session.correct(*given)


def _only(sheet: "Sheet", name: str) -> "Sheet":
    if name != _NAME:
        raise InputError(f"no review {name!r} is here")
    return sheet


@contextmanager
def _served(
    list_sheets: Callable[[], Mapping[str, str]],
    find: Callable[[str], "Sheet"],
    port: int,
    browser: bool,
    place: str,
) -> Iterator[None]:
    """Serve sheets while the block runs; a stop by Ctrl-C loses nothing."""
    from errata.cli.desk import Desk

    desk = Desk(list_sheets, find, port)
    Thread(target=desk.serve_forever, daemon=True).start()
    say(f"review: {desk.url}{place}")
    sys.stderr.flush()
    if browser:
        webbrowser.open(f"{desk.url}{place}")
    try:
        yield
    except KeyboardInterrupt:
        say("stopped; what was decided is kept")
    finally:
        desk.shutdown()
        desk.server_close()


def _review_threads(url: str, thread: str, port: int, browser: bool) -> None:
    """Serve the reviews that wait on a server, of one thread or all, until stopped."""
    from errata.cli.decisions import Review
    from errata.cli.desk import Sheet
    from errata.langchain.reviews import ServerReviews, Waiting

    server, sheets = ServerReviews(url), dict[str, Sheet]()

    def waiting() -> dict[str, Waiting]:
        return {w.interrupt: w for w in server.waiting() if thread in ("", w.thread)}

    def find(name: str) -> Sheet:
        if name not in sheets:
            if name not in (found := waiting()):
                raise InputError(f"no review {name!r} waits at {url}")
            own = found[name]
            path = Path(f"{own.thread}.{name[:8]}.decisions.jsonl")
            opened, sheet = Review(own.correction, path, own.ids), Sheet()

            def finish(done: "Review") -> str:
                response = server.resume(own, done.decisions)
                say(f"resumed {own.thread}")
                return f"the run has ended: {response[:80]}" if response else "the run goes on"

            sheet.open(opened, finish)
            sheets[name] = sheet
        return sheets[name]

    if thread and not waiting():
        raise InputError(f"no review of thread {thread!r} waits at {url}")
    listed = lambda: {name: each.about for name, each in waiting().items()}  # noqa: E731
    with _served(listed, find, port, browser, ""):
        Event().wait()
