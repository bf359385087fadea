"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

import re
from asyncio import to_thread
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import replace

from langgraph.runtime import Runtime

from errata.core.edits import Spans
from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Fix, Verdict, VerdictLabel
from errata.nodes.ask import ask_all, in_batches, number_documents
from errata.nodes.claims import abstention, correct_locally
from errata.nodes.decide import fixes_of
from errata.nodes.rac.state import ClaimContext, Rac, keeps_all
from errata.nodes.step import Update, note
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.extract import sentence_places
from errata.tools.local.mends import apply_mends, mark_mends, without_marked
from errata.tools.local.refine import select_passages
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.unclaimed import find_unclaimed

SECOND_LOOK = "judged wrong at first; the model that was to correct it found it right"


async def correct(state: Rac, runtime: Runtime[ClaimContext]) -> Update:
    """Correct claims; one that fails keeps its text and is noted."""
    context = runtime.context
    right, failed, fixes = set[str](), set[str](), list[Fix]()
    texts: Mapping[str, str] = {}
    mended = await to_thread(mend_claims, state, context)
    claims = [claim for claim in _find_wrong(state, context) if claim.id not in mended]
    if context.by_model("correct"):
        texts, right, failed = await ask_corrections(state, claims, context)
    elif language := await to_thread(detect_foreign_draft, state.draft):
        if not context.rag:
            note(abstention(language))
    else:
        fixes = await correct_locally(state, context, "correct", claims)
    if context.sole_deciders("verify"):
        wrong = [claim for claim in state.claims if claim.id in mended]
        fixes += await to_thread(fixes_of, wrong, state.mends, state.documents)
    fixed = {fix.claim for fix in fixes}
    texts = {name: text for name, text in {**texts, **mended}.items() if name not in fixed}
    fixes += await to_thread(_read_fixes, state, texts, mended)
    spared = {fix.claim for fix in fixes} | right | failed
    fixes += await to_thread(removals, state, context, spared)
    note(*say_what_is_left(state, context, {fix.claim for fix in fixes} | right))
    return {"fixes": fixes, "verdicts": _verdicts_after(state, fixes, right, failed)}


def _find_wrong(state: Rac, context: ClaimContext) -> list[Claim]:
    """The refuted claims with RAG, all without (equations 4 and 8)."""
    if not context.rag:
        return state.claims[: context.deployment.max_claims]
    wrong = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    if context.by_model("correct"):
        # Where unmentioned claims are to go, also those of which only some words are not mentioned.
        wrong |= {v.claim for v in state.verdicts if v.doubted and _unwanted(v, context)}
    return [claim for claim in state.claims if claim.id in wrong]


def mend_claims(state: Rac, context: ClaimContext) -> dict[str, str]:
    """The texts of claims that the verdicts' own words mend; one is empty where the claim goes."""
    wanted = {v.claim for v in state.verdicts if v.label == "refuted" or _unwanted(v, context)}
    # A model that revises sentences gets also what code cannot mend well.
    by_sentences = context.revision == "sentences" and context.by_model("revise")
    texts = dict[str, str]()
    for claim in state.claims if context.rag else ():
        if claim.id in wanted and (mends := state.mends.get(claim.id)):
            text = apply_mends(claim.text, mends)
            if text is None and by_sentences and (marked := mark_mends(claim.text, mends)):
                text = without_marked(marked)
            if text is not None and text != claim.text:
                texts[claim.id] = text
    return texts


def find_fragments(state: Rac) -> dict[str, str]:
    """What is left of claims whose mends make no sentence, each with what a reviser is shown."""
    mended = ((c.text, state.mends[c.id]) for c in state.claims if c.id in state.mends)
    rough = (mark_mends(text, own) for text, own in mended if apply_mends(text, own) is None)
    return {without_marked(marked): marked for marked in rough if marked}


def removals(state: Rac, context: ClaimContext, spared: Set[str]) -> list[Fix]:
    """Fixes that take out unsupported claims, where the run says so; what claims nothing stays."""
    if not state.documents or keeps_all(state, context):
        return []
    unclaimed = Spans(find_unclaimed(state.draft), lambda skipped: (skipped.start, skipped.end))
    stay = spared | {c.id for c in state.claims if unclaimed.touching(c.start, c.start + 1)}
    return [
        Fix(claim=v.claim, text="", evidence=v.evidence, explanation=v.explanation)
        for v in state.verdicts
        if v.claim not in (spared if v.label == "refuted" else stay) and _unwanted(v, context)
    ]


