"""Judge every claim by the documents (section 4.2)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import dataclass

from errata.core.edits import places_of
from errata.core.errors import count
from errata.core.records import Claim, Document, Quote, Usage, Verdict, VerdictLabel
from errata.nodes.ask import ask, is_taken_back, number_claims, number_documents, repeats
from errata.nodes.claims import (
    judge_by_checkpoint,
    judge_by_code,
    judge_in_batches,
    unchecked,
    within_limit,
)
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.step import Update, in_thread_or, note, spend, step
from errata.tools.judges.differences import mark_disputes
from errata.tools.judges.verifier import NO_DOCUMENT, OTHER_LANGUAGE, are_spoken_of, attach_quotes
from errata.tools.local.refine import select_passages, select_sentences
from errata.tools.text.language import MAX_CHARACTERS, detect_foreign_draft
from errata.tools.text.words import content_stems

TEMPLATE = "rac/verify"


@dataclass(frozen=True)
class Judgement:
    """One line of a reply."""

    label: VerdictLabel = "unreadable"
    document: int = 0
    """The number of the document that it rests on; 0 where it names none."""
    doubted: tuple[str, ...] = ()
    """The claim's words that are wrong or not mentioned; empty where it is the whole claim."""
    quote: str = ""
    """The document's words that show it."""


@step
async def verify(state: Rac, context: RacContext) -> Update:
    """Judge every claim; one that cannot be judged says so and counts as nothing.

    The language of a draft that is read whole tells more than that of a short sentence: alone,
    "Murió en 1934." might be English.
    """
    claims, rest = within_limit(state.claims, context)
    whole = state.draft if len(state.draft) <= MAX_CHARACTERS else ""
    language = await to_thread(detect_foreign_draft, whole) if whole else ""
    verdicts = await judge_claims(state.question, claims, state.documents, context, language)
    return {"verdicts": [*verdicts, *rest]}


async def judge_claims(
    question: str,
    claims: Sequence[Claim],
    documents: Sequence[Document],
    context: RacContext,
    language: str = "",
) -> list[Verdict]:
    """A verdict on each claim, from local code, a checkpoint, a model, or two of them in a cascade.

    `language` is that of all claims, if it is known not to be English.
    """
    if not (claims and documents):
        return unchecked(claims, NO_DOCUMENT)
    cascades = context.cascades("verify")
    if context.by_model("verify") and not cascades:
        return await _by_model(question, claims, documents, context)
    verdicts = await judge_by_code(question, claims, documents, context, "verify", language)
    if not cascades:
        foreign = [v for v in verdicts if v.explanation.startswith(OTHER_LANGUAGE)]
        if foreign:
            share = f"{len(foreign)} of {count(claims, 'claim')}"
            note(f"{share} not judged: {foreign[0].explanation}")
        return verdicts
    unsure = await to_thread(_unsure, question, claims, verdicts, documents, context)
    second = list[Verdict]()
    if unsure and (checkpoint := context.checkpoint("verify", 1)):
        second = await to_thread(judge_by_checkpoint, checkpoint, unsure, documents)
    elif unsure:
        second = await _by_model(question, unsure, documents, context)
    by_claim = {verdict.claim: verdict for verdict in (*verdicts, *second)}
    numbers = {"claims": float(len(by_claim)), "escalated": float(len(unsure))}
    spend(Usage(by_role={"verify": numbers}))
    return list(by_claim.values())


def _unsure(
    question: str,
    claims: Sequence[Claim],
    verdicts: Sequence[Verdict],
    documents: Sequence[Document],
    context: RacContext,
) -> list[Claim]:
    """The claims that the first of a cascade passes to the second.

    It keeps what it refutes by an exact difference, what it is sure is supported, and what scores
    low if nothing in the documents speaks of it. Where most claims score low, the draft may be
    about something else than the documents, which the second has to see whole.
    """
    low = {v.claim for v in verdicts if v.score is not None and v.score < context.sure_below}
    low = low if len(low) * 2 <= len(claims) else set()
    texts = [claim.text for claim in claims if claim.id in low]
    spoken_of = dict(zip(texts, are_spoken_of(question, texts, documents), strict=True))
    unsure = list[Claim]()
    for claim, verdict in zip(claims, verdicts, strict=True):
        if verdict.score is None:
            may_be_wrong = verdict.explanation.startswith(OTHER_LANGUAGE)
        else:
            may_be_wrong = verdict.label != "refuted" and verdict.score <= context.sure_above
        if may_be_wrong and spoken_of.get(claim.text, True):
            unsure.append(claim)
    return unsure


