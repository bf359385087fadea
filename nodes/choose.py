"""Have a decision model choose what replaces wrong words, among words of the evidence."""

from asyncio import to_thread
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.decisions import Question

from errata.core.errors import count
from errata.core.records import Claim, Document, Fix, Verdict
from errata.nodes.context import Context
from errata.nodes.decide import (
    ENTAIL,
    MEND,
    OUT,
    SUPPORT,
    SURE,
    Shares,
    choice,
    decide,
    predicate,
    show_passages,
)
from errata.prompts.library import load_prompt
from errata.tools.local.candidates import Doubt, find_doubts, quote_mends
from errata.tools.local.mends import Mend, apply_mends

BORNE_OUT = 0.7
"""The probability from which a change stands: a wrong edit costs more than a missed one."""
_NO: Shares = {"yes": 0.0, "refuted": 0.0}


async def choose_mends(
    question: str,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    context: Context,
    deciders: Sequence[Any],
    role: str = "verify",
) -> dict[str, list[Mend]]:
    """What stands in the place of a refuted claim's words, by the claim's id.

    One request chooses among candidates for all, a second asks whether the documents say what the
    claims become; a claim of which they do not gets none, and goes if nothing of it can stay. Where
    a model is to correct it, it gets what would go, and what stays wrong.
    """
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    wrong = [claim for claim in claims if claim.id in refuted]
    if not wrong:
        return {}
    shown, state = await show_passages(question, claims, documents, context)
    said = [document.text for document in shown]
    found = await to_thread(lambda: [(claim, find_doubts(claim.text, said)) for claim in wrong])
    doubts = [(f"{c.id}_{n}", c, own) for c, each in found for n, own in enumerate(each, start=1)]
    lost = f"{count(wrong, 'refuted claim', 'was')} not mended"
    entail, mend, out = (load_prompt(n, context.prompt_folder) for n in (ENTAIL, MEND, OUT))
    questions: dict[str, Question] = {
        name: choice(mend, doubt.candidates, claim=claim.text, errors=doubt.words)
        for name, claim, doubt in doubts
    }
    questions |= {f"{claim.id}_out": predicate(out, claim=claim.text) for claim in wrong}
    asked = (context, role, deciders, entail, questions, lost)
    chosen = await decide(*asked, once=questions, **state)
    mends = _read_mends(doubts, chosen)
    becomes = {c.id: (c.text, apply_mends(c.text, mends[c.id])) for c in wrong if c.id in mends}
    changes = {name: (old, new) for name, (old, new) in becomes.items() if new}
    goes_on = "correct" in context.ROLES and context.by_model("correct")
    stands = await find_borne_out(changes, state, context, deciders, role, wholly=goes_on)
    if goes_on:
        return {name: mends[name] for name in stands}
    going = [c for c in wrong if chosen.get(f"{c.id}_out", _NO)["yes"] >= BORNE_OUT]
    removed = {c.id: [(c.text, "")] for c in going if context.profile != "extractive"}
    return removed | {name: mends[name] for name in stands}


async def find_borne_out(
    changes: Mapping[str, tuple[str, str]],
    state: Mapping[str, str],
    context: Context,
    deciders: Sequence[Any],
    role: str = "verify",
    *,
    wholly: bool = False,
) -> set[str]:
    """The names of changes, from a text to another, that the state's documents bear out.

    Of what becomes `wholly` right only those after which the documents say otherwise of nothing.
    One that was not answered is not among them.
    """
    entail, support = (load_prompt(name, context.prompt_folder) for name in (ENTAIL, SUPPORT))
    checks: dict[str, Question] = {
        name: predicate(entail, before=old, claim=new) for name, (old, new) in changes.items()
    }
    left = {f"{name}_left": choice(support, claim=new) for name, (_, new) in changes.items()}
    checks |= left if wholly else {}
    asked = (context, role, deciders, entail, checks, "what was to be mended stays")
    said = await decide(*asked, once=checks, **state)
    stands = [name for name in changes if said.get(name, _NO)["yes"] >= BORNE_OUT]
    return {name for name in stands if said.get(f"{name}_left", _NO)["refuted"] <= SURE}


Named = tuple[str, Claim, Doubt]
"""What a question about a claim's words is called, the claim, and the words."""


def _read_mends(doubts: Sequence[Named], chosen: Mapping[str, Shares]) -> dict[str, list[Mend]]:
    """By the claim's id, the candidates that are as likely as all else together."""
    mends = defaultdict[str, list[Mend]](list)
    for name, claim, doubt in doubts:
        shares = chosen.get(name, {})
        sure = [words for words in doubt.candidates if shares.get(words, 0) >= SURE]
        if sure:
            mends[claim.id].append((doubt.words, sure[0]))
    return mends


def fixes_of(
    claims: Sequence[Claim], mends: Mapping[str, Sequence[Mend]], documents: Sequence[Document]
) -> list[Fix]:
    """The fixes that chosen mends come to, each with the strips that have their words."""
    fixes = list[Fix]()
    for claim in (claim for claim in claims if claim.id in mends):
        own = mends[claim.id]
        text, quotes = apply_mends(claim.text, own), quote_mends(claim.text, own, documents)
        if text and quotes:
            said = "; ".join(f"“{old}” is wrong: the evidence says “{new}”" for old, new in own)
            known = Fix(claim=claim.id, text=text, explanation=said, by="choice")
            fixes.append(replace(known, evidence=quotes))
    return fixes
