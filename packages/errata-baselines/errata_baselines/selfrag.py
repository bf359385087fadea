"""Self-RAG: decide whether to retrieve, answer by each passage, judge the answers, take the best.

Self-Reflective Retrieval-Augmented Generation (arXiv:2310.11511).

Unlike the paper:
- a chat model writes its critiques as words, which count as certain, in the call that writes the
  answer, in place of tokens with their probabilities;
- a role that is filled by `local` runs code of ours instead of a model;
- it retrieves once, and an answer is one segment: no beam search over segments.
"""

import re
from asyncio import to_thread
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Literal

from langgraph.graph import END, START
from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.errors import OutOfTimeError
from errata.core.limits import note_undone
from errata.core.records import Answer, Claim, Document, Knowledge
from errata.nodes.answer import (
    FORMS,
    fill_form,
    hand_out_answer,
    in_form,
    titled,
)
from errata.nodes.ask import ask_all, ask_role
from errata.nodes.crag.knowledge import read, receive, retrieve, rewrite, search, select
from errata.nodes.crag.state import WEB, WebContext
from errata.nodes.settings import Capped, Published
from errata.nodes.state import AnswerContext, AnswerState, Method, graph_of
from errata.nodes.step import Update, note
from errata.tools.judges.evaluator import Evaluator
from errata.tools.judges.verifier import verify
from errata.tools.local.refine import as_knowledge
from errata_baselines import replies_to
from errata_baselines.answers import answer_from_memory, closed_reader, of_crag, read_answer, to_web

Critiques = dict[str, float]
"""What is judged, to what the label is worth; what could not be read is left out."""
_YES_OR_NO = {"yes": 1.0, "no": 0.0}
VALUES: Mapping[str, Mapping[str, float]] = {
    "retrieve": _YES_OR_NO,
    "relevant": _YES_OR_NO,
    "supported": {"fully": 1.0, "partially": 0.5, "no": 0.0},
    "useful": {"1": -1.0, "2": -0.5, "3": 0.0, "4": 0.5, "5": 1.0},
}
"""What each label is worth (table 1; section 3.3, equation 4)."""
WEIGHTS = {"relevant": 1.0, "supported": 1.0, "useful": 0.5}
"""How much each critique counts (section 4.3)."""
_LINE = re.compile(
    rf"(?:\s*\d[.)])?[\s*_#>-]*({'|'.join(VALUES)}|answer)[ \t*_]*:[ \t*_]*(.*)", re.IGNORECASE
)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An answer that was written by one passage, and how it was judged."""

    text: str
    passage: tuple[Knowledge, ...] = ()
    critiques: Critiques = field(default_factory=dict)
    score: float = 0.0
    """The weighted sum of the critiques."""


Passage = Sequence[Knowledge]
Reflection = tuple[str, Critiques]
"""An answer, empty if there is none, and its critiques."""


class SelfragContext(WebContext):
    """Self-RAG's settings."""

    ROLES = (*WebContext.ROLES, "decide", "generate")
    PAPER = (
        Published("top_k", 5, "section 4.3: the top five documents"),
        Published("abstain", False, "section 3.1, algorithm 1: it always answers"),
        *of_crag(*WEB),
    )

    max_passages: Annotated[int, Field(ge=1), Capped()] = 20
    """The most passages to answer by, the first ones; each takes a call to a model."""


class Selfrag(AnswerState):
    """What a run carries from step to step."""

    CONTEXT = SelfragContext

    need: bool = True
    """Whether the question needs retrieval."""

    @property
    def passages(self) -> list[list[Knowledge]]:
        """What to answer by, each on its own: the documents, and the web's paragraphs."""
        return [*([as_knowledge(d)] for d in self.documents), *([k] for k in self.external)]


