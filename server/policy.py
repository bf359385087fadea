"""What a caller may set: nothing that names a model, an address or a path of the operator's."""

from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from errata.api import ANSWERING, CORRECTING, context_of
from errata.server.settings import ServerSettings
from errata.tools.models.chat import split_cascade

FREE = frozenset(
    "actions answers blocked_domains check_only claims_per_call cut_sections drop_below "
    "drop_not_mentioned entity evaluation evidence explanation filter_evidence guard "
    "keep_all_true lower max_document_tokens prefer_wikipedia rag refinement retries review "
    "review_below revision rewriting search_top_k selection steps strip_threshold strip_top_k "
    "strips strips_per_claim strips_per_question sure_above sure_below task top_k unsupported "
    "upper".split()
)
"""Settings that reach nothing outside the run and whose range bounds what they cost."""
CAPPED = frozenset(
    "at_once evidence_tokens max_claims max_questions page_bytes page_timeout timeout".split()
)
"""Settings that a caller may lower, not raise."""


def refusal(asked: Mapping[str, Any], settings: ServerSettings) -> str:
    """Say why a caller may not have the settings asked for; empty where they may.

    A setting that is in no list is refused, and so is every new one until somebody lists it.
    """
    known = _known()
    for name, value in asked.items():
        if name in known and not _allowed(name, value, known[name], settings):
            return f"{name}={value!r} is not yours to set here; ask the operator to allow it"
    return ""


def _allowed(name: str, value: object, default: object, settings: ServerSettings) -> bool:
    if name in FREE or value == default:
        return True
    if name in CAPPED:
        return isinstance(value, int | float) and value <= cast("float", default)
    if name == "roles":
        models = value.values() if isinstance(value, Mapping) else [None]
        return all(_allowed("model", model, "local", settings) for model in models)
    if name in _prompts():
        return settings.allow_prompts
    if name == "model" and isinstance(value, str):
        return all(part in ("", "local", *_listed(name, settings)) for part in split_cascade(value))
    return value in _listed(name, settings)


def _listed(name: str, settings: ServerSettings) -> tuple[str, ...]:
    """Give what the operator lets callers name."""
    return {
        "model": (settings.model, *settings.allow_models),
        "corpus": (settings.corpus, *settings.allow_corpora),
        "search": (settings.search, *settings.allow_search),
    }.get(name, ())


@cache
def _prompts() -> frozenset[str]:
    methods = (*CORRECTING, *ANSWERING)
    return frozenset(name for method in methods for name in context_of(method).templates())


@cache
def _known() -> dict[str, object]:
    """Give every method's settings and their defaults."""
    return {
        name: field.get_default(call_default_factory=True)
        for method in (*CORRECTING, *ANSWERING)
        for name, field in context_of(method).model_fields.items()
    }
