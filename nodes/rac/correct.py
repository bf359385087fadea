"""Mend claims by the documents: the refuted ones with RAG, every one without (3.4, 4.3)."""

from asyncio import to_thread
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import replace

from langgraph.runtime import Runtime

from errata.core.edits import Spans
from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Fix, Verdict, VerdictLabel
from errata.nodes.choose import fixes_of
from errata.nodes.claims import abstention, correct_locally
from errata.nodes.rac.corrections import ask_corrections
from errata.nodes.rac.state import ClaimContext, Rac, keeps_all
from errata.nodes.step import Update, note
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.mends import apply_mends
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.unclaimed import find_unclaimed

SECOND_LOOK = "judged wrong at first; the model that was to correct it found it right"


async def correct(state: Rac, runtime: Runtime[ClaimContext]) -> Update:
    """Correct claims; one that fails keeps its text and is noted."""
    context = runtime.context
    right, failed, fixes = set[str](), set[str](), list[Fix]()
    texts: Mapping[str, str] = {}
    mended = await to_thread(mend_claims, state, context)
    if context.model_for("correct") is not None:
        # Where unmentioned claims are to go, also those of which only some words are not mentioned.
        wanted = {v.claim for v in state.verdicts if v.doubted and _unwanted(v, context)}
        wanted |= {claim.id for claim in _refuted(state, context)}
        claims = [c for c in state.claims if c.id in wanted and c.id not in mended]
        texts, right, failed = await ask_corrections(state, claims, context)
    elif language := await to_thread(detect_foreign_draft, state.draft):
        if not context.rag:
            note(abstention(language))
    else:
        claims = [claim for claim in _refuted(state, context) if claim.id not in mended]
        fixes = await correct_locally(state, context, "correct", claims)
    if context.sole_deciders("verify"):
        wrong = [claim for claim in state.claims if claim.id in mended]
        fixes += await to_thread(fixes_of, wrong, state.mends, state.documents)
    fixed = {fix.claim for fix in fixes}
    texts = {name: text for name, text in {**texts, **mended}.items() if name not in fixed}
    fixes += await to_thread(_read_fixes, state, texts, mended)
    spared = {fix.claim for fix in fixes} | right | failed
    fixes = [*fixes, *await to_thread(removals, state, context, spared)]
    note(*say_what_is_left(state, context, {fix.claim for fix in fixes} | right))
    return {"fixes": fixes, "verdicts": _verdicts_after(state, fixes, right, failed)}


def _refuted(state: Rac, context: ClaimContext) -> list[Claim]:
    """The refuted claims with RAG, all without (equations 4 and 8)."""
    if not context.rag:
        return state.claims[: context.deployment.max_claims]
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    return [claim for claim in state.claims if claim.id in refuted]


def mend_claims(state: Rac, context: ClaimContext) -> dict[str, str]:
    """The texts of claims that the verdicts' own words mend, where the run changes such claims.

    One is empty where the claim goes. A model that revises sentences gets what code cannot mend
    well as it is without its wrong words; else such a claim is corrected by a call.
    """
    roughly = context.revision == "sentences" and context.by_model("revise")
    wanted = {v.claim for v in state.verdicts if v.label == "refuted" or _unwanted(v, context)}
    made = {
        claim.id: (claim.text, apply_mends(claim.text, state.mends[claim.id], roughly=roughly))
        for claim in state.claims
        if claim.id in wanted and claim.id in state.mends and context.rag
    }
    return {name: text for name, (old, text) in made.items() if text is not None and text != old}


def removals(state: Rac, context: ClaimContext, spared: Set[str]) -> list[Fix]:
    """Fixes that take out unsupported claims, where the run says so and there are documents.

    What a model took for a claim and is none, such as an instruction, stays unless it is refuted.
    """
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
    """Whether a run takes a claim out."""
    bad = verdict.label in ("refuted", *INCONCLUSIVE)
    return context.drops and bad and not _not_judged(verdict, context)


def _not_judged(verdict: Verdict, context: ClaimContext) -> bool:
    """Whether a claim that is disputed or not mentioned is not unlikely enough to take out.

    What documents seem to lack, or to contradict, the judge often only failed to see.
    """
    if verdict.label not in INCONCLUSIVE or verdict.score is None:
        return False
    is_found = verdict.label == "disputed" or verdict.reason == "not_understood"
    is_spoken_of = is_found and context.drop_below < 1
    return is_spoken_of or verdict.score > context.drop_below


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
    """The verdicts with the evidence of the fixes, and supported where a claim proved right.

    Where nothing was verified they follow from correcting: a changed claim was wrong.
    """
    by_claim = {fix.claim: fix for fix in fixes}
    verdicts = list[Verdict]()
    for verdict in state.verdicts:
        fix = by_claim.get(verdict.claim)
        if verdict.claim in right:
            found = replace(verdict, label="supported", reason=None, doubted=())
            verdicts.append(replace(found, explanation=SECOND_LOOK))
        elif fix and fix.text and fix.evidence:
            verdicts.append(replace(verdict, evidence=fix.evidence))
        else:
            verdicts.append(verdict)
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
    """A fix for each claim that a model changed, explained by the verdict on it.

    What the verifying model `mended` is shown by its own quote, the lack of support by none; what a
    corrector writes by the quote closest to it.
    """
    changed = {c.id: texts[c.id] for c in state.claims if texts.get(c.id, c.text) != c.text}
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    written = {name: text for name, text in changed.items() if text and name not in mended}
    nearest = quote_texts(written.values(), state.documents)
    quotes = {name: (quote,) for name, quote in zip(written, nearest, strict=True) if quote}
    fixes = list[Fix]()
    for name, text in changed.items():
        verdict = verdicts.get(name) or Verdict(claim=name, label="refuted")
        is_shown = verdict.label == "refuted" or name not in mended
        evidence = quotes.get(name, verdict.evidence if is_shown else ())
        explanation = verdict.explanation
        fixes.append(Fix(claim=name, text=text, evidence=evidence, explanation=explanation))
    return fixes
