"""Middleware for LangChain agents: check or correct the final answer before it is handed out."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import OmitFromInput
from langchain_core.runnables.config import merge_configs
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.func import task
from langgraph.runtime import Runtime

from errata.agents.call_budget import CallBudget
from errata.agents.messages import annotate, evidence_in, question_and_answer
from errata.api import CORRECTING, Given, given, prepared, result_of, run
from errata.edits import apply_edits
from errata.errors import ErrataError, SettingError
from errata.nodes.shared.review import Proposed, review_edits
from errata.nodes.state import CorrectionContext
from errata.nodes.step import billed
from errata.records import Correction, ResponseLabel, Usage, from_json, to_json
from errata.tools.net.redaction import redact
from errata.tools.text.small_talk import is_small_talk

Mode = Literal["correct", "annotate", "block", "review"]
MODES: tuple[Mode, ...] = ("correct", "annotate", "block", "review")
REFUTED: tuple[ResponseLabel, ...] = ("refuted",)
BLOCKED = "I held my answer back: what I found contradicts it."
_OWN = ("internal", "none")
"""Kinds of evidence for which RE-EX retrieves nothing."""
_LONG = ("documents", "usage", "question")
"""What the state keeps and the message does not."""
_LOG = logging.getLogger(__name__)


class FactState(AgentState[Any]):
    """Carry what was found beside the agent's own state."""

    errata: Annotated[NotRequired[dict[str, Any]], OmitFromInput]
    """The last answer's Correction as JSON, with `message` and `mode`; or `skipped` and why."""
    errata_usage: Annotated[NotRequired[dict[str, Any]], OmitFromInput, billed]
    """What the conversation has spent on checking, as JSON of Usage."""


