"""Middleware for LangChain agents: check or correct the final answer before it is handed out."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, NotRequired

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import ModelRequest, ModelResponse, OmitFromInput
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errata.core.budgets import Budget, Cost, open_budget
from errata.core.errors import ErrataError, SettingError
from errata.core.jsonable import from_json, to_json
from errata.core.records import Correction, ResponseLabel, Usage, result_json
from errata.given import Documents, as_documents
from errata.langchain.hold import CORRECTED, HeldChat
from errata.langchain.messages import annotate, evidence_in, final_answer
from errata.nodes.citing import citations_of
from errata.nodes.settings import setting_error
from errata.nodes.step import add_usage
from errata.session import Session, Tell
from errata.tools.net.redaction import redact
from errata.tools.text.unclaimed import is_small_talk

Json = dict[str, Any]
Request = ModelRequest[Any]
Response = ModelResponse[Any]
Mode = Literal["correct", "annotate", "block"]
BLOCKED = "I held my answer back: what I found contradicts it."
NO_TEXT = "the structured answer holds no text to check"
UNCHECKED = "I held my answer back: it could not be checked."
_STATE_ONLY = ("documents", "usage", "question", "prompts", "trail")
"""What the state keeps and the message does not."""
_LOG = logging.getLogger(__name__)


class FactState(AgentState[Any]):
    """The agent's own state, and the outcome of checking its answer."""

    errata: Annotated[NotRequired[Json], OmitFromInput]
    """The last answer's Correction as JSON, with `message` and `mode`; or `skipped` and why."""
    errata_usage: Annotated[NotRequired[Json], OmitFromInput, add_usage]
    """What the conversation has spent on checking, as JSON of Usage."""


