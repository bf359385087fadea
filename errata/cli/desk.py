"""The page of a review: served on loopback to whoever has its address, and to no other page."""

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import compare_digest, token_urlsafe
from time import sleep
from typing import Any

from errata.cli.decisions import Review
from errata.core.errors import ErrataError, InputError
from errata.core.events import Event, Judged, Patched, Text
from errata.core.records import Correction
from errata.render.html import report

MOST_BYTES = 1_000_000
"""The longest body that the page may send."""
REDRAW_SECONDS = 0.2
"""How long a page stays as it is, at least; how long its last reply has to go out."""
_HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Sheet:
    """What the page shows: a correction while it is made, then its review."""

    def __init__(self, question: str = "", draft: str = "") -> None:
        """Show a draft until more is told."""
        given: Any = {"question": question, "draft": draft, "response": draft}
        self.so_far = Correction(method="so far", changed=False, label="not_mentioned", **given)
        self.review: Review | None = None
        self.finished = threading.Event()
        self._says, self._told, self._telling = "starting", 0, threading.Lock()

    def tell(self, says: str, **changed: Any) -> None:
        """Show how far the run is, and fields of the correction so far."""
        with self._telling:
            self.so_far = replace(self.so_far, **changed)
            self._says, self._told = says, self._told + 1

    def add(self, event: Event) -> None:
        """Show what a run's stream tells; a later verdict or patch takes an earlier one's place."""
        own = self.so_far
        match event:
            case Text(start=start, text=text):
                draft = own.draft.ljust(start)
                self.tell("writing", draft=draft[:start] + text + draft[start + len(text) :])
            case Judged(claim=claim, verdict=verdict):
                claims = {each.id: each for each in (*own.claims, claim)}
                verdicts = {each.claim: each for each in (*own.verdicts, verdict)}
                self.tell("judging", claims=(*claims.values(),), verdicts=(*verdicts.values(),))
            case Patched(edit=edit):
                self.add(Text(start=edit.start, text=edit.before))
                others = [e for e in own.edits if e.end <= edit.start or edit.end <= e.start]
                self.tell("correcting", edits=(*others, edit))

    def open(self, review: Review) -> None:
        """Let a person decide, until `finished`."""
        self.review = review
        self.tell("")

    def page(self) -> str:
        """The page as it is now."""
        if self.review is None:
            return report(self.so_far, {"made": {}, "live": True, "says": self._says})
        made = {name: asdict(own) for name, own in self.review.made.items()}
        return report(self.review.correction, {"made": made, "text": self.text()})

    def text(self) -> str:
        """The text as decided so far."""
        return self.review.result().response if self.review else self.so_far.draft

    def changes(self) -> Iterator[None]:
        """Each time that there is more to show, and once when a person can decide."""
        shown, over = -1, False
        while not over:
            over = self.review is not None
            if over or shown < self._told:
                shown = self._told
                yield
            sleep(REDRAW_SECONDS)

    def answer(self, what: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the page asks for. Raises InputError if it cannot be done."""
        if self.review is None:
            raise InputError("the run goes on; decide when it has ended")
        if what == "decisions":
            made = self.review.decide(body["id"], body["decision"], str(body["comment"]))
            return {"made": asdict(made), "text": self.text()}
        if len(self.review.decisions) < len(self.review.edits):
            raise InputError("decide on all edits first")
        threading.Timer(REDRAW_SECONDS, self.finished.set).start()  # so that the page hears of it
        return {"says": "finished; you may close this page"}


class Desk(ThreadingHTTPServer):
    """Serves one sheet. Other pages cannot reach it: they lack the token, and name their origin."""

    daemon_threads = True

    def __init__(self, sheet: Sheet) -> None:
        """Serve a sheet at `url`, on a free port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.sheet, self.token = sheet, token_urlsafe()
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Desk

    def log_message(self, *_: Any) -> None:
        """Keep addresses, which hold the token, out of the terminal."""

    def do_GET(self) -> None:
        what = self._what()
        if what == "events":
            self._stream()
        elif what == "review.js":
            script = files("errata.render").joinpath("review.js").read_text(encoding="utf-8")
            self._send(200, "text/javascript", script)
        elif what == "text":
            self._send(200, "text/plain", self.server.sheet.text())
        elif what == "":
            self._send(200, "text/html", self.server.sheet.page())
        else:
            self._send(404, "text/plain", "not here")

    def do_POST(self) -> None:
        what, size = self._what(), int(self.headers.get("content-length", 0))
        try:
            if what not in ("decisions", "finish") or size > MOST_BYTES:
                raise InputError("not here, or too long")
            answer = self.server.sheet.answer(what, json.loads(self.rfile.read(size)))
        except (ErrataError, ValueError, KeyError, TypeError) as error:
            self._send(422, "application/json", json.dumps({"fault": str(error)}))
        else:
            self._send(200, "application/json", json.dumps(answer))

    def _what(self) -> str | None:
        """What of the sheet is asked for; None if who asks lacks the token or is another page."""
        own = self.server.origin
        token, _, what = self.path[1:].partition("/")
        known = compare_digest(token.encode(), self.server.token.encode())
        host, origin = self.headers.get("host", ""), self.headers.get("origin", own)
        return what if known and (f"http://{host}", origin) == (own, own) else None

    def _stream(self) -> None:
        """An event each time that there is more to show; the page then asks for itself."""
        self._send(200, "text/event-stream", "")
        try:
            for _ in self.server.sheet.changes():
                self.wfile.write(b"data: more\n\n")
        except OSError:  # the page was closed
            return

    def _send(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        for name, value in (_HEADERS | {"content-type": f"{kind}; charset=utf-8"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode(errors="replace"))
