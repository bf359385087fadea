"""`errata eval`: run methods on a dataset and score them, or repeat a table of a paper."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from filelock import FileLock, Timeout
from typer import Argument, Option

from errata.cli.options import AsJson, ModelOptions
from errata.cli.output import Progress, write_json
from errata.core.errors import InputError
from errata.methods import METHODS
from errata.nodes.deployment import Deployment
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.evals.harness import Harness
    from errata.evals.items import Row
    from errata.evals.tables import Table


def eval(  # noqa: A001  the command's name
    settings: ModelOptions,
    dataset: Annotated[
        str,
        Argument(help="The dataset, or a file of your own rows, ROWS.jsonl; with --table none."),
    ] = "",
    method: Annotated[
        list[str] | None,
        Option(help="What to run; given again, they stand beside each other."),
    ] = None,
    table: Annotated[str, Option(help="A table of a paper, such as rac:2.")] = "",
    data: Annotated[Path, Option(help="The folder of the datasets.")] = Path(),
    out: Annotated[Path, Option(help="Where rows and exchanges are kept.")] = Path("errata-eval"),
    limit: Annotated[int, Option(min=0, help="Items of each dataset; 0: all.")] = 0,
    seed: Annotated[int, Option(help="What draws the items.")] = 0,
    judge: Annotated[str, Option(help="What reads responses: local, or a model.")] = "local",
    at_once: Annotated[int, Option(min=1, help="Items under way at a time.")] = 2,
    replay: Annotated[str, Option(help="Recorded exchanges to answer from.")] = "",
    as_json: AsJson = False,
) -> None:
    """Run methods on a dataset and score them, or repeat a table of a paper; go on if killed."""
    from errata.evals.harness import Harness
    from errata.evals.runner import Runner
    from errata.evals.tables import to_markdown

    if bool(dataset) == bool(table):
        raise InputError("name a dataset, or a table of a paper with --table; not both")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to the folder {out}: {error.strerror}") from error
    if replay and not Path(replay).exists():
        raise InputError(f"--replay {replay}: no such file of recorded exchanges")
    _refuse_unknown(settings)
    runner = Runner(out=out, settings=settings, at_once=at_once, replay=replay)
    told = _Told()
    harness = Harness(
        data=data, runner=runner, judge=judge, limit=limit, seed=seed, progress=told.tell
    )
    try:
        with FileLock(out / ".lock", timeout=0), told.progress.shown("evaluating …"):
            methods = list(dict.fromkeys(method or ["rac"]))
            found = asyncio.run(_evaluate(harness, dataset, methods, table))
    except Timeout as error:
        raise InputError(
            f"another run writes to {out}; wait for it, or name another --out"
        ) from error
    told.tell_faults()
    if as_json:
        write_json([found])
    else:
        sys.stdout.write(to_markdown(found))


class _Told:
    """How far an evaluation is, its tokens, and how many items of each run failed."""

    def __init__(self) -> None:
        self.progress = Progress()
        self._faults = dict[str, tuple[int, str]]()
        self._tokens = 0

    def tell(self, what: str, done: int, total: int, row: "Row", known: bool) -> None:
        """Show that one more row of a run is done."""
        if row.error:
            count, first = self._faults.get(what, (0, row.error))
            self._faults[what] = count + 1, first
        if row.result and not known:
            usage = row.result.usage
            self._tokens += usage.prompt_tokens + usage.completion_tokens
        self.progress.tell(f"{what}: {done:,} of {total:,}, {self._tokens:,} tokens")

    def tell_faults(self) -> None:
        """Say of each run how many of its items failed, and why the first did."""
        for what, (count, first) in self._faults.items():
            say(f"errata: {what}: {count} failed and count as the worst; the first: {first}")


def _refuse_unknown(settings: dict[str, Any]) -> None:
    """Raise InputError for a setting or role that no method has; it is enough if one has it."""
    contexts = [method.context for method in METHODS.values()]
    known = {name for kind in contexts for name in kind.model_fields} | {*Deployment.model_fields}
    if unknown := sorted(settings.keys() - known):
        raise InputError(f"no method has the setting {unknown[0]!r}; see errata correct --help")
    roles = {role for kind in contexts for role in kind.ROLES}
    if unknown := sorted(settings.get("roles", {}).keys() - roles):
        raise InputError(
            f"no method has the role {unknown[0]!r}; there is {', '.join(sorted(roles))}"
        )


async def _evaluate(
    harness: "Harness", dataset: str, methods: Sequence[str], table: str
) -> "Table":
    from errata.evals.report import compare_methods, repeat_table
    from errata.tools.models.pool import close_loop_models

    try:
        if table:
            return await repeat_table(harness, table)
        return await compare_methods(harness, dataset, methods)
    finally:
        await close_loop_models()