def _unwanted(verdict: Verdict, context: ClaimContext) -> bool:
    """Whether a run takes a claim out: one that lacks support only if it scores low enough."""
    if not context.drops or verdict.label not in INCONCLUSIVE or verdict.score is None:
        return context.drops and verdict.label in ("refuted", *INCONCLUSIVE)
    is_found = verdict.label == "disputed" or verdict.reason == "not_understood"
    is_spoken_of = is_found and context.drop_below < 1
    return not is_spoken_of and verdict.score <= context.drop_below


def say_what_is_left(state: Rac, context: ClaimContext, settled: Set[str]) -> list[str]:
    """A note on how many claims that nothing supports stay where such claims are to go."""
    labels = [v.label for v in state.verdicts if v.label != "supported" and v.claim not in settled]
    if not (context.drops and labels):
        return []
    counts = Counter(label.replace("_", " ") for label in labels)
    reasons = ", ".join(f"{number} {label}" for label, number in counts.items())
    return [f"left {count(labels, 'unsupported claim')}: {reasons}"]


def _verdicts_after(
    state: Rac, fixes: Sequence[Fix], right: Set[str], failed: Set[str]
) -> list[Verdict]:
    """The verdicts with the fixes' evidence; by the fixes where nothing was verified."""
    by_claim = {fix.claim: fix for fix in fixes}
    verdicts = list[Verdict]()
    shown = {fix.claim: fix.evidence for fix in fixes if fix.text and fix.evidence}
    for verdict in state.verdicts:
        own = replace(verdict, evidence=shown.get(verdict.claim, verdict.evidence))
        if verdict.claim in right:
            own = replace(own, label="supported", reason=None, doubted=())
            own = replace(own, explanation=SECOND_LOOK)
        verdicts.append(own)
    for claim in [] if verdicts else state.claims:
        label: VerdictLabel = "unreadable" if claim.id in failed else "unchecked"
        said = "kept as written; correcting without RAG judges none"
        verdict = Verdict(claim=claim.id, label=label, explanation=said)
        if fix := by_claim.get(claim.id):
            said, quotes = fix.explanation, fix.evidence
            verdict = replace(verdict, label="refuted", evidence=quotes, explanation=said)
        verdicts.append(verdict)
    return verdicts


def _read_fixes(state: Rac, texts: Mapping[str, str], mended: Collection[str]) -> list[Fix]:
    """A fix for each changed claim, with its verdict's quote, or that closest to what is new."""
    changed = {c.id: texts[c.id] for c in state.claims if texts.get(c.id, c.text) != c.text}
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    written = {name: text for name, text in changed.items() if text and name not in mended}
    nearest = quote_texts(written.values(), state.documents)
    quotes = {name: (quote,) for name, quote in zip(written, nearest, strict=True) if quote}
    fixes = list[Fix]()
    for name, text in changed.items():
        verdict = verdicts.get(name) or Verdict(claim=name, label="refuted")
        is_shown = verdict.label == "refuted" or name not in mended
        quoted, said = quotes.get(name, verdict.evidence if is_shown else ()), verdict.explanation
        fixes.append(Fix(claim=name, text=text, evidence=quoted, explanation=said))
    return fixes


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


Corrections = tuple[dict[str, str], set[str], set[str]]
"""Claims' texts by id, empty where one goes; which are right after all; which were left out."""


async def ask_corrections(
    state: Rac, claims: Sequence[Claim], context: ClaimContext
) -> Corrections:
    """A model's corrections of claims, many in a call where its template takes them."""
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
        if reply.failure:
            continue
        own = read_corrections(reply.text, batch, many=many)
        if len(own) < len(batch):
            left = count(len(batch) - len(own), "claim")
            note(f"the reply to {context.template(template).tag} held no correction of {left}")
        lines |= own
    return _sort(claims, lines, context)


def _sort(claims: Sequence[Claim], lines: Mapping[str, str], context: ClaimContext) -> Corrections:
    """The lines of replies by what they say of their claims; some have a word for a text."""
    goes = ("remove", "not told", "not mentioned") if context.drops else ("remove",)
    texts, right = dict[str, str](), set[str]()
    for claim in (claim for claim in claims if claim.id in lines):
        match = _NO_TEXT.fullmatch(lines[claim.id])
        word = match["word"].lower() if match else ""
        kept = claim.text if word else lines[claim.id]
        texts[claim.id] = "" if word in goes else kept
        right |= {claim.id} if word in ("right", "correct") else set()
    return texts, right, {claim.id for claim in claims} - texts.keys()


async def _values(state: Rac, claims: Sequence[Claim], context: ClaimContext) -> dict[str, str]:
    """What a model gets to correct claims at once, of the documents half as much as to judge."""
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
    text = claims[0].text
    shown = await to_thread(select_passages, [text], state.documents, context.passage_tokens)
    return {"question": state.question, "documents": number_documents(shown), "claim": text}


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
