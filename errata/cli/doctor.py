"""`errata doctor`, `config` and `judges`: what is configured, whether it works, what could be."""

import json
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument

from errata.cli.codes import OUTSIDE
from errata.cli.options import AsJson, ModelOptions, add_found
from errata.cli.output import show
from errata.core.errors import ErrataError
from errata.methods import METHODS

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.settings_file import SettingsFile
    from errata.tools.net.endpoints import Limits

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")
Row = dict[str, Any]
"""`{what, ok, found}`: what was looked at, whether it works, and what was there."""


def doctor(settings: ModelOptions, as_json: AsJson = False) -> None:
    """Say what is configured, and whether it works."""
    rows = diagnose(settings)
    marks = {True: "ok  ", False: "FAIL"}
    lines = (f"{marks[row['ok']]} {row['what']}: {row['found']}" for row in rows)
    show(rows, lines, as_json=as_json)
    if not all(row["ok"] for row in rows):
        raise typer.Exit(OUTSIDE)


def diagnose(settings: dict[str, Any]) -> list[Row]:
    """Versions, the settings file, what fills each role, and whether each model answers."""
    from errata.settings_file import SettingsFile, shown
    from errata.tools.retrieval.retrieve import check_corpus

    found = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    rows = [_row(what, each) for what, each in found.items()]
    try:
        if file := SettingsFile.found(Path.cwd()):
            rows.append(_row(f"settings {shown(file.path)}", ", ".join(file.settings)))
        opened = [*_open_contexts(file, settings)]
    except ErrataError as error:
        return [*rows, _row("settings", str(error), ok=False)]
    models, looks = dict[str, str](), dict[str, Callable[[], str | None]]()
    for context, why in opened:
        models |= {"model auto": why} if why and "verify" in context.ROLES else {}
        if corpus := getattr(context, "corpus", ""):
            looks[f"corpus {corpus}"] = partial(check_corpus, corpus)
        for role in context.ROLES:
            # CRAG's evaluate is local unless roles name something else.
            otherwise = "local" if role == "evaluate" else context.model
            models[f"role {role}"] = str(context.roles.get(role, otherwise))
            for spec in map(str, context.models_named(role)):
                if not spec.startswith("scripted:"):
                    looks[f"model {spec}"] = partial(_ask, spec, context.deployment)
    rows += [_row(role, filled) for role, filled in models.items()]
    return rows + [_try(what, look) for what, look in looks.items()]


def _open_contexts(
    file: "SettingsFile | None", settings: dict[str, Any]
) -> Iterator[tuple["Context", str]]:
    """The settings of each method as a command here would have them, and why `auto` chose them."""
    from errata.auto import choose, guess
    from errata.settings_file import settings_of

    for name, method in METHODS.items():
        own = add_found(file, name, settings_of(method.context, settings))
        judging, why = choose(guess(own, watched=sys.stderr.isatty()), method.context.ROLES)
        yield method.context.of(judging), why


def _row(what: str, found: str, *, ok: bool = True) -> Row:
    return {"what": what, "ok": ok, "found": found}


def _try(what: str, look: Callable[[], str | None]) -> Row:
    try:
        return _row(what, look() or "there")
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


def config(
    setting: Annotated[Literal["model"], Argument(help="What to set.")],
    value: Annotated[str, Argument(help="Its value, such as openai:gpt-5.4-nano.")],
) -> None:
    """Write a setting to the nearest errata.toml, or to one here: what a model costs is agreed."""
    from errata.settings_file import NAME, SettingsFile, shown

    file = SettingsFile.found(Path.cwd()) or SettingsFile(Path(NAME), {})
    show(None, [f"{shown(file.path)}: {file.write(setting, value)}"])


def judges(as_json: AsJson = False) -> None:
    """List what can verify claims: built in, in the Hugging Face cache, and recommended."""
    rows = [*_list_judges()]
    lines = (", ".join(row[name] for name in row if row[name]) for row in rows)
    show(rows, lines, as_json=as_json)


def _list_judges() -> Iterator[dict[str, str]]:
    from errata.tools.judges.hub_verifier import find_cached

    home = Path(str(files("errata.tools.judges")))
    size = sum(each.stat().st_size for each in home.glob("*.onnx"))
    about = "a small cross-encoder, and rules for numbers and dates"
    own = {"licence": "Apache-2.0", "size": f"{size / 1e6:.0f} MB", "about": about}
    yield {"judge": "local", "where": "built in", **own}
    for name, folder in find_cached():
        size = sum(each.stat().st_size for each in Path(folder).rglob("*.onnx"))
        yield {"judge": f"hub:{name}", "where": "in the cache", "size": f"{size / 1e6:.0f} MB"}
    for row in json.loads(home.joinpath("published.json").read_text("utf-8")):
        yield {"judge": row["judge"], "where": "recommended, not fetched before it is named", **row}
