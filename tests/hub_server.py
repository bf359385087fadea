"""A Hugging Face hub on loopback: its listing, redirects to a store of large files, and ranges."""

import hashlib
import http.server
import json
import threading
from contextlib import contextmanager

SHA = "0123456789abcdef0123456789abcdef01234567"
LARGE = ".onnx"
"""What lies in the store of large files, behind a redirect."""


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


class Hub(http.server.BaseHTTPRequestHandler):
    """Files of one repository by name; the first `breaks` large replies end in the middle."""

    files: dict[str, bytes]
    asked: list[str]
    breaks = 0

    def log_message(self, *_):
        pass

    def do_GET(self):
        type(self).asked.append(f"{self.command} {self.path}")
        _, *parts = self.path.split("?")[0].split("/")
        if parts[:2] == ["api", "models"] and parts[2:4] == ["org", "judge"]:
            body = self.tree() if parts[4:5] == ["tree"] else self.described()
            return self.send(200, json.dumps(body).encode(), {"Content-Type": "application/json"})
        if parts[:2] == ["api", "models"]:
            return self.send(404, b"{}", {"X-Error-Code": "RepoNotFound"})
        name = "/".join(parts[1:] if parts[0] == "store" else parts[4:])
        if name not in self.files:
            return self.send(404, b"", {"X-Error-Code": "EntryNotFound"})
        data, digest = self.files[name], digest_of(self.files[name])
        headers = {"X-Repo-Commit": SHA, "ETag": f'"{digest}"'}
        if parts[0] == "store":
            return self.send_range(data, headers)
        if name.endswith(LARGE):
            headers |= {"X-Linked-ETag": f'"{digest}"', "X-Linked-Size": str(len(data))}
            return self.send(302, b"", headers | {"Location": f"/store/{name}"})
        return self.send(200, data, headers)

    def do_HEAD(self):
        self.do_GET()

    def described(self):
        return {"id": "org/judge", "sha": SHA, "siblings": [{"rfilename": n} for n in self.files]}

    def tree(self):
        files = self.files.items()
        return [
            {"type": "file", "path": name, "size": len(data), "oid": digest_of(data)}
            for name, data in files
        ]

    def send_range(self, data, headers):
        start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        rest = data[start:]
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if self.command == "GET" and type(self).breaks:
            type(self).breaks -= 1
            self.send(206 if start else 200, rest, headers, sent=len(rest) // 2)
            self.close_connection = True
        else:
            self.send(206 if start else 200, rest, headers)

    def send(self, status, body, headers, sent=None):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body[:sent])


@contextmanager
def serve_hub(files, breaks=0):
    """The address of a hub with one repository, `org/judge`, and the requests that it got."""
    own = type("OwnHub", (Hub,), {"files": files, "asked": [], "breaks": breaks})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), own) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", own.asked
        finally:
            server.shutdown()
            thread.join()
