"""A model's corrections of claims: of all in one call, or of each in its own (the paper's form)."""

import re
from asyncio import gather, to_thread
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from errata.core.records import Claim, Document, Verdict
from errata.nodes.ask import ask_all, number_documents
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.tools.local.antecedents import sentence_places
from errata.tools.local.excerpts import select_passages, select_sentences

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


async def ask_corrections(state: Rac, claims: Sequence[Claim], context: RacContext) -> Corrections:
    """A model's corrections of claims, by the template that the run uses."""
    if not context.rag:
        return await _ask_each(state, claims, context, "rac/correct.all")
    if "claims" not in context.template("rac/correct").head.variables:
        return await _ask_each(state, claims, context, "rac/correct")
    template = "rac/correct.drop" if context.drops else "rac/correct"
    return await _ask_at_once(state, claims, context, template)


async def _ask_at_once(
    state: Rac, claims: Sequence[Claim], context: RacContext, template: str
) -> Corrections:
    """Corrections of many claims in each call; one that the reply leaves out is noted."""
    size = context.claims_per_call
    batches = [claims[i : i + size] for i in range(0, len(claims), size)]
    requests = [await _values(state, batch, context) for batch in batches]
    consequences = [f"{len(batch)} claims keep their text" for batch in batches]
    replies = await ask_all(context, "correct", template, requests, consequences)
    lines = dict[str, str]()
    for batch, reply in zip(batches, replies, strict=True):
        own = {} if reply.failure else read_corrections(reply.text, batch)
        if len(own) < len(batch) and not reply.failure:
            tag = context.template(template).tag
            note(f"the reply to {tag} held no correction of {len(batch) - len(own)} claims")
        lines |= own
    return _sort(claims, lines, context)


def _sort(claims: Sequence[Claim], lines: Mapping[str, str], context: RacContext) -> Corrections:
    """The lines of replies by what they say of their claims."""
    words = {name: _word(line) for name, line in lines.items()}
    texts = {c.id: lines[c.id] if not words[c.id] else c.text for c in claims if c.id in lines}
    goes = ("remove", "not told", "not mentioned") if context.drops else ("remove",)
    texts |= {name: "" for name, word in words.items() if word in goes}
    right = {name for name, word in words.items() if word in ("right", "correct")}
    return Corrections(texts, right, {claim.id for claim in claims} - texts.keys())


def _word(line: str) -> str:
    """The word that a line has in place of a text, in small letters; empty if it has a text."""
    match = _NO_TEXT.fullmatch(line)
    return match["word"].lower() if match else ""


async def _values(state: Rac, claims: Sequence[Claim], context: RacContext) -> dict[str, str]:
    """What a model gets to correct some claims at once."""
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    quotes = {name: " ".join(q.text for q in v.evidence) for name, v in verdicts.items()}
    texts = [f"{claim.text} {quotes.get(claim.id, '')}" for claim in claims]
    lines = (_line(claim, verdicts.get(claim.id)) for claim in claims)
    return {
        "question": state.question,
        "documents": await to_thread(_excerpts, texts, state.documents, context),
        "draft": await to_thread(around, state.draft, claims),
        "claims": "\n".join(f"{n}. {line}" for n, line in enumerate(lines, start=1)),
    }


def _line(claim: Claim, verdict: Verdict | None) -> str:
    """A claim on one line, with its words in doubt."""
    doubted = "; ".join(f"“{words}”" for words in verdict.doubted) if verdict else ""
    kind = "wrong" if verdict and verdict.label == "refuted" else "unsaid"
    return " ".join(claim.text.split()) + (f" ({kind}: {doubted})" if doubted else "")


def around(draft: str, claims: Iterable[Claim]) -> str:
    """The sentences of a draft that claims come from, with the one before and after each."""
    places = sentence_places(draft)
    starts = {claim.start for claim in claims}
    own = {n for n, (start, end) in enumerate(places) if any(start <= s < end for s in starts)}
    shown = [n for n in range(len(places)) if {n - 1, n, n + 1} & own]
    return "\n".join(" ".join(draft[slice(*places[n])].split()) for n in shown)


def _excerpts(texts: Sequence[str], documents: Sequence[Document], context: RacContext) -> str:
    """What a model gets to correct claims at once by: half of what it gets to judge them by."""
    if context.cascades("verify"):
        chosen = select_sentences(texts, documents, context.passage_tokens // 4)
    else:
        chosen = select_passages(texts, documents, context.passage_tokens // 2)
    return number_documents(chosen)


async def _ask_each(
    state: Rac, claims: Sequence[Claim], context: RacContext, template: str
) -> Corrections:
    """Corrections of claims, each in a call of its own."""
    budget = (state.documents, context.passage_tokens)
    shown = await gather(*(to_thread(select_passages, [c.text], *budget) for c in claims))
    requests = [
        {"question": state.question, "documents": number_documents(own), "claim": claim.text}
        for claim, own in zip(claims, shown, strict=True)
    ]
    consequences = [f"claim {claim.id} keeps its text" for claim in claims]
    replies = await ask_all(context, "correct", template, requests, consequences)
    by_claim = dict(zip((claim.id for claim in claims), replies, strict=True))
    lines = {name: read_correction(r.text) for name, r in by_claim.items() if not r.failure}
    lines = {name: line for name, line in lines.items() if not _NOTHING.fullmatch(line)}
    return _sort(claims, lines, context)


def read_corrections(reply: str, claims: Sequence[Claim]) -> dict[str, str]:
    r"""The line on each numbered claim, by the claim's id; one that is left out is missing.

    >>> read_corrections("1: Ada wrote.", [Claim(id="c1", text="Ada sang.", start=0, end=9)])
    {'c1': 'Ada wrote.'}
    """
    lines = {int(match["number"]): match["text"] for match in _LINE.finditer(reply)}
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
