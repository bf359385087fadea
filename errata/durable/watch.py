"""Compare the documents of stored verdicts with today's; judge claims again where they changed."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Literal

from errata.core.budgets import Cost, open_budget
from errata.core.errors import PageError
from errata.core.limits import open_bounds
from errata.core.records import Claim, Document
from errata.nodes.evidence import shorten
from errata.nodes.rac.state import RacContext
from errata.nodes.rac.stored import open_stored
from errata.nodes.rac.verify import judge_claims
from errata.nodes.step import open_ledger
from errata.tools.judges.cases import Judgement
from errata.tools.judges.evidence_store import EvidenceStore, open_evidence
from errata.tools.retrieval.filters import assign_ids
from errata.tools.web.pages import PageCache, PageLimits, open_pages

AT_ONCE = 16
"""How many pages are read at a time."""


@dataclass
class Watched:
    """What a look found."""

    documents: int = 0
    """How many documents were compared."""
    apart: int = 0
    """How many were not: they have no address, and are not among the given ones."""
    changed: list[str] = field(default_factory=list)
    """The addresses and names of those that changed."""
    unread: list[str] = field(default_factory=list)
    """The pages that could not be read, and why: what rests on them stays."""
    judged: int = 0
    """How many claims were judged by changed documents."""
    unjudged: int = 0
    """How many could not be judged, and wait for the next look."""
    others: dict[str, int] = field(default_factory=dict)
    """How many claims wait for another judge than the run's, by its name."""
    notes: list[str] = field(default_factory=list)


async def watch(place: str, context: RacContext, given: Sequence[Document] = ()) -> Watched:
    """Compare stored pages with those that stand at their addresses, and documents with given ones.

    A given document is compared with those of its id that have no address. Claims that rest on what
    changed are judged anew, if by the judge that judged them before; each batch is stored when it
    is done, so that a killed look goes on where it was. Raises StoreError if the store cannot be
    used.
    """
    store, found = open_evidence(place), Watched()
    context = context.model_copy(update={"evidence_store": place, "evidence_store_hours": 0.0})
    with (
        open_ledger() as ledger,
        open_bounds(context.bounds()) as bounds,
        open_budget(context.budget(Cost())),
    ):
        newer = await _find_newer(store, context, {d.id: d for d in given}, found)
        resting = await to_thread(store.resting_on, newer)

        def shared(own: Judgement) -> tuple[str, str, tuple[str, ...]]:
            return own.case.question, own.case.language, own.case.documents

        for _, group in groupby(sorted(resting, key=shared), key=shared):
            await _judge_group(store, [*group], newer, context, found)
        found.notes = [*ledger.notes, *bounds.notes]
    return found


async def _find_newer(
    store: EvidenceStore, context: RacContext, given: Mapping[str, Document], found: Watched
) -> dict[str, Document]:
    """The new form of each document that changed, by the digest of the old one."""
    rows, newer = await to_thread(store.sources), dict[str, Document]()
    urls = list(dict.fromkeys(url for _, url, _ in rows if url.startswith(("http://", "https://"))))
    limits = PageLimits(context.page_timeout, context.page_bytes)
    cache = PageCache(context.pages.file, 0.0)
    for start in range(0, len(urls), AT_ONCE):
        part = urls[start : start + AT_ONCE]
        pages = dict(zip(part, await open_pages(part, limits, cache), strict=True))
        found.unread += [str(page) for page in pages.values() if isinstance(page, PageError)]
        fresh = {u: p.document for u, p in pages.items() if not isinstance(p, PageError)}
        own = {digest: fresh[url] for digest, url, _ in rows if url in fresh}
        newer |= await _compare(store, own, context, found)
    named = {digest: given[name] for digest, url, name in rows if not url and name in given}
    found.apart = sum(url not in urls and digest not in named for digest, url, _ in rows)
    return newer | await _compare(store, named, context, found)


async def _compare(
    store: EvidenceStore, fresh: Mapping[str, Document], context: RacContext, found: Watched
) -> dict[str, Document]:
    changed = dict[str, Document]()
    old = await to_thread(store.documents, fresh)
    for digest, document in old.items():
        own = fresh[digest]
        new = shorten(replace(document, text=own.text, retrieved_at=own.retrieved_at), context)
        if new.text != document.text:
            changed[digest] = new
    found.documents += len(old)
    found.changed += dict.fromkeys(d.url or d.id for d in changed.values())
    return changed


async def _judge_group(
    store: EvidenceStore,
    group: Sequence[Judgement],
    newer: dict[str, Document],
    context: RacContext,
    found: Watched,
) -> None:
    """Judge claims of one question that were judged by the same documents."""
    case = group[0].case
    kept = await to_thread(store.documents, case.documents) | newer
    if not kept.keys() >= {*case.documents}:  # another process forgot one meanwhile
        return
    documents = assign_ids(kept[digest] for digest in case.documents)
    # The second of a cascade has the last word.
    known = (case.question, documents, context)
    places: tuple[Literal[0, 1], ...] = (1, 0) if context.cascades("verify") else (0,)
    opened = [open_stored(*known, n, "" if n else case.language) for n in places]
    judges = [judge for judge in opened if judge]
    same = [own for own in group if own.case.judge in [each.case.judge for each in judges]]
    for own in group:
        if own not in same:
            found.others[own.case.filler] = found.others.get(own.case.filler, 0) + 1
    size = context.claims_per_call
    for part in (same[at : at + size] for at in range(0, len(same), size)):
        texts = [own.case.claim for own in part]
        claims = [Claim(id=f"c{n}", text=t, start=0, end=len(t)) for n, t in enumerate(texts)]
        await judge_claims(case.question, claims, documents, context, case.language)
        for own, text in zip(part, texts, strict=True):
            keys = [judge.case_of(text).key for judge in judges]
            kept_now = await to_thread(store.find, keys)
            new = next((kept_now[key] for key in keys if key in kept_now), None)
            if new:
                await to_thread(store.supersede, own, new)
            found.judged, found.unjudged = found.judged + bool(new), found.unjudged + (not new)
