"""The simulated endpoint, with a log of what was asked, that kills the process that asks."""

import os
import signal
from collections import defaultdict
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from errata.evals.endpoint.app import Endpoint
from errata.evals.endpoint.running import serve
from errata.evals.endpoint.settings import Settings
from errata.tools.models.replies import CallCache

ASKED = "/asked/{run}"
_SECONDS_TO_KEEP = 10
KEPT = "calls.sqlite"


def keeping(replies: Path) -> dict[str, Any]:
    """The settings of a run that keeps replies in a folder, and takes from there what it can."""
    return {"call_cache": str(replies / KEPT)}


def count_kept(replies: Path) -> int:
    """How many replies are kept there."""
    return CallCache.open(str(replies / KEPT)).store.summary().entries


@dataclass(frozen=True)
class Caller:
    """Who asks, as the key of the API says: a run, its process, and the call that kills it."""

    run: str
    process: int
    fatal: int = 0
    """The number of the call at which the process is killed, from 1; 0: none."""
    replies: str = ""
    """The folder where the process keeps replies."""

    @property
    def key(self) -> str:
        """As the key of the API."""
        return "|".join(map(str, vars(self).values()))

    @classmethod
    def read(cls, header: str) -> Self:
        """The caller that the header `Authorization` names."""
        run, process, fatal, replies = header.removeprefix("Bearer ").split("|")
        return cls(run, int(process), int(fatal), replies)


class KillingEndpoint(Endpoint):
    """Replies as the simulated endpoint does, and kills a caller when it asks once too often."""

    def __init__(self) -> None:
        """Nothing was asked yet, and nothing takes time."""
        super().__init__(Settings().scaled(0))
        self._asked = defaultdict[tuple[str, int], list[str]](list)

    @property
    def app(self) -> Starlette:
        """The application, with the log of each run."""
        app = super().app
        app.routes.append(Route(ASKED, self.send_asked))
        return app

    async def complete(self, request: Request) -> Response:
        """One chat completion, unless it is the one that kills."""
        caller = Caller.read(request.headers["authorization"])
        asked = self._asked[caller.run, caller.process]
        asked.append(sha256(await request.body()).hexdigest()[:16])
        if len(asked) == caller.fatal:
            if caller.replies:
                await _wait_until_kept(Path(caller.replies), len(asked) - 1)
            os.kill(caller.process, signal.SIGKILL)
            await request.receive()
        return await super().complete(request)

    async def send_asked(self, request: Request) -> Response:
        """The digests of what a run's processes asked, in order, process after process."""
        run = request.path_params["run"]
        return JSONResponse([asked for (name, _), asked in self._asked.items() if name == run])


async def _wait_until_kept(replies: Path, asked: int) -> None:
    """Until the caller has kept all the replies that it got: it may ask again a moment before.

    Raises TimeoutError if it does not.
    """
    with anyio.fail_after(_SECONDS_TO_KEEP):
        kept = count_kept(replies)
        while kept < asked:
            await anyio.sleep(0.002)
            kept = count_kept(replies)


if __name__ == "__main__":
    serve(KillingEndpoint().app, 0)
