"""The command line: `errata correct | check | answer | …`."""

import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from itertools import pairwise
from typing import Annotated, Any

import typer
from typer import Option
from typer.core import TyperGroup

COMMANDS = {
    "correct": "Correct a draft by documents or a corpus; write one first if none is given.",
    "check": "Judge a draft's claims by documents or a corpus; change nothing.",
    "cite": "Audit the citations of drafts by their sources; with --fix, repair them.",
    "answer": "Answer a question from documents, a corpus, the web where these are wrong, or both.",
    "review": "Decide on the edits of a correction on a page.",
    "batch": "Correct, check or answer every row of a file; resume where a killed run stopped.",
    "verify": "Judge many claims; write a row {id, label, score, explanation, quotes} for each.",
    "calibrate": "Choose, by labelled claims, the score from which a claim counts as supported.",
    "score": "Score how relevant many texts are; write a row {id, score in [-1, 1]} for each.",
    "index": "Build an index of texts, or bring one up to date; only what changed is read.",
    "eval": "Run methods on a dataset and score them, or repeat a table of a paper.",
    "prompts": "List the templates with their source and digest, or print one.",
    "mcp": "Serve MCP clients over standard input and output: correct, check, cite, answer.",
    "doctor": "Say what is configured, and whether it works.",
}
MODULES = {
    **dict.fromkeys(("check", "cite", "answer"), "correct"),
    **dict.fromkeys(("verify", "score"), "rows"),
    "index": "stores",
    **dict.fromkeys(("prompts", "doctor"), "doctor"),
}
"""The modules of the commands whose module has another name."""
_MANY = {"--draft": "--draft", "-d": "--draft", "--documents": "--documents"}
"""The options of which one takes every word up to the next option, and each one's whole name."""
_STRICT = ("refuted", "disputed", "supported")
"""What `--strict` of `check` may be; alone it is the first."""


class LazyCommands(TyperGroup):
    """Commands whose modules are imported when they run, so that `errata --help` costs nothing."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Load the command itself, in place of the entry that holds only its line of help."""
        if args and args[0] in COMMANDS:
            name, *words = args
            if name in ("correct", "check", "cite"):
                words = spell_out(words, () if name == "cite" else _STRICT)
            self.commands[name] = load_command(name, words)
            args = [name, *words]
        return super().resolve_command(ctx, args)


def load_command(name: str, words: list[str]) -> Any:
    """A command with the options that its arguments, `words`, call for."""
    from errata.cli.options import build_command

    module = import_module(f"errata.cli.{MODULES.get(name, name)}")
    return build_command(getattr(module, name), words, COMMANDS[name])


def spell_out(arguments: Sequence[str], strict: Sequence[str] = _STRICT) -> list[str]:
    """The arguments with an option for each draft and document, and a value for each `--strict`.

    `strict` are its values; without any it takes none. Every word that follows a draft is a further
    draft, up to the next option; so with documents. `--documents=a.txt` takes that one alone.

    >>> spell_out(["--draft", "a.txt", "b.txt", "--strict"])
    ['--draft', 'a.txt', '--draft', 'b.txt', '--strict=refuted']
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    spelled, before, many = list[str](), "", ""
    for word, after in pairwise([*arguments[:end], ""]):
        is_value = before in _MANY
        is_option = word.startswith("-") and word != "-" and not is_value
        if is_option:
            many = _MANY.get(word, "")
        elif many and not is_value:
            spelled.append(many)
        if is_option and strict and word == "--strict":
            spelled.append(f"--strict={after if after in strict else strict[0]}")
        elif before != "--strict" or word not in strict:
            spelled.append(word)
        before = word
    return [*spelled, *arguments[end:]]


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
