"""Write the draft, or take the given one, and judge each sentence as it ends."""

from asyncio import Event, Future, Lock, Semaphore, create_task, gather, to_thread
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from errata.core.errors import ChatError, CutError, InputError, OutOfTimeError, ReplyError
from errata.core.events import Held, Judged, Text
from errata.core.jsonable import from_json, to_json
from errata.core.limits import report_progress
from errata.core.records import Claim, Document, Verdict
from errata.nodes.answer import FROM_MEMORY, NOTHING, titled
from errata.nodes.ask import Tell, ask, number_documents
from errata.nodes.claims import judge_by_code, unchecked, within_limit
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.rac.evidence import add_documents, look_claims_up
from errata.nodes.step import Update, kept, note, step, tell_event
from errata.tools.judges.verifier import NO_DOCUMENT
from errata.tools.local.extract import extract
from errata.tools.local.generate import generate as generate_locally
from errata.tools.text.language import detect_foreign_draft
from errata.tools.text.sentences import split_sentences

AT_ONCE = 4
"""How many sentences are judged at the same time."""
BEYOND = 12
"""How many characters of the next sentence show that one has ended: "Dr. S" is no end."""
DONE = "done"
Write = Callable[[str, Tell], Awaitable[str]]
"""Takes the text that is there and who is told what follows, as it comes; gives that whole."""


@step
async def generate(state: Errata, context: ErrataContext) -> Update:
    """Write by the knowledge unless a draft is given; judge claims while the text goes on.

    Raises CutError with what was written and judged if a model's answer breaks off, InputError if
    local code finds nothing to write, ChatError or ReplyError if the model fails.
    """
    documents, knowledge = [*state.documents, *state.pages], [*state.internal, *state.external]
    desk = Desk(state, context, documents)
    strips = titled(knowledge, documents)

    async def text(before: str, tell: Tell) -> str:
        if state.draft:
            return state.draft[len(before) :]
        return await compose(state.question, strips, before, context, tell)

    pen = desk.pen = Pen(text, desk.tell)
    warming = create_task(desk.warm())
    try:
        while sentence := (await kept("errata.sentence", pen.take, desk.draft))["text"]:
            desk.take(sentence)
        return {**await desk.finish(), "knowledge": knowledge}
    except (ChatError, ReplyError) as error:
        if not desk.draft:
            raise
        claims, verdicts = await desk.judged()
        cut = CutError(str(error))
        cut.draft, cut.claims, cut.verdicts = desk.draft, tuple(claims), tuple(verdicts)
        raise cut from error
    finally:
        pen.stop()
        warming.cancel()
        for work in desk.judging:
            work.cancel()


async def compose(
    question: str, strips: Sequence[Document], before: str, context: ErrataContext, tell: Tell
) -> str:
    """An answer by some strips, or what follows of one that is begun.

    Raises InputError if local code finds nothing to say, ChatError or ReplyError if a model fails.
    """
    if context.model_for("generate") is None:
        text = await to_thread(generate_locally, question, strips)
        if not text and not before:
            raise InputError(
                "no draft was given, and local code found nothing in the documents to answer with; "
                "give a draft, documents, or a model for generate"
            )
        note("the draft was put together from sentences of the documents")
        return text[len(before) :]
    if not strips and context.abstain:
        note("nothing was found to answer from")
        return "" if before else NOTHING
    if not strips:
        note(FROM_MEMORY)
    template = "rac/generate.rag" if strips else "rac/generate"
    template = "errata/generate.more" if before else template

    def pass_on(text: str) -> None:
        if not (before and DONE.startswith(text.strip(" .").lower())):
            tell(text)

    values = {"question": question, "documents": number_documents(strips), "draft": before}
    shown = context.hold == "none"
    reply = await ask(context, "generate", template, 0, pass_on, shown, **values)
    text = reply.text_or_raise()
    return "" if before and text.strip(" .").lower() == DONE else text


