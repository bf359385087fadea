"""The page for reviews: served on loopback to whoever has its address, and to no other page."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import compare_digest, token_urlsafe
from threading import Condition
from time import sleep
from typing import Any

from errata.cli.decisions import Review
from errata.core.errors import ErrataError, InputError
from errata.core.jsonable import to_json
from errata.core.records import Claim, Correction, Edit, Verdict
from errata.render.html import list_page, report

MOST_BYTES = 1_000_000
"""The longest body that the page may send."""
REDRAW_SECONDS = 0.2
"""How long the page of a run that goes on stays as it is, at least."""
ALIVE_SECONDS = 15.0
"""How often a stream says that the server is there."""
_HTML, _JSON, _TEXT = (
    f"{kind}; charset=utf-8" for kind in ("text/html", "application/json", "text/plain")
)
_HEADERS = {
    "content-security-policy": "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Sheet:
    """One text on the page: a correction while it is made, then its review."""

    def __init__(self, question: str = "", draft: str = "") -> None:
        """Show a draft, or nothing, until more is told."""
        self.so_far = Correction(
            method="",
            question=question,
            draft=draft,
            response=draft,
            changed=False,
            label="not_mentioned",
        )
        self.review: Review | None = None
        self._says, self._told, self._change = "starting", 0, Condition()
        self._finish: Callable[[Review], str] = lambda _: ""

    def tell(self, says: str) -> None:
        """Show how far the run is."""
        with self._change:
            self._says, self._told = says, self._told + 1
            self._change.notify_all()

    def add_text(self, start: int, text: str) -> None:
        """Show a stretch of the draft, in its place."""
        draft = self.so_far.draft.ljust(start)
        draft = draft[:start] + text + draft[start + len(text) :]
        self._put(draft=draft)

    def add_verdict(self, claim: Claim, verdict: Verdict) -> None:
        """Show a verdict, in the place of an earlier one on the claim."""
        claims = {each.id: each for each in (*self.so_far.claims, claim)}
        verdicts = {each.claim: each for each in (*self.so_far.verdicts, verdict)}
        self._put(claims=tuple(claims.values()), verdicts=tuple(verdicts.values()))

    def add_patch(self, edit: Edit) -> None:
        """Show an edit, in the place of all that it overlaps."""
        others = [e for e in self.so_far.edits if e.end <= edit.start or edit.end <= e.start]
        self._put(edits=tuple(sorted([*others, edit], key=lambda each: each.start)))
        self.add_text(edit.start, edit.before)

    def _put(self, **changed: Any) -> None:
        self.so_far = replace(self.so_far, **changed)
        self.tell(f"{len(self.so_far.verdicts)} claims judged")

    def open(self, review: Review, finish: Callable[[Review], str]) -> None:
        """Let a person decide; `finish` takes what was decided, and says what became of it."""
        self.review, self._finish = review, finish
        self.tell("")

    def page(self) -> str:
        """The page as it is now."""
        if self.review:
            return report(self.review.correction, {**self.review.shown(), "says": ""})
        return report(self.so_far, {"made": {}, "text": "", "live": True, "says": self._says})

    def wait(self, told: int) -> int:
        """Wait until there is more to show than when `told` was returned, but not for ever."""
        with self._change:
            self._change.wait_for(lambda: self._told != told, ALIVE_SECONDS)
            return self._told

    def answer(self, what: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Do what the page asks for. Raises ErrataError if it cannot be done."""
        review = self.review
        if review is None:
            raise InputError("the run goes on; decide when it has ended")
        if what == "decisions":
            made = review.decide(str(body["id"]), body.get("decision"), body.get("comment") or "")
            return {"made": to_json(made), "text": review.result().response}
        if review.open:
            raise InputError(f"{review.open} of the edits are not decided yet")
        return {"says": self._finish(review)}


class Desk(ThreadingHTTPServer):
    """Serves sheets. Another page cannot reach it: it lacks the token, and its origin is told."""

    daemon_threads = True

    def __init__(
        self, list_sheets: Callable[[], Mapping[str, str]], find: Callable[[str], Sheet], port: int
    ) -> None:
        """Serve the sheets that are listed, each with what it is about, on a port; 0: any free one.

        Raises InputError if the port cannot be used.
        """
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except (OSError, OverflowError) as error:
            raise InputError(f"cannot serve on port {port}: {error}; choose another") from error
        self.list_sheets, self.find, self.token = list_sheets, find, token_urlsafe()
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Desk
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, *_: Any) -> None:
        """Keep addresses, which hold the token, out of the terminal."""

    def _answer(self, act: Callable[[list[str]], tuple[str, str] | None]) -> None:
        token, *place = self.path.partition("?")[0].split("/")[1:] or [""]
        known = compare_digest(token.encode(), self.server.token.encode())
        host, origin = self.headers.get("host", ""), self.headers.get("origin")
        if (
            not known
            or f"http://{host}" != self.server.origin
            or origin not in (None, self.server.origin)
        ):
            self._send(404, _TEXT, "not here")
            return
        try:
            answer = act(place)
        except (ErrataError, ValueError, KeyError) as error:
            self._send(422, _JSON, json.dumps({"fault": str(error)}))
        else:
            if answer:
                self._send(200, *answer)

    def _get(self, place: list[str]) -> tuple[str, str] | None:
        if place == [""]:
            return _HTML, list_page(self.server.list_sheets())
        if place == ["review.js"]:
            script = files("errata.render").joinpath("review.js")
            return "text/javascript; charset=utf-8", script.read_text(encoding="utf-8")
        name, what = place
        sheet = self.server.find(name)
        if what == "events":
            self._stream(sheet)
            return None
        if what == "text":
            return _TEXT, sheet.review.result().response if sheet.review else sheet.so_far.draft
        return _HTML, sheet.page()

    def _post(self, place: list[str]) -> tuple[str, str]:
        name, what = place
        size = int(self.headers.get("content-length", 0))
        if size > MOST_BYTES:
            self.close_connection = True
            raise InputError(f"at most {MOST_BYTES} bytes")
        body = json.loads(self.rfile.read(size))
        return _JSON, json.dumps(self.server.find(name).answer(what, body))

    def _stream(self, sheet: Sheet) -> None:
        """An event each time that there is more to show; the page then asks for itself."""
        self._send(200, "text/event-stream", None)
        self.close_connection, told = True, -1
        try:
            while sheet.review is None or told < 0:
                told = sheet.wait(told)
                self.wfile.write(f"data: {told}\n\n".encode())
                self.wfile.flush()
                sleep(REDRAW_SECONDS)
            self.wfile.write(b"data: end\n\n")
        except OSError:  # the page was closed
            return

    def _send(self, status: int, kind: str, text: str | None) -> None:
        self.send_response(status)
        for name, value in (_HEADERS | {"content-type": kind}).items():
            self.send_header(name, value)
        data = (text or "").encode()
        if text is None:
            self.send_header("connection", "close")
        else:
            self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
