"""The evidence store beside a run: it is asked before claims are judged, and keeps what was."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from errata.core.errors import count
from errata.core.limits import current_bounds
from errata.core.records import Claim, Document, Usage, Verdict
from errata.nodes.rac.state import ClaimContext
from errata.nodes.step import note, note_once, spend
from errata.tools.judges.cases import Case, Judgement, digest_document, digest_of, localize, now
from errata.tools.judges.evidence_store import EvidenceStore, open_evidence
from errata.tools.judges.findings import read_verifier_weights
from errata.tools.local.mends import Mend
from errata.tools.models.replies import key_of
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of
from errata.tools.net.redaction import without_login
from errata.tools.net.stores import attempt

_try = partial(attempt, "the evidence store cannot be used: {}; verdicts are not kept")
NAMED = 5
"""How many sources of earlier verdicts a note names."""
Known = Mapping[str, tuple[Verdict, Sequence[Mend]]]


@dataclass(frozen=True)
class Stored:
    """The store, asked about claims of one question by one set of documents."""

    store: EvidenceStore
    case: Case
    """All but the claim."""
    documents: Mapping[str, Document]
    """By their digests."""
    digests: Mapping[str, str]
    """By the documents' ids."""
    hours: float

    async def find(self, claims: Sequence[Claim]) -> Known:
        """What was judged before, by claim: verdicts whose quotes are by the run's documents."""
        cases = {claim.id: self.case_of(claim.text) for claim in claims}
        past = datetime.fromtimestamp(time.time() - self.hours * 3600, UTC)
        since = past.isoformat(timespec="seconds") if self.hours else ""
        keys = {name: case.key for name, case in cases.items()}
        found = await _try(self.store.find, keys.values(), since) or {}
        known, told = dict[str, tuple[Verdict, Sequence[Mend]]](), dict[str, list[str]]()
        for name, key in keys.items():
            kept: Judgement | None = found.get(key)
            if kept and (verdict := localize(kept, name, self.documents)):
                known[name] = verdict, kept.mends
                told.setdefault(self._describe(kept), []).append(name)
        if known:
            said = [f"{', '.join(own)} {words}" for words, own in [*told.items()][:NAMED]]
            said += ["…"] if len(told) > NAMED else []
            note(f"{count(known, 'claim', 'was')} judged before: {'; '.join(said)}")
            spend(Usage(by_role={"verify": {"stored": len(known)}}))
        return known

    def case_of(self, claim: str) -> Case:
        """The case of a claim."""
        return replace(self.case, claim=claim)

    def _describe(self, kept: Judgement) -> str:
        sources = {q.document: self.documents[q.document] for q in kept.verdict.evidence}
        names = dict.fromkeys(d.url or d.title or d.id for d in sources.values())
        against = ", ".join(names) or count(self.documents, "document")
        return f"on {kept.judged[:10]} against {against}"

    async def keep(
        self,
        claims: Sequence[Claim],
        verdicts: Sequence[Verdict],
        mends: Mapping[str, Sequence[Mend]],
    ) -> None:
        """Keep what was judged; nothing if the run's time ended, which may have cut work short."""
        if not current_bounds().seconds_left:
            return
        texts, date = {claim.id: claim.text for claim in claims}, now()
        judged = list[Judgement]()
        for own in verdicts:
            quotes = [replace(q, document=self.digests[q.document]) for q in own.evidence]
            judged.append(
                Judgement(
                    case=self.case_of(texts[own.claim]),
                    verdict=replace(own, claim="", evidence=tuple(quotes)),
                    mends=tuple(mends.get(own.claim, ())),
                    judged=date,
                )
            )
        await _try(self.store.keep, judged, self.documents)


def open_stored(
    question: str,
    documents: Sequence[Document],
    context: ClaimContext,
    place: Literal[0, 1],
    language: str = "",
) -> Stored | None:
    """The run's store for a judge, at its place in a cascade.

    None without a store, or if nothing tells the judge from others. `language` is what a judge of
    English alone is told of the draft.
    """
    judge = identify_judge(context, place) if context.evidence_store else None
    if not judge:
        return None
    digests = {document.id: digest_document(document) for document in documents}
    by_digest = {digests[document.id]: document for document in documents}
    case = Case(
        question=question,
        language=language,
        judge=judge[0],
        filler=judge[1],
        documents=tuple(by_digest),
    )
    store = open_evidence(context.evidence_store)
    return Stored(store, case, by_digest, digests, context.evidence_store_hours)


def identify_judge(context: ClaimContext, place: Literal[0, 1]) -> tuple[str, str] | None:
    """A digest of all that makes verdicts of `verify` what they are, and the judge's name.

    Place 1 is the second of a cascade. None, with a note, where it is not known beforehand which
    model judges: a reply of the second of several may not stand for one of the first.
    """
    bounds, cascades = current_bounds(), context.cascades("verify")
    parts: list[object] = [version("errata"), bounds.max_sentence, bounds.max_strips]
    if checkpoint := context.checkpoint("verify", place):
        return digest_of(repr([*parts, checkpoint, _files_of(checkpoint)])), f"hub:{checkpoint}"
    models = context.models_for("verify")
    if not models or (cascades and not place):
        weights = read_verifier_weights(own := context.weights("verify"))
        name = f"local:{own}" if own else "local"
        return digest_of(repr([*parts, weights, _files_of(weights.cross_encoder)])), name
    prompt, sampling = context.template("rac/verify"), context.sampling_for("verify")
    asked = Request("verify", prompt.name, prompt.digest, "", sampling)
    key = key_of(models[0], asked)
    if context.replay or len(models) > 1 or not key:
        note_once("the evidence store was not used: it takes one model that is asked anew")
        return None
    shown = (context.passage_tokens, cascades)
    return digest_of(repr([*parts, key, shown, context.drops])), without_login(name_of(models[0]))


def _files_of(source: str) -> list[tuple[str, int, int]]:
    """Names, sizes and times of the files that a checkpoint consists of, if it lies here."""
    place = Path(source)
    paths = [place, *sorted(place.rglob("*"))] if source and place.exists() else []
    stats = ((path, path.stat()) for path in paths if path.is_file())
    return [(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in stats]
