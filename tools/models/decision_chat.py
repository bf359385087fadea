"""Decision models behind the door of chat models: typed questions out as JSON, answers back.

So they are repeated, paid for, kept, recorded and traced as every call to a model is.
"""

import json
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.decisions import (
    BaseDecisionModel,
    Choice,
    ClassifierRequest,
    ClassifierResponse,
    Question,
    State,
)
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import TypeAdapter

_QUESTIONS: TypeAdapter[dict[str, Question]] = TypeAdapter(dict[str, Question])
_RESPONSE: TypeAdapter[ClassifierResponse] = TypeAdapter(ClassifierResponse)


class DecisionChat(BaseChatModel):
    """A decision model that is asked as a chat model is."""

    decider: BaseDecisionModel

    @property
    def _llm_type(self) -> str:
        return "decisions"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        own = self.decider
        known = ("model", "form", "base_url")
        return {"class": type(own).__qualname__} | {n: str(getattr(own, n, "")) for n in known}

    @property
    def root_async_client(self) -> BaseDecisionModel:
        """What knows the server's address."""
        return self.decider

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  LangChain's signature
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **_: Any,
    ) -> ChatResult:
        return _result(self.decider.invoke(read_request(str(messages[-1].text))))

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  LangChain's signature
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **_: Any,
    ) -> ChatResult:
        return _result(await self.decider.ainvoke(read_request(str(messages[-1].text))))


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
    response.
    """
    response = _RESPONSE.validate_json(text)
    shares = {name: {"yes": own.noul, "no": 1 - own.noul} for name, own in response.nouls.items()}
    shares |= {name: own.probabilities for name, own in response.choices.items()}
    return {
        name: shares[name]
        for name, question in questions.items()
        if shares.get(name, {}).keys() == _options(question)
    }


def _options(question: Question) -> set[str]:
    return set(question.criteria) if isinstance(question, Choice) else {"yes", "no"}


def _result(response: ClassifierResponse) -> ChatResult:
    message = AIMessage(
        content=response.model_dump_json(include={"model", "answers"}),
        usage_metadata=response.usage,
    )
    return ChatResult(generations=[ChatGeneration(message=message)])
