"""EVER (arXiv:2311.09114): validate a sentence's concepts, rectify it, and only then write on.

Unlike the paper:
- of a draft that is given, all sentences are validated at once (EVER*, arXiv:2410.15667, table 5);
- a role that is filled by `local` runs code of ours, by which claims stand for concepts;
- documents and a corpus may serve as evidence beside a search;
- where evidence is silent the sentence stays (`extrinsic="rewrite"`: the paper's form), and what
  stays unsupported is flagged in verdicts and notes, never inside the text;
- what a model rewrites is turned into edits, each tied to the claims it rests on.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import unwrap
from typing import Annotated, Any, Literal, NamedTuple

from langgraph.graph import END, START
from pydantic import Field

from errata.core.edits import Span, apply_edits, compose, moved, places_after
from errata.core.errors import ReplyError
from errata.core.records import INCONCLUSIVE, Claim, Document, Edit, VerdictLabel
from errata.nodes.ask import ask, ask_all, number_documents, question_for, read_claims
from errata.nodes.claims import split_locally
from errata.nodes.ends import after_retrieve, receive, report
from errata.nodes.ends import generate as generate_draft
from errata.nodes.review import after_propose, propose, review
from errata.nodes.settings import Capped, Flag, Published
from errata.nodes.state import CorrectionState, Method, RevisionContext, graph_of
from errata.nodes.step import Update, note, step
from errata.tools.local.extract import stating_sentences
from errata.tools.models.message import is_refusal
from errata.tools.text.questions import question_entity
from errata.tools.text.sentences import split_sentences
from errata_baselines import replies_to
from errata_baselines.evidence import EvidenceContext, find_evidence, show_each
from errata_baselines.mend import revise_locally, rewrite_failed
from errata_baselines.verdicts import judge_claims

_DONE = re.compile(r"\W*(?:done|none|end|(?:the answer is )?complete)\W*", re.IGNORECASE)
_LEAD = re.compile(
    r"\W*(?:(?:sure|certainly|of course)\W+)?(?:here(?: is|['’]s) )?(?:the |my )?next sentence\W*:"
    r"[\s*_]*",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\W*(?:sure(?: thing)?|certainly|of course|okay|ok|absolutely|got it|understood|thank you"
    r"|thanks|you(?: are|['’]re) welcome|(?:happy|glad) to help|(?:i )?hope (?:this|that|it) helps"
    r"|(?:please )?let me know\b.*)\W*",
    re.IGNORECASE,
)
"""What is addressed to the person who asks, and says nothing."""
FOUND = ("claims", "verdicts", "edits", "concepts", "questions")
"""The fields of the state that hold what was found of a text."""
_DECISIONS: dict[str, VerdictLabel] = {"t": "supported", "f": "refuted", "n": "not_mentioned"}
"""The label by the first letter of its word."""
_DECISION = re.compile(
    r"(?P<taken_back>\b(?:not|or|nor|neither)\W+|n['’]t\W+)?"
    r"\b(?P<label>true|false|not[\s_-]*mentioned|not[\s_-]+enough[\s_-]+info(?:rmation)?|nei)"
    r"[^\w?？]*\Z",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"(?:\W*\b(?:so|thus|therefore|the|final|decision|answer|label|it|this|statement|claim|is)\b)*\W*\Z",
    re.IGNORECASE,
)
_CUE = re.compile(r"\b(?:decision|answer|label)\W{0,4}[:：]\W*\Z", re.IGNORECASE)
_BREAK = re.compile(r"[.!?;:\n。]")
"""What stands between the reasons and the label; within a sentence it may be denied."""


class EverContext(EvidenceContext, RevisionContext):
    """EVER's settings."""

    ROLES = ("generate", "verify", "revise")
    PAPER = (
        Published("queries", 3, "RAC's table 1: three search queries"),
        Published("rounds", 1, "rectification; RAC's table 1: two iterations, the last one flags"),
        Published("extrinsic", "rewrite", "rectification; RAC's table 1 counts it"),
        Published("guard", False, "rectification; RAC's table 1: validated again instead"),
    )

    rag: Annotated[bool, Flag(check=False)] = True
    """Write a draft by the evidence on the question, or without it."""
    max_sentences: Annotated[int, Field(ge=1), Capped()] = 12
    """The most sentences to write."""
    rounds: Annotated[int, Field(ge=0, le=5)] = 0
    """How often rewritten sentences are validated again; each round but the last mends them too."""
    queries: Literal[1, 2, 3] = 1
    """What is searched for: a concept's question, its statement too, the concept's name too."""
    extrinsic: Literal["flag", "rewrite"] = "flag"
    """What becomes of a sentence on which the evidence is silent."""


