"""Have a decision model choose what replaces wrong words, among words of the evidence."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.decisions import Question

from errata.core.errors import count
from errata.core.records import Claim, Document, Verdict
from errata.nodes.ask import number_documents
from errata.nodes.context import Context
from errata.nodes.decide import ENTAIL, MEND, SURE, Shares, choice, decide, predicate
from errata.prompts.library import load_prompt
from errata.tools.local.candidates import Doubt, find_doubts
from errata.tools.local.mends import Mend, apply_mends
from errata.tools.local.refine import select_passages


async def choose_mends(
    question: str,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    context: Context,
    deciders: Sequence[Any],
) -> dict[str, list[Mend]]:
    """What stands in the place of a refuted claim's words, by the claim's id.

    One request chooses among candidates for all claims, a second asks whether the documents say all
    of what the claims become; a claim that they do not say gets none.
    """
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    wrong = [claim for claim in claims if claim.id in refuted]
    texts = [claim.text for claim in wrong]
    shown = await to_thread(
        select_passages, texts, documents, getattr(context, "passage_tokens", 0)
    )
    said = [document.text for document in shown]
    doubts = await to_thread(lambda: {c.id: find_doubts(c.text, said) for c in wrong})
    values = {"question": question, "documents": number_documents(shown)}
    lost = f"{count(wrong, 'refuted claim', 'was')} not mended"
    entail, mend = (load_prompt(name, context.prompt_folder) for name in (ENTAIL, MEND))
    asked = (context, "verify", deciders, entail)
    questions: dict[str, Question] = {
        _name(claim, doubt): choice(mend, doubt.candidates, claim=claim.text, errors=doubt.words)
        for claim in wrong
        for doubt in doubts[claim.id]
    }
    chosen = await decide(*asked, questions, lost, once=questions, **values) if questions else {}
    mends = {claim.id: _read_mends(claim, doubts[claim.id], chosen) for claim in wrong}
    becomes = {
        c.id: text for c in wrong if mends[c.id] and (text := apply_mends(c.text, mends[c.id]))
    }
    checks: dict[str, Question] = {n: predicate(entail, claim=t) for n, t in becomes.items()}
    said_so = await decide(*asked, checks, lost, once=checks, **values) if checks else {}
    return {name: mends[name] for name, shares in said_so.items() if shares["yes"] >= SURE}


def _name(claim: Claim, doubt: Doubt) -> str:
    """The name of the question what stands in the place of a claim's words."""
    return f"{claim.id}: {doubt.words}"


def _read_mends(claim: Claim, doubts: Sequence[Doubt], chosen: Mapping[str, Shares]) -> list[Mend]:
    """The candidates that are likelier than all else together."""

    def best(doubt: Doubt) -> Mend | None:
        shares = chosen.get(_name(claim, doubt), {})
        sure = (each for each in doubt.candidates if shares.get(each, 0) >= SURE)
        return next(((doubt.words, each) for each in sure), None)

    return list(filter(None, map(best, doubts)))
