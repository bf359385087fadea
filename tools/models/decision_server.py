"""Decision models on servers that speak OpenAI's Decisions API or System One's form.

All that differs between the two, and between the servers that speak them, stands here.
"""

from asyncio import run
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeGuard

from langchain_core.decisions import (
    Answer,
    BaseDecisionModel,
    Choice,
    ChoiceAnswer,
    ClassifierResponse,
    Noul,
    NoulAnswer,
    Question,
    State,
)
from pydantic import Field

Form = Literal["decisions", "systemone"]
"""OpenAI's form, and System One's; also the last part of the address."""
DECISION_FORMS: Mapping[str, Form] = {"decisions": "decisions", "systemone": "systemone"}
QUESTIONS = 64
"""The most questions of a request: vLLM's limit, the lowest that is known; OpenAI takes 400."""
OPTIONS = 26
"""The most options of a choice: vLLM's limit, the lowest that is known; OpenAI takes 255."""
_OFF_ONE = 0.05
"""How far the probabilities of a choice may be off one, as servers round."""
_ON_LABELS = 0.5
"""The least share of the probability of all next tokens that vLLM's labels must have."""


class DecisionServer(BaseDecisionModel):
    """A decision model behind an address; yes or no, and one of several.

    An answer that is refused, missing, or no distribution over the options is left out. Raises what
    the client of openai raises, and ValueError over a body of another form.
    """

    form: Form = "decisions"
    options: dict[str, Any] = Field(default_factory=dict, repr=False, exclude=True)
    """Of the client: address, key, time limit, connections."""

    @property
    def _provider(self) -> str:
        return self.form

    @property
    def base_url(self) -> str:
        """Where the server is, without a key."""
        return str(self.options.get("base_url") or "")

    def _classify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        return run(self._aclassify(state, questions))

    async def _aclassify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        from openai import AsyncOpenAI

        client = AsyncOpenAI(**self.options)
        try:
            asked = self._body(state, questions)
            body = await client.post(f"/{self.form}", body=asked, cast_to=object)
        finally:
            if "http_client" not in self.options:  # else who gave it closes it
                await client.close()
        return read_body(body, questions, self.model)

    def _body(self, state: State, questions: Mapping[str, Question]) -> dict[str, Any]:
        """A request in the server's form.

        Raises TypeError for other questions than Noul and Choice.
        """
        for name, question in questions.items():
            if not isinstance(question, Noul | Choice):
                raise TypeError(f"{name}: a Noul or a Choice is asked, not {question.type!r}")
        if self.form == "systemone":
            asked = {name: each.model_dump(mode="json") for name, each in questions.items()}
            return {"model": self.model, "state": state, "questions": asked}
        listed = [{"name": name, **_predicate(each)} for name, each in questions.items()]
        return {"model": self.model, "input": state, "questions": listed}


def read_body(body: object, questions: Mapping[str, Question], model: str) -> ClassifierResponse:
    """The answers of a server's body, or of an object's response, to the questions.

    `model` is its name where the body has none. Raises ValueError if it holds no answers.
    """
    answers = body.get("answers") if isinstance(body, Mapping) else None
    if isinstance(answers, list):  # OpenAI's are in the questions' order, and may have no names
        rows = [row if isinstance(row, Mapping) else {} for row in answers]
        answers = {row.get("name") or n: row for n, row in zip(questions, rows, strict=False)}
    if not (isinstance(body, Mapping) and isinstance(answers, Mapping)):
        fault = "the server's reply holds no answers"
        raise ValueError(fault)  # noqa: TRY004  the reply is at fault, no argument
    found = {name: _read(question, answers.get(name)) for name, question in questions.items()}
    known: dict[str, Answer] = {name: answer for name, answer in found.items() if answer}
    usage = body.get("usage")
    told = usage if isinstance(usage, Mapping) else {}
    tokens: Any = {name: told.get(name) for name in ("input_tokens", "output_tokens")}
    is_counted = all(isinstance(count, int) for count in tokens.values())
    name = str(body.get("model") or model)
    return ClassifierResponse(model=name, answers=known, usage=tokens if is_counted else None)


def _predicate(question: Question) -> dict[str, Any]:
    """A question in OpenAI's form."""
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


def _read(question: Question, row: object) -> NoulAnswer | ChoiceAnswer | None:
    """The answer of a row; None for a refusal, another type, or what is no distribution."""
    if not isinstance(row, Mapping) or _is_beside_labels(row):
        return None
    if isinstance(question, Noul):
        yes = row.get("probability", row.get("noul"))
        known = row.get("type") in ("predicate", "noul") and _is_probability(yes)
        return NoulAnswer(type="noul", noul=yes) if known else None
    if not isinstance(question, Choice) or row.get("type") != "choice":
        return None
    shares = _shares(row.get("probabilities"))
    if shares.keys() != question.criteria.keys() or not all(map(_is_probability, shares.values())):
        return None
    total = sum(shares.values())
    if abs(total - 1) > _OFF_ONE:
        return None
    shares = {name: share / total for name, share in shares.items()}
    best = max(shares, key=shares.__getitem__)
    return ChoiceAnswer(
        type="choice", choice=best, probabilities=shares, confidence=min(1.0, shares[best])
    )


def _shares(rows: object) -> dict[str, Any]:
    """The probabilities by option: a list of both, or an object."""
    if isinstance(rows, Mapping):
        return dict(rows)
    listed: Iterable[Any] = rows if isinstance(rows, list) else ()
    return {str(r.get("value")): r.get("probability") for r in listed if isinstance(r, Mapping)}


def _is_beside_labels(row: Mapping[str, Any]) -> bool:
    """Whether a model that was not made for it would rather have written something else."""
    told = row.get("diagnostics")
    mass = told.get("label_mass") if isinstance(told, Mapping) else None
    return isinstance(mass, int | float) and not mass >= _ON_LABELS


def _is_probability(value: object) -> TypeGuard[float]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 1  # which NaN is not
