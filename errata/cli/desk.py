"""The page of a review: served on loopback to whoever has its address, and to no other page."""

import json
import threading
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import compare_digest, token_urlsafe
from typing import Any

from errata.cli.decisions import Review
from errata.core.errors import ErrataError, InputError
from errata.render.html import PAGE_HEADERS, report, script

MOST_BYTES = 1_000_000
"""The longest body that the page may send."""


class Desk(ThreadingHTTPServer):
    """Serves one review. Other pages cannot reach it: they lack the token and name their origin."""

    daemon_threads = True

    def __init__(self, review: Review) -> None:
        """Serve a review at `url`, on a free port, until a person has `finished`."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.review, self.token, self.finished = review, token_urlsafe(), threading.Event()
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: Desk

    def log_message(self, *_: Any) -> None:
        """Keep addresses, which hold the token, out of the terminal."""

    def do_GET(self) -> None:
        what, review = self._what(), self.server.review
        if what == "review.js":
            self._send(200, "text/javascript", script())
        elif what == "":
            made = {name: asdict(own) for name, own in review.made.items()}
            shown = {"made": made, "text": review.result().response}
            self._send(200, "text/html", report(review.correction, shown))
        else:
            self._send(404, "text/plain", "not here")

    def do_POST(self) -> None:
        what, size = self._what(), int(self.headers.get("content-length", 0))
        review, answer = self.server.review, dict[str, Any]()
        try:
            if what not in ("decisions", "finish") or size > MOST_BYTES:
                raise InputError("not here, or too long")
            body = json.loads(self.rfile.read(size))
            if what == "decisions":
                made = review.decide(body["id"], body["decision"])
                answer = {"made": asdict(made), "text": review.result().response}
            else:
                review.check_finished()
        except (ErrataError, ValueError, KeyError, TypeError) as error:
            self._send(422, "application/json", json.dumps({"detail": str(error)}))
        else:
            self._send(200, "application/json", json.dumps(answer))
            if what == "finish":
                self.server.finished.set()

    def _what(self) -> str | None:
        """What of the page is asked for; None if who asks lacks the token or is another page."""
        own = self.server.origin
        token, _, what = self.path[1:].partition("/")
        known = compare_digest(token.encode(), self.server.token.encode())
        host, origin = self.headers.get("host", ""), self.headers.get("origin", own)
        return what if known and (f"http://{host}", origin) == (own, own) else None

    def _send(self, status: int, kind: str, text: str) -> None:
        self.send_response(status)
        for name, value in (PAGE_HEADERS | {"content-type": f"{kind}; charset=utf-8"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode(errors="replace"))