class Pen:
    """A text that is written while its sentences are taken, in order."""

    def __init__(self, write: Write, tell: Tell) -> None:
        """Begin to write when the first sentence is taken; `tell` gets the whole text so far."""
        self._write, self._tell = write, tell
        self._work: Future[str] | None = None
        self._news = Event()
        self._before, self._text = "", ""
        self._ends = list[int]()

    @property
    def whole(self) -> str:
        """The whole text once it is written; empty before."""
        done = self._work and self._work.done() and not self._work.cancelled()
        return self._before + self._text if done else ""

    async def take(self, before: str) -> Update:
        """The `text` that follows, up to the end of its next sentence; empty at the end.

        Raises what writing raises, once the sentences that are whole have been taken.
        """
        if self._work is None:
            self._before = before
            self._work = create_task(self._run())
            self._work.add_done_callback(lambda _: self._news.set())
        place = len(before) - len(self._before)
        while not (end := self._end_after(place)) and not self._work.done():
            self._news.clear()
            await self._news.wait()
        if not end:
            end = self._end_after(place, beyond=0)
            if not end:
                self._work.result()
                end = len(self._text)
        return {"text": self._text[place:end]}

    async def _run(self) -> str:
        def tell(text: str) -> None:
            lead = " " if self._before.strip() and text else ""
            self._text = lead + text
            self._tell(self._before + self._text)
            self._news.set()

        rest = await self._write(self._before, tell)
        if rest and self._before and not rest[0].isspace():
            rest = f" {rest}"
        self._text = rest
        self._ends = [end for _, end in split_sentences(rest)][:-1]
        return rest

    def _end_after(self, place: int, beyond: int = BEYOND) -> int:
        """Where the sentence after a place ends, if it is sure to have ended; else 0."""
        if self._ends:
            return next((end for end in self._ends if end > place), 0)
        spans = split_sentences(self._text[place:])
        sure = len(spans) > 1 and len(self._text) - place - spans[1][0] >= beyond
        return place + spans[0][1] if sure else 0

    def stop(self) -> None:
        """Write no more."""
        if self._work:
            self._work.cancel()