async def _by_model(
    question: str, claims: Sequence[Claim], documents: Sequence[Document], context: RacContext
) -> list[Verdict]:
    """A model's verdicts, a batch of claims in each reply and all batches at once.

    In a cascade, where it judges few, it gets single sentences of the documents.
    """
    select, tokens = select_passages, context.passage_tokens
    if context.cascades("verify"):
        select, tokens = select_sentences, context.passage_tokens // 3

    async def judge(batch: Sequence[Claim]) -> dict[Claim, Verdict]:
        texts = [claim.text for claim in batch]
        shown = await to_thread(select, texts, documents, tokens)
        values = {
            "question": question,
            "documents": number_documents(shown),
            "claims": number_claims(batch),
        }
        lost = f"{count(batch, 'claim', 'was')} not checked"
        reply = await ask(context, "verify", TEMPLATE, if_failed=lost, **values)
        if reply.failure:
            return dict(zip(batch, unchecked(batch), strict=True))
        judgements = zip(batch, read_judgements(reply.text, texts), strict=True)
        return {
            claim: _verdict(claim, judgement, find_quote(judgement, shown, documents))
            for claim, judgement in judgements
        }

    verdicts = await judge_in_batches(context, TEMPLATE, claims, context.claims_per_call, judge)
    quoted = await to_thread(attach_quotes, claims, verdicts, documents)
    marking = (mark_disputes, question, claims, quoted, documents)
    return await in_thread_or(quoted, "whether the documents disagree was not checked", *marking)


def _verdict(claim: Claim, judgement: Judgement, quote: Quote | None) -> Verdict:
    """A line of a model's reply as a verdict, which says in what claim and documents differ."""
    words = "; ".join(f"“{words}”" for words in judgement.doubted)
    explanation = f"the documents do not say {words}" if words else ""
    if judgement.label == "refuted" and quote:
        explanation = f"{words or 'the claim'} is wrong: the evidence says “{quote.text}”"
    elif judgement.label == "refuted" and words:
        explanation = f"{words} is wrong"
    return Verdict(
        claim=claim.id,
        label=judgement.label,
        doubted=judgement.doubted,
        evidence=(quote,) if quote else (),
        explanation=explanation,
    )


_LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    "notmentioned": "not_mentioned",
}
_LINE = re.compile(
    r"^[^\w\n]*(?:(?:statement|claim|fact)\s*)?#?(?P<number>\d{1,4})[\W_]+"
    r"(?P<label>true|false|not[\s_-]*mentioned)\b"
    r"(?!\s*(?:\||/|or\b)\W*(?:true|false|not[\s_-]*mentioned)\b)"
    r"(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_DOCUMENT = re.compile(r"\[(?:doc\w*\s*)?(\d{1,4})", re.IGNORECASE)
_OTHER_LABEL = re.compile(r"\b(?:false|not[\s_-]*mentioned)\b", re.IGNORECASE)
_MARKS = " \t\"'“”‘’«»*`.,|"
_SHORT = 2
"""Fewest words of a quote that is looked for in the documents."""


def read_judgements(reply: str, claims: Sequence[str]) -> list[Judgement]:
    r"""One judgement a claim; the last one that the reply has for a number counts.

    A line that repeats its claim, or does not stand by its label, has none.

    >>> read_judgements("1: False [2] | 1865 | born in 1867\n", ["Ada was born in 1865."])
    [Judgement(label='refuted', document=2, doubted=('1865',), quote='born in 1867')]
    """
    judgements = [Judgement()] * len(claims)
    for match in _LINE.finditer(reply):
        number = int(match["number"])
        if 1 <= number <= len(claims):
            taken_back = is_taken_back(reply, match.end("label"))
            read = Judgement() if taken_back else _read_line(match, claims[number - 1])
            judgements[number - 1] = read
    return judgements


def _read_line(match: re.Match[str], claim: str) -> Judgement:
    """The judgement of a line; none where it repeats the claim, or takes back a True."""
    label = _LABELS[re.sub(r"[\s_-]", "", match["label"].lower())]
    head, *fields = match["rest"].split("|")
    takes_back = label == "supported" and _OTHER_LABEL.search(head)
    if takes_back or repeats(match["label"] + match["rest"], claim):
        return Judgement()
    document = _DOCUMENT.search(head)
    doubted = _words_of(claim, fields[0] if fields and label != "supported" else "")
    quote = "|".join(fields[1:]).strip(_MARKS)
    return Judgement(label, int(document[1]) if document else 0, doubted, quote)


def _words_of(claim: str, field: str) -> tuple[str, ...]:
    """The parts of a field that are words of the claim; none where they are all that it says."""
    parts = (part.strip(_MARKS) for part in field.split(";"))
    text = claim.lower()
    own = tuple(part for part in dict.fromkeys(parts) if part and places_of(part.lower(), text))
    return own if content_stems(claim) - content_stems(" ".join(own)) else ()


def find_quote(
    judgement: Judgement, shown: Sequence[Document], documents: Sequence[Document]
) -> Quote | None:
    """Where the documents have a judgement's quote, whatever its white space; None if nowhere.

    `shown` are the documents by the numbers that the judgement uses. The one that it names is
    looked at first.
    """
    words = judgement.quote.split()
    if len(words) < _SHORT:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    named = {document.id for document in shown[max(judgement.document - 1, 0) :][:1]}
    for document in sorted(documents, key=lambda document: document.id not in named):
        if match := pattern.search(document.text):
            start, end = match.span()
            return Quote(document=document.id, start=start, end=end, text=match[0])
    return None
