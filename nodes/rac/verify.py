"""Judge every claim by the documents (section 4.2)."""

from asyncio import to_thread
from collections.abc import Collection, Sequence
from typing import NamedTuple

from langgraph.runtime import Runtime

from errata.core.errors import count
from errata.core.records import Claim, Document, Quote, Usage, Verdict
from errata.nodes.ask import ask_role, number_documents, number_lines
from errata.nodes.claims import judge_by_code, judge_in_batches, unchecked, within_limit
from errata.nodes.decide import Brief, choose_mends
from errata.nodes.rac.judgements import Judgement, find_quotes, read_judgements
from errata.nodes.rac.reply_forms import schema_for
from errata.nodes.rac.state import ClaimContext, Rac
from errata.nodes.step import Update, in_thread_or, note, spend
from errata.tools.judges.differences import UNMARKED, mark_disputes
from errata.tools.judges.verifier import NO_DOCUMENT, OTHER_LANGUAGE, are_spoken_of, attach_quotes
from errata.tools.local.mends import Mend
from errata.tools.local.refine import select_passages
from errata.tools.text.language import MAX_CHARACTERS, detect_foreign_draft

TEMPLATE = "rac/verify"
AGAIN = f"{TEMPLATE}.v1"
"""The plainest form, in which is asked again about what a reply does not say: JSON if it can be."""


class JudgedClaims(NamedTuple):
    """What is known of claims once they are judged."""

    verdicts: list[Verdict]
    mends: dict[str, list[Mend]]
    """By the claim's id, what a model says stands in the place of its wrong words."""


async def verify(state: Rac, runtime: Runtime[ClaimContext]) -> Update:
    """Judge every claim; one that cannot be judged says so and counts as nothing."""
    context = runtime.context
    claims, rest = within_limit(state.claims, context)
    judged = await judge_of_draft(state, claims, state.documents, context)
    return {"verdicts": [*judged.verdicts, *rest], "mends": judged.mends}


async def judge_of_draft(
    state: Rac, claims: Sequence[Claim], documents: Sequence[Document], context: ClaimContext
) -> JudgedClaims:
    """A verdict on each of some claims from what fills the role, in the whole draft's language."""
    if not (claims and documents):
        return JudgedClaims(unchecked(claims, NO_DOCUMENT), {})
    brief, cascades = Brief(state.question, claims, documents), context.cascades("verify")
    if context.by_model("verify") and not cascades:
        return await _by_model(brief, context)
    # Alone, a short sentence such as "Murió en 1934." might be English.
    whole = state.draft if len(state.draft) <= MAX_CHARACTERS else ""
    language = await to_thread(detect_foreign_draft, whole) if whole else ""
    verdicts = await judge_by_code(brief, context, "verify", language)
    if cascades:
        return await judge_again(brief, verdicts, context)
    if context.deciders("verify") and not context.check_only:
        return JudgedClaims(verdicts, await choose_mends(brief, verdicts, context))
    if foreign := [own for own in verdicts if own.explanation.startswith(OTHER_LANGUAGE)]:
        share = f"{len(foreign)} of {count(claims, 'claim')}"
        note(f"{share} not judged: {foreign[0].explanation}")
    return JudgedClaims(verdicts, {})


async def judge_again(
    brief: Brief, verdicts: Sequence[Verdict], context: ClaimContext, also: Collection[str] = ()
) -> JudgedClaims:
    """The verdicts of a cascade's first, and the second's on what is unsure or in `also`."""
    unsure, number = await to_thread(find_unsure, brief, verdicts, context, also), len(brief.claims)
    second = await ask_second(brief._replace(claims=unsure), number, context)
    spend(Usage(by_role={"verify": {"claims": float(number)}}))
    by_claim = {verdict.claim: verdict for verdict in (*verdicts, *second.verdicts)}
    return JudgedClaims(list(by_claim.values()), second.mends)


async def ask_second(brief: Brief, of: int, context: ClaimContext) -> JudgedClaims:
    """What the second of a cascade says of some claims, of so many that the first has judged."""
    asked = len(brief.claims)
    spend(Usage(by_role={"verify": {"escalated": float(asked)}}))
    if not asked:
        return JudgedClaims([], {})
    if context.passes_on("verify"):
        return JudgedClaims(await judge_by_code(brief, context, "verify", place=1), {})
    return await _by_model(brief, context, asked / of)


