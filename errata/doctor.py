"""What is configured, and whether it works."""

import platform
from importlib.metadata import version
from typing import Any

from errata.errors import ErrataError

PACKAGES = ("errata", "langgraph", "langchain-core", "pydantic")


def examined(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Look at versions, prompts, weights and what fills each role."""
    from errata.nodes.rac.state import RacContext

    rows = [{"what": "python", "ok": True, "found": platform.python_version()}]
    rows += [{"what": name, "ok": True, "found": version(name)} for name in PACKAGES]
    rows += [_tried("prompts", _prompts), _tried("local verifier", _verifier)]
    try:
        context = RacContext(**settings)
    except ErrataError as error:
        return [*rows, {"what": "roles", "ok": False, "found": str(error)}]
    for role in RacContext.ROLES:
        spec = context.roles.get(role, context.model)
        rows.append({"what": f"role {role}", "ok": True, "found": str(spec)})
    return rows


def _tried(what: str, look: Any) -> dict[str, Any]:
    try:
        return {"what": what, "ok": True, "found": look()}
    except ErrataError as error:
        return {"what": what, "ok": False, "found": str(error)}


def _prompts() -> str:
    from errata.prompts.library import names, prompt

    found = [prompt(name) for name in names()]
    return f"{len(found)} templates, all as released"


def _verifier() -> str:
    from errata.tools.verifier import read_weights

    return f"{len(read_weights().weights)} weights"
