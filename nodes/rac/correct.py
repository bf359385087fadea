"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

import re
from asyncio import gather, to_thread
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from errata.core.edits import Spans
from errata.core.records import Claim, Document, Fix, Quote, Verdict
from errata.nodes.ask import ask_all, in_batches, number_documents
from errata.nodes.claims import abstention, correct_locally
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.step import Update, step
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.extract import sentence_places
from errata.tools.local.refine import select_passages, select_sentences
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.unclaimed import find_unclaimed

SECOND_LOOK = "judged wrong at first; the model that was to correct it found it right"
UNSURE = "that the local reader is not sure are wrong"
UNCORRECTED = "that the model did not correct"
_LEFT: Mapping[str, str] = {
    "conflicting": "on which the documents disagree",
    "unchecked": "that nothing checked",
    "unreadable": "on which a reply had no verdict",
}
"""Why claims of these labels stay where unsupported ones go."""


@step
async def correct(state: Rac, context: RacContext) -> Update:
    """Correct claims; one that fails keeps its text and is noted."""
    spared, right, failed = set[str](), set[str](), set[str]()
    if context.model_for("correct") is not None:
        claims = claims_to_correct(state, context)
        texts, right, failed = await ask_corrections(state, claims, context)
        fixes = await to_thread(_read_fixes, state, claims, texts)
        spared = right | failed
    elif language := await to_thread(detect_foreign_draft, state.draft):
        fixes = []
        if not context.rag:
            note(abstention(language))
    else:
        fixes = await correct_locally(state, context, "correct", _refuted(state, context))
    fixes += await to_thread(removals, state, context, {fix.claim for fix in fixes} | spared)
    note(*say_what_is_left(state, context, {fix.claim for fix in fixes} | right))
    implied = implied_verdicts(state.claims, fixes, failed)
    return {"fixes": fixes, "verdicts": _revised(state.verdicts, fixes, right) or implied}


def claims_to_correct(state: Rac, context: RacContext) -> list[Claim]:
    """The claims that a model corrects: the refuted ones with RAG, all without (equations 4, 8).

    Where unmentioned claims are to go, also those of which only some words are not mentioned.
    """
    partly = {v.claim for v in state.verdicts if v.doubted and _unwanted(v, context)}
    refuted = {claim.id for claim in _refuted(state, context)}
    return [claim for claim in state.claims if claim.id in refuted | partly]


def _refuted(state: Rac, context: RacContext) -> list[Claim]:
    if not context.rag:
        return state.claims[: context.max_claims]
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    return [claim for claim in state.claims if claim.id in refuted]


def removals(state: Rac, context: RacContext, spared: Set[str]) -> list[Fix]:
    """Fixes that take out unsupported claims, where the run says so and there are documents.

    What a model took for a claim and is none, such as an instruction, stays unless it is refuted.
    """
    if not state.documents or _keeps_all(state, context):
        return []
    unclaimed = Spans(find_unclaimed(state.draft), lambda skipped: (skipped.start, skipped.end))
    stay = spared | {c.id for c in state.claims if unclaimed.touching(c.start, c.start + 1)}
    return [
        Fix(claim=v.claim, text="", evidence=v.evidence, explanation=v.explanation)
        for v in state.verdicts
        if v.claim not in (spared if v.label == "refuted" else stay) and _unwanted(v, context)
    ]


def _keeps_all(state: Rac, context: RacContext) -> bool:
    """Whether the draft stays, having no refuted claim (KAT, section 4.4)."""
    return context.keep_all_true and all(v.label != "refuted" for v in state.verdicts)


def _unwanted(verdict: Verdict, context: RacContext) -> bool:
    """Whether a run takes a claim out."""
    bad = verdict.label in ("refuted", "not_mentioned")
    return context.drops and bad and not _not_judged(verdict, context)