class Desk:
    """Where sentences are judged while the next ones are written."""

    pen: Pen

    def __init__(self, state: Errata, context: ErrataContext, documents: list[Document]) -> None:
        """Begin with the documents that are there; a corpus has more for each sentence."""
        self._state, self._context, self.documents = state, context, documents
        self.draft = ""
        self.judging = list[Future[Update]]()
        self._following = list[Future[None]]()
        self._found = dict[Claim, Verdict]()
        self._held = list[tuple[int, int]]()
        self._told = 0
        self._turn, self._adding, self._reading = Semaphore(AT_ONCE), Lock(), Lock()
        self._whole: list[Claim] | None = None

    async def warm(self) -> None:
        """Judge something before there is a sentence: the first to be judged waits for models."""
        question = self._state.question
        if question and not self._state.draft:
            claim = Claim(id="", text=question, start=0, end=len(question))
            await self._judge(question, [claim])

    def tell(self, text: str) -> None:
        """Show what a text has more than was shown, unless doubtful sentences are held back."""
        if self._context.hold == "none" and len(text.rstrip()) > self._told:
            tell_event(Text(start=self._told, text=text[self._told :]))
            self._told = len(text)

    def take(self, sentence: str) -> None:
        """Begin to judge the next sentence."""
        start, self.draft = len(self.draft), self.draft + sentence
        self.tell(self.draft)
        work = kept("errata.judge", self._judge_sentence, self.draft, start)
        self.judging.append(work)
        self._following.append(create_task(self._follow(work, start, self.draft)))

    async def _follow(self, work: Future[Update], start: int, draft: str) -> None:
        """Tell what a sentence was found to be, and show it if it was held back and is sure."""
        found = await work
        claims, verdicts = _read(found)
        self._found |= dict(zip(claims, verdicts, strict=True))
        known = {document.id for document in self.documents}
        more = [from_json(Document, each) for each in found["documents"]]
        self.documents += [document for document in more if document.id not in known]
        for claim, verdict in zip(claims, verdicts, strict=True):
            tell_event(Judged(claim=claim, verdict=verdict))
        report_progress(sum(each.done() for each in self.judging), len(self.judging) + 1)
        if self._context.hold == "none":
            return
        if all(self._is_sure(verdict) for verdict in verdicts):
            tell_event(Text(start=start, text=draft[start:]))
        else:
            self._held.append((start, len(draft)))
            tell_event(Held(start=start, end=len(draft)))

    def _is_sure(self, verdict: Verdict) -> bool:
        least = self._context.sure_above
        return verdict.label == "supported" and (verdict.score is None or verdict.score > least)

    async def _judge_sentence(self, draft: str, start: int) -> Update:
        """The claims of a draft's last sentence, their verdicts, and what was looked up."""
        async with self._turn:
            claims, known = await self._claims_after(draft, start), len(self.documents)
            if self._context.looks_up and claims:
                await self._look_up(claims)
            verdicts = await self._judge(draft, claims)
        more = self.documents[known:]
        found: Update = to_json({"claims": claims, "verdicts": verdicts, "documents": more})
        return found

    async def _claims_after(self, draft: str, start: int) -> list[Claim]:
        """The claims that begin after a place; by the whole draft if that is there already."""
        end, whole = len(draft), self.pen.whole
        read = await self._read_whole(whole) if whole else await self._extract(draft)
        most = self._context.max_claims
        return [claim for claim in read[:most] if start <= claim.start < end]

    async def _read_whole(self, draft: str) -> list[Claim]:
        async with self._reading:
            if self._whole is None:
                self._whole = await self._extract(draft)
        return self._whole

    async def _extract(self, draft: str) -> list[Claim]:
        language = await to_thread(detect_foreign_draft, draft)
        return await to_thread(extract, self._state.question, draft, language or "en")

    async def _look_up(self, claims: Sequence[Claim]) -> None:
        question, context = self._state.question, self._context
        found = await look_claims_up(question, claims, self._state.documents, context)
        async with self._adding:
            before = len(self._state.documents) + len(self._state.pages)
            left = context.max_claim_documents - (len(self.documents) - before)
            bounded = context.model_copy(update={"max_claim_documents": max(left, 0)})
            state = self._state.model_copy(update={"documents": self.documents})
            self.documents = await to_thread(add_documents, state, found, bounded)

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
            note(f"a sentence was not judged: {error}")
            return unchecked(claims, str(error))

    async def judged(self) -> tuple[list[Claim], list[Verdict]]:
        """The claims that have a verdict, in the draft's order, once all work has ended."""
        await gather(*self._following, return_exceptions=True)
        claims = sorted(self._found, key=lambda claim: (claim.start, claim.id))
        return claims, [self._found[claim] for claim in claims]

    async def finish(self) -> Update:
        """The draft with its claims and verdicts, as if it had been read whole at once."""
        await gather(*self._following)
        claims, over = within_limit(await self._read_whole(self.draft), self._context)
        known = {(c.text, c.start, c.end): verdict for c, verdict in self._found.items()}
        new = [claim for claim in claims if (claim.text, claim.start, claim.end) not in known]
        known |= {
            (claim.text, claim.start, claim.end): verdict
            for claim, verdict in zip(new, await self._judge(self.draft, new), strict=True)
        }
        verdicts = [replace(known[c.text, c.start, c.end], claim=c.id) for c in claims]
        return {
            "draft": self.draft,
            "claims": await self._read_whole(self.draft),
            "verdicts": [*verdicts, *over],
            "documents": self.documents,
            "held": self._held,
        }


def _read(found: Update) -> tuple[list[Claim], list[Verdict]]:
    claims = [from_json(Claim, each) for each in found["claims"]]
    return claims, [from_json(Verdict, each) for each in found["verdicts"]]
