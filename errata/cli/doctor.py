"""`errata doctor` and `errata prompts`: what is configured, and whether it works."""

import os
import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from errata.cli.codes import OUTSIDE
from errata.cli.options import AsJson, TakesSettings, add_found
from errata.cli.output import show, write_json
from errata.cli.stores import look_at
from errata.core.errors import ErrataError, PromptError, SettingError
from errata.methods import METHODS
from errata.nodes.settings import suggest
from errata.prompts.library import load_prompt, prompt_names, stem_of, versions
from errata.settings_file import SettingsFile, shown
from errata.tools.net.redaction import without_login

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.tools.judges.logistic import Weights
    from errata.tools.net.limits import Limits
    from errata.tools.retrieval.retrieve import Corpus

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")
CACHES = ("ERRATA_CALL_CACHE", "ERRATA_PAGE_CACHE")
SERVED = ("ERRATA_API_KEYS", "ERRATA_API_KEYS_FILE", "N_JOBS_PER_WORKER")
"""The variables that say that others are served."""
Row = dict[str, Any]
"""`{what, ok, found}`: what was looked at, whether it works, and what was there."""


@TakesSettings([*METHODS], only=("model", "roles"), assigned=False, from_file=False)
def doctor(settings: dict[str, Any], as_json: AsJson = False) -> None:
    """Say what is configured, and whether it works."""
    rows = examine(settings)
    marks = {True: "ok  ", False: "FAIL"}
    lines = (f"{marks[row['ok']]} {row['what']}: {row['found']}" for row in rows)
    show(rows, lines, as_json=as_json)
    if not all(row["ok"] for row in rows):
        raise typer.Exit(OUTSIDE)


def examine(settings: dict[str, Any]) -> list[Row]:
    """Versions, prompts, weights, what fills each role, and whether each model answers."""
    from errata.tools.judges.evaluator import load_local_evaluator
    from errata.tools.judges.findings import read_verifier_weights

    found = {"python": platform.python_version()} | {name: version(name) for name in PACKAGES}
    rows = [{"what": what, "ok": True, "found": each} for what, each in found.items()]
    rows.append(_try("prompts", _prompts))
    rows.append(_try("local verifier", lambda: _weights(read_verifier_weights())))
    rows.append(_try("local evaluator", lambda: _weights(load_local_evaluator())))
    caches = filter(None, map(os.environ.get, CACHES))
    rows += [_try(f"cache {without_login(cache)}", partial(_cache, cache)) for cache in caches]
    if any(map(os.environ.get, SERVED)):
        rows.append(_try("server", _places))
    try:
        file = SettingsFile.found(Path.cwd())
        rows += (
            [{"what": f"settings {shown(file.path)}", "ok": True, "found": str(file)}]
            if file
            else []
        )
        contexts = _contexts(settings, file)
    except ErrataError as error:
        return [*rows, {"what": "settings", "ok": False, "found": str(error)}]
    # CRAG's evaluate is local unless roles name something else.
    fillers = {
        role: str(context.roles.get(role, "local" if role == "evaluate" else context.model))
        for context in contexts
        for role in context.ROLES
    }
    corpora = {str(c): c for context in contexts if (c := getattr(context, "corpus", ""))}
    rows += [_try(f"corpus {name}", partial(_corpus, each)) for name, each in corpora.items()]
    rows += [{"what": f"role {r}", "ok": True, "found": spec} for r, spec in fillers.items()]
    limits = {
        str(model): context.limits
        for context in contexts
        for role in context.ROLES
        for model in context.models_named(role)
        if not str(model).startswith("scripted:")
    }
    return rows + [_try(f"model {spec}", partial(_answer, spec, limits[spec])) for spec in limits]


