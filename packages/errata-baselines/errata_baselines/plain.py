"""Plain: answer from memory, by what was retrieved, or by that and the web, and check nothing.

The plain rows that the papers compare with: no retrieval, RAG and RAG with the web in CRAG's tables
1 and 5 (arXiv:2401.15884). It asks a model once.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- instruction and form of the answer are in our words;
- an answer from memory has a note.
"""

from typing import Literal

from langgraph.graph import END, START
from langgraph.runtime import Runtime

from errata.core.records import Answer
from errata.nodes.answer import answer_locally, hand_out_answer, titled
from errata.nodes.ask import number_documents
from errata.nodes.crag.knowledge import read, receive, retrieve, rewrite, search, select
from errata.nodes.crag.state import WEB, WebContext
from errata.nodes.settings import Published
from errata.nodes.state import AnswerState, Method, graph_of
from errata.nodes.step import Update, note
from errata.tools.local.refine import as_knowledge
from errata_baselines import replies_to
from errata_baselines.answers import (
    answer_from_memory,
    ask_for_answer,
    of_crag,
    read_answer,
    to_web,
)


class PlainContext(WebContext):
    """Plain answering's settings."""

    ROLES = (*WebContext.ROLES, "generate")
    PAPER = (
        Published("top_k", 10, "CRAG, section 4.2: ten documents for a question"),
        Published("abstain", False, "CRAG, section 5.2: the generator always answers"),
        *of_crag(*WEB),
    )

    rag: bool = True
    """Answer by documents, and by the web if `search` names an engine; without, from memory."""


class Plain(AnswerState):
    """What a run carries from step to step."""

    CONTEXT = PlainContext


async def generate(state: Plain, runtime: Runtime[PlainContext]) -> Update:
    """Answer by the whole documents and the web's paragraphs, or from memory.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    context = runtime.context
    if state.documents and not context.rag:
        note("rag is off: the documents were not read")
    knowledge = [*map(as_knowledge, state.documents), *state.external] if context.rag else []
    strips = titled(knowledge, [*state.documents, *state.pages])
    if not strips:
        answer = await answer_from_memory(state.question, context, "plain/generate", read_answer)
    elif not context.by_model("generate"):
        answer = await answer_locally(state.question, strips, context)
    else:
        asked = (state.question, context, "plain/generate.rag", read_answer)
        answer = await ask_for_answer(*asked, knowledge=number_documents(strips))
    return await hand_out_answer(state, context, answer, knowledge)


def after_receive(_: Plain, runtime: Runtime[PlainContext]) -> Literal["with RAG", "without RAG"]:
    """Retrieve, unless the row is one without retrieval."""
    return "with RAG" if runtime.context.rag else "without RAG"


graph = (
    graph_of(Plain, "Plain: answer a question")
    .add_node(receive)  # messages -> question
    .add_node(retrieve)  # question -> documents
    .add_sequence([rewrite, search, read, select, generate])  # web -> knowledge -> response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "receive", after_receive, {"with RAG": "retrieve", "without RAG": "generate"}
    )
    .add_conditional_edges("retrieve", to_web, {"with web": "rewrite", "without web": "generate"})
    .add_edge("generate", END)
    .compile(name="Plain")
)

method = Method(
    "plain",
    "Answer a question in one call: from memory, by what was retrieved, or by the web too.",
    graph,
    record=Answer,
    replies=replies_to("plain"),
)
