"""`errata doctor`: what is configured, and whether it works."""

import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from errata.cli.codes import OUTSIDE
from errata.cli.options import AsJson, Models, add_found
from errata.cli.output import show
from errata.core.errors import ErrataError
from errata.methods import METHODS

if TYPE_CHECKING:
    from errata.tools.net.endpoints import Limits
    from errata.tools.retrieval.retrieve import Corpus

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")
Row = dict[str, Any]
"""`{what, ok, found}`: what was looked at, whether it works, and what was there."""


def doctor(settings: Models, as_json: AsJson = False) -> None:
    """Say what is configured, and whether it works."""
    rows = examine(settings)
    marks = {True: "ok  ", False: "FAIL"}
    lines = (f"{marks[row['ok']]} {row['what']}: {row['found']}" for row in rows)
    show(rows, lines, as_json=as_json)
    if not all(row["ok"] for row in rows):
        raise typer.Exit(OUTSIDE)


def examine(settings: dict[str, Any]) -> list[Row]:
    """Versions, the settings file, what fills each role, and whether each model answers."""
    from errata.settings_file import SettingsFile, share_of, shown

    found = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    rows = [_row(what, each) for what, each in found.items()]
    try:
        if file := SettingsFile.found(Path.cwd()):
            rows.append(_row(f"settings {shown(file.path)}", ", ".join(file.settings)))
        contexts = [
            method.context.of(add_found(file, name, share_of(method.context, settings)))
            for name, method in METHODS.items()
        ]
    except ErrataError as error:
        return [*rows, _row("settings", str(error), ok=False)]
    fillers, looks = dict[str, str](), dict[str, Callable[[], str]]()
    for context in contexts:
        if corpus := getattr(context, "corpus", ""):
            looks[f"corpus {corpus}"] = partial(_look_at, corpus)
        for role in context.ROLES:
            # CRAG's evaluate is local unless roles name something else.
            otherwise = "local" if role == "evaluate" else context.model
            fillers[f"role {role}"] = str(context.roles.get(role, otherwise))
            for spec in map(str, context.models_named(role)):
                if not spec.startswith("scripted:"):
                    looks[f"model {spec}"] = partial(_ask, spec, context.deployment)
    rows += [_row(role, filler) for role, filler in fillers.items()]
    return rows + [_try(what, look) for what, look in looks.items()]


def _row(what: str, found: str, *, ok: bool = True) -> Row:
    return {"what": what, "ok": ok, "found": found}


def _try(what: str, look: Callable[[], str]) -> Row:
    try:
        return _row(what, look())
    except ErrataError as error:
        return _row(what, str(error), ok=False)


def _ask(spec: str, limits: "Limits") -> str:
    """How long a model takes to answer."""
    from errata.running import run_once
    from errata.tools.models.chat import send
    from errata.tools.models.pool import current_models
    from errata.tools.models.request import Request

    async def call() -> str:
        began = perf_counter()
        request = Request("generate", "doctor", "", "Reply with the word: ok")
        await send(current_models().open(spec, limits), request, limits)
        return f"answers in {perf_counter() - began:.2f} s"

    return run_once(call)


def _look_at(corpus: "Corpus") -> str:
    """That a corpus can be asked."""
    from errata.tools.retrieval.retrieve import check_corpus

    check_corpus(corpus)
    return "there"
