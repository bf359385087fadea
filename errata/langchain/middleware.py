"""Middleware for LangChain agents: check or correct the final answer before it is handed out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import ModelRequest, ModelResponse, OmitFromInput
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.func import task
from langgraph.runtime import Runtime

from errata.core.budgets import Budget, Cost, open_budget
from errata.core.edits import apply_edits
from errata.core.errors import ErrataError, SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Correction, ResponseLabel, Usage, result_json
from errata.given import Documents, as_documents
from errata.langchain.answers import AgentAnswer, final_answer
from errata.langchain.hold import CORRECTED, HeldChat
from errata.langchain.messages import evidence_in
from errata.langchain.options import check_options
from errata.nodes.citing import citations_of, with_marks
from errata.nodes.review import Proposal, edits_to_review, review_edits
from errata.nodes.state import RevisionContext
from errata.nodes.step import add_usage
from errata.running import Tell, invoke
from errata.session import Session
from errata.tools.net.redaction import redact
from errata.tools.text.unclaimed import is_small_talk

Mode = Literal["correct", "annotate", "block", "review"]
MODES: tuple[Mode, ...] = ("correct", "annotate", "block", "review")
REFUTED: tuple[ResponseLabel, ...] = ("refuted",)
BLOCKED = "I held my answer back: what I found contradicts it."
UNCHECKED = "I held my answer back: it could not be checked."
_NO_RETRIEVAL = ("internal", "none")
"""Kinds of evidence for which RE-EX retrieves nothing."""
_STATE_ONLY = ("documents", "usage", "question", "prompts", "trail")
"""What the state keeps and the message does not."""
_LOG = logging.getLogger(__name__)


class FactState(AgentState[Any]):
    """The agent's own state, and the outcome of checking its answer."""

    errata: Annotated[NotRequired[dict[str, Any]], OmitFromInput]
    """The last answer's Correction as JSON, with `message` and `mode`; or `skipped` and why."""
    errata_usage: Annotated[NotRequired[dict[str, Any]], OmitFromInput, add_usage]
    """What the conversation has spent on checking, as JSON of Usage."""


