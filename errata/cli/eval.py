"""`errata eval`: in a clone the command of `errata.evals`, from a wheel what it needs."""

from importlib.util import find_spec
from typing import Annotated

import typer

from errata.cli.codes import BAD_INPUT
from errata.cli.options import add_command
from errata.render.terminal import say

CLONE = (
    "errata eval needs a clone of errata, which a wheel is not: "
    "in the clone's folder, pip install --editable '.[eval]'"
)


def eval(words: Annotated[list[str] | None, typer.Argument()] = None) -> None:  # noqa: A001
    """Run methods on a dataset and score them, or repeat a table of a paper."""
    if find_spec("errata.evals") is None:
        say(f"errata: {CLONE}")
        raise typer.Exit(BAD_INPUT)
    from errata.evals.command import eval as evaluate

    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    add_command(app, evaluate)
    app(words or [], prog_name="errata eval")
