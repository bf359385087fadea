"""`errata init`: write a settings file by asking three questions."""

import json
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
        return given or (default if yes else typer.prompt(question, default, err=True))

    chosen = {"model": ask(model, "Model (local, or PROVIDER:MODEL)", "local")}
    where = ask(evidence, "Evidence (a folder of texts, an index, a search engine)", "none")
    chosen |= {} if where == "none" else {_setting_of(where): where}
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
