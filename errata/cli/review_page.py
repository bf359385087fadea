"""A person's review of a correction: the decisions, kept in a file, and the page to make them on.

The page is served on loopback to whoever has its address, and to no other page.
"""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import compare_digest, token_urlsafe
from typing import Any

from filelock import FileLock, Timeout

from errata.cli.drafts import write_whole
from errata.core.edits import apply_edits
from errata.core.errors import ErrataError, InputError
from errata.core.records import Correction, Edit
from errata.nodes.claims import find_unmended
from errata.nodes.review import apply_decisions, edits_by_id
from errata.render.html import PAGE_HEADERS, page, script

MOST_BYTES = 1_000_000
"""The longest body that the page may send."""
Decision = str | dict[str, str]
"""`accept`, `reject`, `{"replace": text}`."""


class Review:
    """The edits of a correction with a person's decisions, in a file that nobody else can open."""

    def __init__(self, correction: Correction, path: Path) -> None:
        """Go on with the decisions so far; raises InputError if they or the edits do not fit."""
        apply_edits(correction.draft, correction.edits)
        self.correction, self.edits = correction, edits_by_id(correction.edits)
        self.path, self.decisions = path, dict[str, Decision]()
        self._file, self._deciding = FileLock(f"{path}.lock", timeout=0), threading.Lock()
        try:
            self._file.acquire()
            text = path.read_text("utf-8") if path.exists() else ""
            self._read(map(json.loads, text.splitlines()))
        except Timeout as error:
            raise InputError(f"{str(path)!r} is open in another review") from error
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            fault = f"cannot read {str(path)!r} as decisions: {error}; move it away to begin anew"
            raise InputError(fault) from error

    def _read(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take decisions from their rows. Raises an error if they are about other edits."""
        for row in rows:
            if not _place(self.edits[row["edit"]]).items() <= row.items():
                raise InputError("they are about other edits")
            apply_decisions({row["edit"]: self.edits[row["edit"]]}, {row["edit"]: row["decision"]})
            self.decisions[row["edit"]] = row["decision"]

    def decide(self, name: str, decision: Any) -> None:
        """Decide on an edit; None takes it back. Raises InputError if it cannot be read or kept."""
        if name not in self.edits:
            raise InputError(f"no edit {name!r} is under review")
        if decision is not None:
            apply_decisions({name: self.edits[name]}, {name: decision})
        with self._deciding:
            changed = {**self.decisions, name: decision}
            changed = {each: changed[each] for each in self.edits if changed.get(each) is not None}
            rows = [{"edit": n, **_place(self.edits[n]), "decision": d} for n, d in changed.items()]
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
            # Kept before anybody sees it as decided.
            write_whole(self.path, "".join(lines).encode())
            self.decisions = changed

    def result(self) -> Correction:
        """The correction with the edits that stand, and a note for each that does not."""
        own, decisions = self.correction, self.decisions
        edits, notes = apply_decisions({name: self.edits[name] for name in decisions}, decisions)
        response = apply_edits(own.draft, edits)
        unmended = find_unmended(own.claims, own.verdicts, edits)
        return replace(
            own,
            edits=tuple(edits),
            response=response,
            changed=response != own.draft,
            unmended=tuple(claim.id for claim in unmended),
            notes=(*own.notes, *notes),
        )


def _place(edit: Edit) -> dict[str, int | str]:
    return {name: getattr(edit, name) for name in ("start", "end", "before", "after")}


class ReviewServer(ThreadingHTTPServer):
    """Serves one review. Other pages cannot reach it: they lack the token and name their origin."""

    daemon_threads = True

    def __init__(self, review: Review) -> None:
        """Serve a review at `url`, on a free port, until a person has `finished`."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.review, self.token, self.finished = review, token_urlsafe(), threading.Event()
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.origin}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer

    def log_message(self, *_: Any) -> None:
        """Keep addresses, which hold the token, out of the terminal."""

    def do_GET(self) -> None:
        what, review = self._what(), self.server.review
        if what == "review.js":
            self._send(200, "text/javascript", script())
        elif what == "":
            text = review.result().response
            self._send(200, "text/html", page(review.correction, review.decisions, text))
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
                review.decide(body["id"], body["decision"])
                answer = {"decision": body["decision"], "text": review.result().response}
            elif len(review.decisions) < len(review.edits):
                raise InputError("decide on all edits first")
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
