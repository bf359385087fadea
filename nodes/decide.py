"""Ask decision models typed questions about one state: judge by them, and choose what mends."""

from asyncio import to_thread
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, get_args

from langchain_core.decisions import Choice, Noul, NoulCriteria, Question

from errata.core.errors import count
from errata.core.records import Claim, Document, Fix, Verdict, VerdictLabel
from errata.nodes.ask import ask_in_batches, ask_in_order, number_documents
from errata.nodes.context import Context
from errata.nodes.step import in_thread_or, note
from errata.prompts.library import Prompt
from errata.tools.judges.differences import UNMARKED, mark_disputes
from errata.tools.judges.hub_verifier import Meaning
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.candidates import Doubt, find_doubts, quote_mends
from errata.tools.local.mends import Mend, apply_mends
from errata.tools.local.refine import select_passages
from errata.tools.models.decisions import OPTIONS, QUESTIONS, read_answers, write_request
from errata.tools.models.request import Request

SUPPORT, PASSAGE, EVALUATE = "decide/support.v1", "decide/passage.v1", "decide/evaluate.v1"
STRIP, MEND, ENTAIL = "decide/strip.v1", "decide/mend.v1", "decide/entail.v1"
OUT, ERROR, SHOWN = "decide/out.v1", "decide/error.v1", "decide/shown.v1"
"""The versions of the questions' wordings that every run uses."""
STATE, ASK = "state", "ask"
"""The parts of a prompt that hold what is asked about, and the question; others are options."""
SURE = 0.5
"""The probability over which a label is given, and from which on a document is named."""
Shares = Mapping[str, float]
"""The probability of each option; `yes` and `no` of a predicate."""
UNANSWERED = "the decision model gave no answer that could be read"
_NONE: Shares = {"none": 1.0}
_LABELS: tuple[Meaning, ...] = get_args(Meaning)


class Brief(NamedTuple):
    """What a judge is given: claims, what they answer, and what to judge them by."""

    question: str
    claims: Sequence[Claim]
    documents: Sequence[Document]


def choice(prompt: Prompt, options: Iterable[str] = (), **values: str) -> Choice:
    """The choice that a prompt words, and further options that need no words."""
    worded = {name: text for name, text in prompt.parts.items() if name not in (STATE, ASK)}
    criteria: dict[str, Any] = {**dict.fromkeys(options), **worded}
    return Choice(instructions=prompt.part(ASK, **values), criteria=criteria)


def predicate(prompt: Prompt, **values: str) -> Noul:
    """The question of yes or no that a prompt words."""
    yes, no = (prompt.parts.get(name) for name in ("yes", "no"))
    said = prompt.part(ASK, **values)
    return Noul(instructions=said, criteria=NoulCriteria(true=yes, false=no))


async def decide(
    context: Context,
    role: str,
    deciders: Sequence[Any],
    prompt: Prompt,
    questions: Mapping[str, Question],
    if_failed: str,
    /,
    once: Collection[str] = (),
    **values: str,
) -> dict[str, Shares]:
    """The answers to questions about the prompt's state; lacking ones are asked `once` or twice."""
    state = prompt.part(STATE, **values)

    async def ask_some(names: Sequence[str]) -> dict[str, Shares | None]:
        some = {name: questions[name] for name in names}
        sent, marked = (write_request(text, some) for text in (state, prompt.mark(state)))
        words = (role, prompt.name, prompt.digest, sent)
        request = Request(*words, marked=marked, typed=True)
        reply = await ask_in_order(context, deciders, request, if_failed)
        if reply.failure:
            return dict.fromkeys(names)
        try:
            asked_once = dict.fromkeys(name for name in names if name in once)
            return {**asked_once, **read_answers(reply.text, some)}
        except ValueError as error:
            note(f"{if_failed}: the reply to {prompt.tag} holds no answers: {error}")
            return dict.fromkeys(names)

    answers = await ask_in_batches(ask_some, list(questions), QUESTIONS)
    return {name: shares for name, shares in answers.items() if shares}


