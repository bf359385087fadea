"""Judge the sentences of a text while the next ones are written, in the order in which they end."""

from asyncio import Queue, create_task, to_thread
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from errata.core.edits import Span
from errata.core.errors import CutError, OutOfTimeError
from errata.core.events import Held, Judged, Text
from errata.core.records import Claim, Document, Verdict
from errata.nodes.claims import judge_by_code, split_locally, unchecked, within_limit
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.rac.evidence import MOST_ADDED, add_documents, look_claims_up
from errata.nodes.step import Update, note, tell_event
from errata.tools.judges.verifier import NO_DOCUMENT
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import split_sentences

AT_ONCE = 8
"""How many sentences that have ended are judged together."""
BEYOND = 12
"""How many characters of the next sentence show that one has ended: "Dr. S" is no end."""


class Judging:
    """Takes a text as it comes, and judges its sentences by what fills `verify`."""

    def __init__(self, state: Errata, context: ErrataContext, documents: list[Document]) -> None:
        """Begin with the documents that are there; a corpus has more for each sentence."""
        self._state, self._context, self.documents = state, context, documents
        self._known = len(documents)
        self._begin()

    def _begin(self) -> None:
        self.draft = ""
        """The sentences that have ended."""
        self._text, self._shown = "", 0
        self._verdicts = dict[Claim, Verdict]()
        self._held = list[Span]()
        self._ends = Queue[int | None]()
        """Where sentences end; None after the last."""
        self._worker = create_task(self._judge_all())

    def hear(self, text: str, beyond: int = BEYOND) -> None:
        """Take the sentences that have ended in a text so far; so many characters show an end.

        What does not go on with what was heard takes its place: that was a thought.
        """
        if not text.startswith(self._text.rstrip()):
            self.stop()
            if self._shown:
                tell_event(Text(start=0, text="", anew=True))
            self._begin()
        self._text = text
        self._show(text)
        while len(spans := split_sentences(text[len(self.draft) :])) > 1:
            place = len(self.draft)
            if len(text) - place - spans[1][0] < beyond:
                break
            self._take(text[: place + spans[0][1]])

    def _show(self, text: str) -> None:
        """Show what a text has more than was shown, unless doubtful sentences are held back."""
        if self._context.hold == "none" and len(text.rstrip()) > self._shown:
            tell_event(Text(start=self._shown, text=text[self._shown :]))
            self._shown = len(text)

    def _take(self, draft: str) -> None:
        """Have the last sentence of a draft so far judged."""
        self.draft = draft
        self._show(draft)
        self._ends.put_nowait(len(draft))

    async def _judge_all(self) -> None:
        """Judge the sentences that have ended, until the last."""
        places: list[int] = [0]
        while (end := await self._ends.get()) is not None:
            places.append(end)
            if self._ends.empty() or len(places) > AT_ONCE:
                await self._judge_sentences(places)
                places = places[-1:]
        if len(places) > 1:
            await self._judge_sentences(places)

    async def _judge_sentences(self, places: Sequence[int]) -> None:
        """Judge the sentences between places, and show those of which all claims are sure."""
        draft, most = self.draft[: places[-1]], self._context.deployment.max_claims
        read = await self._extract(draft)
        claims = [claim for claim in read[:most] if claim.start >= places[0]]
        if self._context.looks_up and claims:
            await self._look_up(claims)
        found = dict(zip(claims, await self._judge(draft, claims), strict=True))
        self._verdicts |= found
        for claim, verdict in found.items():
            tell_event(Judged(claim=claim, verdict=verdict))
        for start, end in pairwise(places) if self._context.hold == "doubtful" else ():
            if all(self._is_sure(v) for claim, v in found.items() if start <= claim.start < end):
                tell_event(Text(start=start, text=draft[start:end]))
            else:
                self._held.append((start, end))
                tell_event(Held(start=start, end=end))

    def _is_sure(self, verdict: Verdict) -> bool:
        """Whether nothing will change a claim: a decision model that judges alone has spoken."""
        is_final = self._context.sole_deciders("verify")
        least = 0.0 if is_final else self._context.deployment.sure_above
        return verdict.label == "supported" and (verdict.score is None or verdict.score > least)

    async def _extract(self, draft: str) -> list[Claim]:
        return await split_locally(self._state.model_copy(update={"draft": draft}))

    async def _look_up(self, claims: Sequence[Claim]) -> None:
        question, context = self._state.question, self._context
        found = await look_claims_up(question, claims, self._state.documents, context)
        left = max(0, MOST_ADDED - len(self.documents) + self._known)
        state = self._state.model_copy(update={"documents": self.documents})
        self.documents = await to_thread(add_documents, state, found, context, left)

    async def _judge(self, draft: str, claims: Sequence[Claim]) -> list[Verdict]:
        """Verdicts by local code or a checkpoint; where a model judges alone, none yet."""
        context, question = self._context, self._state.question
        if context.by_model("verify") and not context.cascades("verify"):
            return unchecked(claims, "not judged yet")
        if not (claims and self.documents):
            return unchecked(claims, NO_DOCUMENT)
        language = await to_thread(detect_foreign_draft, draft)
        known = (question, claims, self.documents, context, "verify", language)
        try:
            return await judge_by_code(*known)
        except OutOfTimeError as error:
            note(f"{len(claims)} claims were not judged: {error}")
            return unchecked(claims, str(error))

    async def cut(self, fault: Exception) -> CutError:
        """The error of a text that broke off, with its whole sentences and what they were found."""
        self.hear(self._text, beyond=0)
        self._ends.put_nowait(None)
        await self._worker
        cut = CutError(str(fault))
        cut.draft, cut.claims = self.draft, tuple(self._verdicts)
        cut.verdicts = tuple(self._verdicts.values())
        return cut

    async def finish(self, draft: str) -> Update:
        """The draft with its claims and verdicts, as if it had been read whole at once."""
        for end in [*(end for _, end in split_sentences(draft)[:-1]), len(draft)]:
            if end > len(self.draft):
                self._take(draft[:end])
        self._ends.put_nowait(None)
        await self._worker
        read = await self._extract(draft)
        claims, over = within_limit(read, self._context)
        known = {_place(claim): verdict for claim, verdict in self._verdicts.items()}
        new = [claim for claim in claims if _place(claim) not in known]
        known |= zip(map(_place, new), await self._judge(draft, new), strict=True)
        return {
            "draft": draft,
            "claims": read,
            "verdicts": [*(replace(known[_place(c)], claim=c.id) for c in claims), *over],
            "documents": self.documents,
            "held": self._held,
        }

    def stop(self) -> None:
        """Judge no more."""
        self._worker.cancel()


def _place(claim: Claim) -> tuple[str, int, int]:
    """A claim's text, start and end: its number may change as the text goes on."""
    return claim.text, claim.start, claim.end
