"""Explain each factual error of the draft (section 2, step 2), and judge its claims by that."""

import re
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from errata.core.edits import Spans
from errata.core.errors import OutOfTimeError
from errata.core.records import Claim, Document, Explanation, Fix, ResponseLabel, Verdict
from errata.nodes.ask import LIST_MARK, ask_role
from errata.nodes.claims import abstention, label_for, overrule, unchecked, within_limit
from errata.nodes.decide import Brief, choose_mends, detect_errors, fixes_of
from errata.nodes.ends import hand_out
from errata.nodes.reex.evidence import list_answers
from errata.nodes.reex.state import Reex, ReexContext, with_claims
from errata.nodes.step import Update, note
from errata.tools.judges.verifier import verify
from errata.tools.local.explain import (
    best_quotes,
    evidence_of,
    find_place,
    place_explanations,
    word_error,
)
from errata.tools.local.explain import explain as find_errors
from errata.tools.local.mends import Mend
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.words import content_stems

_NONE = re.compile(
    r"^\W*(?:none|n/?a|(?:there (?:are|were) )?no (?:factual )?(?:errors|inaccuracies))\b",
    re.IGNORECASE,
)
_RIGHT = re.compile(
    r"^[^\w\"“]*[\"“][^\"“”]+[\"”]\W*(?:(?:this|that|it) )?(?:(?:is|are|was|were) )?(?:factually )?"
    r"(?:correct|right|accurate|true|no error|not an error)\b\W*(?:\([^)]*\)\W*)?$",
    re.IGNORECASE,
)
"""A line that says of some words of the draft that nothing is wrong with them."""
_FINE = re.compile(
    r"\b(?:no|(?:not|\w+n['’]t)(?: \w+)? any) (?:\w+ )?(?:errors?|inaccurac(?:y|ies)|mistakes?)\b"
    r"|\b(?:is|are)(?: (?:all|fully|entirely|factually))* (?:accurate|correct|right|true)\W*$"
    r"|\bchecks? out\W*$|^\W*(?:\w*errors?\W*)?$",
    re.IGNORECASE,
)
_EXCEPT = re.compile(
    r"[“”\d]|\w\W*\"\w|\b(?:wrong|incorrect|inaccurate|false|but|except|however|should|instead|only)\b",
    re.IGNORECASE,
)
"""What a line has that, for all its praise, speaks of an error."""
NOT_EXPLAINED = "no errors were looked for"
_NOT_SHOWN = re.compile(r"^[^\w\n]*not (?:shown|mentioned)[^\w\n]*:", re.IGNORECASE | re.MULTILINE)
_NOTHING = re.compile(r"\W*(?:(?:none|nothing|n/a)\b|$)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_LEAD = re.compile(r"^\W*(?:list of )?factual errors\b[^\w\n\"“]*", re.IGNORECASE)


async def explain(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Find what the evidence contradicts, and say what is right."""
    context = runtime.context
    state = await with_claims(state, context)
    if update := await explain_without_chat(state, context):
        return update
    template = "reex/explain" if context.evidence != "none" else "reex/explain.plain"
    values = explain_values(state, context)
    reply = await ask_role(context, context.explainer, template, if_failed=NOT_EXPLAINED, **values)
    if reply.failure:
        return errors_found(state, None)
    read = read_explanations(reply.text), read_not_shown(reply.text)
    return await errors_read(state, context, *read)


def explain_values(state: Reex, context: ReexContext) -> dict[str, str]:
    """The draft, and the answers unless the run does without evidence."""
    values = {"question": state.question, "draft": state.draft}
    if context.evidence != "none":
        values["answers"] = list_answers(state, in_lines=context.in_lines)
    return values


async def explain_without_chat(state: Reex, context: ReexContext) -> Update | None:
    """Errors by rules or by a decision model; None where a chat model is to explain them."""
    if context.deciders("explain"):
        return await detect(state, context)
    return None if context.by_model("explain") else await explain_locally(state, context)


async def detect(state: Reex, context: ReexContext) -> Update | None:
    """Ask a decision model for errors and mends; None where a chat model is to explain."""
    values = {"question": state.question, "draft": state.draft, "answers": list_answers(state)}
    claims, _ = within_limit(state.claims, context)
    known = (values, claims, len(state.answers), context, NOT_EXPLAINED)
    is_wrong, shown = await detect_errors(*known)
    if is_wrong and context.by_model("revise"):
        return None
    if is_wrong and not shown:
        note("the draft has an error, but no answer was named that shows it")
    if not is_wrong or not shown:
        return errors_found(state, [] if is_wrong is False else None)
    wrong, said = [claim for claim in claims if claim.id in shown], list[Verdict]()
    for claim in wrong:
        number = shown[claim.id]
        [quotes] = best_quotes([claim.text], state.answers[number - 1].evidence)
        reason = f"answer {number} says otherwise"
        said.append(Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=reason))
    mends: Mapping[str, Sequence[Mend]] = {}
    if not context.check_only:
        strips = [Document(id=s.document, text=s.text) for s in evidence_of(state.answers)]
        mends = await choose_mends(Brief(state.question, wrong, strips), said, context, "explain")
    fixes = await to_thread(fixes_of, wrong, mends, state.documents)
    why = {own.claim: own for own in said} | {fix.claim: fix for fix in fixes}
    errors = [word_error(c, why[c.id].explanation, why[c.id].evidence) for c in wrong]
    return errors_found(state, errors, fixes)


async def explain_locally(state: Reex, context: ReexContext) -> Update:
    """Errors by rules: what the verifier finds refuted, and what the corrector would put there."""
    if language := await to_thread(detect_foreign_draft, state.draft):
        note(abstention(language))
        return errors_found(state, None)
    if not state.documents:
        note("there is no document to judge by: no error can be found")
        return errors_found(state, None)
    claims, _ = within_limit(state.claims, context)
    known = (state.question, claims, state.documents, context.weights("explain"))
    return errors_found(state, *await to_thread(find_errors, *known))


def errors_found(
    state: Reex,
    explanations: Sequence[Explanation] | None,
    fixes: Sequence[Fix] = (),
    not_shown: Sequence[str] | None = None,
) -> Update:
    """The update where errors were looked for; with None, where they could not be."""
    return {
        "claims": state.claims,
        "explanations": explanations or [],
        "explained": explanations is not None,
        "not_shown": not_shown,
        "verdicts": refuted_claims(explanations or ()),
        "fixes": fixes,
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
    if context.in_lines:
        citable = [(line,) for line in evidence_of(state.answers)]
    placed = await to_thread(place_explanations, state.draft, texts, citable)
    explained = await with_claims(state.model_copy(update={"explanations": placed}), context)
    lacking = not_shown if context.evidence != "none" else None
    return errors_found(explained, link(placed, explained.claims), not_shown=lacking)


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
    if _NONE.match(text) and not any(LIST_MARK.match(x) and _QUOTED.search(x) for x in lines):
        return []
    marked = any(LIST_MARK.match(line) for line in lines)
    errors: list[str] = []
    for line in lines:
        if LIST_MARK.match(line) or not marked:
            errors.append(LIST_MARK.sub("", line).strip())
        elif errors:
            errors[-1] += f" {line.strip()}"
    return [
        error
        for error in errors
        if not (_NONE.match(error) or _RIGHT.match(error))
        and (_EXCEPT.search(error) or not _FINE.search(error))
    ]


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
    lines = [LIST_MARK.sub("", line).strip() for line in parts[0].splitlines()]
    words = [line for line in lines if not _NOTHING.match(line)]
    return [quoted for line in words for quoted in _QUOTED.findall(line) or [line]]


async def report(state: Reex, runtime: Runtime[ReexContext]) -> Update:
    """Judge the draft and its claims by the explanations, and apply the edits."""
    context = runtime.context
    state = await with_claims(state, context)
    verdicts = await to_thread(verdicts_for, state, context)
    state = state.model_copy(update={"verdicts": verdicts})
    result = await to_thread(hand_out, state, context, label_of(state))
    return {**result, "claims": state.claims}


def label_of(state: Reex) -> ResponseLabel:
    """The draft's label: refuted by an explained error, supported if evidence shows any claim."""
    labels, worst = {verdict.label for verdict in state.verdicts}, label_for(state.verdicts)
    if state.explanations:
        return "refuted"
    if state.explained and "supported" in labels and worst != "conflicting":
        return "supported"
    return worst if worst in ("conflicting", "unchecked", "disputed") else "not_mentioned"


def verdicts_for(state: Reex, context: ReexContext) -> list[Verdict]:
    """A verdict on each claim: refuted where an explanation speaks of it.

    The model that explained says which of the others are supported, else the local verifier: what
    that finds refuted nobody explained, and a model that read the documents saw no disagreement.
    """
    if not state.explained:
        return unchecked(state.claims)
    refuted = {verdict.claim: verdict for verdict in reversed(refuted_claims(state.explanations))}
    try:
        if state.not_shown is not None:
            verdicts = judge_by_model(state)
        else:
            known = (state.claims, state.documents, context.weights("explain"))
            said = "no error was explained here"
            verdicts = overrule(verify(state.question, *known), ["refuted"], said)
            if context.by_model("explain"):
                verdicts = overrule(verdicts, ["conflicting"], said)
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
