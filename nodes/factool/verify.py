"""Judge each claim by its own evidence (section 4.4)."""

import re

from errata.core.records import VerdictLabel
from errata.nodes.factool.state import Factool, FactoolContext
from errata.nodes.shared.evidence import select_evidence
from errata.nodes.shared.verdicts import Judged, Values, judge_claims, read_label, repeats
from errata.nodes.step import step

LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    "not mentioned": "not_mentioned",
}
_FIELD = re.compile(r"\b(reasoning|error|correction|factuality)\W{0,3}:", re.IGNORECASE)
_NOTHING = re.compile(r"\W{0,9}(?:none|n/a)?\W{0,9}", re.IGNORECASE)


@step
async def verify(state: Factool, context: FactoolContext) -> Judged:
    """Judge; a claim without evidence, or whose reply cannot be read, is not judged."""
    by_id = {document.id: document for document in state.documents}
    pairs = zip(state.claims, state.evidence, strict=False)
    own = {claim: [by_id[name] for name in ids if name in by_id] for claim, ids in pairs if ids}
    shown = await select_evidence([claim.text for claim in own], list(own.values()), context)
    texts = zip(own, shown, strict=True)
    asked = {claim.id: {"claim": claim.text, "documents": text} for claim, text in texts}
    return {"verdicts": await judge_claims(state, context, "factool/verify", asked, read_verdict)}


def read_verdict(reply: str, values: Values) -> tuple[VerdictLabel, str]:
    """The factuality of a reply, by lines or as JSON, and its reasoning, error and correction."""
    start, *parts = _FIELD.split(reply)
    named = zip(parts[::2], parts[1::2], strict=True)
    pairs = [(name.lower(), " ".join(text.split()).strip(" {}\"',*")) for name, text in named]
    texts = [text for name, text in pairs if name == "factuality"] or [start]
    claim = values.get("claim", "")
    read = {"unreadable" if repeats(t, claim) else read_label(t, LABELS) for t in texts}
    fields = {name: text for name, text in pairs if name != "factuality"}
    said = [f"{name}: {text}" for name, text in fields.items() if not _NOTHING.fullmatch(text)]
    return read.pop() if len(read) == 1 else "unreadable", "; ".join(said)
