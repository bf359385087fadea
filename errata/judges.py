"""The judges of this package as LangChain's decision models, for any chain; nothing is sent.

`LocalReader().invoke({"state": documents, "questions": {"c1": Choice(...)}})`, where the choice is
between `supported`, `refuted` and `not_mentioned`, and its instructions are the statement alone.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, get_args

from langchain_core.decisions import (
    Answer,
    BaseDecisionModel,
    Choice,
    ChoiceAnswer,
    ClassifierResponse,
    Question,
    State,
)

from errata.core.errors import InputError
from errata.core.records import Claim, Document
from errata.given import as_documents
from errata.tools.judges import hub_verifier as hub
from errata.tools.judges.verifier import weigh

Weighed = Mapping[str, Mapping[Any, float]]
"""The probability of each label, by the claim's id."""


class Judge(BaseDecisionModel):
    """Says how likely statements are by the state, a text or a list of texts or documents.

    A statement that it cannot judge, such as one in another language than English, has no answer.
    Raises InputError over other questions, and over what holds no texts.
    """

    @property
    def filler(self) -> str:
        """What it is called as a role's filler."""
        return self.model

    @property
    def _provider(self) -> str:
        return "errata"

    @abstractmethod
    def _weigh(self, claims: Sequence[Claim], documents: Sequence[Document]) -> Weighed:
        """What is known of the claims that can be judged."""

    def _classify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        given: Any = [state] if isinstance(state, str) or hasattr(state, "page_content") else state
        texts = [document for document in as_documents(given) if document.text.strip()]
        documents = [replace(text, id=f"d{n}") for n, text in enumerate(texts, start=1)]
        claims = [_claim(name, question) for name, question in questions.items()]
        weighed = self._weigh(claims, documents) if documents else {}
        answers: dict[str, Answer] = {name: _answer(own) for name, own in weighed.items()}
        return ClassifierResponse(model=self.model, answers=answers)


class LocalReader(Judge):
    """The local verifier, by its name: `local`, `local:fast`, `local:lexical`, `local:WEIGHTS`."""

    model: str = "local"

    def _weigh(self, claims: Sequence[Claim], documents: Sequence[Document]) -> Weighed:
        return weigh(claims, documents, self.model.partition(":")[2])


class HubVerifier(Judge):
    """A published verifier: a folder, an ONNX file, a YAML file, or an id on a hub.

    Raises also SettingError if its labels are not known, AccessError if it cannot be read.
    """

    @property
    def filler(self) -> str:
        """What it is called as a role's filler."""
        return f"hub:{self.model}"

    def _weigh(self, claims: Sequence[Claim], documents: Sequence[Document]) -> Weighed:
        verifier = hub.HubVerifier(hub.form_of(self.model))
        supports = verifier.judge([claim.text for claim in claims], documents)
        return {claim.id: own.shares for claim, own in zip(claims, supports, strict=True)}


def _claim(name: str, question: Question) -> Claim:
    """The statement that a question of support is about."""
    labels, text = {*get_args(hub.Meaning)}, question.instructions
    if isinstance(question, Choice) and {*question.criteria} == labels and isinstance(text, str):
        return Claim(id=name, text=text, start=0, end=len(text))
    raise InputError(
        f"{name}: it answers a Choice between {', '.join(sorted(labels))} whose instructions are a "
        "statement, and nothing else"
    )


def _answer(shares: Mapping[Any, float]) -> ChoiceAnswer:
    best = max(shares, key=shares.__getitem__)
    own = {"type": "choice", "choice": best, "confidence": shares[best]}
    return ChoiceAnswer.model_validate(own | {"probabilities": shares})
