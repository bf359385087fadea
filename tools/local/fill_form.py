"""The generate role where an answer has a form: true or false, or one of the question's choices."""

from collections.abc import Sequence

from errata.records import Claim, Document
from errata.tools.judges.evaluator import Evaluator
from errata.tools.judges.verifier import verify
from errata.tools.text.choices import split_choices


def judge_statement(statement: str, documents: Sequence[Document]) -> str:
    """`true` if the documents bear a statement out, `false` if they refute it, else nothing."""
    claim = Claim(id="c1", text=statement, start=0, end=len(statement))
    [verdict] = verify(statement, [claim], documents)
    return {"supported": "true", "refuted": "false"}.get(verdict.label, "")


def choose(question: str, documents: Sequence[Document], evaluator: Evaluator) -> str:
    """The key of the choice that the documents speak of most; empty if the question has none."""
    asked, choices = split_choices(question)
    texts = [(document.title, document.text) for document in documents]
    scores = {key: max(evaluator.score(f"{asked} {c}", texts)) for key, c in choices.items()}
    return max(scores, key=lambda key: scores[key], default="")
