"""Explain each factual error of the draft (section 2, step 2)."""

import re
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import replace

from errata.core.edits import Spans
from errata.core.records import Claim, Explanation, Fix, Knowledge, SubAnswer, Verdict
from errata.nodes.ask import ask
from errata.nodes.claims import abstention, within_limit
from errata.nodes.ledger import note
from errata.nodes.reex.state import Reex, ReexContext, with_claims
from errata.nodes.step import Update, step
from errata.tools.local.explain import explain as find_errors
from errata.tools.local.explain import place_explanations, read_citations
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.words import content_stems

_MARK = re.compile(
    r"^\s*(?:[-*•]\s+|(?:(?:factual\s*)?error\s*)?#?\d{1,3}\s*[.:)]\s*)", re.IGNORECASE
)
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
NOT_FOUND = "nothing was found"
NOT_SHOWN = "what was found does not speak of this"
NOTHING = "none"
_NOT_SHOWN = re.compile(r"^[^\w\n]*not (?:shown|mentioned)[^\w\n]*:", re.IGNORECASE | re.MULTILINE)
_NOTHING = re.compile(r"\W*(?:(?:none|nothing|n/a)\b|$)", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“]([^\"“”\n]+)[\"”]")
_LEAD = re.compile(r"^\W*(?:list of )?factual errors\b[^\w\n\"“]*", re.IGNORECASE)


@step
async def explain(state: Reex, context: ReexContext) -> Update:
    """Find what the evidence contradicts, and say what is right."""
    state = await to_thread(with_claims, state, context)
    if context.model_for("explain") is None:
        return await explain_locally(state, context)
    template = "reex/explain" if context.evidence != "none" else "reex/explain.plain"
    values = explain_values(state, context)
    reply = await ask(context, "explain", template, if_failed=NOT_EXPLAINED, **values)
    if reply.failure:
        return no_errors_sought(state)
    found = read_explanations(reply.text), read_not_shown(reply.text)
    return await errors_read(state, context, *found)


def explain_values(state: Reex, context: ReexContext) -> dict[str, str]:
    """The draft, and the answers unless the run does without evidence."""
    values = {"question": state.question, "draft": state.draft}
    return values if context.evidence == "none" else values | {"answers": list_answers(state)}


async def explain_locally(state: Reex, context: ReexContext) -> Update:
    """Errors by rules: what the verifier finds refuted, and what the corrector would put there."""
    if language := await to_thread(detect_foreign_draft, state.draft):
        note(abstention(language))
        return no_errors_sought(state)
    if not state.documents:
        note("there is no document to judge by: no error can be found")
        return no_errors_sought(state)
    claims, _ = within_limit(state.claims, context)
    draft = (state.question, claims, state.documents, context.weights("explain"))
    explanations, fixes = await to_thread(find_errors, *draft)
    return _found(state, explanations, fixes)


def _found(
    state: Reex,
    explanations: Sequence[Explanation],
    fixes: Sequence[Fix] = (),
    not_shown: Sequence[str] | None = None,
) -> Update:
    """The update where errors were looked for."""
    return {
        "claims": state.claims,
        "explanations": explanations,
        "explained": True,
        "not_shown": not_shown,
        "verdicts": refuted_claims(explanations),
        "fixes": fixes,
    }


def no_errors_sought(state: Reex) -> Update:
    """The update where no errors could be looked for."""
    return {**_found(state, []), "explained": False}


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
    placed = await to_thread(place_explanations, state.draft, texts, state.answers)
    explained = state.model_copy(update={"explanations": placed})
    explained = await to_thread(with_claims, explained, context)
    linked = link(placed, explained.claims)
    return _found(explained, linked, (), not_shown if context.evidence != "none" else None)


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


def list_answers(state: Reex) -> str:
    """The sub-questions with their answers below them; a strip that two share stands there once."""
    blocks = _blocks(state, [answer.evidence for answer in state.answers])
    if state.unasked:
        blocks.append(f"Questions for which nothing was looked up: {len(state.unasked)}")
    return "\n\n".join(blocks) or NOTHING


def list_cited(state: Reex) -> str:
    """The strips that the explanations rest on, under the questions that they cite."""
    texts = [explanation.text for explanation in state.explanations]
    numbers = {number for text in texts for number in read_citations(text, len(state.answers))}
    places = {(q.document, q.start) for e in state.explanations for q in e.evidence}
    evidence = [
        [s for s in answer.evidence if number in numbers and (s.document, s.start) in places]
        for number, answer in enumerate(state.answers, start=1)
    ]
    blocks = zip(_blocks(state, evidence), evidence, strict=True)
    return "\n\n".join(block for block, strips in blocks if strips) or NOTHING


def _blocks(state: Reex, evidence: Sequence[Sequence[Knowledge]]) -> list[str]:
    """A numbered block for each sub-question; a strip that stands above is referred to."""
    titles = {document.id: document.title for document in state.documents}
    shown = dict[tuple[str, int], int]()
    blocks = []
    for number, (answer, strips) in enumerate(zip(state.answers, evidence, strict=True), start=1):
        first = [shown.setdefault((s.document, s.start), number) for s in strips]
        new = [s for s, place in zip(strips, first, strict=True) if place == number]
        lines = [_line(strip, titles) for strip in new]
        lines += [f"see answer {place}" for place in sorted({*first} - {number})]
        blocks.append("\n".join([f"{number}. {answer.question}", *(lines or [_lack(answer)])]))
    return blocks


def _line(strip: Knowledge, titles: Mapping[str, str]) -> str:
    title, text = titles[strip.document], " ".join(strip.text.split())
    return f"[{title}] {text}" if title else text


def _lack(answer: SubAnswer) -> str:
    return NOT_SHOWN if answer.found else NOT_FOUND


def read_explanations(reply: str) -> list[str]:
    r"""One explanation a line or paragraph; none where the reply says there are no errors.

    >>> read_explanations('Factual Errors:\n1. "1865" is wrong: she was born in 1867.')
    ['"1865" is wrong: she was born in 1867.']
    """
    text = _LEAD.sub("", _NOT_SHOWN.split(reply.strip())[0])
    lines = [line for line in text.splitlines() if line.strip()]
    if _NONE.match(text) and not any(_MARK.match(x) and _QUOTED.search(x) for x in lines):
        return []
    marked = any(_MARK.match(line) for line in lines)
    errors: list[str] = []
    for line in lines:
        if _MARK.match(line) or not marked:
            errors.append(_MARK.sub("", line).strip())
        elif errors:
            errors[-1] += f" {line.strip()}"
    return [error for error in errors if not _is_none(error)]


def _is_none(line: str) -> bool:
    """Whether a line says that nothing is wrong."""
    if _NONE.match(line) or _RIGHT.match(line):
        return True
    return bool(_FINE.search(line) and not _EXCEPT.search(line))


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
