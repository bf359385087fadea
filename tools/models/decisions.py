"""Decision models behind the door of chat models: typed questions out as JSON, answers back.

So they are repeated, paid for, kept, recorded and traced as every call to a model is. They are on
servers that speak OpenAI's Decisions API or System One's form, or objects of LangChain's.
"""

import hashlib
import json
from asyncio import run
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Literal

from langchain_core.decisions import Choice, ClassifierRequest, Noul, Question, State
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from pydantic import AliasChoices, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from errata.tools.net.faults import repeating

DECISION_FORMS = ("decisions", "systemone")
"""OpenAI's form, and System One's; each is also the last part of the address."""
QUESTIONS = 64
"""The most questions of a request: vLLM's limit, the lowest that is known; OpenAI takes 400."""
OPTIONS = 26
"""The most options of a choice: vLLM's limit, the lowest that is known; OpenAI takes 255."""
ATTEMPTS = 3
"""How often an object without repeats of its own is asked at most."""
_OFF_ONE = 0.05
"""How far the probabilities of a choice may be off one, as servers round."""
_ON_LABELS = 0.5
"""The least share of the probability of all next tokens that vLLM's labels must have."""
_QUESTIONS: TypeAdapter[dict[str, Question]] = TypeAdapter(dict[str, Question])
_ANSWERS: TypeAdapter[dict[str, dict[str, float]]] = TypeAdapter(dict[str, dict[str, float]])
_YES = {"yes", "no"}
Shares = dict[str, float]
"""The probability of each option, `yes` and `no` of a predicate."""


@dataclass(frozen=True)
class DecisionServer:
    """A decision model behind an address; yes or no, and one of several."""

    model: str
    form: str
    client: Any = field(repr=False)
    """OpenAI's, which has the address and the key, and repeats calls."""

    @property
    def base_url(self) -> str:
        """Where the server is, without a key."""
        return str(self.client.base_url).rstrip("/")

    async def ainvoke(self, asked: ClassifierRequest) -> object:
        """The body of the server's answer."""
        body = self._body(**asked)
        return await self.client.post(f"/{self.form}", body=body, cast_to=object)

    def _body(self, state: State, questions: Mapping[str, Question]) -> dict[str, Any]:
        """A request in the server's form."""
        if self.form == "systemone":
            asked = {name: each.model_dump(mode="json") for name, each in questions.items()}
            return {"model": self.model, "state": state, "questions": asked}
        listed = [{"name": name, **_in_openais_form(each)} for name, each in questions.items()]
        return {"model": self.model, "input": state, "questions": listed}


class DecisionChat(BaseChatModel):
    """A decision model that is asked as a chat model is.

    An answer that is refused, missing, or no distribution over the options is left out. Raises what
    the client raises, and ValueError over a body of another form.
    """

    decider: Any
    """A server, or an object of LangChain's common interface or of its form."""

    @property
    def _llm_type(self) -> str:
        return "decisions"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        whole = repr(self.decider)
        if isinstance(self.decider, BaseModel):
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
        asked, ask = parse_request(str(messages[-1].text)), self.decider.ainvoke
        if not (isinstance(self.decider, DecisionServer) or hasattr(self.decider, "max_retries")):
            ask = partial(repeating(ATTEMPTS), ask)  # its client repeats nothing
        body = await ask(_as_taken(asked, self.decider))
        body = body.model_dump() if isinstance(body, BaseModel) else body
        text = json.dumps(read_shares(body, asked["questions"]), ensure_ascii=False)
        message = AIMessage(content=text, usage_metadata=_usage_of(body))
        return ChatResult(generations=[ChatGeneration(message=message)])


def decides(value: object) -> bool:
    """Whether an object is a decision model: one of ours, or a Runnable that takes questions."""
    return isinstance(value, DecisionChat) or "questions" in _inputs_of(value)


def _inputs_of(value: object) -> Iterable[str]:
    """The names of what a Runnable takes; none if unknown."""
    with suppress(TypeError):
        if isinstance(value, Runnable):
            return tuple(getattr(value.InputType, "__annotations__", ()))
    return ()


def _as_taken(asked: ClassifierRequest, decider: object) -> Any:
    """A request as the decider takes it: LangChain's class for OpenAI has questions of its own."""
    if "input" not in _inputs_of(decider):
        return asked
    from langchain_openai.decisions import Choice as OpenAIChoice
    from langchain_openai.decisions import Predicate

    own = dict[str, Any]()
    for name, question in asked["questions"].items():
        said = _in_openais_form(question)["instructions"]
        own[name] = Predicate(instructions=said)
        if isinstance(question, Choice):
            given = {"instructions": said, "choices": question.criteria}
            own[name] = OpenAIChoice.model_validate(given)
    return {"input": asked["state"], "questions": own}


