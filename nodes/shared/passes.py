"""Run a method's own steps on a part of a text: its next sentence, or what was rewritten in it."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from inspect import unwrap
from typing import Annotated, Any, TypedDict, TypeVar

from pydantic import Field

from errata.core.edits import Span, apply_edits, compose, moved, places_after
from errata.core.errors import ReplyError
from errata.core.records import Claim, Document, Edit
from errata.nodes.ask import ask, number_documents
from errata.nodes.checked import checked
from errata.nodes.ledger import note
from errata.nodes.search import ReadingContext
from errata.nodes.settings import Flag, Remote
from errata.nodes.shared.claims import Extracted
from errata.nodes.shared.evidence import find_evidence
from errata.nodes.shared.generate import generate
from errata.nodes.shared.verdicts import Judged
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import Node
from errata.tools.models.chat import is_refusal
from errata.tools.text.sentences import split_sentences

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


class PassesContext(ReadingContext, CorrectionContext):
    """The settings of methods that write by sentences, or check again what they rewrote."""

    rag: Annotated[bool, Remote.FREE, Flag(check=False)] = True
    """Write a draft by the evidence on the question, or without it."""
    max_sentences: Annotated[int, Field(ge=1), Remote.CAPPED] = 12
    """The most sentences to write."""
    rounds: Annotated[int, Field(ge=0, le=5), Remote.FREE] = 0
    """How often rewritten sentences are validated again; each round but the last mends them too."""


@checked
class PartlyChecked(CorrectionState):
    """The state of a method whose steps may look at a part of the draft."""

    places: list[tuple[int, int]] = []
    """The stretches of the draft that are under check; all of it if there are none."""

    def under_check(self, claims: Sequence[Claim]) -> list[Claim]:
        """The claims whose sentences are under check."""
        places = self.places or [(0, len(self.draft))]
        return [c for c in claims if any(a < c.end and c.start < b for a, b in places)]


class Mended(TypedDict):
    """The edits, and the documents with what was found for what they rewrite."""

    edits: list[Edit]
    documents: list[Document]


class Written(Extracted, Judged, Mended):
    """A draft, and what was found of its sentences; a method adds its trail."""

    draft: str


State = TypeVar("State", bound=PartlyChecked)
Update = TypeVar("Update", bound=Written)


async def write_by_sentences(
    state: State, context: PassesContext, steps: Sequence[Node], update: Callable[..., Update]
) -> Update:
    """A draft that is written a sentence at a time, each after the corrected ones.

    It comes with what the steps found, as an update of the state. They run on each sentence before
    the next is written. With `rag` it is written by the evidence on the question.

    Raises InputError, ChatError or ReplyError if there is no first sentence.
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
        now = await _add(now, text, sentence, steps, context)
    else:
        note(f"the answer ends after max_sentences={limit}")
    return update(**{name: getattr(now, name) for name in ("draft", "documents", *_found(now))})


def _found(state: PartlyChecked) -> tuple[str, ...]:
    """The fields that hold what a pass finds of a text."""
    return ("claims", "verdicts", "edits", *state.TRAIL)


async def _next(
    state: State, text: str, shown: Sequence[Document], context: CorrectionContext
) -> str:
    """The next sentence; empty where there is none. Local code writes all of them at once."""
    if context.model_for("generate") is None:
        return "" if state.draft else str((await unwrap(generate)(state, context))["draft"])
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


async def _add(
    state: State, text: str, sentence: str, steps: Sequence[Node], context: CorrectionContext
) -> State:
    """The state with one more sentence, and what the steps found of it after the corrected ones."""
    gap = " " if state.draft else ""
    begin, shift = len(text) + len(gap), len(state.draft) - len(text)
    now = _part(state, f"{text}{gap}{sentence}", [(begin, begin + len(sentence))])
    for run in steps:
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


def _part(state: State, draft: str, places: list[Span]) -> State:
    """The state for a pass over some stretches of a draft; what was found before is not in it."""
    kind = type(state)
    empty: dict[str, Any] = {n: kind.model_fields[n].get_default() for n in _found(state)}
    return state.model_copy(update={**empty, "draft": draft, "places": places})


async def mend_in_rounds(
    state: State,
    context: PassesContext,
    check: Node,
    mend: Callable[[State, Any], Awaitable[list[Edit]]],
) -> Mended:
    """The edits that mend a text, and mend it again where what they rewrote fails a new check.

    There are none in a run that only checks. What fails the last round's check stays, and is noted;
    a round that has nothing to mend is the last one.
    """
    edits, now = [] if context.check_only else await mend(state, context), state
    for number in range(context.rounds if edits else 0):
        places = [place for place, _ in places_after(edits)]
        part = _part(state, apply_edits(state.draft, edits), places)
        part = part.model_copy(update={"documents": now.documents})
        now = part.model_copy(update=await unwrap(check)(part, context))
        later = await mend(now, context) if number + 1 < context.rounds else []
        if not later:
            _note_failed(now)
            break
        edits = compose(state.draft, edits, [replace(edit, claims=()) for edit in later])
    return {"edits": edits, "documents": now.documents}


def _note_failed(state: PartlyChecked) -> None:
    bad = {v.claim for v in state.verdicts if v.label in ("refuted", "not_mentioned")}
    texts = (claim.text for claim in state.claims if claim.id in bad)
    note(*(f"validated again and not supported: “{text}”" for text in texts))
