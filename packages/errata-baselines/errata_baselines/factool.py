"""FacTool: split a draft into claims, search for evidence on each, say what is wrong with it.

FacTool (arXiv:2307.13528) for knowledge-based question answering. It detects and changes nothing.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- documents and a corpus may serve as evidence beside a search, or instead of one;
- a claim may be not mentioned (`profile="paper"`: true or false);
- a claim without evidence, or whose verification failed, is not judged; there it counts as true.
"""

import re

from langgraph.graph import END, START
from langgraph.runtime import Runtime

from errata.core.records import VerdictLabel
from errata.nodes.ask import ask_all, question_for, read_claims, repeats
from errata.nodes.claims import split_by_model
from errata.nodes.ends import receive, report
from errata.nodes.settings import Published
from errata.nodes.state import CorrectionContext, CorrectionState, Method, graph_of
from errata.nodes.step import Update
from errata_baselines import replies_to
from errata_baselines.evidence import ReadingContext, find_evidence, select_evidence
from errata_baselines.verdicts import Values, judge_claims, read_first_label


class FactoolContext(ReadingContext, CorrectionContext):
    """FacTool's settings."""

    ROLES = ("extract", "query", "verify")
    PAPER = (
        Published("sampling", {"temperature": 0.0}, "the published program, for section 4"),
        Published("top_k", 5, "the published program, for section 4.3: five snippets a query"),
        Published("passage_tokens", 0, "section 4.3: the snippets as they are"),
    )


class Factool(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = FactoolContext
    TRAIL = ("queries", "evidence")

    queries: list[list[str]] = []
    """The two queries for each claim that is checked, in the claims' order."""
    evidence: list[list[str]] = []
    """The ids of the documents that each of these claims is judged by."""


async def extract(state: Factool, runtime: Runtime[FactoolContext]) -> Update:
    """Find every claim, each with its sentence's place."""
    return {"claims": await split_by_model(state, runtime.context, "factool/extract")}


QUERIES = 2


async def query(state: Factool, runtime: Runtime[FactoolContext]) -> Update:
    """Ask a model for queries; local code, or one whose reply holds none, looks up the claim."""
    context = runtime.context
    claims = state.claims[: context.deployment.max_claims]
    plain = [[question_for(claim), claim.text] for claim in claims]
    if not context.by_model("query"):
        return {"queries": plain}
    requests = [{"claim": claim.text} for claim in claims]
    failed = [f"claim {claim.id} itself was looked up" for claim in claims]
    replies = await ask_all(context, "query", "factool/query", requests, failed)
    read = [[] if reply.failure else list(read_claims(reply.text))[:QUERIES] for reply in replies]
    return {"queries": [own or bare for own, bare in zip(read, plain, strict=True)]}


async def search(state: Factool, runtime: Runtime[FactoolContext]) -> Update:
    """Search for all queries at once; given documents are evidence on every claim."""
    queries = list(dict.fromkeys(query for own in state.queries for query in own))
    documents, found = await find_evidence(queries, state.documents, runtime.context, "search")
    ids = {q: [d.id for d in own] for q, own in zip(queries, found, strict=True)}
    evidence = [
        list(dict.fromkeys(d for query in own for d in ids[query])) for own in state.queries
    ]
    return {"documents": documents, "evidence": evidence}


LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    "not mentioned": "not_mentioned",
}
_FIELD = re.compile(r"\b(reasoning|error|correction|factuality)\W{0,3}:", re.IGNORECASE)
_NOTHING = re.compile(r"\W{0,9}(?:none|n/a)?\W{0,9}", re.IGNORECASE)


async def verify(state: Factool, runtime: Runtime[FactoolContext]) -> Update:
    """Judge; a claim without evidence, or whose reply cannot be read, is not judged."""
    context = runtime.context
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
    read = {"unreadable" if repeats(t, claim) else read_first_label(t, LABELS) for t in texts}
    fields = {name: text for name, text in pairs if name != "factuality"}
    said = [f"{name}: {text}" for name, text in fields.items() if not _NOTHING.fullmatch(text)]
    return read.pop() if len(read) == 1 else "unreadable", "; ".join(said)


graph = (
    graph_of(Factool, "FacTool: check a draft")
    .add_sequence(
        [
            receive,  # messages -> question, draft
            extract,  # draft -> claims
            query,  # claims -> queries
            search,  # queries -> documents, evidence
            verify,  # claims, evidence -> verdicts
            report,  # verdicts -> label
        ]
    )
    .add_edge(START, "receive")
    .add_edge("report", END)
    .compile(name="FacTool")
)

method = Method(
    "factool",
    "Check a draft: split it into claims, search for evidence on each, judge, and explain.",
    graph,
    revises=False,
    replies=replies_to("factool"),
)
