"""Decision models behind the door of chat models: typed questions out as JSON, answers back.

So they are repeated, paid for, kept, recorded and traced as every call to a model is.
"""

import hashlib
import json
from asyncio import run
from contextlib import suppress
from typing import Any

from langchain_core.decisions import Choice, ClassifierRequest, ClassifierResponse, Question, State
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import TypeAdapter

from errata.tools.models.decision_server import read_body

_QUESTIONS: TypeAdapter[dict[str, Question]] = TypeAdapter(dict[str, Question])
_ANSWERS: TypeAdapter[dict[str, dict[str, float]]] = TypeAdapter(dict[str, dict[str, float]])


class DecisionChat(BaseChatModel):
    """A decision model that is asked as a chat model is."""

    decider: Any
    """A model of LangChain's common interface, or a class that takes and gives the same."""

    @property
    def _llm_type(self) -> str:
        return "decisions"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        whole = self.decider.model_dump_json(serialize_as_any=True, fallback=repr)
        digest = hashlib.sha256(whole.encode()).hexdigest()  # for traces get what stands here
        return {"class": type(self.decider).__qualname__, "parameters": digest}

    @property
    def root_async_client(self) -> Any:
        """What knows the server's address."""
        return getattr(self.decider, "_async_client", self.decider)

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        return run(self._agenerate(messages))

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        asked = read_request(str(messages[-1].text))
        response = await self.decider.ainvoke(asked)
        return _result(read_body(response.model_dump(), asked["questions"], self.decider.model))


def decides(value: object) -> bool:
    """Whether an object is a decision model: a Runnable that takes questions."""
    with suppress(TypeError):
        if isinstance(value, Runnable):
            return "questions" in getattr(value.InputType, "__annotations__", ())
    return False


def write_request(state: State, questions: dict[str, Question]) -> str:
    """A state and questions about it as JSON."""
    asked = _QUESTIONS.dump_python(questions, mode="json", exclude_none=True)
    return json.dumps({"state": state, "questions": asked}, ensure_ascii=False)


def read_request(text: str) -> ClassifierRequest:
    """What `write_request` wrote."""
    asked = json.loads(text)
    return {"state": asked["state"], "questions": _QUESTIONS.validate_python(asked["questions"])}


def read_answers(text: str, questions: dict[str, Question]) -> dict[str, dict[str, float]]:
    """The probability of each option by question, `yes` and `no` of a predicate.

    A question without an answer that fits it is left out. Raises ValueError if the text is no
    object of such objects.
    """
    shares, options = _ANSWERS.validate_json(text), {"yes", "no"}
    wanted = {n: {*q.criteria} if isinstance(q, Choice) else options for n, q in questions.items()}
    return {name: shares[name] for name in wanted if shares.get(name, {}).keys() == wanted[name]}


def _result(response: ClassifierResponse) -> ChatResult:
    shares = {name: {"yes": one.noul, "no": 1 - one.noul} for name, one in response.nouls.items()}
    shares |= {name: dict(one.probabilities) for name, one in response.choices.items()}
    text = json.dumps(shares, ensure_ascii=False)
    message = AIMessage(content=text, usage_metadata=response.usage)
    return ChatResult(generations=[ChatGeneration(message=message)])
