"""Explain each factual error of the draft (section 2, step 2)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, spent
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.step import step
from errata.records import Claim, Explanation, Fix, SubAnswer, Usage
from errata.tools.local.explain import explain as local
from errata.tools.local.explain import place_explanations
from errata.tools.text.language import detect_foreign_language
from errata.tools.text.words import content_stems

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:factual\s*)?error\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)
_NONE = re.compile(
    r"^\W*(?:none|n/?a|(?:there (?:are|were) )?no (?:factual )?(?:errors|inaccuracies))\b",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^\W*(?:list of )?factual errors\b[^\w\n\"“]*", re.IGNORECASE)


class Explained(TypedDict):
    """Add the explanations, and what local code would put in place."""

    explanations: list[Explanation]
    explained: bool
    fixes: list[Fix]
    usage: Usage
    notes: list[str]


@step
async def explain(state: Reex, runtime: Runtime[ReexContext]) -> Explained:
    """Find what the evidence contradicts, and say what is right."""
    context = settings(runtime)
    model = context.filler("explain")
    if model is None:
        return await explained_locally(state, context)
    name = "reex/explain.v1" if context.evidence != "none" else "reex/explain.plain.v1"
    values = {"question": state.question, "draft": state.draft}
    if context.evidence != "none":
        values["answers"] = listed(state)
    try:
        reply = await asked(context, model, "explain", name, **values)
    except (ChatError, ReplyError) as error:
        note = f"no errors were looked for: {error}"
        return _nothing(spent(error), [note])
    return {
        "explanations": await located(state, read_explanations(reply.text)),
        "explained": True,
        "fixes": [],
        "usage": reply.usage,
        "notes": [],
    }


async def explained_locally(state: Reex, context: ReexContext) -> Explained:
    """Explain by rules: what the verifier finds refuted, and what the corrector would put there."""
    if language := await to_thread(detect_foreign_language, state.draft):
        note = f"the local fillers know English; this draft looks like {language!r}"
        return _nothing(Usage(), [note])
    values = (state.question, state.claims, state.documents, context.weights("explain"))
    explanations, fixes = await to_thread(local, *values)
    seen = bool(state.documents)
    notes = [] if seen else ["there is no document to judge by: no error can be found"]
    return {
        "explanations": explanations,
        "explained": seen,
        "fixes": fixes,
        "usage": Usage(),
        "notes": notes,
    }


async def located(state: Reex, texts: Sequence[str]) -> list[Explanation]:
    """Place what a model explained in the draft, and link it to claims."""
    found = await to_thread(place_explanations, state.draft, texts, state.answers)
    return linked(found, state.claims)


def linked(explanations: Sequence[Explanation], claims: Sequence[Claim]) -> list[Explanation]:
    """Link each explanation to the claim of its place that it shares most words with."""
    result = []
    for explanation in explanations:
        there = [c for c in claims if c.start < explanation.end and explanation.start < c.end]
        said = content_stems(explanation.text)
        best = max(there, key=lambda claim: len(content_stems(claim.text) & said), default=None)
        result.append(replace(explanation, claims=(best.id,) if best else ()))
    return result


def _nothing(usage: Usage, notes: list[str]) -> Explained:
    return {"explanations": [], "explained": False, "fixes": [], "usage": usage, "notes": notes}


def listed(state: Reex) -> str:
    """Write sub-questions with their answers below them."""
    titles = {document.id: document.title for document in state.documents}
    return "\n\n".join(
        "\n".join([f"{n}. {answer.question}", *_strips(answer, titles)])
        for n, answer in enumerate(state.answers, start=1)
    )


def _strips(answer: SubAnswer, titles: dict[str, str]) -> Sequence[str]:
    found = (f"[{titles[strip.document]}] {strip.text.strip()}" for strip in answer.evidence)
    return list(found) or ["nothing was found"]


def read_explanations(reply: str) -> list[str]:
    r"""Read one explanation a line or paragraph; none where the reply says there are no errors.

    >>> read_explanations('Factual Errors:\n1. "1865" is wrong: she was born in 1867.')
    ['"1865" is wrong: she was born in 1867.']
    """
    text = _LEAD.sub("", reply.strip())
    if _NONE.match(text):
        return []
    lines = [line for line in text.splitlines() if line.strip()]
    marked = any(_MARK.match(line) for line in lines)
    found: list[str] = []
    for line in lines:
        if _MARK.match(line) or not marked:
            found.append(_MARK.sub("", line).strip())
        elif found:
            found[-1] += f" {line.strip()}"
    return [text for text in found if text and not _NONE.match(text)]