class Ever(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = EverContext
    TRAIL = ("concepts", "questions")

    concepts: list[str] = []
    questions: list[str] = []
    """What each claim is about (by local code the claim itself), and what validates it."""
    places: list[tuple[int, int]] = []
    """The stretches of the draft that are under check; all of it if there are none."""

    def under_check(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims whose sentences are under check."""
        places = self.places or [(0, len(self.draft))]
        return [c for c in claims if any(a < c.end and c.start < b for a, b in places)]

    def part(self, draft: str, places: list[Span]) -> "Ever":
        """The state for a look at some stretches of a draft, without what was found before."""
        empty = {name: type(self).model_fields[name].get_default() for name in FOUND}
        return self.model_copy(update={**empty, "draft": draft, "places": places})


class Concept(NamedTuple):
    """What a sentence says of one thing, as a question and as a statement."""

    name: str
    question: str
    statement: str


@step
async def verify(state: Ever, context: EverContext) -> Update:
    """Validate every concept of the sentences under check; what nothing decides says so."""
    found, entity = await _find_concepts(state, context), question_entity(state.question)
    claims = [replace(c, id=f"c{n}", text=own.statement) for n, (c, own) in enumerate(found, 1)]
    queries = [(c.question, c.statement, f"{entity} {c.name}")[: context.queries] for _, c in found]
    queries = queries[: context.deployment.max_claims]
    documents, shown = await show_each(queries, state.documents, context, "ever/verify.answer")
    rows = zip(claims, found, shown, strict=False)
    requests = {c.id: {"claim": q.question, "documents": text} for c, (_, q), text in rows if text}
    now = state.model_copy(update={"claims": claims, "documents": documents})
    return {
        "claims": claims,
        "concepts": [concept.name for _, concept in found],
        "questions": [concept.question for _, concept in found],
        "documents": documents,
        "verdicts": await judge_claims(now, context, "ever/verify", requests, read_decision),
    }


async def _find_concepts(state: Ever, context: EverContext) -> list[tuple[Claim, Concept]]:
    """The concepts of sentences by a model, with their sentences; claims as such by local code."""
    if not context.by_model("verify"):
        return [(c, as_concept(c)) for c in state.under_check(await split_locally(state))]
    sentences = state.under_check(stating_sentences(state.draft))
    lost = [f"“{sentence.text}” was validated as a whole" for sentence in sentences]
    about = {"question": state.question, "draft": state.draft}
    values = [{**about, "claim": sentence.text} for sentence in sentences]
    replies = await ask_all(context, "verify", "ever/verify.questions", values, lost)
    pairs = zip(sentences, replies, strict=True)
    return [(own, c) for own, r in pairs for c in read_concepts(r.text) or [as_concept(own)]]


def read_concepts(reply: str) -> list[Concept]:
    """A concept, its question and its statement a line; the question again without a statement.

    >>> read_concepts("1. in 1815 | Was Ada born in 1815? | Ada was born in 1815.")
    [Concept(name='in 1815', question='Was Ada born in 1815?', statement='Ada was born in 1815.')]
    """
    rows = [[part.strip() for part in line.split("|")] for line in read_claims(reply)]
    asked = [row for row in rows if len(row) > 1 and row[1].endswith("?")]
    return [Concept(row[0], row[1], "".join(row[2:3]) or row[1]) for row in asked]


def as_concept(claim: Claim) -> Concept:
    """A claim that is asked about as it stands."""
    return Concept(claim.text, question_for(claim), claim.text)


def read_decision(reply: str, _: Mapping[str, str] | None = None) -> tuple[VerdictLabel, str]:
    """The label that a reply ends in, and the reasons before it; unreadable if it ends in none.

    >>> read_decision("The page says 1867. Decision: False.")
    ('refuted', 'The page says 1867.')
    """
    found = _DECISION.search(reply)
    if not found or found["taken_back"]:
        return "unreadable", ""
    before = reply[: found.start()]
    towards = _TOWARDS.search(before)
    said = before[: towards.start()] if towards else before
    begins = _BREAK.search(before[len(said) :]) or _CUE.search(before)
    if said.strip() and not begins:
        return "unreadable", ""
    reasons = " ".join(said.split())
    return _DECISIONS[found["label"][0].lower()], f"{reasons}." if reasons else ""


@step
async def revise(state: Ever, context: EverContext) -> Update:
    """Rectify the sentences that failed, and what was rewritten again where that fails, too.

    A check rectifies nothing. What fails the last round's check stays, and is noted; a round that
    has nothing to mend is the last one.
    """
    edits, now = [] if context.check_only else await rectify(state, context), state
    for number in range(context.rounds if edits else 0):
        places = [place for place, _ in places_after(edits)]
        part = state.part(apply_edits(state.draft, edits), places)
        part = part.model_copy(update={"documents": now.documents})
        now = part.model_copy(update=await unwrap(verify)(part, context))
        later = await rectify(now, context) if number + 1 < context.rounds else []
        if not later:
            bad = {v.claim for v in now.verdicts if v.label in ("refuted", *INCONCLUSIVE)}
            texts = (claim.text for claim in now.claims if claim.id in bad)
            note(*(f"validated again and not supported: “{text}”" for text in texts))
            break
        edits = compose(state.draft, edits, [replace(edit, claims=()) for edit in later])
    return {"edits": edits, "documents": now.documents}


async def rectify(state: Ever, context: EverContext) -> list[Edit]:
    """The edits of sentences that the evidence contradicts, or where it is silent (extrinsic)."""
    if context.model_for("revise") is None:
        return await revise_locally(state, context, "revise")
    templates: dict[VerdictLabel, str] = {"refuted": "ever/revise"}
    if context.extrinsic == "rewrite":
        templates |= dict.fromkeys(INCONCLUSIVE, "ever/revise.extrinsic")
    return await rewrite_failed(state, context, templates, context.passage_tokens)


@step
async def generate(state: Ever, context: EverContext) -> Update:
    """Write a sentence at a time, each by the corrected ones, until the model has no more to say.

    Each is verified and revised before the next. With `rag` all are written by the evidence on the
    question. Raises InputError, ChatError or ReplyError if there is no first sentence.
    """
    queries = [state.question] if context.rag else []
    found, _ = await find_evidence(queries, state.documents, context, "generate")
    now = state.model_copy(update={"documents": found})
    shown, limit = found if context.rag else [], context.max_sentences
    for _ in range(limit):
        text = apply_edits(now.draft, now.edits)
        sentence = await _next(now, text, shown, context)
        if not sentence or sentence in f"{now.draft} {text}":
            break
        now = await _add(now, text, sentence, context)
    else:
        note(f"the answer ends after max_sentences={limit}")
    return {name: getattr(now, name) for name in ("draft", "documents", *FOUND)}


async def _next(state: Ever, text: str, shown: Sequence[Document], context: EverContext) -> str:
    """The next sentence; empty where there is none. Local code writes all of them at once."""
    if context.model_for("generate") is None:
        return "" if state.draft else str((await unwrap(generate_draft)(state, context))["draft"])
    documents = number_documents(shown)
    values = {"question": state.question, "documents": documents, "draft": text}
    lost = "the answer ends where the model failed" if state.draft else ""
    reply = await ask(context, "generate", context.draft_template, if_failed=lost, **values)
    text = reply.text if state.draft else reply.text_or_raise()
    sentence = read_sentence(text)
    if not (sentence or state.draft):
        tag = context.template(context.draft_template).tag
        raise ReplyError(f"the reply to {tag} holds no first sentence of an answer: {text[:80]!r}")
    if not (sentence or reply.failure or _DONE.fullmatch(text)):
        note("the answer ends where the model refused, or was only polite")
    return sentence


def read_sentence(reply: str) -> str:
    """The first sentence of a reply; none where it is complete, refuses, or is only polite.

    >>> read_sentence("Ada wrote notes. She was a countess."), read_sentence("Sure!")
    ('Ada wrote notes.', '')
    """
    lead = _LEAD.match(reply)
    reply = reply[lead.end() :] if lead else reply
    if not reply.strip() or _DONE.fullmatch(reply) or is_refusal(reply):
        return ""
    start, end = split_sentences(reply)[0]
    sentence = " ".join(reply[start:end].split())
    return "" if _COURTESY.fullmatch(sentence) else sentence


async def _add(state: Ever, text: str, sentence: str, context: EverContext) -> Ever:
    """The state with one more sentence, and what the steps found of it after the corrected ones."""
    gap = " " if state.draft else ""
    begin, shift = len(text) + len(gap), len(state.draft) - len(text)
    now = state.part(f"{text}{gap}{sentence}", [(begin, begin + len(sentence))])
    for run in (verify, revise):
        now = now.model_copy(update=await unwrap(run)(now, context))
    count = len(state.claims)
    ids = {claim.id: f"c{n}" for n, claim in enumerate(now.claims, start=count + 1)}
    claims = [
        replace(c, id=ids[c.id], start=c.start + shift, end=c.end + shift) for c in now.claims
    ]
    verdicts = [replace(verdict, claim=ids[verdict.claim]) for verdict in now.verdicts]
    edits = [
        replace(moved(edit, shift), claims=tuple(ids[name] for name in edit.claims))
        for edit in now.edits
        if edit.start >= begin
    ]
    new: dict[str, list[Any]] = {"claims": claims, "verdicts": verdicts, "edits": edits}
    new |= {name: getattr(now, name) for name in state.TRAIL}
    sums = {name: [*getattr(state, name), *own] for name, own in new.items()}
    draft = f"{state.draft}{gap}{sentence}"
    return state.model_copy(update={**sums, "draft": draft, "documents": now.documents})


graph = (
    graph_of(Ever, "EVER: validate and rectify by sentences")
    .add_node(receive)  # messages -> question, draft
    .add_node(generate)  # question -> draft and edits, a sentence at a time: verify, revise, go on
    .add_sequence(
        [
            verify,  # draft -> concepts, questions, evidence, verdicts
            revise,  # verdicts -> edits; what was rewritten is verified again
            propose,  # edits -> those that a person decides on
        ]
    )
    .add_sequence([review, report])  # edits -> those that a person lets stand -> response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "receive", after_retrieve, {"draft given": "verify", "no draft": "generate"}
    )
    .add_edge("generate", "propose")
    .add_conditional_edges("propose", after_propose, {"review": "review", "no review": "report"})
    .add_edge("report", END)
    .compile(name="EVER")
)

method = Method(
    "ever",
    "Correct a draft, or write an answer, sentence by sentence: ask about each concept, "
    "validate it by evidence, rectify the sentence.",
    graph,
    replies=replies_to("ever"),
)
