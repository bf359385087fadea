"""Explain each factual error of the draft (section 2, step 2), and judge its claims by that."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace

from errata.core.edits import Spans
from errata.core.errors import OutOfTimeError
from errata.core.records import Claim, Explanation, ResponseLabel, Verdict, VerdictLabel
from errata.nodes.ask import ask
from errata.nodes.claims import abstention, overrule, unchecked, within_limit
from errata.nodes.ends import hand_out
from errata.nodes.reex.evidence import lines_of, list_answers
from errata.nodes.reex.state import Reex, ReexContext, claims_of
from errata.nodes.step import Update, note, step
from errata.tools.judges.verifier import verify
from errata.tools.local.explain import best_quotes, evidence_of, find_place, place_explanations
from errata.tools.local.explain import explain as find_errors
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.words import content_stems

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:factual\s*)?error\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)
_FINE = re.compile(
    r"^\W*(?:none|n/a)\b|^\W*(?:\w*errors?\W*)?$"
    r"|\b(?:no|any) (?:\w+ )?(?:errors?|inaccurac(?:y|ies)|mistakes?)\b"
    r"|^[^,;>]*(?:: |\b(?:is|are) )(?:accurate|correct|right|true)\W*(?:\([^()]*\)\W*)?$",
    re.IGNORECASE,
)
"""A line that says that nothing is wrong."""
_BUT = re.compile(r"[-=]>|→|\b(?:wrong|but|except|however|instead|only|should)\b", re.IGNORECASE)
"""What a line has that speaks of an error all the same."""
NOT_EXPLAINED = "no errors were looked for"
_NOT_SHOWN = re.compile(r"^[^\w\n]*not (?:shown|mentioned)[^\w\n]*:", re.IGNORECASE | re.MULTILINE)
_NOTHING = re.compile(r"\W*(?:(?:none|nothing|n/a)\b|$)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_LEAD = re.compile(r"^\W*factual errors\b[^\w\n\"“]*", re.IGNORECASE)


@step
async def explain(state: Reex, context: ReexContext) -> Update:
    """Find what the evidence contradicts, and say what is right."""
    if context.model_for("explain") is None:
        return await explain_locally(state, context)
    template = "reex/explain" if context.evidence != "none" else "reex/explain.plain"
    values = explain_values(state, context)
    reply = await ask(context, "explain", template, if_failed=NOT_EXPLAINED, **values)
    if reply.failure:
        return {"explained": False}
    read = read_explanations(reply.text), read_not_shown(reply.text)
    return await errors_read(state, context, *read)


def explain_values(state: Reex, context: ReexContext) -> dict[str, str]:
    """The draft, and the answers unless the run does without evidence."""
    values = {"question": state.question, "draft": state.draft}
    if context.evidence != "none":
        values["answers"] = list_answers(state, context)
    return values


async def explain_locally(state: Reex, context: ReexContext) -> Update:
    """Errors by rules: what the verifier finds refuted, and what the corrector would put there."""
    if language := await to_thread(detect_foreign_draft, state.draft):
        note(abstention(language))
        return {"explained": False}
    if not state.documents:
        note("there is no document to judge by: no error can be found")
        return {"explained": False}
    every = await claims_of(state, context)
    claims, _ = within_limit(every, context)
    known = (state.question, claims, state.documents, context.weights("explain"))
    explanations, fixes = await to_thread(find_errors, *known)
    return {**errors_found(every, explanations), "fixes": fixes}


def errors_found(claims: Sequence[Claim], explanations: Sequence[Explanation]) -> Update:
    """The update where errors were looked for."""
    return {
        "claims": claims,
        "explanations": explanations,
        "explained": True,
        "verdicts": refuted_claims(explanations),
    }


def refuted_claims(explanations: Sequence[Explanation]) -> list[Verdict]:
    """The verdicts that follow from the explanations; nothing measured how sure they are."""
    return [
        Verdict(claim=claim, label="refuted", evidence=e.evidence, explanation=e.text)
        for e in explanations
        for claim in e.claims
    ]


async def errors_read(
    state: Reex, context: ReexContext, texts: Sequence[str], not_shown: list[str] | None
) -> Update:
    """A model's explanations at their places in the draft, and the claims that they speak of."""
    citable = [answer.evidence for answer in state.answers]
    if context.filter_evidence:
        citable = [(line,) for line in lines_of(state.answers)]
    placed = await to_thread(place_explanations, state.draft, texts, citable)
    claims = await claims_of(state.model_copy(update={"explanations": placed}), context)
    lacking = not_shown if context.evidence != "none" else None
    return {**errors_found(claims, link(placed, claims)), "not_shown": lacking}


