"""The command line: `errata correct | check | answer | …`."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from typer import Option

from errata.cli.batch import batch
from errata.cli.calibrate import calibrate
from errata.cli.correct import answer, check, cite, correct
from errata.cli.doctor import doctor
from errata.cli.eval import eval  # noqa: A004  the command's name
from errata.cli.index import index
from errata.cli.mcp import mcp
from errata.cli.options import add_command
from errata.cli.review import review
from errata.cli.verify import verify

COMMANDS = (
    correct, check, cite, answer, review, batch, verify, calibrate, index, mcp, doctor,
)  # fmt: skip
"""The commands; what any of them needs beyond its options is imported when it runs."""

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


for each in COMMANDS:
    add_command(app, each)
add_command(app, eval, ignore_unknown_options=True, help_option_names=[])


def main() -> None:
    """Run the command line; characters that the terminal cannot show are escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
