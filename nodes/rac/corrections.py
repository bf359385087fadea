"""Have a model correct claims, many in a call or each in one, and read what it makes of them."""

import re
from asyncio import to_thread
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from errata.core.errors import count
from errata.core.records import Claim, Verdict
from errata.nodes.ask import ask_all, in_batches, number_documents
from errata.nodes.rac.state import ClaimContext, Rac
from errata.nodes.step import note
from errata.tools.local.extract import sentence_places
from errata.tools.local.refine import select_passages

_LEAD = re.compile(
    r"^\W*(?:corrected (?:statement|claim|version|answer)|answer)\W*:\s*", re.IGNORECASE
)
_LINE = re.compile(
    r"^[^\w\n]*(?:(?:statement|claim)\s*)?#?(?P<number>\d{1,4})\W?\s*[.:)：][*_\s]*(?P<text>\S[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_NO_TEXT = re.compile(
    r"\W*(?:(?:it|(?:the|this) (?:claim|statement)) is )?(?:already )?"
    r"(?P<word>right|correct|not (?:told|mentioned)|remove)d?(?: after all| by the documents?)?"
    r"\W*(?:(?:[(:;,.]| [-–—]).*)?",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"\W*(?:(?:none|nothing|n/a|unchanged|(?:no|not) changed?)\W*)?", re.IGNORECASE
)
"""What a reply has in place of a correction where it says nothing."""


class Corrections(NamedTuple):
    """What a model makes of claims."""

    texts: dict[str, str]
    """The text of each claim by id, its own where it stays; empty where it should go."""
    right: set[str]
    """The claims that it finds right after all."""
    failed: set[str]
    """The claims of which it said nothing."""


async def ask_corrections(
    state: Rac, claims: Sequence[Claim], context: ClaimContext
) -> Corrections:
    """A model's corrections of claims, by the template that the run uses.

    Many are corrected in each call where that takes them; one that the reply leaves out is noted.
    """
    template = "rac/correct" if context.rag else "rac/correct.all"
    many = "claims" in context.template(template).head.variables
    if many and context.drops:
        template = "rac/correct.drop"
    batches = in_batches(claims, context.claims_per_call if many else 1)
    values = _values if many else _values_of_one
    requests = [await values(state, batch, context) for batch in batches]
    consequences = [f"{count(batch, 'claim')} not corrected" for batch in batches]
    replies = await ask_all(context, "correct", template, requests, consequences)
    lines = dict[str, str]()
    for batch, reply in zip(batches, replies, strict=True):
        own = {} if reply.failure else read_corrections(reply.text, batch, many=many)
        if len(own) < len(batch) and not reply.failure:
            left = count(len(batch) - len(own), "claim")
            note(f"the reply to {context.template(template).tag} held no correction of {left}")
        lines |= own
    return _sort(claims, lines, context)


def _sort(claims: Sequence[Claim], lines: Mapping[str, str], context: ClaimContext) -> Corrections:
    """The lines of replies by what they say of their claims; some have a word for a text."""
    goes = ("remove", "not told", "not mentioned") if context.drops else ("remove",)
    texts, right = dict[str, str](), set[str]()
    for claim in claims:
        if claim.id in lines:
            match = _NO_TEXT.fullmatch(lines[claim.id])
            word = match["word"].lower() if match else ""
            kept = claim.text if word else lines[claim.id]
            texts[claim.id] = "" if word in goes else kept
            right |= {claim.id} if word in ("right", "correct") else set()
    return Corrections(texts, right, {claim.id for claim in claims} - texts.keys())


async def _values(state: Rac, claims: Sequence[Claim], context: ClaimContext) -> dict[str, str]:
    """What a model gets to correct some claims at once: of the documents half as much as to judge.

    What a decision model judged by it sees whole. Each claim stands on one line, with its words in
    doubt.
    """
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    texts, lines = list[str](), list[str]()
    for number, claim in enumerate(claims, start=1):
        verdict = verdicts.get(claim.id) or Verdict(claim=claim.id, label="unchecked")
        texts.append(f"{claim.text} {' '.join(quote.text for quote in verdict.evidence)}")
        doubted = "; ".join(f"“{words}”" for words in verdict.doubted)
        kind = "wrong" if verdict.label == "refuted" else "unsaid"
        line = " ".join(claim.text.split()) + (f" ({kind}: {doubted})" if doubted else "")
        lines.append(f"{number}. {line}")
    tokens = context.passage_tokens // (3 if context.cascades("verify") else 2)
    if context.sole_deciders("verify"):
        texts, tokens = [claim.text for claim in state.claims], context.passage_tokens
    shown = await to_thread(select_passages, texts, state.documents, tokens)
    return {
        "question": state.question,
        "documents": number_documents(shown),
        "draft": await to_thread(around, state.draft, claims),
        "claims": "\n".join(lines),
    }


def around(draft: str, claims: Iterable[Claim]) -> str:
    """The sentences of a draft that claims come from, with the one before and after each."""
    places = sentence_places(draft)
    starts = {claim.start for claim in claims}
    own = {n for n, (start, end) in enumerate(places) if any(start <= s < end for s in starts)}
    shown = [n for n in range(len(places)) if {n - 1, n, n + 1} & own]
    return "\n".join(" ".join(draft[slice(*places[n])].split()) for n in shown)


async def _values_of_one(
    state: Rac, claims: Sequence[Claim], context: ClaimContext
) -> dict[str, str]:
    """What a model gets to correct a claim alone, as in the paper."""
    [claim] = claims
    budget = (state.documents, context.passage_tokens)
    shown = await to_thread(select_passages, [claim.text], *budget)
    documents = number_documents(shown)
    return {"question": state.question, "documents": documents, "claim": claim.text}


def read_corrections(reply: str, claims: Sequence[Claim], *, many: bool = True) -> dict[str, str]:
    r"""The line on each numbered claim, by the claim's id; one that is left out is missing.

    >>> read_corrections("1: Ada wrote.", [Claim(id="c1", text="Ada sang.", start=0, end=9)])
    {'c1': 'Ada wrote.'}
    """
    found = _LINE.finditer(reply) if many else ()
    lines = {int(match["number"]): match["text"] for match in found}
    if not lines and len(claims) == 1:
        lines = {1: reply}
    numbered = enumerate(claims, start=1)
    texts = {claim.id: read_correction(lines[n]) for n, claim in numbered if n in lines}
    return {name: text for name, text in texts.items() if not _NOTHING.fullmatch(text)}


def read_correction(reply: str) -> str:
    """The corrected claim: the reply's first paragraph, without a label or quotation marks.

    >>> read_correction('Corrected statement: "Ada was born in 1815."')
    'Ada was born in 1815.'
    """
    text = " ".join(_LEAD.sub("", reply.strip()).split("\n\n")[0].split())
    quoted = len(text) > 1 and text[0] in '"“' and text[-1] in '"”'
    return text[1:-1] if quoted else text
