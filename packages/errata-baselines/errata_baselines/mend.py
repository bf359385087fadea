"""Mend a draft by its verdicts: by local code, or by a text that a model wrote anew."""

import re
from asyncio import gather, to_thread
from collections.abc import Collection, Mapping, Sequence

from errata.core.edits import Span, apply_edits, diff, in_form_of
from errata.core.errors import OutOfTimeError
from errata.core.records import Claim, Document, Edit, VerdictLabel
from errata.nodes.claims import correct_locally
from errata.nodes.rewrite import Line, drop_harmful, rewrite_lines
from errata.nodes.state import CorrectionState, RevisionContext
from errata.nodes.step import note
from errata.tools.local.changes import Ground, settle
from errata.tools.local.correct import correct as correct_claims
from errata.tools.local.extract import extract, repeated_stems, sentence_places
from errata.tools.local.refine import select_passages
from errata.tools.local.revise import revise as revise_by_fixes
from errata.tools.local.tidy import tidy
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import content_stems

_REFUTED: tuple[VerdictLabel, ...] = ("refuted",)


async def revise_locally(state: CorrectionState, context: RevisionContext, role: str) -> list[Edit]:
    """Local code's edits of the refuted claims; those without a place in the draft are noted."""
    refuted = {verdict.claim for verdict in state.verdicts if verdict.label == "refuted"}
    claims = [claim for claim in state.claims if claim.id in refuted]
    if not (claims and state.documents):
        return []
    fixes = await correct_locally(state, context, role, claims)
    draft = (state.question, state.draft, state.claims, fixes, state.verdicts)
    edits, notes = await to_thread(revise_by_fixes, *draft)
    note(*notes)
    return edits


async def edits_to(state: CorrectionState, context: RevisionContext, text: str) -> list[Edit]:
    """The edits that make another text of the draft, each tied to the claims it rests on."""
    try:
        edits = await to_thread(diff, state.draft, in_form_of(state.draft, text))
        return await settle_edits(state, context, edits)
    except OutOfTimeError as error:
        note(f"the draft was not revised: {error}")
        return []


async def rewrite_failed(
    state: CorrectionState,
    context: RevisionContext,
    templates: Mapping[VerdictLabel, str],
    tokens: int,
) -> list[Edit]:
    """The edits of sentences whose claims failed, each rewritten by evidence in its own call.

    `templates` are by the label of a failed claim; of several in a sentence the last one counts.
    `tokens` bounds the documents that a call shows; 0: no limit.
    """
    failed = {v.claim: v for v in state.verdicts if v.label in templates}
    sentences = dict[Span, list[Claim]]()
    for claim in state.claims:
        if claim.id in failed:
            sentences.setdefault((claim.start, claim.end), []).append(claim)
    calls = []
    for place, claims in sentences.items():
        texts = [claim.text for claim in claims]
        shown = await to_thread(select_passages, texts, state.documents, tokens)
        errors = (f"“{c.text}” {failed[c.id].explanation}".strip() for c in claims)
        line = Line(*place, tuple(document.text for document in shown), tuple(errors))
        labels = {failed[claim.id].label for claim in claims}
        template = [template for label, template in templates.items() if label in labels][-1]
        calls.append(rewrite_lines(context, template, state.question, state.draft, [line]))
    edits = [edit for own in await gather(*calls) for edit in own]
    return await settle_edits(state, context, edits, labels=templates)


async def settle_edits(
    state: CorrectionState,
    context: RevisionContext,
    edits: Sequence[Edit],
    labels: Collection[VerdictLabel] = _REFUTED,
) -> list[Edit]:
    """A model's edits, each tied to the claims it rests on, without those that do harm.

    It may rest on claims whose verdicts have one of the labels.
    """
    if not edits:
        return []
    bad = {verdict.claim: verdict for verdict in state.verdicts if verdict.label in labels}
    pairs = [(claim, bad[claim.id]) for claim in state.claims if claim.id in bad]
    grounds = [
        Ground((c.start, c.end), content_stems(c.text), (c.id,), v.evidence, v.explanation)
        for c, v in pairs
    ]
    whole = await to_thread(settle, state.draft, edits, sentence_places(state.draft), grounds)
    judged = [v for v in state.verdicts if v.label not in ("unchecked", "unreadable")]
    ground = (state.claims, (), state.documents, "", judged)
    harmless = await drop_harmful(state, context, whole, *ground)
    tidied, notes = await to_thread(tidy, state.question, state.draft, harmless)
    note(*notes)
    return tidied


def correct_text(
    question: str,
    text: str,
    problems: Sequence[str],
    documents: Sequence[Document],
    weights: str = "",
) -> str:
    """The text with the claims that problems speak of as documents have them, where that is sure.

    Raises OutOfTimeError.
    """
    claims = extract(question, text)
    found = {claim.id: claim for p in problems if (claim := claim_spoken_of(claims, p))}
    fixes = correct_claims(question, [*found.values()], documents, weights)
    edits, _ = revise_by_fixes(question, text, claims, fixes)
    return apply_edits(text, edits)


def split_at(reply: str, heading: str, text: str = "") -> tuple[str, str]:
    r"""What stands before and after a heading, with its colon, at the beginning of a line.

    Where there are several, the last one counts, but for those that the text which the reply
    repeats has itself; without one all stands before it.

    >>> split_at("The year is wrong.\n**Fix:** She was born in 1867.", "fix")
    ('The year is wrong.', 'She was born in 1867.')
    """
    lead = rf"^[^\w\n]*(?:\d+\W+)?(?:my |the )?{re.escape(heading)}[*_ ]*[:：][*_]*"
    flags = re.IGNORECASE | re.MULTILINE
    found = list(re.finditer(lead, reply, flags))
    if not found:
        return reply.strip(), ""
    own = sum(1 for _ in re.finditer(lead, text, flags))
    last = found[max(len(found) - 1 - own, 0)]
    return reply[: last.start()].strip(), reply[last.end() :].strip()


def claim_spoken_of(claims: Sequence[Claim], text: str) -> Claim | None:
    """The claim that a text speaks of: the one whose words it has, rare ones before common ones.

    None if it has no word of any but those that all claims have, which tell none from another.
    """
    bags = [content_stems(claim.text) for claim in claims]
    ranking = Ranking([sorted(bag) for bag in bags])
    found = ranking.best(sorted(content_stems(text) - repeated_stems(bags)), 1)
    return claims[found[0][0]] if found else None
