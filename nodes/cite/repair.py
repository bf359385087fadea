"""Move, insert and mend marks, each by an edit that says why."""

import re
from asyncio import to_thread
from collections.abc import Iterator, Sequence
from dataclasses import replace
from textwrap import shorten

from langgraph.runtime import Runtime

from errata.core.edits import overlaps
from errata.core.records import Edit
from errata.core.words import loosely
from errata.nodes.cite.state import Citation, Cite, CiteContext
from errata.nodes.rac.state import keeps_all
from errata.nodes.step import Update, note
from errata.tools.local.hedge import is_mark
from errata.tools.local.shape import keep_shape
from errata.tools.text.mark_edits import MarkWriter
from errata.tools.text.quotations import find_meant, find_quotations, is_quoted_from
from errata.tools.text.references import Mark

MOST_LOST = 1 / 3
"""The share of a draft's marks that may name nothing; with more its list was not understood."""


async def repair(state: Cite, runtime: Runtime[CiteContext]) -> Update:
    """Add the edits of quotations and marks; quotations' count over claims', these over marks'."""
    if keeps_all(state, runtime.context):
        return {}
    if why := _why_lost(state):
        note(f"nothing was repaired: {why}")
        return {"edits": []}
    quotations, marks = await to_thread(lambda: ([*quotation_edits(state)], [*mark_edits(state)]))
    mended = {claim for edit in quotations for claim in edit.claims}
    edits = [
        edit
        for edit in state.edits
        if not overlaps(edit, quotations) and not (is_mark(edit) and mended & {*edit.claims})
    ]
    edits, drops = await to_thread(keep_shape, state.draft, [*edits, *quotations])
    note(*drops)
    for edit in marks:
        if overlaps(edit, edits):
            note(f"the mark {edit.before!r} was left to another edit of its sentence")
        else:
            edits.append(edit)
    return {"edits": edits}


def _why_lost(state: Cite) -> str:
    """Which list of references was not understood, if many marks name nothing; else empty."""
    marks, known = [mark for each in state.sentences for mark in each.marks], state.known
    lost = [mark.text for mark in marks if known.isdisjoint(mark.keys)]
    if len(lost) <= len(marks) * MOST_LOST:
        return ""
    first = next((reference.text for reference in state.references if reference.end), "")
    told = ", ".join(dict.fromkeys(lost))
    if not first:
        return f"the draft has no list of references, but marks: {told}"
    return f"the list that begins with “{shorten(first, 60)}” has no entry for {told}"


def quotation_edits(state: Cite) -> Iterator[Edit]:
    """Put a cited source's own words in the place of each quotation that it does not have."""
    for citation, sentence in zip(state.citations, state.sentences, strict=True):
        if citation.finding != "fabricated_quote":
            continue
        ids = {source.document for source in state.sources if source.key in citation.cites}
        texts = [document.text for document in state.documents if document.id in ids]
        for quotation in (sentence.text[a:b] for a, b in find_quotations(sentence.text)):
            words = re.compile(loosely(quotation))
            place = words.search(state.draft, sentence.start, sentence.end)
            is_there = any(is_quoted_from(quotation, text) for text in texts)
            meant = {found for text in texts if (found := find_meant(quotation, text))}
            if place and len(meant) == 1 and not is_there:
                edit = Edit(
                    start=place.start(), end=place.end(), before=place[0], after=meant.pop()
                )
                why = "the source's own words"
                yield replace(edit, claims=citation.claims, explanation=why)


def mark_edits(state: Cite) -> Iterator[Edit]:
    """The edits of marks, each with the claims and quotes that it rests on."""
    writer = MarkWriter(state.draft)
    for citation, sentence in zip(state.citations, state.sentences, strict=True):
        wrong, right = _move(state, citation)
        is_missing = citation.finding == "missing_mark" and right
        edits = [writer.insert(sentence, right)] if is_missing else []
        keys = dict[Mark, Sequence[str]]()
        for mark in sentence.marks:
            kept = [key for key in mark.keys if key not in citation.idle]
            now = (new for key in kept for new in (right if key == wrong else (key,)))
            own = tuple(dict.fromkeys(now))
            keys |= {mark: own} if own != mark.keys else {}
        edits += writer.change(sentence.marks, keys)
        claims, evidence, why = citation.claims, citation.evidence, citation.explanation
        yield from (replace(e, claims=claims, evidence=evidence, explanation=why) for e in edits)


def _move(state: Cite, citation: Citation) -> tuple[str, Sequence[str]]:
    """The one key of a sentence that names the wrong source, and the right ones; else empty."""
    right: Sequence[str] = citation.bearers if state.known.issuperset(citation.bearers) else ()
    wrong = list(citation.cites)
    if citation.finding == "dead":
        dead = {source.key for source in state.sources if source.status == "dead"}
        wrong = [key for key in wrong if key in dead]
    elif citation.finding in ("contradicted", "outdated"):
        right = _sources_of_mend(state, citation)
    elif citation.finding not in ("wrong_source", "missing_mark"):
        return "", ()
    is_one = len(wrong) == 1 and right and not {*right} & {*citation.cites}
    return (wrong[0], right) if is_one else ("", right)


def _sources_of_mend(state: Cite, citation: Citation) -> Sequence[str]:
    """The one source by which an edit mends a sentence; empty if there is none, or several."""
    mends = (edit for edit in state.edits if not is_mark(edit))
    changed = [edit for edit in mends if {*edit.claims} & {*citation.claims}]
    by = {quote.document for edit in changed for quote in edit.evidence}
    keys = [source.key for source in state.sources if source.key and source.document in by]
    return keys if len(keys) == 1 else []
