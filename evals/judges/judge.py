"""What a judge is: it says which statements a text bears out; and the local verifier as one."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from errata.core.records import Claim, Document, Verdict, VerdictLabel
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.hub_verifier import HubVerifier, form_of
from errata.tools.judges.verifier import verify
from errata.tools.retrieval.filters import assign_ids

Relation = Literal["supported", "refuted", "not_mentioned"]
"""What entailment calls entailed, contradicted and neutral."""
Relations = tuple[Relation | None, ...]
"""One for each statement; None where the judge's word could not be read."""


class Judge(Protocol):
    """Whoever tells how documents and statements relate."""

    @property
    def name(self) -> str:
        """What tables call it."""

    async def judge(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        """The relation of each of some statements; there is at least one, and one document."""


async def relate_to_text(judge: Judge, question: str, facts: Sequence[str], text: str) -> Relations:
    """Tell which facts a text states; a text without a word states none."""
    if not any(character.isalnum() for character in text):
        return tuple[Relation, ...]("not_mentioned" for _ in facts)
    return await relate(judge, question, facts, [Document(text=text)])


async def relate(
    judge: Judge, question: str, statements: Sequence[str], documents: Sequence[Document]
) -> Relations:
    """Tell which statements documents bear out; without a document nobody can tell."""
    if not (statements and documents):
        return (None,) * len(statements)
    return await judge.judge(question, statements, assign_ids(documents))


@dataclass(frozen=True)
class LocalJudge:
    """Judges by `errata.tools.judges.verifier`: no key, no network.

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


@dataclass(frozen=True)
class HubJudge:
    """Judges by a published checkpoint, as `verify=hub:SOURCE` does."""

    source: str
    """A folder, an ONNX file, a YAML file, or an id on the Hugging Face hub."""

    @property
    def name(self) -> str:
        """`hub:` and the source."""
        return f"hub:{self.source}"

    async def judge(
        self,
        question: str,  # noqa: ARG002  a checkpoint reads the statement alone
        statements: Sequence[str],
        documents: Sequence[Document],
    ) -> Relations:
        """The checkpoint's label of each statement.

        Raises SettingError if a package is missing or the labels are not known, AccessError if it
        cannot be read.
        """
        verifier = HubVerifier(form_of(self.source))
        supports = await to_thread(verifier.judge, statements, documents)
        return tuple(map(verifier.label, supports))


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