def _contexts(settings: dict[str, Any], file: SettingsFile | None) -> "list[Context]":
    """Every method's settings, each with the roles that it has.

    Raises SettingError if no method has a role, or a filler is unknown.
    """
    kinds = [method.context for method in METHODS.values()]
    known = list(dict.fromkeys(role for kind in kinds for role in kind.ROLES))
    roles, rest = settings.get("roles", {}), {n: x for n, x in settings.items() if n != "roles"}
    unknown = [role for role in roles if role not in known]
    if unknown:
        raise SettingError(f"no role is called {unknown[0]!r}; there are {', '.join(known)}")
    own = [{role: spec for role, spec in roles.items() if role in kind.ROLES} for kind in kinds]
    return [
        kind(**add_found(file, name, rest | ({"roles": each} if each else {})))
        for name, kind, each in zip(METHODS, kinds, own, strict=True)
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
        return {"what": what, "ok": True, "found": look()}
    except ErrataError as error:
        return {"what": what, "ok": False, "found": str(error)}


def _cache(place: str) -> str:
    """What a cache holds; a file need not be there yet."""
    if "://" not in place and not Path(place).exists():
        return "not there yet"
    row = look_at(place)
    return f"{row['entries']} {row['kind']}, {row['size'] / 1_000_000:.1f} MB"


def _corpus(corpus: "Corpus") -> str:
    """That it can be asked; a folder or an index is there."""
    from errata.tools.retrieval.retrieve import check_corpus

    check_corpus(corpus)
    return "there"


def _places() -> str:
    """How many runs the server works on at once; what `langgraph dev` is told, we do not see."""
    from errata.server.settings import check_places, places, settings

    check_places(settings(), places())
    return f"{places()} places for runs"


def _prompts() -> str:
    return f"{len([load_prompt(name) for name in prompt_names()])} templates, all as released"


def _weights(weights: "Weights") -> str:
    form = "with the cross-encoder" if weights.neural else "lexical features alone"
    return f"{len(weights.weights)} weights, {form}"


def prompts(
    name: Annotated[
        str, Argument(help="Print this template's text; without a version, the default's.")
    ] = "",
    prompt_folder: Annotated[str, Option(help="A folder of templates of your own.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the templates with their source and digest, or print one."""
    contexts = [m.context(prompt_folder=prompt_folder) for m in METHODS.values()]
    defaults = {  # the name of each template's default version, by the template's stem
        stem: context.template(stem).name
        for context in contexts
        for stem in map(stem_of, context.templates().values())
    }
    stems = dict.fromkeys(map(stem_of, prompt_names()))
    known = [full for stem in stems for full in versions(stem, prompt_folder)]
    names = [_meant(name, defaults, known)] if name else known
    templates = [load_prompt(each, prompt_folder) for each in names]
    if as_json:
        write_json(
            [
                {
                    "name": each.name,
                    "default": each.name in defaults.values(),
                    "digest": each.digest,
                    **each.head.model_dump(),
                }
                for each in templates
            ]
        )
    elif name:
        sys.stdout.write(f"{templates[0].body}\n")
    else:
        # A line for each template, however wide, so that its name stays whole.
        width = max(len(each.name) for each in templates)
        sys.stdout.write(f"{'prompt':<{width}}  default  digest    source\n")
        for each in templates:
            mark = "default" if each.name in defaults.values() else ""
            about = f"{each.digest[:8]}  {each.head.source}"
            sys.stdout.write(f"{each.name:<{width}}  {mark:<7}  {about}\n")


def _meant(name: str, defaults: dict[str, str], known: list[str]) -> str:
    """The full name of a template that is named with or without its version.

    Raises PromptError with the names that were probably meant.
    """
    full = defaults.get(name, name)
    if full in known:
        return full
    of_step = [stem for stem in defaults if stem.partition("/")[2] == name]
    meant = suggest([name], [*defaults, *known])
    if of_step:
        meant = f"did you mean {' or '.join(map(repr, of_step))}? "
    raise PromptError(f"no prompt is called {name!r}; {meant}`errata prompts` lists them all")
