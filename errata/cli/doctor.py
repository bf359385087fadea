"""`errata doctor` and `errata prompts`: what is configured, and whether it works."""

import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from errata.cli.codes import OUTSIDE
from errata.cli.options import AsJson, Takes, add_found
from errata.cli.output import show
from errata.core.errors import ErrataError, PromptError
from errata.methods import METHODS
from errata.nodes.deployment import Deployment
from errata.nodes.settings import suggest
from errata.prompts.library import load_prompt, prompt_names, stem_of, versions
from errata.settings_file import SettingsFile, share_of, shown

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.tools.net.endpoints import Limits
    from errata.tools.retrieval.retrieve import Corpus

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")
Row = dict[str, Any]
"""`{what, ok, found}`: what was looked at, whether it works, what was there; or a template."""


def doctor(
    settings: Annotated[
        dict[str, Any], Takes([*METHODS], only=("model", "roles"), from_file=False)
    ],
    as_json: AsJson = False,
) -> None:
    """Say what is configured, and whether it works."""
    rows = examine(settings)
    marks = {True: "ok  ", False: "FAIL"}
    lines = (f"{marks[row['ok']]} {row['what']}: {row['found']}" for row in rows)
    show(rows, lines, as_json=as_json)
    if not all(row["ok"] for row in rows):
        raise typer.Exit(OUTSIDE)


def examine(settings: dict[str, Any]) -> list[Row]:
    """Versions, the settings file, what fills each role, and whether each model answers."""
    found = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    rows = [_row(what, each) for what, each in found.items()]
    try:
        if file := SettingsFile.found(Path.cwd()):
            rows.append(_row(f"settings {shown(file.path)}", str(file)))
        contexts = _contexts(settings, file)
    except ErrataError as error:
        return [*rows, _row("settings", str(error), ok=False)]
    fillers, limits, corpora = dict[str, str](), dict[str, Any](), dict[str, Any]()
    for context in contexts:
        if corpus := getattr(context, "corpus", ""):
            corpora[str(corpus)] = corpus
        own = context.deployment
        for role in context.ROLES:
            # CRAG's evaluate is local unless roles name something else.
            otherwise = "local" if role == "evaluate" else context.model
            fillers[role] = str(context.roles.get(role, otherwise))
            limits |= dict.fromkeys(map(str, context.models_named(role)), own)
    rows += [_try(f"corpus {name}", partial(_corpus, each)) for name, each in corpora.items()]
    rows += [_row(f"role {role}", spec) for role, spec in fillers.items()]
    asked = [spec for spec in limits if not spec.startswith("scripted:")]
    return rows + [_try(f"model {spec}", partial(_answer, spec, limits[spec])) for spec in asked]


def _row(what: str, found: str, *, ok: bool = True) -> Row:
    return {"what": what, "ok": ok, "found": found}


def _contexts(settings: dict[str, Any], file: SettingsFile | None) -> "list[Context]":
    """Every method's settings, each with the roles that it has.

    Raises SettingError if no method has a role, or a filler is unknown.
    """
    kinds = {name: method.context for name, method in METHODS.items()}
    return [
        kind.of(add_found(file, name, share_of(kind, settings))) for name, kind in kinds.items()
    ]


def _answer(spec: str, limits: "Limits") -> str:
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


def _try(what: str, look: Callable[[], str]) -> Row:
    try:
        return _row(what, look())
    except ErrataError as error:
        return _row(what, str(error), ok=False)


def _corpus(corpus: "Corpus") -> str:
    """That it can be asked; a folder or an index is there."""
    from errata.tools.retrieval.retrieve import check_corpus

    check_corpus(corpus)
    return "there"


def prompts(
    name: Annotated[
        str, Argument(help="Print this template's text; without a version, the default's.")
    ] = "",
    prompt_folder: Annotated[str, Option(help="A folder of templates of your own.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the templates with their source and digest, or print one."""
    from errata.nodes.decide import WORDINGS

    deployment = Deployment().changed(prompt_folder=prompt_folder)
    contexts = [m.context(deployment) for m in METHODS.values()]
    defaults = {  # the name of each template's default version, by the template's stem
        stem: context.template(stem).name
        for context in contexts
        for stem in context.templates().values()
    } | {stem_of(wording): wording for wording in WORDINGS}
    stems = dict.fromkeys(map(stem_of, prompt_names()))
    known = [full for stem in stems for full in versions(stem, prompt_folder)]
    names = [defaults.get(name, name)] if name else known
    if names[0] not in known:
        meant = suggest([name], [*defaults, *known])
        raise PromptError(f"no prompt is called {name!r}; {meant}`errata prompts` lists them all")
    templates = [load_prompt(each, prompt_folder) for each in names]
    rows: list[Row] = [
        {"name": each.name, "default": each.name in defaults.values(), "digest": each.digest}
        | each.head.model_dump()
        for each in templates
    ]
    lines = (
        f"{row['name']:<28}  {'default' * row['default']:<7}  {row['digest'][:8]}  {row['source']}"
        for row in rows
    )
    show(rows, [templates[0].body] if name else lines, as_json=as_json)
