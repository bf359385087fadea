"""Judge the sentences of a text while the next ones are written, by local code and by a model."""

from asyncio import Future, Lock, Semaphore, create_task, gather, to_thread
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from errata.core.errors import CutError, OutOfTimeError
from errata.core.events import Held, Judged, Text
from errata.core.limits import report_progress
from errata.core.records import Claim, Document, Usage, Verdict
from errata.nodes.claims import judge_by_code, split_locally, unchecked, within_limit
from errata.nodes.decide import Brief
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.rac.correct import SECOND_LOOK
from errata.nodes.rac.evidence import MOST_ADDED, add_documents, look_claims_up
from errata.nodes.rac.verify import ask_second, find_unsure
from errata.nodes.step import Update, note, spend, tell_event
from errata.tools.judges.verifier import NO_DOCUMENT
from errata.tools.local.mends import Mend
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import split_sentences

AT_ONCE = 4
"""How many sentences are judged at the same time."""
BEYOND = 12
"""How many characters of the next sentence show that one has ended: "Dr. S" is no end."""
ASKED_AT_ONCE = 4
"""How many claims a model is asked about at least while the text goes on."""


class Judging:
    """Where sentences are judged while the next ones are written."""

    def __init__(self, state: Errata, context: ErrataContext, documents: list[Document]) -> None:
        """Begin with the documents that are there; a corpus has more for each sentence."""
        self._state, self._context, self.documents = state, context, documents
        self._begun_with = len(documents)
        self.draft = ""
        """The sentences that were taken."""
        self._text = ""
        self._works = list[Future[None]]()
        self._found = dict[Claim, Verdict]()
        self._held = list[tuple[int, int]]()
        self._asking = list[Future[None]]()
        self._asked = set[Place]()
        self._second = dict[Place, tuple[Verdict, list[Mend]]]()
        self._shown = 0
        self._turn, self._adding, self._choosing = Semaphore(AT_ONCE), Lock(), Lock()
        self._whole: Future[list[Claim]] | None = None
        """The claims of the whole draft, once it is there."""

    async def warm(self) -> None:
        """Judge something before there is a sentence: the first to be judged waits for models."""
        question = self._state.question
        if question and not (self._state.draft or self._context.deciders("verify")):
            claim = Claim(id="", text=question, start=0, end=len(question))
            await self._judge(question, [claim])

    def hear(self, text: str, beyond: int = BEYOND) -> None:
        """Take the sentences that have ended in a text so far; so many characters show an end."""
        if not text.startswith(self._text.rstrip()):
            self._begin_anew()
        self._text = text
        self._tell(text)
        while len(spans := split_sentences(rest := text[len(self.draft) :])) > 1:
            if len(rest) - spans[1][0] < beyond:
                break
            self._take(text[: len(self.draft) + spans[0][1]])

    def _begin_anew(self) -> None:
        """Forget what was heard, which is no part of the text: it was a thought."""
        self.stop()
        for known in (self._works, self._found, self._held, self._asking, self._asked):
            known.clear()
        self._second.clear()
        if self._shown:
            tell_event(Text(start=0, text="", anew=True))
        self.draft, self._shown = "", 0

    def _tell(self, text: str) -> None:
        """Show what a text has more than was shown, unless doubtful sentences are held back."""
        if self._context.hold == "none" and len(text.rstrip()) > self._shown:
            tell_event(Text(start=self._shown, text=text[self._shown :]))
            self._shown = len(text)

    def _take(self, draft: str) -> None:
        """Begin to judge the last sentence of a draft so far."""
        start, self.draft = len(self.draft), draft
        self._tell(draft)
        self._works.append(create_task(self._judge_sentence(draft, start)))
        if self._context.cascades("verify") and not self._state.draft:
            self._asking.append(create_task(self._ask_some(len(self._works))))

    async def _judge_sentence(self, draft: str, start: int) -> None:
        """Judge a draft's last sentence, and show it if it was held back and is sure."""
        async with self._turn:
            claims = await self._claims_after(draft, start)
            if self._context.looks_up and claims:
                await self._look_up(claims)
            verdicts = await self._judge(draft, claims)
        self._found |= zip(claims, verdicts, strict=True)
        for claim, verdict in zip(claims, verdicts, strict=True):
            tell_event(Judged(claim=claim, verdict=verdict))
        report_progress(1 + sum(each.done() for each in self._works), len(self._works) + 1)
        if self._context.hold == "doubtful":
            self._held.append(span := (start, len(draft)))
            self._release()
            if span in self._held:
                tell_event(Held(start=start, end=len(draft)))

    def _release(self) -> None:
        """Show the sentences that were held back of which all claims are now sure."""
        for start, end in [*self._held]:
            own = [claim for claim in self._found if start <= claim.start < end]
            if all(map(self._is_sure, self._latest(own, [self._found[each] for each in own]))):
                self._held.remove((start, end))
                tell_event(Text(start=start, text=self.draft[start:end]))

    def _is_sure(self, verdict: Verdict) -> bool:
        """Whether nothing will change a claim: a decision model that judges alone has spoken."""
        is_final = self._context.sole_deciders("verify")
        least = 0.0 if is_final else self._context.deployment.sure_above
        return verdict.label == "supported" and (verdict.score is None or verdict.score > least)

    async def _claims_after(self, draft: str, start: int) -> list[Claim]:
        """The claims that begin after a place; by the whole draft if that is there already."""
        read = await (self._whole or self._extract(draft))
        most, end = self._context.deployment.max_claims, len(draft)
        return [claim for claim in read[:most] if start <= claim.start < end]

    async def _extract(self, draft: str) -> list[Claim]:
        return await split_locally(self._state.model_copy(update={"draft": draft}))

    async def _look_up(self, claims: Sequence[Claim]) -> None:
        question, context = self._state.question, self._context
        found = await look_claims_up(question, claims, self.documents, context)
        async with self._adding:
            left = max(0, MOST_ADDED - (len(self.documents) - self._begun_with))
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
        brief = Brief(question, claims, self.documents)
        try:
            return await judge_by_code(brief, context, "verify", language)
        except OutOfTimeError as error:
            note(f"a sentence was not judged: {error}")
            return unchecked(claims, str(error))

    async def _ask_some(self, sentences: int) -> None:
        """Ask the model about the claims of so many sentences, if it is worth a call by now."""
        await gather(*self._works[:sentences], return_exceptions=True)
        if not self._whole:
            await self._ask(*self._so_far(), least=ASKED_AT_ONCE)

    async def _ask(
        self, claims: Sequence[Claim], verdicts: Sequence[Verdict], least: int = 1
    ) -> None:
        """Ask the model about the claims that are unsure or refuted, if there are so many."""
        brief, context = Brief(self._state.question, claims, self.documents), self._context
        async with self._choosing:
            given = (brief, verdicts, context, to_mend(verdicts, context))
            unsure = await to_thread(find_unsure, *given)
            asked = [claim for claim in unsure if _place(claim) not in self._asked]
            if len(asked) < least:
                return
            self._asked |= {_place(claim) for claim in asked}
        second = await ask_second(brief._replace(claims=asked), len(claims), context)
        first = {verdict.claim: verdict for verdict in verdicts}
        final = weigh([first[claim.id] for claim in asked], second.verdicts)
        for claim, verdict in zip(asked, final, strict=True):
            tell_event(Judged(claim=claim, verdict=verdict))
            self._second[_place(claim)] = verdict, second.mends.get(claim.id, [])
        self._release()

    def _so_far(self) -> tuple[list[Claim], list[Verdict]]:
        """The claims that have a verdict, in the draft's order, numbered anew."""
        claims = sorted(self._found, key=lambda claim: (claim.start, claim.id))
        numbered = [replace(claim, id=f"c{n}") for n, claim in enumerate(claims, start=1)]
        verdicts = [self._found[claim] for claim in claims]
        return numbered, _named(numbered, verdicts)

    async def cut(self, fault: Exception) -> CutError:
        """The error of a text that broke off, with its whole sentences and what they were found."""
        self.hear(self._text, beyond=0)
        await gather(*self._works, *self._asking, return_exceptions=True)
        claims, verdicts = self._so_far()
        cut = CutError(str(fault))
        cut.draft, cut.claims = self.draft, tuple(claims)
        cut.verdicts = tuple(self._latest(claims, verdicts))
        return cut

    def _latest(self, claims: Sequence[Claim], first: Sequence[Verdict]) -> list[Verdict]:
        """Verdicts, or what the model made of them."""
        known = [self._second.get(_place(c), (v,))[0] for c, v in zip(claims, first, strict=True)]
        return _named(claims, known)

    async def finish(self, draft: str) -> Update:
        """The draft with its claims and verdicts, as if it had been read whole at once."""
        self._whole = create_task(self._extract(draft))
        for end in [*(end for _, end in split_sentences(draft)[:-1]), len(draft)]:
            if end > len(self.draft):
                self._take(draft[:end])
        await gather(*self._works)
        claims, over = within_limit(await self._whole, self._context)
        known = {_place(claim): verdict for claim, verdict in self._found.items()}
        new = [claim for claim in claims if _place(claim) not in known]
        known |= zip(map(_place, new), await self._judge(self.draft, new), strict=True)
        verdicts = _named(claims, [known[_place(claim)] for claim in claims])
        async with self._choosing:
            asks = bool(self._asked)
        rest = [self._ask(claims, verdicts)] if asks else []
        await gather(*self._asking, *rest)
        final = self._latest(claims, verdicts)
        if asks:
            spend(Usage(by_role={"verify": {"claims": float(len(claims))}}))
        return {
            "draft": self.draft,
            "claims": await self._whole,
            "verdicts": [*final, *over],
            "documents": self.documents,
            "held": self._held,
            "asked": asks,
            "mends": {c.id: m for c in claims if (m := self._second.get(_place(c), (None, []))[1])},
        }

    def stop(self) -> None:
        """Judge no more."""
        begun: list[Future[Any]] = [*self._works, *self._asking]
        for work in [*begun, self._whole] if self._whole else begun:
            work.cancel()


Place = tuple[str, int, int]
"""A claim's text, start and end: its number changes as the text goes on."""


def _place(claim: Claim) -> Place:
    return claim.text, claim.start, claim.end


def _named(claims: Sequence[Claim], verdicts: Sequence[Verdict]) -> list[Verdict]:
    return [replace(v, claim=c.id) for c, v in zip(claims, verdicts, strict=True)]


def to_mend(verdicts: Sequence[Verdict], context: ErrataContext) -> set[str]:
    """The refuted claims, about which the second is asked, too, unless the run only checks."""
    return {v.claim for v in verdicts if v.label == "refuted" and not context.check_only}


def weigh(first: Sequence[Verdict], second: Sequence[Verdict]) -> list[Verdict]:
    """The second verdicts; what was refuted stays so, unless the second finds it right."""
    verdicts = list[Verdict]()
    for old, new in zip(first, second, strict=True):
        if old.label != "refuted" or new.label == "refuted":
            verdicts.append(new)
        elif new.label == "supported":
            verdicts.append(replace(new, explanation=SECOND_LOOK))
        else:
            verdicts.append(old)
    return verdicts