async def show_passages(brief: Brief, context: Context) -> tuple[list[Document], dict[str, str]]:
    """The passages that concern a brief's claims, and a prompt's state with them."""
    texts, tokens = [claim.text for claim in brief.claims], getattr(context, "passage_tokens", 0)
    shown = await to_thread(select_passages, texts, brief.documents, tokens)
    return shown, {"question": brief.question, "documents": number_documents(shown)}


async def verify_by_decisions(
    brief: Brief, context: Context, deciders: Sequence[Any]
) -> list[Verdict]:
    """A verdict on each claim; `score` is the probability that it is supported.

    A claim is supported, refuted or not mentioned if that is likelier than not, disputed if
    refuted is only likelier than either other. Its quote is from the document that is named for it.
    Which supported claims documents disagree on, code tells.
    """
    question, claims, documents = brief
    shown, state = await show_passages(brief, context)
    support, passage = map(context.wording, (SUPPORT, PASSAGE))
    numbers = [str(number) for number, _ in enumerate(shown[: OPTIONS - 1], start=1)]
    several = claims if len(numbers) > 1 else ()
    spoken = {f"{claim.id}_in": choice(passage, numbers, claim=claim.text) for claim in several}
    questions: dict[str, Question] = {c.id: choice(support, claim=c.text) for c in claims}
    lost = f"{count(claims, 'claim', 'was')} not checked"
    asked = (context, "verify", deciders, support, questions | spoken, lost)
    answers = await decide(*asked, once=spoken, **state)
    if open_ := sum(claim.id not in answers for claim in claims):
        note(f"{count(open_, 'claim', 'was')} not checked: {UNANSWERED}")
    verdicts = await to_thread(lambda: [_verdict(c, answers, shown, brief) for c in claims])
    marking = (mark_disputes, question, claims, verdicts, documents)
    return await in_thread_or(verdicts, UNMARKED, *marking)


def _verdict(
    claim: Claim, answers: Mapping[str, Shares], shown: Sequence[Document], brief: Brief
) -> Verdict:
    shares = answers.get(claim.id)
    if shares is None:
        return Verdict(claim=claim.id, label="unchecked", explanation=UNANSWERED)
    sure: Iterator[Meaning] = (name for name in _LABELS if shares[name] > SURE)
    leads = shares["refuted"] > max(shares["supported"], shares["not_mentioned"])
    label: VerdictLabel = next(sure, "disputed" if leads else "not_mentioned")
    says = label != "not_mentioned"
    named = answers.get(f"{claim.id}_in", {})
    passages = (d.id for n, d in enumerate(shown, start=1) if named.get(str(n), 0) >= SURE)
    passage = next(passages, None)
    own = [document for document in brief.documents if document.id == passage]
    [quote] = quote_texts([claim.text], own or brief.documents) if says else [None]
    return Verdict(
        claim=claim.id,
        label=label,
        reason=None if says else "absent" if shares["not_mentioned"] > SURE else "not_understood",
        score=round(shares["supported"], 4),
        evidence=(quote,) if quote else (),
    )


async def score_by_decisions(
    question: str,
    documents: Sequence[Document],
    context: Context,
    deciders: Sequence[Any],
    wording: str = EVALUATE,
) -> list[float | None]:
    """A score in [-1, 1] for each document or strip, 2p - 1 of its yes; None without one."""
    prompt = context.wording(wording)
    names = [str(number) for number, _ in enumerate(documents, start=1)]
    questions = {name: predicate(prompt, document=name) for name in names}
    lost = f"{count(documents, 'strip' if wording == STRIP else 'document', 'was')} not judged"
    values = {"question": question, "documents": number_documents(documents)}
    answers = await decide(context, "evaluate", deciders, prompt, questions, lost, **values)
    return [2 * answers[name]["yes"] - 1 if name in answers else None for name in names]