class FactCorrection(AgentMiddleware[FactState, Any, Any]):
    """Checks or corrects an agent's final answer by what its tools returned, or by a corpus."""

    state_schema = FactState

    def __init__(
        self,
        method: str = "rac",
        mode: Mode = "correct",
        *,
        documents: Documents | None = None,
        corpus: object = None,
        evidence: Literal["turn", "conversation", "none"] = "conversation",
        skip: Callable[[str], bool] = is_small_talk,
        block_on: Collection[ResponseLabel] = REFUTED,
        blocked: str = "",
        on_error: Literal["pass", "block", "raise"] = "pass",
        max_seconds: float = 60.0,
        max_model_calls: int | None = None,
        **settings: Any,
    ) -> None:
        """Choose what happens to an answer, what it is judged by, and what that may cost.

        `mode`: `correct` replaces the agent's answer by the corrected one, `annotate` leaves it,
        `block` replaces it if its label is in `block_on` or its form cannot be checked, `review`
        stops for a person to decide on the edits. `evidence` takes the tool messages of the turn,
        of the whole conversation, or none; `documents` and `corpus` add to them. `skip` says which
        answers need no check. `blocked` is what stands for a blocked answer. `on_error` says what
        a failed check does, also one that left claims unchecked; `max_seconds` bounds one answer's
        check, `max_model_calls` the whole conversation's. `settings` are those of `errata.correct`.

        Raises SettingError if a setting or mode is unknown, InputError for a bad document.
        """
        super().__init__()
        if mode not in MODES:
            raise SettingError(f"no mode is called {mode!r}; there is {', '.join(MODES)}")
        own = {"evidence": evidence, "skip": skip, "block_on": block_on, "blocked": blocked}
        limits = {"max_seconds": max_seconds, "max_model_calls": max_model_calls}
        check_options({**own, "on_error": on_error, **limits})
        self.mode = mode
        self.evidence = evidence
        self.skip = skip
        self.block_on = block_on
        self.blocked = blocked
        self.on_error = on_error
        self.max_seconds = max_seconds
        self.max_model_calls = max_model_calls
        self.documents = to_json(as_documents(documents))
        review = settings.pop("review", "all" if mode == "review" else "none")
        if (review == "none") == (mode == "review"):
            raise SettingError(f"review={review!r} does not go with mode={mode!r}")
        checking = {"check_only": True} if mode == "block" else {}
        self.session = Session(method, corpus=corpus, **(checking | settings))
        self.session.check_verb(corrects=True)
        self.cite = self.session.context.cite
        # Marks come last, after a person's decisions.
        unmarked = self.session.context.model_copy(update={"cite": ""})
        self.context = cast("RevisionContext", unmarked)
        self.review_context = self.context.model_copy(update={"review": review})
        self.holds = getattr(self.context, "hold", "none") != "none"
        if self.holds and mode != "correct":
            raise SettingError(f"hold={self.context.hold!r} goes with mode='correct' alone")  # type: ignore[attr-defined]
        searches = getattr(self.context, "search", "none") != "none"
        needs_none = getattr(self.context, "evidence", "") in _NO_RETRIEVAL
        self.retrieves = bool(self.context.corpus) or searches or needs_none
        # A task's result is kept, so that nothing is paid for twice when a review resumes; where
        # none does, it would only be one more update in the agent's stream.
        self.as_task: Any = task(name=f"errata.{method}") if mode == "review" else None

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """With `hold`, hand out an answer once it is corrected."""
        return handler(self._held(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """With `hold`, stream an answer's sentences as they are found right or mended."""
        return await handler(self._held(request))

    def _held(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        if not self.holds:
            return request
        spent = dict(request.state).get("errata_usage", {})

        async def check(
            messages: Sequence[AnyMessage], model: BaseChatModel, tell: Tell
        ) -> Mapping[str, Any]:
            asked = [m for m in messages if m.type != "system"]
            own = {"messages": [*asked, AIMessage("…")], "errata_usage": spent}
            wanted = self._request(own)
            if "draft" not in wanted:
                return wanted
            outcome = await self._acheck({**wanted, "draft": ""}, model, tell)
            withheld = "failed" in outcome and self.on_error == "block"
            return {**outcome, "content": self.blocked or UNCHECKED} if withheld else outcome

        return request.override(model=HeldChat(inner=request.model, check=check))

    def after_agent(self, state: FactState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Check the final answer, and treat it as the mode says."""
        outcome = self._known(state)
        if "draft" in outcome and self.as_task:
            outcome = self.as_task(self._check)(outcome).result()
        elif "draft" in outcome:
            outcome = self._check(outcome)
        return self._update(state, outcome, runtime)

    async def aafter_agent(self, state: FactState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """As `after_agent`, in an event loop."""
        outcome = self._known(state)
        if "draft" in outcome:
            check = self.as_task(self._acheck) if self.as_task else self._acheck
            outcome = await check(outcome)
        return self._update(state, outcome, runtime)

    def _known(self, state: FactState) -> dict[str, Any]:
        """The outcome that a held answer carries; else what is to be checked, or why nothing is."""
        held = state["messages"][-1].additional_kwargs.pop(CORRECTED, None)
        return held or self._request(state)

    def _request(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """What is to be checked, and by what; or why nothing is."""
        messages, answer = state["messages"], final_answer(state)
        if answer.fault:
            return {"failed": answer.fault, "usage": {}}
        if not answer.draft or self.skip(answer.draft):
            why = "there is no statement to check" if answer.draft else "no final answer"
            return {"skipped": why, "checked": False}
        before = messages[:-1] if isinstance(messages[-1], ToolMessage) else messages
        documents = [*to_json(evidence_in(before, self.evidence)), *self.documents]
        if not documents and not self.retrieves:
            strict = self.mode == self.on_error == "block"
            why = "there is nothing to judge the answer by"
            return {"failed": why, "usage": {}} if strict else {"skipped": why, "checked": False}
        spent = from_json(Usage, state.get("errata_usage", {})).model_calls
        asked = {"question": answer.question, "draft": answer.draft}
        return {**asked, "documents": documents, "spent": spent}

    def _check(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return self.session.run(self._acheck, request)

    async def _acheck(
        self,
        request: Mapping[str, Any],
        model: BaseChatModel | None = None,
        tell: Tell | None = None,
    ) -> dict[str, Any]:
        """The correction within its bounds; if it fails, `failed` and the cost.

        Where a `model` is given, it writes the draft.
        """
        inputs = {name: request[name] for name in ("question", "draft", "documents")}
        context = self.context
        if model:
            context = context.model_copy(update={"roles": {**context.roles, "generate": model}})
        limit, spent = {"calls": self.max_model_calls}, Cost(calls=request["spent"])
        budget = Budget(limit, spent, names={"calls": "max_model_calls"})
        try:
            with open_budget(budget):
                async with asyncio.timeout(self.max_seconds):
                    output = await invoke(
                        self.session.graph, inputs, tell=tell, config=get_config(), context=context
                    )
        except TimeoutError:
            fault = f"the check took longer than {self.max_seconds:g} s"
        except GraphBubbleUp:
            raise
        except Exception as error:  # a failed check must not lose the answer
            if self.on_error == "raise":
                raise
            ours = isinstance(error, ErrataError)
            fault = str(error) if ours else f"{type(error).__name__}: {redact(str(error))}"
        else:
            return {"correction": to_json(self.session.method.read(output))}
        return {"failed": fault, "usage": to_json(Usage(model_calls=(budget.spent - spent).calls))}

    def _update(
        self, state: FactState, outcome: Mapping[str, Any], runtime: Runtime[Any]
    ) -> dict[str, Any]:
        """The state's update: the outcome, and the message with its new text and annotation."""
        if "skipped" in outcome:
            return {"errata": dict(outcome)}
        answer = final_answer(state)
        correction = self._corrected(answer, outcome)
        record = {**outcome, "checked": False} if correction is None else result_json(correction)
        changes = answer.changes(correction) if correction and answer.fields else {}
        if changes is None:
            record |= {"failed": "a correction does not fit the answer's fields", "checked": False}
        text = self._withheld(record, unfit=correction is None and bool(answer.fault))
        about = {"message": answer.said[-1].id, "mode": self.mode, **record}
        note = {name: value for name, value in about.items() if name not in _STATE_ONLY}
        if text:
            about["message"] = note["message"] = answer.said[0].id
            update = answer.withheld(text, {"errata": note})
        else:
            marked = correction and self.cite and self._changes_text and not answer.fields
            citations = citations_of(correction) if correction and marked else ()
            kept = not (correction and self._changes_text)
            text = answer.draft if kept or not correction else correction.response
            update = answer.written(text, note, citations, {} if kept else changes)
        runtime.stream_writer({"errata": {"content": text, **about}})
        return {**update, "errata": about, "errata_usage": about["usage"]}

    @property
    def _changes_text(self) -> bool:
        return self.mode in ("correct", "review")

    def _corrected(self, answer: AgentAnswer, outcome: Mapping[str, Any]) -> Correction | None:
        """The correction as a person lets it stand, with its marks; None if the check failed."""
        if "failed" in outcome:
            return None
        correction = from_json(Correction, outcome["correction"])
        if self.mode == "review":
            correction = self._review(correction)
        if self.cite and self._changes_text and not answer.fields:
            correction = with_marks(correction, self.cite)
        return correction

    def _withheld(self, record: Mapping[str, Any], *, unfit: bool) -> str:
        """The text in place of an answer that is not handed out; empty for one that is.

        Raises ErrataError for a failed check if the middleware is to raise.
        """
        if self.mode == "block" and record.get("label") in self.block_on:
            return self.blocked or BLOCKED
        if not (fault := record["failed"]):
            return ""
        _LOG.warning("the answer was not checked: %s", fault)
        if self.on_error == "raise":
            raise ErrataError(fault)
        # An answer in a form that nothing can check is no failure that may pass a block.
        blocks = self.on_error == "block" or (self.mode == "block" and unfit)
        return (self.blocked or UNCHECKED) if blocks else ""

    def _review(self, correction: Correction) -> Correction:
        """The correction with the edits that a person lets stand."""
        c = correction
        proposal = Proposal(c.question, c.draft, c.claims, c.verdicts, c.edits)
        ids = edits_to_review(proposal.edits, proposal.verdicts, self.review_context)
        edits, notes = review_edits(proposal, ids)
        response = apply_edits(c.draft, edits)
        return replace(
            c,
            edits=tuple(edits),
            response=response,
            changed=response != c.draft,
            notes=(*c.notes, *notes),
        )