def link(explanations: Sequence[Explanation], claims: Sequence[Claim]) -> list[Explanation]:
    """Each explanation with the claim at its place that it shares most words with."""
    linked, places = [], Spans(claims, lambda claim: (claim.start, claim.end))
    stems_of = {claim.id: content_stems(claim.text) for claim in claims}
    for explanation in explanations:
        nearby = places.touching(explanation.start, explanation.end)
        stems = content_stems(explanation.text)
        best = max(nearby, key=lambda c: len(stems_of[c.id] & stems), default=None)
        linked.append(replace(explanation, claims=(best.id,) if best else ()))
    return linked


def read_explanations(reply: str) -> list[str]:
    r"""One explanation a line or paragraph; none where the reply says there are no errors.

    >>> read_explanations('Factual Errors:\n1. "1865" is wrong: she was born in 1867.')
    ['"1865" is wrong: she was born in 1867.']
    """
    text = _LEAD.sub("", _NOT_SHOWN.split(reply.strip())[0])
    lines = [line for line in text.splitlines() if line.strip()]
    marked = any(_MARK.match(line) for line in lines)
    if lines and not marked and _FINE.search(lines[0]) and not _BUT.search(lines[0]):
        return []
    errors = list[str]()
    for line in lines:
        if _MARK.match(line) or not marked:
            errors.append(_MARK.sub("", line).strip())
        elif errors:
            errors[-1] += f" {line.strip()}"
    return [error for error in errors if _BUT.search(error) or not _FINE.search(error)]


def read_not_shown(reply: str) -> list[str] | None:
    r"""The words of the draft that no answer shows; None where the reply does not speak of them.

    >>> read_not_shown('None\nNot shown: "kept bees", "in Paris"')
    ['kept bees', 'in Paris']
    >>> read_not_shown("None\nNot shown: none"), read_not_shown("None")
    ([], None)
    """
    _, *parts = _NOT_SHOWN.split(reply)
    if not parts:
        return None
    lines = [_MARK.sub("", line).strip() for line in parts[0].splitlines()]
    words = [line for line in lines if not _NOTHING.match(line)]
    return [quoted for line in words for quoted in _QUOTED.findall(line) or [line]]


@step
async def report(state: Reex, context: ReexContext) -> Update:
    """Judge the draft and its claims by the explanations, and apply the edits."""
    claims = state.claims or await claims_of(state, context)
    state = state.model_copy(update={"claims": claims})
    verdicts = await to_thread(verdicts_for, state, context)
    state = state.model_copy(update={"verdicts": verdicts})
    return {**await to_thread(hand_out, state, context, label_of(state)), "claims": claims}


def label_of(state: Reex) -> ResponseLabel:
    """The draft's label: refuted by any explained error, supported where evidence bears it out.

    It does so if errors were looked for, none was explained, and it shows a claim or more; if the
    documents disagree on one, the draft is conflicting. Without a supported claim it is disputed if
    a claim is.
    """
    labels = {verdict.label for verdict in state.verdicts}
    if state.explanations:
        return "refuted"
    if "conflicting" in labels:
        return "conflicting"
    if state.explained and "supported" in labels:
        return "supported"
    return "disputed" if "disputed" in labels else "not_mentioned"


def verdicts_for(state: Reex, context: ReexContext) -> list[Verdict]:
    """A verdict on each claim: refuted where an explanation speaks of it.

    Which of the others are supported says the model that explained, or the local verifier if it did
    not say; nothing is checked where no errors could be looked for. What the verifier finds
    refuted, nobody explained; that documents disagree is not for it to say where a model read them.
    """
    if not state.explained:
        return unchecked(state.claims)
    refuted = {verdict.claim: verdict for verdict in reversed(refuted_claims(state.explanations))}
    try:
        if state.not_shown is not None:
            verdicts = judge_by_model(state)
        else:
            known = (state.claims, state.documents, context.weights("explain"))
            labels: set[VerdictLabel] = {"refuted"}
            labels |= {"conflicting"} if context.by_model("explain") else set()
            said = "no error was explained here"
            verdicts = overrule(verify(state.question, *known), labels, said)
    except OutOfTimeError as error:
        note(f"which claims the answers show was not read: {error}")
        verdicts = unchecked(state.claims)
    return [refuted.get(verdict.claim) or verdict for verdict in verdicts]


def judge_by_model(state: Reex) -> list[Verdict]:
    """Claims are supported by their best strip unless the model found no answer that shows them."""
    lacking = [(words, find_place(state.draft, words)) for words in state.not_shown or ()]
    found = best_quotes([claim.text for claim in state.claims], evidence_of(state.answers))
    verdicts = list[Verdict]()
    for claim, quotes in zip(state.claims, found, strict=True):
        own = [words for words, (a, b) in lacking if a < claim.end and claim.start < b]
        if quotes and not own:
            verdicts.append(Verdict(claim=claim.id, label="supported", evidence=quotes))
        else:
            said = f"the answers do not show “{'”, “'.join(own)}”" if own else ""
            verdicts.append(Verdict(claim=claim.id, label="not_mentioned", explanation=said))
    return verdicts
