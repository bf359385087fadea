"""The command line: `errata correct | check | answer | …`."""

import sys
from importlib.util import find_spec
from io import TextIOWrapper
from typing import Annotated

import typer
from typer import Argument, Option

from errata.cli.batch import batch
from errata.cli.codes import BAD_INPUT
from errata.cli.correct import answer, check, cite, correct
from errata.cli.doctor import config, doctor, judges
from errata.cli.index import index, mcp
from errata.cli.options import add_command
from errata.cli.review import review
from errata.cli.verify import calibrate, verify
from errata.render.terminal import say

COMMANDS = (
    correct, check, cite, answer, review, batch, verify, calibrate, index, mcp, config, judges,
    doctor,
)  # fmt: skip
"""The commands; what any of them needs beyond its options is imported when it runs."""
CLONE = (
    "errata eval needs a clone of errata, which a wheel is not: "
    "in the clone's folder, pip install --editable '.[eval]'"
)

app = typer.Typer(
    name="errata",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,  # Rich's columns cut the names of long options on a narrow screen
)


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        sys.stdout.write(f"errata {version('errata')}\n")
        raise typer.Exit


@app.callback(help="Find and correct factual errors in what language models write, with evidence.")
def before_command(
    _: Annotated[
        bool,
        Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def eval(words: Annotated[list[str] | None, Argument()] = None) -> None:  # noqa: A001
    """Run methods on a dataset and score them, or repeat a table of a paper."""
    if find_spec("errata.evals") is None:
        say(f"errata: {CLONE}")
        raise typer.Exit(BAD_INPUT)
    from errata.evals.command import eval as evaluate

    own = typer.Typer(add_completion=False, rich_markup_mode=None)
    add_command(own, evaluate)
    own(words or [], prog_name="errata eval")


for each in COMMANDS:
    add_command(app, each)
add_command(app, eval, ignore_unknown_options=True, help_option_names=[])


def main() -> None:
    """Run the command line; characters that the terminal cannot show are escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
