"""A Hugging Face hub on loopback: its listing, redirects to a store of large files, and ranges."""

import hashlib
from contextlib import contextmanager

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from serve import served

SHA = "0123456789abcdef0123456789abcdef01234567"
LARGE = ".onnx"
"""What lies in the store of large files, behind a redirect."""


class Hub:
    """Files of one repository by name; the first `breaks` large replies end in the middle."""

    def __init__(self, files, breaks):
        self.files, self.breaks, self.asked = files, breaks, []

    @property
    def app(self):
        return Starlette(routes=[Route("/{path:path}", self.reply)])

    def reply(self, request):
        self.asked.append(f"{request.method} {request.url.path}")
        parts = request.path_params["path"].split("/")
        if parts[:4] == ["api", "models", "org", "judge"]:
            return JSONResponse(self.tree() if parts[4:5] == ["tree"] else self.described())
        if parts[:2] == ["api", "models"]:
            return JSONResponse({}, 404, {"X-Error-Code": "RepoNotFound"})
        name = "/".join(parts[1:] if parts[0] == "store" else parts[4:])
        if name not in self.files:
            return Response(b"", 404, {"X-Error-Code": "EntryNotFound"})
        data, digest = self.files[name], digest_of(self.files[name])
        headers = {"X-Repo-Commit": SHA, "ETag": f'"{digest}"'}
        if parts[0] == "store":
            return self.send_range(request, data, headers)
        if name.endswith(LARGE):
            headers |= {"X-Linked-ETag": f'"{digest}"', "X-Linked-Size": str(len(data))}
            return Response(b"", 302, headers | {"Location": f"/store/{name}"})
        return Response(data, 200, headers)

    def described(self):
        return {"id": "org/judge", "sha": SHA, "siblings": [{"rfilename": n} for n in self.files]}

    def tree(self):
        return [
            {"type": "file", "path": name, "size": len(data), "oid": digest_of(data)}
            for name, data in self.files.items()
        ]

    def send_range(self, request, data, headers):
        start = int(request.headers.get("range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        rest, status = data[start:], 206 if start else 200
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        if request.method == "GET" and self.breaks:
            self.breaks -= 1
            whole = {"Content-Length": str(len(rest))}
            return StreamingResponse(break_off(rest), status, headers | whole)
        return Response(rest, status, headers)


def digest_of(data):
    return hashlib.sha256(data).hexdigest()


async def break_off(body):
    yield body[: len(body) // 2]
    raise ConnectionError


@contextmanager
def serve_hub(files, breaks=0):
    """The address of a hub with one repository, `org/judge`, and the requests that it got."""
    hub = Hub(files, breaks)
    with served(hub.app) as url:
        yield url, hub.asked
