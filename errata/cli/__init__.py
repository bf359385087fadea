"""The command line: `errata correct | check | answer | …`."""

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

COMMANDS = {
    "correct": "Correct a draft by documents or a corpus; write one first if none is given.",
    "check": "Judge a draft's claims by documents or a corpus; change nothing.",
    "cite": "Audit the citations of drafts by their sources; with --fix, repair them.",
    "answer": "Answer a question from documents, a corpus, the web where these are wrong, or both.",
    "review": "Decide on the edits of a correction, or of runs that wait, on a page.",
    "batch": "Correct, check or answer every row of a file; go on where a killed run was.",
    "verify": "Judge many claims; write a row {id, label, score, explanation, quotes} for each.",
    "evidence": "List the verdicts of an evidence store, or have it forget some.",
    "watch": "Judge anew the stored claims whose documents changed, and report other verdicts.",
    "calibrate": "Choose by labelled claims from which score on a filler says supported.",
    "score": "Score how relevant many texts are; write a row {id, score in [-1, 1]} for each.",
    "index": "Build an index of texts, or bring one up to date; only what changed is read.",
    "eval": "Run methods on a dataset and score them, or repeat a table of a paper.",
    "cache": "Say what caches of calls and pages hold, or take out what is old or too much.",
    "prompts": "List the templates with their source and digest, or print one.",
    "init": "Write a settings file, errata.toml, into this folder; it asks three questions.",
    "mcp": "Serve MCP clients over standard input and output: correct, check, cite, answer.",
    "doctor": "Say what is configured, and whether it works.",
}
MODULES = {
    **dict.fromkeys(("correct", "check", "answer"), "correct"),
    **dict.fromkeys(("verify", "score"), "rows"),
    **dict.fromkeys(("index", "cache"), "stores"),
    **dict.fromkeys(("prompts", "doctor"), "doctor"),
    **dict.fromkeys(("evidence", "watch"), "evidence"),
}
"""The modules of the commands whose module has another name."""


class LazyCommands(TyperGroup):
    """Commands whose modules are imported when they run, so that `errata --help` costs nothing."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command itself, in place of the entry that holds only its line of help."""
        if args and args[0] in COMMANDS:
            from errata.cli.options import spell_out

            name, *words = args
            words = spell_out(words) if MODULES.get(name) == "correct" else words
            self.commands[name] = load_command(name, words)
            args = [name, *words]
        return super().resolve_command(ctx, args)


def load_command(name: str, words: list[str]) -> Any:
    """A command with the options that its arguments, `words`, call for."""
    from errata.cli.options import build_command

    module = import_module(f"errata.cli.{MODULES.get(name, name)}")
    return build_command(getattr(module, name), words, COMMANDS[name])


app = typer.Typer(
    name="errata",
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
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


for command, line in COMMANDS.items():
    app.command(command, help=line)(lambda: None)


def main() -> None:
    """Run the command line; characters that the terminal cannot show are escaped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    app()
