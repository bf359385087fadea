"""`errata doctor`: what is configured, and whether it works."""

import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from errata.cli.codes import OUTSIDE
from errata.cli.options import AsJson, with_settings
from errata.cli.output import failures, write_json
from errata.errors import ErrataError, SettingError
from errata.methods import METHODS

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.tools.judges.logistic import Weights

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")
Row = dict[str, Any]
"""`{what, ok, found}`: what was looked at, whether it works, and what was there."""


@with_settings(tuple(METHODS), only=("model", "roles"))
def doctor(settings: Callable[[], dict[str, Any]], as_json: AsJson = False) -> None:
    """Say what is configured, and whether it works."""
    with failures():
        rows = examine(settings())
        if as_json:
            write_json(rows)
        else:
            for row in rows:
                mark = "ok  " if row["ok"] else "FAIL"
                sys.stdout.write(f"{mark} {row['what']}: {row['found']}\n")
    if not all(row["ok"] for row in rows):
        raise typer.Exit(OUTSIDE)


def examine(settings: dict[str, Any]) -> list[Row]:
    """Versions, prompts, weights, what fills each role, and whether each model answers."""
    rows = [{"what": "python", "ok": True, "found": platform.python_version()}]
    rows += [{"what": name, "ok": True, "found": version(name)} for name in PACKAGES]
    rows += [_try("prompts", _prompts), _try("local verifier", _verifier)]
    rows += [_try("local evaluator", _evaluator)]
    try:
        contexts = _contexts(settings)
    except ErrataError as error:
        return [*rows, {"what": "roles", "ok": False, "found": str(error)}]
    fillers = _fillers(contexts)
    rows += [{"what": f"role {r}", "ok": True, "found": spec} for r, spec in fillers.items()]
    models = {_model(c, role): (c, role) for c in contexts for role in c.ROLES if _model(c, role)}
    return rows + [_try(f"model {spec}", partial(_answer, *who)) for spec, who in models.items()]


def _contexts(settings: dict[str, Any]) -> "list[Context]":
    """Every method's settings, each with the roles that it has.

    Raises SettingError if no method has a role, or a filler is unknown.
    """
    kinds = [method.context for method in METHODS.values()]
    known = list(dict.fromkeys(role for kind in kinds for role in kind.ROLES))
    roles = settings.get("roles", {})
    unknown = [role for role in roles if role not in known]
    if unknown:
        raise SettingError(f"no role is called {unknown[0]!r}; there are {', '.join(known)}")
    own = [{role: spec for role, spec in roles.items() if role in kind.ROLES} for kind in kinds]
    return [kind.validated({**settings, "roles": r}) for kind, r in zip(kinds, own, strict=True)]


def _fillers(contexts: "list[Context]") -> dict[str, str]:
    """What fills each role; CRAG's evaluate is local unless roles name something else."""
    return {
        role: str(context.roles.get(role, "local" if role == "evaluate" else context.model))
        for context in contexts
        for role in context.ROLES
    }


def _model(context: "Context", role: str) -> str:
    """The chat model in a role that can be called; empty for local code and scripts."""
    from errata.tools.models.spec import split_cascade

    first, second = split_cascade(context.roles.get(role, context.model))
    spec = str(second or first)
    return spec if context.by_model(role) and not spec.startswith("scripted:") else ""


def _answer(context: "Context", role: str) -> str:
    """How long the model in a role takes to answer."""
    from errata.running import run_once
    from errata.tools.models.chat import Request, send

    async def call() -> str:
        began = perf_counter()
        model = context.model_for(role)
        if model is None:
            raise SettingError(f"no model fills {role}")
        request = Request("generate", "doctor", "", "Reply with the word: ok")
        await send(model, request, context.limits)
        return f"answers in {perf_counter() - began:.2f} s"

    return run_once(call)


def _try(what: str, look: Callable[[], str]) -> Row:
    try:
        return {"what": what, "ok": True, "found": look()}
    except ErrataError as error:
        return {"what": what, "ok": False, "found": str(error)}


def _prompts() -> str:
    from errata.prompts.library import load_prompt, prompt_names

    return f"{len([load_prompt(name) for name in prompt_names()])} templates, all as released"


def _verifier() -> str:
    from errata.tools.judges.findings import read_verifier_weights

    return _weights(read_verifier_weights())


def _evaluator() -> str:
    from errata.tools.judges.evaluator import load_local_evaluator

    return _weights(load_local_evaluator().weights)


def _weights(weights: "Weights") -> str:
    form = "with the cross-encoder" if weights.neural else "lexical features alone"
    return f"{len(weights.weights)} weights, {form}"
