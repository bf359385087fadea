"""What is configured, and whether it works."""

import asyncio
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from time import perf_counter
from typing import TYPE_CHECKING, Any

from errata.errors import ErrataError, SettingError

if TYPE_CHECKING:
    from errata.tools.net.limits import Limits

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")


def examined(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Look at versions, prompts, weights, what fills each role, and whether each model answers."""
    from errata.tools.models.chat import split_cascade
    from errata.tools.net.limits import Limits

    rows = [{"what": "python", "ok": True, "found": platform.python_version()}]
    rows += [{"what": name, "ok": True, "found": version(name)} for name in PACKAGES]
    rows += [_tried("prompts", _prompts), _tried("local verifier", _verifier)]
    rows += [_tried("local evaluator", _evaluator)]
    try:
        fillers = _fillers(settings)
    except ErrataError as error:
        return [*rows, {"what": "roles", "ok": False, "found": str(error)}]
    rows += [{"what": f"role {r}", "ok": True, "found": spec} for r, spec in fillers.items()]
    parts = (split_cascade(spec)[1] or spec for spec in fillers.values())
    models = dict.fromkeys(spec for spec in parts if _outside(spec))
    return rows + [_tried(f"model {spec}", partial(_answer, spec, Limits())) for spec in models]


def _fillers(settings: dict[str, Any]) -> dict[str, str]:
    """Give what fills each role of every method.

    Raises SettingError where a role or a filler is not one we know.
    """
    from errata.api import ANSWERING, CORRECTING, context_of, made

    contexts = [context_of(method) for method in (*CORRECTING, *ANSWERING)]
    known = list(dict.fromkeys(role for context in contexts for role in context.ROLES))
    unknown = [role for role in settings["roles"] if role not in known]
    if unknown:
        raise SettingError(f"no role is called {unknown[0]!r}; there are {', '.join(known)}")
    for context in contexts:
        own = {r: spec for r, spec in settings["roles"].items() if r in context.ROLES}
        made(context, settings | {"roles": own})
    fillers: dict[str, str] = dict.fromkeys(known, settings["model"]) | {"evaluate": "local"}
    fillers |= settings["roles"]
    return fillers


def _outside(spec: str) -> bool:
    """Tell whether a spec names a chat model that can be called."""
    from errata.tools.judges.checkpoints import is_evaluator

    return not is_evaluator(spec) and not spec.startswith("scripted:")


def _answer(spec: str, limits: "Limits") -> str:
    """Call a model once and say how long it took."""
    from errata.api import closing
    from errata.tools.models.chat import opened, send

    async def call() -> str:
        began = perf_counter()
        model = opened(spec, limits)
        await send(model, "generate", "doctor", "", "Reply with the word: ok", limits)
        return f"answers in {perf_counter() - began:.2f} s"

    return asyncio.run(closing(call()))


def _tried(what: str, look: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"what": what, "ok": True, "found": look()}
    except ErrataError as error:
        return {"what": what, "ok": False, "found": str(error)}


def _prompts() -> str:
    from errata.prompts.library import load_prompt, prompt_names

    found = [load_prompt(name) for name in prompt_names()]
    return f"{len(found)} templates, all as released"


def _evaluator() -> str:
    from errata.tools.judges.evaluator import load_local_evaluator

    weights = load_local_evaluator().weights
    return f"{len(weights.weights)} weights, {_form(neural=weights.neural)}"


def _verifier() -> str:
    from errata.tools.judges.verifier import read_verifier_weights

    weights = read_verifier_weights()
    return f"{len(weights.weights)} weights, {_form(neural=weights.neural)}"


def _form(*, neural: bool) -> str:
    return "with the cross-encoder" if neural else "lexical features alone"
