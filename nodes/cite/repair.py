"""Move, insert and mend marks, each by an edit that says why."""

import re
from asyncio import to_thread
from collections.abc import Iterator
from dataclasses import replace

from errata.core.edits import overlaps
from errata.core.records import Edit
from errata.nodes.cite.state import Citation, Cite, CiteContext
from errata.nodes.step import Update, note, step
from errata.tools.text.mark_edits import insert_mark, merge_duplicates, move_mark
from errata.tools.text.quotations import find_meant, find_quotations, is_quoted_from
from errata.tools.text.references import CitedSentence, Mark


@step
async def repair(state: Cite, context: CiteContext) -> Update:
    """Add the edits of marks to those of claims; where two meet, the claims' stay."""
    if context.keep_all_true and all(v.label != "refuted" for v in state.verdicts):
        return {}
    edits = list(state.edits)
    for edit in await to_thread(lambda: [*mark_edits(state)]):
        if overlaps(edit, edits):
            note(f"{edit.before!r} was left to another edit of its sentence")
        else:
            edits.append(edit)
    return {"edits": edits}


def mark_edits(state: Cite) -> Iterator[Edit]:
    """The edits of marks and quotations, each with the claims and quotes that it rests on."""
    pairs = list(zip(state.citations, state.sentences, strict=True))
    for citation, sentence in pairs:
        for edit, why in _edits(state, citation, sentence):
            if edit:
                ground = {"claims": citation.claims, "evidence": citation.evidence}
                yield replace(edit, **ground, explanation=why)  # type: ignore[arg-type]
    marks = [mark for sentence in state.sentences for mark in sentence.marks]
    for edit in merge_duplicates(state.draft, marks, state.references):
        yield replace(edit, explanation="two references name one source")


def _edits(
    state: Cite, citation: Citation, sentence: CitedSentence
) -> Iterator[tuple[Edit | None, str]]:
    """What repairs one sentence's marks, and why."""
    known = {reference.key for reference in state.references}
    bearer = next((key for key in citation.bearers if key in known), "")
    if citation.finding == "fabricated_quote":
        yield from _requote(state, citation, sentence)
    elif citation.finding == "missing_mark" and bearer:
        made = insert_mark(state.draft, sentence, bearer, state.references)
        yield made, citation.explanation
    elif citation.finding in ("wrong_source", "dead") and bearer and bearer not in citation.cites:
        if wrong := _wrong(state, citation, sentence):
            mark, key = wrong
            made = move_mark(state.draft, mark, key, bearer, state.references)
            yield made, citation.explanation
    elif citation.finding in ("contradicted", "outdated"):
        yield from _follow(state, citation, sentence)


def _wrong(state: Cite, citation: Citation, sentence: CitedSentence) -> tuple[Mark, str] | None:
    """The one mark and key of a sentence that names the wrong source; None if it has several."""
    dead = {source.key for source in state.sources if source.status == "dead"}
    keys = [(mark, key) for mark in sentence.marks for key in mark.keys]
    if citation.finding == "dead":
        keys = [(mark, key) for mark, key in keys if key in dead]
    return keys[0] if len(keys) == 1 else None


def _follow(
    state: Cite, citation: Citation, sentence: CitedSentence
) -> Iterator[tuple[Edit | None, str]]:
    """Move the mark of a sentence that an edit mends to the source that the edit is by."""
    changed = [edit for edit in state.edits if {*edit.claims} & {*citation.claims}]
    by = {quote.document for edit in changed for quote in edit.evidence}
    named = {source.key for source in state.sources if source.key and source.document in by}
    wrong = _wrong(state, citation, sentence)
    if wrong and len(named) == 1 and not named & {*citation.cites}:
        made = move_mark(state.draft, wrong[0], wrong[1], named.pop(), state.references)
        yield made, "its source says what stands here now"


def _requote(
    state: Cite, citation: Citation, sentence: CitedSentence
) -> Iterator[tuple[Edit | None, str]]:
    """Put a cited source's own words in the place of a quotation that it does not have."""
    ids = {source.document for source in state.sources if source.key in citation.cites}
    texts = [document.text for document in state.documents if document.id in ids]
    for start, end in find_quotations(sentence.text):
        quotation = sentence.text[start:end]
        words = re.compile(r"\s+".join(map(re.escape, quotation.split())))
        place = words.search(state.draft, sentence.start, sentence.end)
        meant = {found for text in texts if (found := find_meant(quotation, text))}
        is_there = any(is_quoted_from(quotation, text) for text in texts)
        if place and len(meant) == 1 and not is_there:
            made = Edit(start=place.start(), end=place.end(), before=place[0], after=meant.pop())
            yield made, "the source's own words"
