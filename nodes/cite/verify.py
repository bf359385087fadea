"""Judge each sentence by the sources that it cites, alone and together, and by the others."""

import re
from asyncio import gather, to_thread
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from langgraph.runtime import Runtime

from errata.core.limits import report_progress
from errata.core.records import INCONCLUSIVE, Claim
from errata.nodes.cite.audit import Audit, Ids
from errata.nodes.cite.findings import Case, count_source
from errata.nodes.cite.state import Cite, CiteContext, Finding
from errata.nodes.claims import within_limit
from errata.nodes.rac.verify import JudgedClaims, judge_of_draft
from errata.nodes.step import Update, in_thread_or
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.text.quotations import find_quotations
from errata.tools.text.references import CitedSentence
from errata.tools.text.words import content_stems

RIVALS = 3
"""How many documents that a sentence does not cite are compared with those that it does."""
STRIPS = 3
"""By how many of its strips a document is compared."""
OPEN: tuple[Finding, ...] = ("supported", "unclear", "wrong_source", "missing_mark")
"""Findings by which no claim counts as unsupported."""


async def verify(state: Cite, runtime: Runtime[CiteContext]) -> Update:
    """Find what each sentence's marks are worth, and a verdict on each of its claims."""
    context = runtime.context
    owned = claims_of(state)
    claims, over = within_limit([claim for own in owned for claim in own], context)
    spare = {verdict.claim for verdict in over}
    by_decisions = bool(context.deciders("verify"))
    audit = Audit(state, by_decisions or context.by_model("verify"), by_decisions)
    known = [[claim for claim in own if claim.id not in spare] for own in owned]
    pairs = [
        (claim, audit.cited(sentence))
        for sentence, own in zip(state.sentences, known, strict=True)
        for claim in own
    ]
    await ask_sources(pairs, audit, context)
    undone = "whether newer versions say otherwise was not told for all sentences"
    await in_thread_or(None, undone, audit.compare_versions, pairs)
    if not audit.by_model:
        undone = "whether other sources are nearer to a sentence was not told"
        none = dict[int, dict[str, float]]()
        audit.nearness.update(await in_thread_or(none, undone, find_nearness, audit, known))
    cases = [Case(audit, n, state.sentences[n], own) for n, own in enumerate(known)]
    citations = await to_thread(lambda: [case.examine() for case in cases])
    open_ = {claim for c in citations if c.finding in OPEN for claim in c.claims}
    decided = [audit.decide(*pair) for pair in pairs]
    verdicts = [
        replace(verdict, label="unchecked", reason=None)
        if verdict.label in INCONCLUSIVE and verdict.claim in open_
        else verdict
        for verdict, _ in decided
    ]
    return {
        "claims": [*claims, *(claim for claim in state.claims if claim.id in spare)],
        "verdicts": [*verdicts, *over],
        "mends": {v.claim: m for v, by in decided if (m := audit.mends.get((v.claim, by)))},
        "citations": citations,
        "sources": [count_source(source, citations) for source in state.sources],
    }


def claims_of(state: Cite) -> list[list[Claim]]:
    """The claims of each sentence: itself if it cites, or the draft has none, and none is in it."""
    starts = [sentence.start for sentence in state.sentences] + [len(state.draft) + 1]
    owned, number = list[list[Claim]](), len(state.claims)
    for sentence, (start, end) in zip(state.sentences, pairwise(starts), strict=True):
        last = min(end, sentence.end)
        own = [_unmarked(c, sentence) for c in state.claims if start <= c.start < last]
        if not own and (sentence.marks or find_quotations(sentence.text) or not state.claims):
            number += 1
            first, last = sentence.start, sentence.end
            own = [Claim(id=f"c{number}", text=sentence.text, start=first, end=last)]
        owned.append(own)
    return owned


def _unmarked(claim: Claim, sentence: CitedSentence) -> Claim:
    """A claim without what its sentence's list of references tells to be a mark: Brandt (2024)."""
    text = claim.text
    for mark in (mark for mark in sentence.marks if mark.form == "author_year"):
        named = rf"({re.escape(mark.words)})\s*{re.escape(mark.text.strip())}"
        text = re.sub(named, r"\1", text, count=1)
    return replace(claim, text=text)


async def ask_sources(
    pairs: Sequence[tuple[Claim, Sequence[str]]], audit: Audit, context: CiteContext
) -> None:
    """Have claims judged by each cited source, then together, by the others, and newer versions."""
    every, newer = frozenset(audit.documents), audit.newer
    await ask_by(audit, context, ((claim, frozenset([i])) for claim, ids in pairs for i in ids))
    open_ = [(c, ids) for c, ids in pairs if not any(audit.bears(c, each) for each in ids)]
    await ask_by(audit, context, ((c, frozenset(ids)) for c, ids in open_ if len(ids) > 1))
    told = ("supported", "refuted")
    left = (
        (c, every - {*ids})
        for c, ids in open_
        if not any(audit.verdict(c, *each).label in told for each in (ids, *([i] for i in ids)))
    )
    await ask_by(audit, context, left)
    later = (
        (claim, frozenset([newer[each]]))
        for claim, ids in pairs
        for each in ids
        if newer.get(each, each) not in ids and audit.bears(claim, each)
    )
    await ask_by(audit, context, dict.fromkeys(later))


async def ask_by(audit: Audit, context: CiteContext, wanted: Iterable[tuple[Claim, Ids]]) -> None:
    """Judge claims by sets of documents, all claims of one set at once."""
    groups = defaultdict[Ids, list[Claim]](list)
    for claim, ids in wanted:
        if ids:
            groups[ids].append(claim)
    done, total = 0, sum(map(len, groups.values()))
    report_progress(done, total)

    async def judge_by(ids: Ids, claims: Sequence[Claim]) -> JudgedClaims:
        nonlocal done
        documents = [document for name, document in audit.documents.items() if name in ids]
        judged = await judge_of_draft(audit.state, claims, documents, context)
        done += len(claims)
        report_progress(done, total)
        return judged

    found = await gather(*(judge_by(*group) for group in groups.items()))
    for ids, judged in zip(groups, found, strict=True):
        audit.verdicts.update({(v.claim, ids): v for v in judged.verdicts})
        audit.mends.update({(claim, ids): mends for claim, mends in judged.mends.items()})


def find_nearness(audit: Audit, owned: Sequence[Sequence[Claim]]) -> dict[int, dict[str, float]]:
    """How near cited and likely documents are to each open sentence; raises OutOfTimeError."""
    evaluator, near = load_local_evaluator(), defaultdict[int, dict[str, float]](dict)
    strips = {
        name: [(content_stems(strip.text), strip.text) for strip in own]
        for name, own in audit.strips.items()
    }
    for place, (sentence, claims) in enumerate(zip(audit.state.sentences, owned, strict=True)):
        ids, stems = audit.cited(sentence), content_stems(sentence.text)
        if not ids[1:] and all(audit.bears(claim, *ids) for claim in claims):
            continue
        best, shared = dict[str, list[str]](), dict[str, int]()
        for name, own in strips.items():
            ranked = sorted(own, key=lambda strip: -len(strip[0] & stems))[:STRIPS]
            best[name] = [text for _, text in ranked]
            shared[name] = max((len(words & stems) for words, _ in ranked), default=0)
        rest = sorted((name for name in best if name not in ids), key=lambda name: -shared[name])
        for name in (*ids, *rest[:RIVALS]):
            texts = [(audit.documents[name].title, text) for text in best[name]]
            near[place][name] = max(evaluator.score(sentence.text, texts), default=-1)
        report_progress(place + 1, len(owned))
    return near
