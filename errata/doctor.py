"""What is configured, and whether it works."""

import asyncio
import platform
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from time import perf_counter
from typing import TYPE_CHECKING, Any

from errata.errors import ErrataError

if TYPE_CHECKING:
    from errata.nodes.rac.state import RacContext

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")


def examined(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Look at versions, prompts, weights, what fills each role, and whether each model answers."""
    from errata.nodes.rac.state import RacContext

    rows = [{"what": "python", "ok": True, "found": platform.python_version()}]
    rows += [{"what": name, "ok": True, "found": version(name)} for name in PACKAGES]
    rows += [_tried("prompts", _prompts), _tried("local verifier", _verifier)]
    rows += [_tried("local evaluator", _evaluator)]
    try:
        context = RacContext(**settings)
    except ErrataError as error:
        return [*rows, {"what": "roles", "ok": False, "found": str(error)}]
    fillers = {role: context.roles.get(role, context.model) for role in RacContext.ROLES}
    rows += [{"what": f"role {r}", "ok": True, "found": str(f)} for r, f in fillers.items()]
    models = dict.fromkeys(str(f) for f in fillers.values() if _outside(str(f)))
    return rows + [_tried(f"model {spec}", partial(_answer, spec, context)) for spec in models]


def _outside(spec: str) -> bool:
    return spec.partition(":")[0] not in ("local", "scripted")


def _answer(spec: str, context: "RacContext") -> str:
    """Call a model once and say how long it took."""
    from errata.api import closing
    from errata.tools.chat import ask, opened

    async def call() -> str:
        began = perf_counter()
        model = opened(spec, context.limits)
        await ask(model, "generate", "doctor", "", "Reply with the word: ok", context.limits)
        return f"answers in {perf_counter() - began:.2f} s"

    return asyncio.run(closing(call()))


def _tried(what: str, look: Callable[[], str]) -> dict[str, Any]:
    try:
        return {"what": what, "ok": True, "found": look()}
    except ErrataError as error:
        return {"what": what, "ok": False, "found": str(error)}


def _prompts() -> str:
    from errata.prompts.library import names, prompt

    found = [prompt(name) for name in names()]
    return f"{len(found)} templates, all as released"


def _evaluator() -> str:
    from errata.tools.evaluator import local_evaluator

    return f"{len(local_evaluator().weights.weights)} weights"


def _verifier() -> str:
    from errata.tools.verifier import read_weights

    return f"{len(read_weights().weights)} weights"