class FactCorrection(AgentMiddleware[FactState, Any, Any]):
    """Check or correct an agent's final answer against what its tools found, or a corpus."""

    state_schema = FactState

    def __init__(
        self,
        method: str = "rac",
        mode: Mode = "correct",
        *,
        documents: Given | None = None,
        corpus: object = None,
        evidence: Literal["turn", "conversation", "none"] = "conversation",
        skip: Callable[[str], bool] = is_small_talk,
        block_on: Collection[ResponseLabel] = REFUTED,
        blocked: str = BLOCKED,
        on_error: Literal["pass", "block", "raise"] = "pass",
        max_seconds: float = 60.0,
        max_model_calls: int | None = None,
        **settings: Any,
    ) -> None:
        """Choose what becomes of an answer, what it is judged by, and what that may cost.

        `mode`: `correct` puts the corrected answer in place of the agent's, `annotate` leaves it,
        `block` puts `blocked` in its place where its label is in `block_on`, `review` stops for a
        person to decide on the edits. `evidence` takes the tool messages of the turn, of the whole
        conversation, or none; `documents` and `corpus` add to them. `skip` tells which answers are
        not worth checking. `on_error` says what a failed check does; `max_seconds` bounds one
        answer's check, `max_model_calls` the whole conversation's. `settings` are those of
        `errata.correct`.

        Raises SettingError where a setting or mode is unknown, InputError for a bad document.
        """
        super().__init__()
        if mode not in MODES:
            raise SettingError(f"no mode is called {mode!r}; there is {', '.join(MODES)}")
        self.mode = mode
        self.evidence = evidence
        self.skip = skip
        self.block_on = block_on
        self.blocked = blocked
        self.on_error = on_error
        self.max_seconds = max_seconds
        self.max_model_calls = max_model_calls
        self.documents = given(documents or ())
        shown = settings.pop("review", "all" if mode == "review" else "none")
        if (shown == "none") == (mode == "review"):
            raise SettingError(f"review={shown!r} does not go with mode={mode!r}")
        checking = {"check_only": True} if mode == "block" else {}
        self.graph, context = prepared(method, CORRECTING, corpus, checking | settings)
        self.context = cast("CorrectionContext", context)
        self.reviewing = self.context.model_copy(update={"review": shown})
        # A task's result is kept, so that nothing is paid for twice when a review resumes.
        kept: Any = task(name=f"errata.{method}")
        self.judge, self.ajudge = kept(self._judge), kept(self._ajudge)

    def after_agent(self, state: FactState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Check the final answer, and do with it what the mode says."""
        request = self._request(state)
        found = request if "skipped" in request else self.judge(request).result()
        return self._handed_out(state, found, runtime)

    async def aafter_agent(self, state: FactState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Do the same in an event loop."""
        request = self._request(state)
        found = request if "skipped" in request else await self.ajudge(request)
        return self._handed_out(state, found, runtime)

    def _request(self, state: FactState) -> dict[str, Any]:
        """Say what is to be checked, and by what; or why nothing is."""
        messages = state["messages"]
        question, answer = question_and_answer(messages)
        if not answer or self.skip(answer):
            return {"skipped": "there is no statement to check" if answer else "no final answer"}
        documents = [*to_json(evidence_in(messages, self.evidence)), *self.documents]
        if not documents and not self._retrieves:
            return {"skipped": "there is nothing to judge the answer by"}
        spent = from_json(Usage, state.get("errata_usage", {})).model_calls
        left = None if self.max_model_calls is None else max(0, self.max_model_calls - spent)
        return {"question": question, "draft": answer, "documents": documents, "left": left}

    @property
    def _retrieves(self) -> bool:
        """Tell whether a run finds evidence of its own, or does without."""
        context = self.context
        searching = getattr(context, "search", "none") != "none"
        return bool(context.corpus) or searching or getattr(context, "evidence", "") in _OWN

    def _judge(self, request: Mapping[str, Any]) -> dict[str, Any]:
        return run(self._ajudge(request))

    async def _ajudge(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run the method within its bounds; where it fails, give `failed` and the cost."""
        asked = {name: request[name] for name in ("question", "draft", "documents")}
        allowance = CallBudget(request["left"])
        config = merge_configs(get_config(), {"callbacks": [allowance]})
        try:
            async with asyncio.timeout(self.max_seconds):
                found = await self.graph.ainvoke(asked, config, context=self.context)
        except TimeoutError:
            failed = f"the check took longer than {self.max_seconds:g} s"
        except GraphBubbleUp:
            raise
        except Exception as error:  # the answer is there, and worth more than its check
            if self.on_error == "raise":
                raise
            ours = isinstance(error, ErrataError)
            failed = str(error) if ours else f"{type(error).__name__}: {redact(str(error))}"
        else:
            return {"correction": to_json(result_of(Correction, found))}
        _LOG.warning("the answer was not checked: %s", failed)
        return {"failed": failed, "usage": to_json(Usage(model_calls=allowance.used))}

    def _handed_out(
        self, state: FactState, found: Mapping[str, Any], runtime: Runtime[Any]
    ) -> dict[str, Any]:
        """Give the state's update: what was found, and the message where that says something."""
        if "skipped" in found:
            return {"errata": dict(found)}
        message = state["messages"][-1]
        text, kept = self._failed(found) if "failed" in found else self._decided(found)
        about = {"message": message.id, "mode": self.mode, **kept}
        runtime.stream_writer({"errata": {"content": text or str(message.text), **about}})
        shown = {name: value for name, value in about.items() if name not in _LONG}
        changed = {} if text is None else {"messages": [annotate(message, text, shown)]}
        return {**changed, "errata": about, "errata_usage": about["usage"]}

    def _failed(self, found: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
        """Leave the answer as it is, or hold it back where the run was told to."""
        return (self.blocked if self.on_error == "block" else None), dict(found)

    def _decided(self, found: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Give the text that is handed out, and the correction as JSON."""
        correction = from_json(Correction, found["correction"])
        if self.mode == "review":
            correction = self._reviewed(correction)
        if self.mode == "block":
            held = correction.label in self.block_on
            return (self.blocked if held else correction.draft), to_json(correction)
        text = correction.draft if self.mode == "annotate" else correction.response
        return text, to_json(correction)

    def _reviewed(self, correction: Correction) -> Correction:
        """Let a person decide on the edits."""
        about = (correction.claims, correction.verdicts, correction.edits)
        proposed = Proposed(correction.question, correction.draft, *about)
        edits, notes = review_edits(proposed, self.reviewing)
        response = apply_edits(correction.draft, edits)
        return replace(
            correction,
            edits=tuple(edits),
            response=response,
            changed=response != correction.draft,
            notes=(*correction.notes, *notes),
        )