def _not_judged(verdict: Verdict, context: RacContext) -> bool:
    """Whether a claim that is not mentioned is not unlikely enough to take out.

    What documents seem to lack, or to contradict, the local reader often only failed to see.
    """
    if verdict.label != "not_mentioned" or verdict.score is None:
        return False
    is_spoken_of = verdict.reason not in (None, "absent") and context.drop_below < 1
    return is_spoken_of or verdict.score > context.drop_below


def say_what_is_left(state: Rac, context: RacContext, settled: Set[str]) -> list[str]:
    """A note on how many unsupported claims stay where such claims are to go, and why."""
    bad = [v for v in state.verdicts if v.label != "supported" and v.claim not in settled]
    if not (context.drops and bad):
        return []
    spared = "that keep_all_true keeps" if _keeps_all(state, context) else UNCORRECTED
    counts = Counter(_why_left(verdict, context) or spared for verdict in bad)
    reasons = ", ".join(f"{number} {reason}" for reason, number in counts.items())
    return [f"left {len(bad)} unsupported {'claim' if len(bad) == 1 else 'claims'}: {reasons}"]


def _why_left(verdict: Verdict, context: RacContext) -> str:
    """Why a claim may not be taken out; empty if its verdict does not say."""
    if _not_judged(verdict, context):
        understood = verdict.reason != "not_understood"
        return UNSURE if understood else "that the local reader could not judge"
    return _LEFT.get(verdict.label, "")


def implied_verdicts(
    claims: Sequence[Claim], fixes: Sequence[Fix], failed: Set[str]
) -> list[Verdict]:
    """The verdicts that follow from correcting without verifying: a changed claim was wrong."""
    by_claim = {fix.claim: fix for fix in fixes}
    return [_implied(claim, by_claim.get(claim.id), claim.id in failed) for claim in claims]


def _implied(claim: Claim, fix: Fix | None, failed: bool) -> Verdict:
    if fix:
        reason, quotes = fix.explanation, fix.evidence
        return Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=reason)
    reason = "kept as written; correcting without RAG judges none"
    return Verdict(
        claim=claim.id, label="unreadable" if failed else "unchecked", explanation=reason
    )


def _read_fixes(state: Rac, claims: Sequence[Claim], texts: Mapping[str, str]) -> list[Fix]:
    """A fix for each claim that the model changed, with the quote that shows the new text."""
    changed = {c.id: texts[c.id] for c in claims if texts.get(c.id, c.text) != c.text}
    quotes = dict(zip(changed, quote_texts(changed.values(), state.documents), strict=True))
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    return [_fix(name, text, quotes[name], verdicts.get(name)) for name, text in changed.items()]


def _fix(claim: str, text: str, quote: Quote | None, verdict: Verdict | None) -> Fix:
    """A model's correction of a claim, explained by the verdict on it."""
    seen = verdict.evidence if verdict else ()
    explanation = verdict.explanation if verdict else ""
    evidence = (quote,) if quote and text else seen
    return Fix(claim=claim, text=text, evidence=evidence, explanation=explanation)


def _revised(verdicts: Sequence[Verdict], fixes: Sequence[Fix], right: Set[str]) -> list[Verdict]:
    """The verdicts after correcting: with the evidence of the fixes, without what proved right."""
    shown = {fix.claim: fix.evidence for fix in fixes if fix.text and fix.evidence}
    return [
        replace(verdict, label="supported", reason=None, doubted=(), explanation=SECOND_LOOK)
        if verdict.claim in right
        else replace(verdict, evidence=shown.get(verdict.claim, verdict.evidence))
        for verdict in verdicts
    ]


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
    batches = in_batches(claims, context.claims_per_call)
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
    lines = (_claim_line(claim, verdicts.get(claim.id)) for claim in claims)
    return {
        "question": state.question,
        "documents": await to_thread(_excerpts, texts, state.documents, context),
        "draft": await to_thread(around, state.draft, claims),
        "claims": "\n".join(f"{n}. {line}" for n, line in enumerate(lines, start=1)),
    }


def _claim_line(claim: Claim, verdict: Verdict | None) -> str:
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