async def decide(state: Selfrag, runtime: Runtime[SelfragContext]) -> Update:
    """Ask the model; local code retrieves, and so does a run whose model does not say."""
    context = runtime.context
    if not context.by_model("decide"):
        return {"need": True}
    if not (state.documents or context.corpus or context.search != "none"):
        return {"need": False}
    then, values = "documents were retrieved", {"question": state.question}
    reply = await ask_role(context, "decide", "selfrag/decide", if_failed=then, **values)
    said = read_need(reply.text)
    if said is None and not reply.failure:
        note(f"{then}: the reply to {context.template('selfrag/decide').tag} has no yes or no")
    return {"need": said is not False}


def read_need(reply: str) -> bool | None:
    """Whether retrieval is needed: a line that says so, or a bare yes or no; None if neither."""
    lines = (reply, f"Retrieve: {reply}")
    found = (said["retrieve"] for _, said in map(read_reflection, lines) if "retrieve" in said)
    return next(map(bool, found), None)


def read_reflection(reply: str) -> tuple[str, Critiques]:
    r"""The answer in a reply, and the critiques that could be read.

    >>> read_reflection("Relevant: yes\nAnswer: Riga\nSupported: partially\nUseful: ?")
    ('Riga', {'relevant': 1.0, 'supported': 0.5})
    """
    parts: dict[str, list[str]] = {"answer": []}
    place = "before"
    for line in reply.splitlines():
        match = _LINE.fullmatch(line)
        place, words = (match[1].lower(), match[2]) if match else (place, line)
        parts.setdefault(place, []).append(words)
    before = parts.pop("before", [])
    answer = "\n".join(parts.pop("answer") or ([] if parts else before)).strip()
    critiques = Critiques()
    for aspect, lines in parts.items():
        if label := re.match(rf"[\W_]*({'|'.join(VALUES[aspect])})\b", lines[0].lower()):
            critiques[aspect] = VALUES[aspect][label[1]]
    return answer, critiques


def after_decide(state: Selfrag) -> Literal["retrieval", "no retrieval"]:
    """Retrieve if that is needed."""
    return "retrieval" if state.need else "no retrieval"


