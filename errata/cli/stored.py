"""The options that keep a run in a store, and the name that each draft's run gets."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from errata.cli.places import Job
from errata.core.errors import InputError

STORE = "ERRATA_CHECKPOINTS"
"""The environment variable that names the store of every command that names a run."""
Checkpoints = Annotated[
    str,
    typer.Option(
        "--checkpoints",
        metavar="FILE|URL",
        envvar=STORE,
        help="Keep named runs in this file (SQLite), or at a postgresql:// address.",
    ),
]
RunName = Annotated[
    str,
    typer.Option(
        "--run",
        metavar="NAME",
        help="The run's name in --checkpoints: one that was cut goes on from its last step.",
    ),
]


@dataclass(frozen=True)
class Stored:
    """Where a command's runs are kept, and under which name."""

    checkpoints: str = ""
    run: str = ""

    @property
    def session(self) -> dict[str, Any]:
        """What a session is opened with.

        Raises InputError if a run is named, and no store, or a store without a run; the
        environment's is for those commands that name a run.
        """
        if self.run and not self.checkpoints:
            raise InputError(
                "--run names a stored run: say with --checkpoints FILE where it is kept"
            )
        if not self.run and self.checkpoints != os.environ.get(STORE, ""):
            raise InputError(
                "--checkpoints keeps runs that have a name, and this one has none: name it with "
                "--run NAME, or leave --checkpoints out"
            )
        return {"checkpoints": self.checkpoints} if self.run else {}

    def name(self, job: Job, jobs: Sequence[Job]) -> str:
        """The name of one draft's run; of several drafts each one's file stands in it."""
        return f"{self.run}/{job.draft.name}" if self.run and len(jobs) > 1 else self.run
