"""Judge by typed questions about one state, which decision models answer with probabilities."""

from asyncio import to_thread
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, get_args

from langchain_core.decisions import Choice, Noul, NoulCriteria, Question

from errata.core.errors import count
from errata.core.records import Claim, Document, Verdict, VerdictLabel
from errata.nodes.ask import ask_in_batches, number_documents
from errata.nodes.context import Context
from errata.nodes.reply import ask_in_order
from errata.nodes.step import in_thread_or, note
from errata.prompts.library import Prompt, load_prompt
from errata.tools.judges.differences import UNMARKED, mark_disputes
from errata.tools.judges.hub_verifier import Meaning
from errata.tools.judges.verifier import quote_texts
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
    """The answers to questions about the prompt's state, many in a request and all at once.

    One that is refused or cannot be read is asked once more, unless it is asked `once`, then left
    out; so are those of a request that fails, with a note of the consequence.
    """
    state, models = prompt.part(STATE, **values), context.open(deciders)

    async def ask_some(names: Sequence[str]) -> dict[str, Shares | None]:
        some = {name: questions[name] for name in names}
        sent, marked = (write_request(text, some) for text in (state, prompt.mark(state)))
        words = (role, prompt.name, prompt.digest, sent)
        request = Request(*words, marked=marked, typed=True)
        reply = await ask_in_order(context, models, request, if_failed)
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


async def show_passages(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], context: Context
) -> tuple[list[Document], dict[str, str]]:
    """The passages that concern some claims, and a state's values with them.

    Whoever asks about all claims of a draft has the same state, which servers read once.
    """
    texts, tokens = [claim.text for claim in claims], getattr(context, "passage_tokens", 0)
    shown = await to_thread(select_passages, texts, documents, tokens)
    return shown, {"question": question, "documents": number_documents(shown)}


async def verify_by_decisions(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    context: Context,
    deciders: Sequence[Any],
) -> list[Verdict]:
    """A verdict on each claim; `score` is the probability that it is supported.

    A claim is supported, refuted or not mentioned if that is likelier than not, disputed if
    refuted is only likelier than either other. Its quote is from the document that is named for it.
    Which supported claims documents disagree on, code tells.
    """
    shown, state = await show_passages(question, claims, documents, context)
    support, passage = (load_prompt(name, context.prompt_folder) for name in (SUPPORT, PASSAGE))
    numbers = [str(number) for number, _ in enumerate(shown[: OPTIONS - 1], start=1)]
    several = claims if len(numbers) > 1 else ()
    spoken = {f"{claim.id}_in": choice(passage, numbers, claim=claim.text) for claim in several}
    questions: dict[str, Question] = {c.id: choice(support, claim=c.text) for c in claims}
    lost = f"{count(claims, 'claim', 'was')} not checked"
    asked = (context, "verify", deciders, support, questions | spoken, lost)
    answers = await decide(*asked, once=spoken, **state)
    if open_ := sum(claim.id not in answers for claim in claims):
        note(f"{count(open_, 'claim', 'was')} not checked: {UNANSWERED}")
    verdicts = await to_thread(
        lambda: [_verdict(claim, answers, numbers, shown, documents) for claim in claims]
    )
    return await in_thread_or(
        verdicts, UNMARKED, mark_disputes, question, claims, verdicts, documents
    )


def _verdict(
    claim: Claim,
    answers: Mapping[str, Shares],
    numbers: Sequence[str],
    shown: Sequence[Document],
    documents: Sequence[Document],
) -> Verdict:
    shares = answers.get(claim.id)
    if shares is None:
        return Verdict(claim=claim.id, label="unchecked", explanation=UNANSWERED)
    sure: Iterator[Meaning] = (name for name in _LABELS if shares[name] > SURE)
    leads = shares["refuted"] > max(shares["supported"], shares["not_mentioned"])
    label: VerdictLabel = next(sure, "disputed" if leads else "not_mentioned")
    says = label != "not_mentioned"
    named = answers.get(f"{claim.id}_in", {})
    passage = next((shown[int(n) - 1].id for n in numbers if named.get(n, 0) >= SURE), None)
    own = [document for document in documents if document.id == passage]
    [quote] = quote_texts([claim.text], own or documents) if says else [None]
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
    """A score in [-1, 1] for each document or strip, 2p - 1 of the probability p of yes.

    One that could not be scored has None.
    """
    prompt = load_prompt(wording, context.prompt_folder)
    names = [str(number) for number, _ in enumerate(documents, start=1)]
    questions = {name: predicate(prompt, document=name) for name in names}
    lost = f"{count(documents, 'strip' if wording == STRIP else 'document', 'was')} not judged"
    values = {"question": question, "documents": number_documents(documents)}
    answers = await decide(context, "evaluate", deciders, prompt, questions, lost, **values)
    return [2 * answers[name]["yes"] - 1 if name in answers else None for name in names]


async def detect_errors(
    state: Mapping[str, str],
    claims: Sequence[Claim],
    number: int,
    context: Context,
    deciders: Sequence[Any],
    if_failed: str,
) -> tuple[bool | None, dict[str, int]]:
    """Whether a draft has an error, and by claim which of so many answers shows it wrong.

    The state holds question, draft and answers. None where no answer could be read.
    """
    error, shown = (load_prompt(name, context.prompt_folder) for name in (ERROR, SHOWN))
    numbers = [str(n) for n in range(1, min(number, OPTIONS - 1) + 1)]
    named = {c.id: choice(shown, numbers, claim=c.text) for c in claims if numbers}
    questions: dict[str, Question] = {"draft": predicate(error), **named}
    asked = (context, "explain", deciders, error, questions, if_failed)
    answers = await decide(*asked, once=named, **state)
    is_wrong = answers["draft"]["yes"] > SURE if "draft" in answers else None
    likely = {name: answers[name] for name in named if answers.get(name, _NONE)["none"] < SURE}
    return is_wrong, {n: int(max(numbers, key=own.__getitem__)) for n, own in likely.items()}