async def detect_errors(
    state: Mapping[str, str], claims: Sequence[Claim], number: int, context: Context, if_failed: str
) -> tuple[bool | None, dict[str, int]]:
    """Whether a draft has an error, if that was answered, and which answer shows a claim wrong."""
    error, shown = map(context.wording, (ERROR, SHOWN))
    numbers = [str(n) for n in range(1, min(number, OPTIONS - 1) + 1)]
    named = {c.id: choice(shown, numbers, claim=c.text) for c in claims if numbers}
    questions: dict[str, Question] = {"draft": predicate(error), **named}
    asked = (context, "explain", context.deciders("explain"), error, questions, if_failed)
    answers = await decide(*asked, once=named, **state)
    is_wrong = answers["draft"]["yes"] > SURE if "draft" in answers else None
    likely = {name: answers[name] for name in named if answers.get(name, _NONE)["none"] < SURE}
    return is_wrong, {n: int(max(numbers, key=own.__getitem__)) for n, own in likely.items()}


STANDS = 0.7
"""The probability from which a change stands: a wrong edit costs more than a missed one."""
_NO: Shares = {"yes": 0.0, "refuted": 0.0}


async def choose_mends(
    brief: Brief, verdicts: Sequence[Verdict], context: Context, role: str = "verify"
) -> dict[str, list[Mend]]:
    """What stands in the place of a refuted claim's words, by the claim's id.

    One request chooses among candidates for all, a second asks whether the documents say what the
    claims become; a claim of which they do not gets none, and goes if nothing of it can stay.
    """
    refuted = {verdict.claim for verdict in verdicts if verdict.label == "refuted"}
    wrong = [claim for claim in brief.claims if claim.id in refuted]
    if not wrong:
        return {}
    shown, state = await show_passages(brief, context)
    deciders, said = context.deciders(role), [document.text for document in shown]
    found = await to_thread(lambda: [(claim, find_doubts(claim.text, said)) for claim in wrong])
    doubts = [(f"{c.id}_{n}", c, own) for c, each in found for n, own in enumerate(each, start=1)]
    lost = f"{count(wrong, 'refuted claim', 'was')} not mended"
    entail, mend, out = map(context.wording, (ENTAIL, MEND, OUT))
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
    stands = await find_supported(changes, state, context, deciders, role, wholly=goes_on)
    if goes_on:
        return {name: mends[name] for name in stands}
    going = [c for c in wrong if chosen.get(f"{c.id}_out", _NO)["yes"] >= STANDS]
    removed = {c.id: [(c.text, "")] for c in going if context.profile != "extractive"}
    return removed | {name: mends[name] for name in stands}


async def find_supported(
    changes: Mapping[str, tuple[str, str]],
    state: Mapping[str, str],
    context: Context,
    deciders: Sequence[Any],
    role: str = "verify",
    *,
    wholly: bool = False,
) -> set[str]:
    """The names of changes, from a text to another, that the state's documents support.

    Of what becomes `wholly` right only those after which the documents say otherwise of nothing.
    """
    entail, support = map(context.wording, (ENTAIL, SUPPORT))
    checks: dict[str, Question] = {
        name: predicate(entail, before=old, claim=new) for name, (old, new) in changes.items()
    }
    left = {f"{name}_left": choice(support, claim=new) for name, (_, new) in changes.items()}
    checks |= left if wholly else {}
    asked = (context, role, deciders, entail, checks, "what was to be mended stays")
    said = await decide(*asked, once=checks, **state)
    stands = [name for name in changes if said.get(name, _NO)["yes"] >= STANDS]
    return {name for name in stands if said.get(f"{name}_left", _NO)["refuted"] <= SURE}


Named = tuple[str, Claim, Doubt]
"""What a question about a claim's words is called, the claim, and the words."""


def _read_mends(doubts: Sequence[Named], chosen: Mapping[str, Shares]) -> dict[str, list[Mend]]:
    """By the claim's id, the candidates that are as likely as all else together."""
    mends = defaultdict[str, list[Mend]](list)
    for name, claim, doubt in doubts:
        shares = chosen.get(name, {})
        if sure := [words for words in doubt.candidates if shares.get(words, 0) >= SURE]:
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