def write_request(state: State, questions: dict[str, Question]) -> str:
    """A state and questions about it as JSON."""
    asked = _QUESTIONS.dump_python(questions, mode="json", exclude_none=True)
    return json.dumps({"state": state, "questions": asked}, ensure_ascii=False)


def parse_request(text: str) -> ClassifierRequest:
    """What `write_request` wrote."""
    asked = json.loads(text)
    return {"state": asked["state"], "questions": _QUESTIONS.validate_python(asked["questions"])}


def read_answers(text: str, questions: dict[str, Question]) -> dict[str, Shares]:
    """The probability of each option by question, as a reply gives them.

    A question without an answer that fits it is left out. Raises ValueError if the text is no
    object of such objects.
    """
    shares = _ANSWERS.validate_json(text)
    wanted = {n: {*q.criteria} if isinstance(q, Choice) else _YES for n, q in questions.items()}
    return {name: shares[name] for name in wanted if shares.get(name, {}).keys() == wanted[name]}


def read_shares(body: object, questions: Mapping[str, Question]) -> dict[str, Shares]:
    """The probabilities of options by question of a server's body; raises ValueError if none.

    >>> unset = {"probabilities": None, "diagnostics": {"label_mass": "n/a"}}
    >>> row = {"type": "predicate", "probability": 0.75, **unset}
    >>> read_shares({"answers": {"q": row}}, {"q": Noul(instructions="Did it rain?")})
    {'q': {'yes': 0.75, 'no': 0.25}}
    """
    answers = body.get("answers") if isinstance(body, Mapping) else None
    if isinstance(answers, list):  # OpenAI's are in the questions' order, and may have no names
        rows = [row if isinstance(row, Mapping) else {} for row in answers]
        answers = {row.get("name") or n: row for n, row in zip(questions, rows, strict=False)}
    if not isinstance(answers, Mapping):  # the reply is at fault, no argument
        raise ValueError("the server's reply holds no answers")  # noqa: TRY004
    found = {name: _read(question, answers.get(name)) for name, question in questions.items()}
    return {name: shares for name, shares in found.items() if shares}


def _usage_of(body: object) -> Any:
    """The tokens that a body counts; None if it counts none."""
    usage = body.get("usage") if isinstance(body, Mapping) else None
    counts = usage if isinstance(usage, Mapping) else {}
    tokens = {name: counts.get(name) for name in ("input_tokens", "output_tokens")}
    known = [count for count in tokens.values() if isinstance(count, int)]
    return {**tokens, "total_tokens": sum(known)} if len(known) == len(tokens) else None


def _in_openais_form(question: Question) -> dict[str, Any]:
    if isinstance(question, Choice):
        choices = [
            {"value": value, **({"description": said} if said else {})}
            for value, said in question.criteria.items()
        ]
        return {"type": "choice", "instructions": question.instructions, "choices": choices}
    said = question.instructions
    if isinstance(question, Noul) and (criteria := question.criteria):
        said = f"{said}\nYes: {criteria.true}\nNo: {criteria.false}"
    return {"type": "predicate", "instructions": said}


def _by_option(rows: object) -> object:
    """The probabilities by option, of a list of both too; none of anything else."""
    if not isinstance(rows, list):
        return rows if isinstance(rows, Mapping) else {}
    return {str(r.get("value")): r.get("probability") for r in rows if isinstance(r, Mapping)}


Share = Annotated[float, Field(strict=True, ge=0, le=1)]


def _label_mass(told: object) -> object:
    """How likely any label was, where a server tells."""
    mass = told.get("label_mass") if isinstance(told, Mapping) else None
    return mass if isinstance(mass, int | float) else None


class _Row(BaseModel):
    """An answer in either form."""

    type: Literal["predicate", "noul", "choice"]
    yes: Annotated[Share | None, Field(validation_alias=AliasChoices("probability", "noul"))] = None
    probabilities: Annotated[dict[str, Share], BeforeValidator(_by_option)] = {}
    diagnostics: Annotated[
        Annotated[float, Field(ge=_ON_LABELS)] | None, BeforeValidator(_label_mass)
    ] = None
    """A model that was not made for it may want to write something else than a label."""


def _read(question: Question, row: object) -> Shares | None:
    """The answer of a row; None for a refusal, another type, or what is no distribution."""
    try:
        answer = _Row.model_validate(row)
    except ValidationError:
        return None
    shares = answer.probabilities
    if not isinstance(question, Choice):
        said = answer.yes if answer.type != "choice" else None
        return None if said is None else {"yes": said, "no": 1 - said}
    if answer.type != "choice" or shares.keys() != question.criteria.keys():
        return None
    total = sum(shares.values())
    return {n: x / total for n, x in shares.items()} if abs(total - 1) <= _OFF_ONE else None
