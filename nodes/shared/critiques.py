"""Criticise a text by what searches find, and correct it: by models, or by local code."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from pydantic import Field

from errata.core.edits import in_form_of
from errata.core.errors import OutOfTimeError
from errata.core.records import Critique, Document, SubAnswer, Verdict
from errata.nodes.ask import ask
from errata.nodes.ledger import note
from errata.nodes.settings import Remote
from errata.nodes.shared.abstain import abstention
from errata.nodes.shared.replies import read_list, split_at
from errata.nodes.shared.report import holds_text, read_revision
from errata.nodes.shared.research import ResearchContext, list_passages, research
from errata.nodes.shared.rewrite import rewrite_text
from errata.nodes.shared.verdicts import judge_locally, strongest, unchecked
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.tools.judges.verifier import NO_DOCUMENT
from errata.tools.local.explain import best_quotes, evidence_of, explain
from errata.tools.local.extract import extract
from errata.tools.local.passages import correct_text
from errata.tools.local.placement import claim_spoken_of
from errata.tools.text.language import detect_foreign_draft

_QUERY = re.compile(r"(?im)^[^\w\n]*search(?: query)?[*_ ]*[:：][*_ ]*(\S.*)$")
_FAILED = "the text was not verified"
Found = tuple[list[Document], Critique]
"""The documents with what was found, and the critique."""


class CritiqueContext(ResearchContext, CorrectionContext):
    """The settings of methods that criticise a text by searching."""

    searches_per_round: Annotated[int, Field(ge=0, le=20), Remote.FREE] = 4
    """The most searches that a model may make for one critique."""
    evidence_characters: Annotated[int, Field(ge=100, le=5000), Remote.FREE] = 800
    """The most characters of a passage that a model gets."""


async def criticise(
    state: CorrectionState,
    context: CritiqueContext,
    templates: tuple[str, str],
    text: str,
    past: Sequence[Critique],
) -> Found:
    """What the filler of the role `verify` finds wrong with a text, after the critiques before.

    Where the same model corrects, the second template asks for the text as well.
    """
    model = context.model_for("verify")
    if model is not None:
        corrects = model is context.model_for("correct") and not context.check_only
        return await _by_model(state, context, templates[corrects], text)
    asked = [search.question for critique in past for search in critique.searches]
    return await _locally(state, context, text, asked)


async def _by_model(
    state: CorrectionState, context: CritiqueContext, template: str, text: str
) -> Found:
    """A model's critique: each of its replies ends with a query, or with the problems it found.

    Without any document it is the model's memory: it names no problem then.
    """
    documents, searches = state.documents, list[SubAnswer]()
    left = context.searches_per_round
    while True:
        seen = list_passages(searches, documents, context.evidence_characters)
        answers = f"{seen}\n\nSearches left: {left}"
        values = {"question": state.question, "draft": text, "answers": answers}
        reply = await ask(context, "verify", template, if_failed=_FAILED, **values)
        query = read_query(reply.text)
        if not (query and left):
            break
        left -= 1
        if query in [search.question for search in searches]:
            left = 0
            continue
        documents, found = await research([query], documents, context, "verify")
        searches += found
    if not (documents or reply.failure):
        note(f"{NO_DOCUMENT}: the critique rests on nothing that was found, and does not count")
        return documents, Critique(text=text, searches=tuple(searches), words=reply.text)
    words, answer = split_at(read_revision(reply.text), "answer", text)
    problems = read_list(words, "problems")
    if problems is None and not reply.failure:
        tag = context.template(template).tag
        note(f"{_FAILED}: the reply to {tag} does not say what the problems are")
    return documents, Critique(
        text=text,
        searches=tuple(searches),
        words=words,
        problems=None if problems is None else tuple(problems),
        proposed=read_revision(answer),
    )


def read_query(reply: str) -> str:
    r"""The query that a reply asks to search for; empty if it asks for none.

    >>> read_query("It is plausible.\n**Search:** Marie Curie date of birth")
    'Marie Curie date of birth'
    """
    found = _QUERY.search(reply)
    return found[1].strip() if found else ""


async def _locally(
    state: CorrectionState, context: CritiqueContext, text: str, asked: Sequence[str]
) -> Found:
    """What the local verifier finds refuted, by the documents and by searches for each claim.

    Claims in `asked` were searched for before.
    """
    bare = Critique(text=text)
    if language := await to_thread(detect_foreign_draft, text):
        note(abstention(language))
        return state.documents, bare
    claims = (await to_thread(extract, state.question, text))[: context.max_claims]
    documents, searches = state.documents, list[SubAnswer]()
    if context.corpus or context.search != "none":
        queries = [claim.text for claim in claims if claim.text not in asked]
        documents, searches = await research(queries, documents, context, "verify")
    if not documents:
        note(NO_DOCUMENT)
        return documents, bare
    ground = (state.question, claims, documents, context.weights("verify"))
    try:
        errors, _ = await to_thread(explain, *ground)
    except OutOfTimeError as error:
        note(f"{_FAILED}: {error}")
        return documents, bare
    texts = tuple(error.text for error in errors)
    words = "\n".join(texts) or "nothing was refuted"
    critique = replace(bare, searches=tuple(searches), words=words, problems=texts)
    return documents, critique


async def correct_by_critique(
    state: CorrectionState, context: CritiqueContext, template: str, critique: Critique
) -> Critique:
    """The critique with the text as the filler of the role `correct` has it by its problems.

    A model is not asked again if the critique proposes a text.
    """
    if holds_text(critique.proposed):
        return replace(critique, revised=in_form_of(critique.text, critique.proposed))
    if context.model_for("correct") is None:
        ground = (state.question, critique.text, critique.problems or (), state.documents)
        try:
            revised = await to_thread(correct_text, *ground, context.weights("correct"))
        except OutOfTimeError as error:
            note(f"the text was not corrected: {error}")
            revised = critique.text
        return replace(critique, revised=revised)
    found = list_passages(critique.searches, state.documents, context.evidence_characters)
    values = {"question": state.question, "answers": found, "errors": critique.words}
    revised = await rewrite_text(context, "correct", template, critique.text, **values)
    return replace(critique, revised=revised)


async def judge_by_critiques(
    state: CorrectionState, context: CorrectionContext, critiques: Sequence[Critique]
) -> list[Verdict]:
    """The verdicts on the draft's claims: refuted where a problem speaks of one.

    Which of the others the evidence shows says the local verifier; where the first critique could
    not be read, nothing was judged.
    """
    if not critiques or critiques[0].problems is None:
        return unchecked(state.claims, _FAILED if state.documents else NO_DOCUMENT)
    try:
        rest = await _judge_rest(state, context)
        refuted = await to_thread(_refuted, state, critiques)
    except OutOfTimeError as error:
        note(f"{_FAILED}: {error}")
        return unchecked(state.claims, str(error))
    return strongest(state.claims, [*refuted, *rest], "over max_claims")


async def _judge_rest(state: CorrectionState, context: CorrectionContext) -> list[Verdict]:
    """The local verifier's verdicts; what a model found no problem in, these do not refute."""
    claims = state.claims[: context.max_claims]
    verdicts = await judge_locally(state, context, "verify", claims, state.documents)
    if not context.by_model("verify"):
        return verdicts
    over, said = ("refuted", "conflicting"), "no problem was found here"
    return [
        replace(v, label="not_mentioned", reason="contradicted", explanation=said)
        if v.label in over
        else v
        for v in verdicts
    ]


def _refuted(state: CorrectionState, critiques: Sequence[Critique]) -> list[Verdict]:
    """A verdict for each problem, with the passage that was found for it; the first ones last."""
    verdicts = list[Verdict]()
    for critique in critiques:
        strips = evidence_of(critique.searches)
        for problem in critique.problems or ():
            claim = claim_spoken_of(state.claims, problem)
            if claim is None:
                note(f"a problem speaks of no claim of the draft: {problem}")
            else:
                [quotes] = best_quotes([problem], strips)
                verdicts.append(
                    Verdict(claim=claim.id, label="refuted", evidence=quotes, explanation=problem)
                )
    return verdicts[::-1]
