"""Decision models behind the door of chat models: typed questions out as JSON, answers back.

So they are repeated, paid for, kept, recorded and traced as every call to a model is.
"""

import hashlib
import json
from asyncio import run
from collections.abc import Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

from langchain_core.decisions import Choice, ClassifierRequest, ClassifierResponse, Question, State
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.ai import add_usage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import TypeAdapter

from errata.tools.models.decision_server import read_body, say_predicate
from errata.tools.net.endpoints import endpoint_of
from errata.tools.net.faults import status_of

TOO_MUCH = (400, 413, 422)
"""How servers refuse a request that holds more questions than they take."""
_QUESTIONS: TypeAdapter[dict[str, Question]] = TypeAdapter(dict[str, Question])
_ANSWERS: TypeAdapter[dict[str, dict[str, float]]] = TypeAdapter(dict[str, dict[str, float]])


class DecisionChat(BaseChatModel):
    """A decision model that is asked as a chat model is."""

    decider: Any
    """LangChain's common interface, or a class that a provider had before it."""
    max_retries: int | None = 0
    """The repeats that an object's client makes by itself; None is its usual number."""

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
        return _result(await self._ask(asked["state"], dict(asked["questions"])))

    async def _ask(
        self, state: State, questions: dict[str, Question]
    ) -> Sequence[ClassifierResponse]:
        """The answers, in as few requests as the server takes; how many holds for its later ones.

        Where it refuses a request, each is asked with half as many questions.
        """
        server = endpoint_of(str(getattr(self.root_async_client, "base_url", self._llm_type)))
        names, size = list(questions), min(len(questions), server.most_questions)
        while True:
            parts = [names[start : start + size] for start in range(0, len(names), size)]
            some = [{name: questions[name] for name in part} for part in parts]
            try:
                answered = [await self._ask_once(state, part) for part in some]
            except Exception as error:  # providers share no base class of errors
                if status_of(error) not in TOO_MUCH or size == 1:
                    raise
                size //= 2
            else:
                server.most_questions = size if len(parts) > 1 else server.most_questions
                return answered

    async def _ask_once(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        request: dict[str, Any] = {"state": state, "questions": questions}
        if "input" in inputs_of(self.decider):
            own = {name: _as_openai(each) for name, each in questions.items()}
            request = {"input": state, "questions": own}
        response = await self.decider.ainvoke(request)
        return read_body(response.model_dump(), questions, self.decider.model)


def inputs_of(value: object) -> Sequence[str]:
    """The names of what a Runnable takes, `questions` among them if it decides; none if unknown."""
    with suppress(TypeError):
        if isinstance(value, Runnable):
            return tuple(getattr(value.InputType, "__annotations__", ()))
    return ()


def _as_openai(question: Question) -> Any:
    """A question as LangChain's class for OpenAI takes it."""
    from langchain_openai import decisions

    if isinstance(question, Choice):
        own = {"instructions": question.instructions, "choices": question.criteria}
        return decisions.Choice.model_validate(own)
    return decisions.Predicate(instructions=say_predicate(question))


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


def _result(responses: Sequence[ClassifierResponse]) -> ChatResult:
    shares = dict[str, dict[str, float]]()
    for own in responses:
        shares |= {name: {"yes": one.noul, "no": 1 - one.noul} for name, one in own.nouls.items()}
        shares |= {name: one.probabilities for name, one in own.choices.items()}
    usages = [own.usage for own in responses if own.usage]
    used = reduce(add_usage, usages) if len(usages) == len(responses) else None
    message = AIMessage(content=json.dumps(shares, ensure_ascii=False), usage_metadata=used)
    return ChatResult(generations=[ChatGeneration(message=message)])
