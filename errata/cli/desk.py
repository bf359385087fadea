"""The page of a review: served on loopback to whoever has its address, and to no other page."""

import json
import threading
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import compare_digest, token_urlsafe
from time import sleep
from typing import Any

from errata.cli.decisions import REDRAW_SECONDS, Sheet, as_lines
from errata.core.errors import ErrataError, InputError
from errata.render.html import PAGE_HEADERS, script

MOST_BYTES = 1_000_000
"""The longest body that the page may send."""


class Desk(ThreadingHTTPServer):
    """Serves one sheet. Other pages cannot reach it: they lack the token, and name their origin."""

    daemon_threads = True

    def __init__(self, sheet: Sheet) -> None:
        """Serve a sheet at `url`, on a free port, until a person has `finished`."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.sheet, self.token, self.finished = sheet, token_urlsafe(), threading.Event()
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Desk

    def log_message(self, *_: Any) -> None:
        """Keep addresses, which hold the token, out of the terminal."""

    def do_GET(self) -> None:
        what, sheet = self._what(), self.server.sheet
        if what == "events":
            self._stream()
        elif what == "review.js":
            self._send(200, "text/javascript", script())
        elif what == "decisions" and sheet.review:
            self._send(200, "application/jsonl", as_lines(sheet.review.rows(sheet.review.made)))
        elif what == "":
            self._send(200, "text/html", sheet.page())
        else:
            self._send(404, "text/plain", "not here")

    def do_POST(self) -> None:
        what, size = self._what(), int(self.headers.get("content-length", 0))
        desk, review = self.server, self.server.sheet.review
        try:
            if what not in ("decisions", "finish") or size > MOST_BYTES:
                raise InputError("not here, or too long")
            body, answer = json.loads(self.rfile.read(size)), dict[str, Any]()
            if review is None:
                raise InputError("the run goes on; decide when it has ended")
            if what == "decisions":
                made = review.decide(body["id"], body["decision"], str(body["comment"]))
                answer = {"made": asdict(made), "text": review.result().response}
            else:
                review.check_finished()  # and later the page hears of it before the command ends
                threading.Timer(REDRAW_SECONDS, desk.finished.set).start()
        except (ErrataError, ValueError, KeyError, TypeError) as error:
            self._send(422, "application/json", json.dumps({"detail": str(error)}))
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
        """The page each time that there is more to show."""
        self._send(200, "application/jsonl", "")
        try:
            for line in self.server.sheet.lines():
                self.wfile.write(line.encode(errors="replace"))
                sleep(REDRAW_SECONDS)
        except OSError:  # the page was closed
            return

    def _send(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        for name, value in (PAGE_HEADERS | {"content-type": f"{kind}; charset=utf-8"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode(errors="replace"))
