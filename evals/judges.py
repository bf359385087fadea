"""Judges of metrics: local code, or a chat model.

A judge says which statements a text supports.
"""

import re
from asyncio import gather, to_thread
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import Literal

from errata.core.errors import ChatError, ReplyError, SettingError
from errata.core.records import Claim, Document, VerdictLabel
from errata.nodes.ask import in_batches, number_lines
from errata.prompts.library import parse_prompt
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.verifier import verify
from errata.tools.local.refine import select_passages
from errata.tools.models.chat import send
from errata.tools.models.pool import current_models
from errata.tools.models.replies import ReplayChat, Replies
from errata.tools.models.request import Request
from errata.tools.models.spec import HUB, LOCAL
from errata.tools.net.endpoints import Limits
from errata.tools.retrieval.filters import assign_ids

Relation = Literal["supported", "refuted", "not_mentioned"]
"""What entailment calls entailed, contradicted and neutral."""
Relations = tuple[Relation | None, ...]
"""One for each statement; None where the judge's word could not be read."""
Judge = Callable[[str, Sequence[str], Sequence[Document]], Awaitable[Relations]]
"""Tells how documents relate to a question's statements; there is at least one of either."""
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
    "disputed": "not_mentioned",
    "not_mentioned": "not_mentioned",
}
"""What the verifier's labels say; the others judge nothing."""
LIMITS = Limits(timeout=600, retries=3, at_once=32)
AT_ONCE = 25
"""How many statements one prompt holds."""
TOKENS = 2500
"""How much of long documents a prompt holds: the passages nearest to its statements."""


async def relate_to_text(judge: Judge, question: str, facts: Sequence[str], text: str) -> Relations:
    """Tell which facts a text states; a text without a word states none."""
    if not any(character.isalnum() for character in text):
        return tuple[Relation, ...]("not_mentioned" for _ in facts)
    return await relate(judge, question, facts, [Document(text=text)])


async def relate(
    judge: Judge, question: str, statements: Sequence[str], documents: Sequence[Document]
) -> Relations:
    """Tell which statements documents support; without a document nobody can tell."""
    if not (statements and documents):
        return (None,) * len(statements)
    return await judge(question, statements, assign_ids(documents))


async def judge_locally(
    weights: str, question: str, statements: Sequence[str], documents: Sequence[Document]
) -> Relations:
    """The local verifier's labels, without key or network; those that it cannot read None.

    The verifier supports what it is sure of, a judge what is likelier. The shipped weights were
    fitted on FActScore's labels among others; name a file of weights that were not where that
    matters.
    """
    claims = [Claim(id=f"c{n}", text=text, start=0, end=0) for n, text in enumerate(statements)]
    verdicts = await to_thread(verify, question, claims, documents, weights)
    return tuple(
        "supported"
        if verdict.label == "not_mentioned" and (verdict.score or 0.0) >= SUPPORTED
        else _LABELS.get(verdict.label)
        for verdict in verdicts
    )


async def judge_by_model(
    spec: str,
    exchanges: Mapping[str, str],
    question: str,
    statements: Sequence[str],
    documents: Sequence[Document],
) -> Relations:
    """A chat model's answers; statements that a failed or odd reply leaves out are None.

    Of `exchanges`, `replay` answers in its place, and `record` keeps what is then not asked again.
    Raises AccessError if the server refuses the key or knows no such model.
    """
    replay = exchanges["replay"]
    model = ReplayChat(file=replay) if replay else current_models().open(spec, LIMITS)

    async def ask(part: Sequence[str]) -> Relations:
        shown = select_passages(part, documents, TOKENS)
        pages = "\n\n".join(f"{page.title}\n{page.text}".strip() for page in shown)
        text = _PROMPT.fill(question=question, documents=pages, claims=number_lines(part))
        own = ("judge", _PROMPT.name, _PROMPT.digest, text)
        kept = Replies(exchanges["record"])
        try:
            reply = await send(model, Request(*own, marked=_PROMPT.mark(text)), LIMITS, kept)
        except (ChatError, ReplyError):
            return (None,) * len(part)
        return read_relations(reply, len(part))

    answers = await gather(*map(ask, in_batches(statements, AT_ONCE)))
    return tuple(relation for answer in answers for relation in answer)


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
    """The judge that a spec names; a function is returned as it is.

    `local` or `local:WEIGHTS` is the local verifier, `PROVIDER:MODEL` a chat model, whose exchanges
    are played back from the file `replay` or kept in `record`. Raises SettingError if a spec names
    none.
    """
    if not isinstance(spec, str):
        return spec
    kind, _, source = spec.partition(":")
    if kind == LOCAL:
        return partial(judge_locally, source)
    if not source or kind == HUB:
        raise SettingError(f"no judge is called {spec!r}; say local, local:FILE or PROVIDER:MODEL")
    return partial(judge_by_model, spec, {"replay": replay, "record": record})