def find_unsure(
    brief: Brief, verdicts: Sequence[Verdict], context: ClaimContext, also: Collection[str] = ()
) -> list[Claim]:
    """The claims that the first of a cascade passes to the second, and those `also` of these ids.

    It keeps what it refutes by an exact difference, what it is sure is supported, and what scores
    low if nothing in the documents speaks of it. Where most claims score low, the draft may be
    about something else than the documents, which the second has to see whole.
    """
    question, claims, documents = brief
    above, below = context.deployment.sure_above, context.deployment.sure_below
    low = {v.claim for v in verdicts if v.score is not None and v.score < below}
    low = low if len(low) * 2 <= len(claims) else set()
    texts = [claim.text for claim in claims if claim.id in low]
    spoken_of = dict(zip(texts, are_spoken_of(question, texts, documents), strict=True))
    unsure = list[Claim]()
    for claim, verdict in zip(claims, verdicts, strict=True):
        if verdict.score is None:
            may_be_wrong = verdict.explanation.startswith(OTHER_LANGUAGE)
        else:
            may_be_wrong = verdict.label != "refuted" and verdict.score <= above
        if (may_be_wrong and spoken_of.get(claim.text, True)) or claim.id in also:
            unsure.append(claim)
    return unsure


async def _by_model(brief: Brief, context: ClaimContext, share: float = 1.0) -> JudgedClaims:
    """A model's verdicts, all batches at once; it reads the claims' share of documents, or half."""
    question, claims, documents = brief
    tokens = int(context.passage_tokens * max(0.5, share))
    mends, named = dict[str, list[Mend]](), dict[str, list[Document]]()
    offered = "->" in context.template(TEMPLATE).head.reply

    async def judge(batch: Sequence[Claim], again: bool) -> dict[Claim, Verdict]:
        texts = [claim.text for claim in batch]
        shown = await to_thread(select_passages, texts, documents, tokens)
        given = {"documents": number_documents(shown), "claims": number_lines(texts)}
        lost = f"{count(batch, 'claim', 'was')} not checked"
        template, schema = (AGAIN, schema_for(texts)) if again else (TEMPLATE, None)
        own = {"if_failed": lost, "question": question, **given}
        reply = await ask_role(context, "verify", template, None, True, schema, **own)
        if reply.failure:
            return dict(zip(batch, unchecked(batch, str(reply.failure)), strict=True))
        verdicts = dict[Claim, Verdict]()
        for claim, judgement in zip(batch, read_judgements(reply.text, texts), strict=True):
            verdicts[claim] = _verdict(claim, judgement, find_quotes(judgement, shown, documents))
            ids = [d.id for d in shown[judgement.document - 1 : judgement.document]]
            named[claim.id] = [document for document in documents if document.id in ids]
            if changes := _changes_for(judgement, context) if offered else []:
                mends[claim.id] = changes
        return verdicts

    verdicts = await judge_in_batches(context, TEMPLATE, claims, context.claims_per_call, judge)
    quoted = await to_thread(attach_quotes, claims, verdicts, documents, named)
    marking = (mark_disputes, question, claims, quoted, documents)
    return JudgedClaims(await in_thread_or(quoted, UNMARKED, *marking), mends)


def _changes_for(judgement: Judgement, context: ClaimContext) -> list[Mend]:
    """What a line puts in the place of words; what is merely unsaid goes where the run drops it."""
    is_false = judgement.label == "refuted" and not all(c.unsaid for c in judgement.changes)
    wanted = [c for c in judgement.changes if context.drops or not c.unsaid]
    return [(c.wrong, c.right) for c in wanted] if is_false or context.drops else []


def _verdict(claim: Claim, judgement: Judgement, quotes: Sequence[Quote]) -> Verdict:
    """A line of a model's reply as a verdict, which says in what claim and documents differ."""
    refuted, unsaid = judgement.label == "refuted", _unsaid(judgement)
    wrong = [words for words in judgement.doubted if refuted and words not in unsaid]
    missing = [words for words in judgement.doubted if words not in wrong]
    reasons, shown = list[str](), " … ".join(quote.text for quote in quotes)
    if refuted and (quotes or wrong):
        says = f": the evidence says “{shown}”" if quotes else ""
        reasons.append(f"{_quoted(wrong) or 'the claim'} is wrong{says}")
    if missing:
        reasons.append(f"the documents do not say {_quoted(missing)}")
    return Verdict(
        claim=claim.id,
        label=judgement.label,
        doubted=judgement.doubted,
        evidence=tuple(quotes),
        explanation="; ".join(reasons),
    )


def _unsaid(judgement: Judgement) -> set[str]:
    """The words, without a comma before them, that documents merely leave unsaid."""
    return {change.wrong.removeprefix(", ") for change in judgement.changes if change.unsaid}


def _quoted(parts: Sequence[str]) -> str:
    return "; ".join(f"“{words}”" for words in parts)
