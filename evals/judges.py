"""Judges of metrics: local code, a chat model, or a published checkpoint.

A judge says which statements a text bears out.
"""

import re
from asyncio import gather, to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal, Protocol

from errata.core.errors import ChatError, ReplyError, SettingError
from errata.core.records import Claim, Document, VerdictLabel
from errata.prompts.library import parse_prompt
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.hub_verifier import HubVerifier, form_of
from errata.tools.judges.verifier import verify
from errata.tools.local.refine import select_passages
from errata.tools.models.chat import send
from errata.tools.models.folder_calls import ReplayChat
from errata.tools.models.pool import current_models
from errata.tools.models.replies import Replies
from errata.tools.models.request import Request
from errata.tools.models.spec import HUB, LOCAL
from errata.tools.net.limits import Limits
from errata.tools.retrieval.filters import assign_ids

Relation = Literal["supported", "refuted", "not_mentioned"]
"""What entailment calls entailed, contradicted and neutral."""
Relations = tuple[Relation | None, ...]
"""One for each statement; None where the judge's word could not be read."""
_PROMPT = parse_prompt(
    "evals/entail.v1", files(__package__).joinpath("entail.v1.md").read_text(encoding="utf-8")
)
_LINE = re.compile(
    r"^\W*(?P<number>\d{1,4})\W+(?P<answer>entail|contradict|neutral)\w*",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWERS: Mapping[str, Relation] = {
    "entail": "supported",
    "contradict": "refuted",
    "neutral": "not_mentioned",
}
_LABELS: Mapping[VerdictLabel, Relation] = {
    "supported": "supported",
    "refuted": "refuted",
    "conflicting": "refuted",
    "not_mentioned": "not_mentioned",
}
"""What the verifier's labels say; the others judge nothing."""
LIMITS = Limits(timeout=600, retries=3, at_once=32)
AT_ONCE = 25
"""How many statements one prompt holds."""
TOKENS = 2500
"""How much of long documents a prompt holds: the passages nearest to its statements."""


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

    name: str
    """`local`, or with weights `local:lexical` or `local:FILE`."""

    async def judge(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        """The verifier's labels; those that it cannot read None.

        The verifier supports what it is sure of, a judge what is likelier.
        """
        claims = [Claim(id=f"c{n}", text=text, start=0, end=0) for n, text in enumerate(statements)]
        weights = self.name.partition(":")[2]
        verdicts = await to_thread(verify, question, claims, documents, weights)
        return tuple(
            "supported"
            if verdict.label == "not_mentioned" and (verdict.score or 0.0) >= SUPPORTED
            else _LABELS.get(verdict.label)
            for verdict in verdicts
        )


@dataclass(frozen=True)
class HubJudge:
    """Judges by a published checkpoint, as `verify=hub:SOURCE` does."""

    name: str
    """`hub:` and a folder, an ONNX file, a YAML file, or an id on the Hugging Face hub."""

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
        verifier = HubVerifier(form_of(self.name.partition(":")[2]))
        supports = await to_thread(verifier.judge, statements, documents)
        return tuple(map(verifier.label, supports))


@dataclass(frozen=True)
class ModelJudge:
    """Judges by a chat model; statements that a failed or odd reply leaves out are None."""

    name: str
    """`PROVIDER:MODEL`."""
    replay: str = ""
    """A folder of recorded exchanges that answers in its place."""
    record: str = ""
    """A folder that keeps the exchanges; none is asked again."""

    async def judge(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        """The model's answers.

        Raises AccessError if the server refuses the key or knows no such model.
        """
        parts = (statements[n : n + AT_ONCE] for n in range(0, len(statements), AT_ONCE))
        answers = await gather(*(self._ask(question, part, documents) for part in parts))
        return tuple(relation for answer in answers for relation in answer)

    async def _ask(
        self, question: str, statements: Sequence[str], documents: Sequence[Document]
    ) -> Relations:
        shown = select_passages(statements, documents, TOKENS)
        pages = (f"{page.title}\n{page.text}".strip() for page in shown)
        lines = (f"{n}. {' '.join(text.split())}" for n, text in enumerate(statements, 1))
        filled = _PROMPT.fill(
            question=question, documents="\n\n".join(pages), claims="\n".join(lines)
        )
        model = (
            ReplayChat(folder=self.replay)
            if self.replay
            else current_models().open(self.name, LIMITS)
        )
        request = Request(
            "judge", _PROMPT.name, _PROMPT.digest, filled, marked=_PROMPT.mark(filled)
        )
        try:
            reply = await send(model, request, LIMITS, Replies(self.record, reuse=True))
        except (ChatError, ReplyError):
            return (None,) * len(statements)
        return read_relations(reply.text, len(statements))


def read_relations(reply: str, count: int) -> Relations:
    r"""The relations that a reply holds; None where it holds none, or two that differ.

    >>> read_relations("1: entails\n2: Contradicts.\n4: neutral", 3)
    ('supported', 'refuted', None)
    """
    answers = dict[int, set[Relation]]()
    for match in _LINE.finditer(reply):
        relation = _ANSWERS[match["answer"].lower()]
        answers.setdefault(int(match["number"]), set()).add(relation)
    found = (answers.get(number, set()) for number in range(1, count + 1))
    return tuple(next(iter(said)) if len(said) == 1 else None for said in found)


def judge_named(spec: str | Judge, *, replay: str = "", record: str = "") -> Judge:
    """The judge that a spec names; an object is returned as it is.

    `local` or `local:WEIGHTS` is the local verifier, `hub:ID_OR_FOLDER` a checkpoint,
    `PROVIDER:MODEL` a chat model, whose exchanges are played back from the folder `replay` or kept
    in `record`. Raises SettingError if a spec names none.
    """
    if not isinstance(spec, str):
        return spec
    kind, _, source = spec.partition(":")
    if kind == LOCAL:
        return LocalJudge(spec.removesuffix(":"))
    if not source:
        raise SettingError(
            f"no judge is called {spec!r}; say local, {HUB}:ID_OR_FOLDER or PROVIDER:MODEL"
        )
    return HubJudge(spec) if kind == HUB else ModelJudge(spec, replay, record)
