"""The local verifier as a judge: no key, no network."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from errata.core.records import Claim, Document, Verdict, VerdictLabel
from errata.evals.judges.judge import Relation, Relations
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.verifier import verify


@dataclass(frozen=True)
class LocalJudge:
    """Judges by `errata.tools.judges.verifier`.

    The shipped weights were fitted on FActScore's labels among others; name a file of weights that
    were not where that matters.
    """

    weights: str = ""
    """Empty (shipped), `lexical`, or a file from training."""

    @property
    def name(self) -> str:
        """`local`, and the weights if they are not the shipped ones."""
        return f"local:{self.weights}" if self.weights else "local"

    async def judge(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        """The verifier's labels, likely statements as supported; those that it cannot read None."""
        claims = [
            Claim(id=f"c{number}", text=text, start=0, end=0)
            for number, text in enumerate(statements)
        ]
        verdicts = await to_thread(verify, question, claims, documents, self.weights)
        return tuple(_relation(verdict) for verdict in verdicts)


def _relation(verdict: Verdict) -> Relation | None:
    """What a verdict says; the verifier supports what it is sure of, a judge what is likelier."""
    is_likely = verdict.score is not None and verdict.score >= SUPPORTED
    if verdict.label == "not_mentioned" and is_likely:
        return "supported"
    return _RELATIONS.get(verdict.label)


_RELATIONS: Mapping[VerdictLabel, Relation] = {
    "supported": "supported",
    "refuted": "refuted",
    "conflicting": "refuted",
    "not_mentioned": "not_mentioned",
}
"""What the verifier's labels say; the others judge nothing."""