async def generate(state: Selfrag, runtime: Runtime[SelfragContext]) -> Update:
    """Write and judge all answers at once; without a passage, answer from memory.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    context = runtime.context
    passages = state.passages if state.need else []
    if len(passages) > context.max_passages:
        note(f"passages over max_passages={context.max_passages} were left out")
    passages, documents = passages[: context.max_passages], [*state.documents, *state.pages]
    texts = [titled(passage, documents) for passage in passages]
    if context.by_model("generate"):
        replies = await ask_by_each(state.question, texts, context, "selfrag/generate.passage")
        written = [read_reflection(reply) for reply in replies]
    else:
        fill = partial(fill_form, state.question, context=context)
        local = (state.question, texts, fill, lambda: context.strip_evaluator)
        written = await to_thread(write_locally, *local)
    reader = closed_reader(context.task)
    ranked = rank(passages, written, reader, supported=context.abstain)
    if ranked:
        note(*find_doubts(ranked[0]))
        tag = context.template("selfrag/generate.passage").tag
        answer = in_form(ranked[0].text, context, tag)
    else:
        answer = await answer_from_memory(state.question, context, "selfrag/generate", read_answer)
    used = ranked[0].passage if ranked else ()
    return await hand_out_answer(state, context, answer, used, need=state.need, candidates=ranked)


async def ask_by_each(
    question: str, passages: Sequence[Sequence[Document]], context: AnswerContext, template: str
) -> list[str]:
    """A model's reply by each passage alone; empty, and noted, where it fails.

    Raises ChatError or ReplyError if it fails on every passage, unless a budget allows no call.
    """
    form = FORMS[context.task].words
    texts = ["\n".join(f"{d.title}\n{d.text}".strip() for d in each) for each in passages]
    requests = [{"question": question, "document": t, "answer_form": form} for t in texts]
    left_out = [f"passage {n} was left out" for n in range(1, len(texts) + 1)]
    replies = await ask_all(context, "generate", template, requests, left_out)
    if replies and all(reply.failure and not reply.unpaid for reply in replies):
        replies[0].text_or_raise()
    return [reply.text for reply in replies]


def write_locally(
    question: str,
    passages: Sequence[Sequence[Document]],
    write: Callable[[Sequence[Document]], str],
    load_evaluator: Callable[[], Evaluator],
) -> list[Reflection]:
    """What `write` makes of each passage: the evaluator on relevance, the verifier on support.

    There is no answer by a passage that the evaluator calls incorrect, nor where time is over.
    """
    written: list[Reflection] = []
    try:
        for passage in passages:
            evaluator, critiques = load_evaluator(), Critiques()
            text = (passage[0].title, "\n".join(strip.text for strip in passage))
            [value] = evaluator.score(question, [text])
            answer = ""
            if value >= evaluator.lower:
                critiques["relevant"] = (value + 1) / 2
                answer = write(passage)
            claim = Claim(id="c1", text=answer, start=0, end=len(answer))
            borne_out = verify(question, [claim], passage)[0].score if answer else None
            if borne_out is not None:
                critiques["supported"] = borne_out
            written.append((answer, critiques))
    except OutOfTimeError as error:
        note_undone(f"{len(passages) - len(written)} passages were not read: {error}")
    return written + [("", {})] * (len(passages) - len(written))


def rank(
    passages: Sequence[Passage],
    written: Sequence[Reflection],
    answer_of: Callable[[str], str] | None,
    *,
    supported: bool,
) -> list[Candidate]:
    """The answers that there are, the best first; with `supported` those alone that have support.

    With `answer_of`, where answers are of a fixed set, the scores of the same answer add up.
    """
    candidates = [
        Candidate(text=text, passage=tuple(passage), critiques=said, score=score(said))
        for passage, (text, said) in zip(passages, written, strict=True)
        if text and (said.get("supported") or not supported)
    ]
    totals = dict[str, float]()
    keys = [answer_of(c.text) if answer_of else str(n) for n, c in enumerate(candidates)]
    for key, candidate in zip(keys, candidates, strict=True):
        totals[key] = totals.get(key, 0.0) + candidate.score
    places = sorted(range(len(keys)), key=lambda n: (-totals[keys[n]], -candidates[n].score))
    return [candidates[n] for n in places]


def score(critiques: Critiques) -> float:
    """The weighted sum of what critiques are worth (equation 4); one that was not read adds none.

    >>> score({"relevant": 1.0, "supported": 0.5, "useful": 1.0})
    2.0
    """
    return sum(weight * critiques.get(aspect, 0.0) for aspect, weight in WEIGHTS.items())


def find_doubts(best: Candidate) -> Iterator[str]:
    """What the critiques of the best answer hold against it."""
    for aspect, fault in (("relevant", "is not relevant"), ("supported", "does not bear it out")):
        if aspect not in best.critiques:
            yield f"whether the answer's passage is {aspect} was not judged"
        elif not best.critiques[aspect]:
            yield f"by the answer's own critique, its passage {fault}"


graph = (
    graph_of(Selfrag, "Self-RAG: answer a question")
    .add_sequence([receive, decide])  # messages -> question -> whether to retrieve
    .add_node(retrieve)  # question -> documents
    .add_sequence([rewrite, search, read, select, generate])  # web -> knowledge -> response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "decide", after_decide, {"retrieval": "retrieve", "no retrieval": "generate"}
    )
    .add_conditional_edges("retrieve", to_web, {"with web": "rewrite", "without web": "generate"})
    .add_edge("generate", END)
    .compile(name="Self-RAG")
)

method = Method(
    "selfrag",
    "Answer a question: decide whether to retrieve, answer by each passage, take the best.",
    graph,
    record=Answer,
    replies=replies_to("selfrag"),
)
