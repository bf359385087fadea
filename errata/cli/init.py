"""`errata init`: write a settings file by asking three questions."""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer
from typer import Option

from errata.core.errors import InputError, SettingError
from errata.methods import ANSWERING, CORRECTING
from errata.render.terminal import say
from errata.settings_file import OWN, SettingsFile
from errata.tools.web.engines import engine_for

Unsupported = Literal["flag", "drop", "hedge", "footnote"]
HEAD = """\
# Settings of errata's commands in this folder and those below it; docs/settings.md lists all.
# A section such as [cite] holds those of that method alone.
"""


def init(
    model: Annotated[str, Option(help="What judges and writes: local, PROVIDER:MODEL.")] = "",
    evidence: Annotated[
        str, Option(help="A folder of texts, an index, or a search engine; none.")
    ] = "",
    unsupported: Annotated[
        Unsupported | None, Option(help="What becomes of unsupported claims.")
    ] = None,
    yes: Annotated[bool, Option("--yes", help="Ask nothing: take the defaults.")] = False,
    force: Annotated[bool, Option("--force", help="Replace the file that is there.")] = False,
) -> None:
    """Write a settings file, errata.toml, into this folder; it asks three questions."""
    path = Path(OWN)
    if path.exists() and not force:
        raise InputError(f"{OWN} is there already; --force replaces it")

    def ask(given: str | None, question: str, default: str) -> str:
        if given or yes:
            return given or default
        try:
            return str(typer.prompt(question, default, err=True))
        except typer.Abort as error:
            if sys.stdin.isatty():
                raise
            raise InputError(
                "nothing more came on standard input, and nothing was written; give --model, "
                "--evidence and --unsupported, or --yes for the defaults"
            ) from error

    chosen = {"model": ask(model, "Model (local, or PROVIDER:MODEL)", "local")}
    chosen |= _choose_evidence(partial(ask, evidence), may_ask=not (evidence or yes))
    todo = "Statements without support (flag, drop, hedge, footnote)"
    chosen["unsupported"] = ask(unsupported, todo, "flag")
    text = HEAD + "".join(
        f"{n} = {json.dumps(value, ensure_ascii=False)}\n" for n, value in chosen.items()
    )
    file = SettingsFile.parse(path, text)
    for method in (*CORRECTING, *ANSWERING):
        file.settings_for(method, {})
    path.write_text(text, encoding="utf-8")
    say(f"wrote {OWN}; `errata doctor` says whether it works")


def _choose_evidence(ask: Callable[[str, str], str], *, may_ask: bool) -> dict[str, str]:
    """The evidence as a setting; if there is none such, it is asked for again."""
    question = "Evidence (a folder of texts, an index, a search engine)"
    while (where := ask(question, "none")) != "none":
        try:
            return {_setting_of(where): where}
        except InputError as error:
            if not may_ask:
                raise
            say(f"errata: {error}")
    return {}


def _setting_of(evidence: str) -> str:
    """The setting that takes an evidence: `corpus`, or `search` for a search engine.

    Raises InputError if it is neither.
    """
    if Path(evidence).exists():
        return "corpus"
    try:
        engine_for(evidence)
    except SettingError as error:
        if ":" in evidence:
            return "corpus"
        raise InputError(f"there is no folder {evidence!r}, and {error}") from error
    return "search"
