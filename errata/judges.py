"""The judges of this package as LangChain's decision models, for any chain; nothing is sent.

A question is a choice between `supported`, `refuted` and `not_mentioned`; its instructions are the
statement alone. P(supported) is a verdict's score, and the rest goes to the label that it has.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from langchain_core.decisions import BaseDecisionModel, Choice, ClassifierResponse, Question, State

from errata.core.errors import InputError
from errata.core.records import Claim, Document, Verdict
from errata.given import as_documents
from errata.tools.judges.hub_verifier import Meaning, verify_by_hub
from errata.tools.judges.verifier import verify


class LocalReader(BaseDecisionModel):
    """The local verifier: `local` or `local:WEIGHTS`.

    The state is a text, or a list of texts or documents. A statement that cannot be judged, such as
    one in another language than English, has no answer. Raises InputError over other questions.
    """

    model: str = "local"

    @property
    def _provider(self) -> str:
        return "errata"

    def _verify(self, claims: Sequence[Claim], documents: Sequence[Document]) -> list[Verdict]:
        return verify("", claims, documents, self.model.partition(":")[2])

    def _classify(self, state: State, questions: dict[str, Question]) -> ClassifierResponse:
        given: Any = [state] if isinstance(state, str) or hasattr(state, "page_content") else state
        texts = [document for document in as_documents(given) if document.text.strip()]
        documents = [replace(text, id=f"d{n}") for n, text in enumerate(texts, start=1)]
        claims = [_claim(name, question) for name, question in questions.items()]
        verdicts = self._verify(claims, documents) if documents else []
        answers = {own.claim: _answer(own) for own in verdicts if own.score is not None}
        return ClassifierResponse.model_validate({"model": self.model, "answers": answers})


class HubVerifier(LocalReader):
    """A published verifier, `hub:ID_OR_FOLDER` or `hub:FILE`; reads what the checkpoint reads.

    Raises also SettingError if its labels are not known, AccessError if it cannot be read.
    """

    model: str

    def _verify(self, claims: Sequence[Claim], documents: Sequence[Document]) -> list[Verdict]:
        return verify_by_hub(self.model.removeprefix("hub:"), claims, documents)


def _claim(name: str, question: Question) -> Claim:
    """The statement that a question of support is about."""
    labels, text = {*get_args(Meaning)}, question.instructions
    if isinstance(question, Choice) and {*question.criteria} == labels and isinstance(text, str):
        return Claim(id=name, text=text, start=0, end=len(text))
    raise InputError(
        f"{name}: it answers a Choice between {', '.join(sorted(labels))} whose instructions are a "
        "statement, and nothing else"
    )


def _answer(verdict: Verdict) -> dict[str, Any]:
    """A verdict with a score as a choice; what is disputed or conflicting leans to refuted."""
    label = verdict.label if verdict.label in get_args(Meaning) else "refuted"
    rest = "not_mentioned" if label == "supported" else label
    shares = dict.fromkeys(get_args(Meaning), 0.0)
    shares |= {"supported": verdict.score or 0.0, rest: 1 - (verdict.score or 0.0)}
    return {"type": "choice", "choice": label, "probabilities": shares, "confidence": shares[label]}