class Options(BaseModel):
    """What the middleware does with an answer, and what that may cost."""

    model_config = ConfigDict(frozen=True, strict=True)

    mode: Mode = "correct"
    evidence: Literal["turn", "conversation", "none"] = "conversation"
    skip: Callable[[str], bool] = is_small_talk
    block_on: Annotated[frozenset[ResponseLabel], Field(strict=False)] = frozenset({"refuted"})
    blocked: str = ""
    on_error: Literal["pass", "block", "raise"] = "pass"
    max_seconds: Annotated[float, Field(gt=0)] = 60.0
    max_model_calls: Annotated[int | None, Field(ge=0)] = None


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
        **settings: Any,
    ) -> None:
        """Choose what happens to an answer, what it is judged by, and what that may cost.

        `mode`: `correct` replaces the agent's answer by the corrected one, `annotate` leaves it,
        `block` replaces it if its label is in `block_on` or its form cannot be checked. `evidence`
        takes the tool messages of the `turn`, of the whole `conversation`, or `none`; `documents`
        and `corpus` add to them. `skip` says which answers need no check. `blocked` is what stands
        for a blocked answer. `on_error` says what a failed check does, also one that left claims
        unchecked: `pass`, `block` or `raise`; `max_seconds` bounds one answer's check,
        `max_model_calls` the whole conversation's. Other `settings` are those of `errata.correct`.

        Raises SettingError if a setting or mode is unknown, InputError for a bad document.
        """
        super().__init__()
        own = {name: settings.pop(name) for name in [*settings] if name in Options.model_fields}
        try:
            self.options = Options(**{"mode": mode, **own})
        except ValidationError as error:
            raise setting_error("FactCorrection", {"mode": mode, **own}, error) from error
        self.documents = as_documents(documents)
        checking = {"check_only": True} if mode == "block" else {}
        self.session = Session(method, corpus=corpus, **(checking | settings))
        self.session.check_verb(corrects=True)
        self.context = self.session.context
        self.holds = getattr(self.context, "hold", "none") != "none"
        for name in ("cite", "hold"):
            if mode != "correct" and (value := getattr(self.context, name, "")) not in ("", "none"):
                raise SettingError(f"{name}={value!r} goes with mode='correct' alone")
        searches = getattr(self.context, "search", "none") != "none"
        self.retrieves = bool(self.context.corpus) or searches

    def wrap_model_call(self, request: Request, handler: Callable[[Request], Response]) -> Response:
        """With `hold`, hand out an answer once it is corrected."""
        return handler(self._held(request))

    async def awrap_model_call(
        self, request: Request, handler: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        """With `hold`, stream an answer's sentences as they are found right or mended."""
        return await handler(self._held(request))

    def _held(self, request: Request) -> Request:
        if not self.holds:
            return request
        spent = dict(request.state).get("errata_usage", {})

        async def check(messages: Sequence[AnyMessage], model: BaseChatModel, tell: Tell) -> Json:
            asked = [m for m in messages if m.type != "system"]
            own = {"messages": [*asked, AIMessage("…")], "errata_usage": spent}
            wanted = self._request(own)
            if "draft" not in wanted:
                return wanted
            outcome = await self._acheck({**wanted, "draft": ""}, model, tell)
            if "failed" in outcome and self.options.on_error == "block":
                outcome["content"] = self.options.blocked or UNCHECKED
            return outcome

        return request.override(model=HeldChat(inner=request.model, check=check))

    def after_agent(self, state: FactState, runtime: Runtime[Any]) -> Json | None:
        """As `aafter_agent`, outside an event loop."""
        return self.session.run(self.aafter_agent, state, runtime)

    async def aafter_agent(self, state: FactState, runtime: Runtime[Any]) -> Json | None:
        """Check the final answer, if that is not done yet, and treat it as the mode says."""
        held = state["messages"][-1].additional_kwargs.pop(CORRECTED, None)
        outcome = held or self._request(state)
        if "draft" in outcome:
            outcome = await self._acheck(outcome)
        return self._update(state, outcome, runtime)

    def _request(self, state: Mapping[str, Any]) -> Json:
        """What is to be checked, and by what; or why nothing is."""
        messages, answer = state["messages"], final_answer(state)
        if answer.in_fields and not answer.draft:
            return {"failed": NO_TEXT, "usage": {}}
        if not answer.draft or self.options.skip(answer.draft):
            why = "there is no statement to check" if answer.draft else "no final answer"
            return {"skipped": why, "checked": False}
        before = messages[:-1] if isinstance(messages[-1], ToolMessage) else messages
        documents = [*evidence_in(before, self.options.evidence), *self.documents]
        if not documents and not self.retrieves:
            strict = self.options.mode == self.options.on_error == "block"
            why = "there is nothing to judge the answer by"
            return {"failed": why, "usage": {}} if strict else {"skipped": why, "checked": False}
        spent = from_json(Usage, state.get("errata_usage", {})).model_calls
        asked = {"question": answer.question, "draft": answer.draft}
        return {**asked, "documents": documents, "spent": spent}

    async def _acheck(
        self, request: Json, model: BaseChatModel | None = None, tell: Tell | None = None
    ) -> Json:
        """The correction, of a draft by `model` if given; if it fails, `failed` and the cost."""
        asked = {name: request[name] for name in ("question", "draft")}
        context = self.context
        if model:
            context = context.model_copy(update={"roles": {**context.roles, "generate": model}})
        limit, spent = {"calls": self.options.max_model_calls}, Cost(calls=request["spent"])
        budget = Budget(limit, spent, names={"calls": "max_model_calls"})
        try:
            with open_budget(budget):
                async with asyncio.timeout(self.options.max_seconds):
                    correction = await self.session.ainvoke(
                        Correction, asked, request["documents"], tell=tell, context=context
                    )
        except TimeoutError:
            fault = f"the check took longer than {self.options.max_seconds:g} s"
        except Exception as error:  # a failed check must not lose the answer
            if self.options.on_error == "raise":
                raise
            ours = isinstance(error, ErrataError)
            fault = str(error) if ours else f"{type(error).__name__}: {redact(str(error))}"
        else:
            return {"correction": to_json(correction)}
        return {"failed": fault, "usage": to_json(Usage(model_calls=(budget.spent - spent).calls))}

    def _update(self, state: FactState, outcome: Json, runtime: Runtime[Any]) -> Json:
        """The state's update: the outcome, and the message with its new text and annotation."""
        if "skipped" in outcome:
            return {"errata": dict(outcome)}
        answer, options, correction = final_answer(state), self.options, None
        # No text is put into fields, since their values may have to agree with it.
        fits = options.mode == "block" or not answer.in_fields
        mode = options.mode if fits else "annotate"
        if "failed" not in outcome:
            correction = from_json(Correction, outcome["correction"])
        record = result_json(correction) if correction else {**outcome, "checked": False}
        about = {"message": answer.said[-1].id, "mode": mode, **record}
        note = {name: value for name, value in about.items() if name not in _STATE_ONLY}
        if text := self._withheld(record, unfit=not answer.draft):
            about["message"] = note["message"] = answer.said[0].id
            update = answer.withheld(text, note)
        else:
            changed = correction if mode == "correct" else None
            text = changed.response if changed else answer.draft
            citations = citations_of(changed) if changed else ()
            told = annotate(answer.said[-1], text if changed else None, note, citations)
            update = {"messages": [told]}
        runtime.stream_writer({"errata": {"event": "Checked", "content": text, **about}})
        return {**update, "errata": about, "errata_usage": about["usage"]}

    def _withheld(self, record: Mapping[str, Any], *, unfit: bool) -> str:
        """The text in place of an answer that is not handed out; empty for one that is."""
        options = self.options
        if options.mode == "block" and record.get("label") in options.block_on:
            return options.blocked or BLOCKED
        if not (fault := record["failed"]):
            return ""
        _LOG.warning("the answer was not checked: %s", fault)
        if options.on_error == "raise":
            raise ErrataError(fault)
        # An answer in a form that nothing can check is no failure that may pass a block.
        blocks = options.on_error == "block" or (options.mode == "block" and unfit)
        return (options.blocked or UNCHECKED) if blocks else ""
