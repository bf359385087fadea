"""The one way to ask a model: a template is filled and sent, a failure is a value; read replies."""

import re
from asyncio import gather
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel

from errata.core.errors import (
    AccessError,
    BudgetError,
    ChatError,
    CutError,
    OutOfTimeError,
    ReplyError,
    SettingError,
)
from errata.core.limits import current_run, in_time, note_undone, report_progress
from errata.core.records import Claim, Document, Usage
from errata.nodes.context import Context
from errata.nodes.step import note, note_unpaid, spend
from errata.prompts.delimiters import without_numbers
from errata.tools.models.chat import fetch_reply
from errata.tools.models.message import text_of
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")
OnText = Callable[[str], None]
"""Takes the text of a reply so far, as it comes."""
Failure = AccessError | ChatError | ReplyError | BudgetError


@dataclass(frozen=True)
class Reply:
    """What a model answered, or why there is no answer."""

    text: str = ""
    failure: Failure | None = None
    replied: bool = False
    """Whether a model said anything at all."""

    @property
    def unpaid(self) -> bool:
        """Whether nobody was asked, since a budget allows no more."""
        return isinstance(self.failure, BudgetError)

    def text_or_raise(self) -> str:
        """The answer, for a step that cannot do without one.

        Raises ChatError, ReplyError or BudgetError.
        """
        if self.failure:
            raise self.failure
        return self.text


async def ask_in_order(
    context: Context, specs: Sequence[Any], request: Request, if_failed: str = ""
) -> Reply:
    """The first answer of the models that specs name; else the last failure, noted.

    A model is asked once more if its first reply is no answer. The models that failed are noted,
    each once in a run, with the one that answered instead. Raises AccessError if the last one does,
    and SettingError if there is none.
    """
    if not specs:
        raise SettingError(f"{request.role} asks a model: name one for this role, not local code")
    models, failures, reply = context.open(specs), dict[str, Exception](), Reply()
    for place, model in enumerate(models, start=1):
        asked = replace(request, place=place - 1)
        reply = await _send(context, model, asked)
        if isinstance(reply.failure, ReplyError):
            reply = await _send(context, model, replace(asked, sample=request.sample + 1))
        final = isinstance(reply.failure, BudgetError | CutError) or not current_run().seconds_left
        if not reply.failure or final or place == len(models):
            break
        failures[name_of(model)] = reply.failure
    _note(failures, reply, model)
    if isinstance(reply.failure, AccessError):
        raise reply.failure
    if isinstance(reply.failure, ChatError | ReplyError) and not reply.replied:
        spend(Usage(by_role={request.role: {"failed_calls": 1}}))
    if reply.failure and if_failed and not reply.unpaid:
        note(f"{if_failed}: {reply.failure}")
    return reply


def _note(failures: Mapping[str, Exception], reply: Reply, model: BaseChatModel) -> None:
    then = f"so did {name_of(model)}" if reply.failure else f"{name_of(model)} answered instead"
    if reply.unpaid:
        then = f"{name_of(model)} was not paid for"
    for name, error in failures.items():
        head = f"{name} failed, and {then}"
        note_undone(f"{head}: {error}", about=head)


async def _send(context: Context, model: BaseChatModel, request: Request) -> Reply:
    """The reply within the run's time and budgets; a budget's refusal is noted once in a run."""
    limits, replied = context.deployment, False
    try:
        async with in_time():
            message = await fetch_reply(model, request, limits, limits.replies, limits.price_list)
        replied = True
        text = text_of(message, request)
    except BudgetError as error:
        note_unpaid(error)
        return Reply(failure=error)
    except (AccessError, ChatError, ReplyError, OutOfTimeError) as error:
        failure = ChatError(str(error)) if isinstance(error, OutOfTimeError) else error
        return Reply(failure=failure, replied=replied)
    if request.tell:
        request.tell(text)
    return Reply(text, replied=True)


async def ask_role(
    context: Context,
    role: str,
    template: str,
    on_text: OnText | None = None,
    shown: bool = True,
    schema: dict[str, Any] | None = None,
    /,
    *,
    if_failed: str = "",
    **values: str,
) -> Reply:
    """Ask the models that fill a role, in order; each once more if its reply is no answer.

    The run's version of the template is filled with the values that it declares. Asking the same
    again in one run gives a further sample.

    A failure is noted with its consequence, `if_failed`. If the text that goes to `on_text` may be
    `shown`, LangGraph's `messages` stream the tokens. With a `schema` the reply is JSON where a
    model's server can keep to one. Raises AccessError if the server refuses the
    key or the model.
    """
    prompt, sampling = context.template(template), context.sampling_for(role)
    values = {name: values[name] for name in values if name in prompt.head.variables}
    text = prompt.fill(**values)
    tell = on_text and (lambda so_far: on_text(prompt.restore(so_far, values)))
    own = (role, prompt.name, prompt.digest, text, sampling)
    request = Request(*own, marked=prompt.mark(text), tell=tell, shown=shown, schema=schema)
    reply = await ask_in_order(context, context.models_named(role), request, if_failed)
    return replace(reply, text=prompt.restore(reply.text, values))


async def ask_all(
    context: Context,
    role: str,
    template: str,
    requests: Sequence[Mapping[str, str]],
    if_failed: Sequence[str],
) -> list[Reply]:
    """Replies to requests, all asked at once; a failure is noted with its place's `if_failed`."""
    done = 0

    async def ask_one(values: Mapping[str, str]) -> Reply:
        nonlocal done
        reply = await ask_role(context, role, template, **values)
        done += 1
        report_progress(done, len(requests))
        return reply

    replies = await gather(*map(ask_one, requests))
    for reply, consequence in zip(replies, if_failed, strict=True):
        if reply.failure and consequence and not reply.unpaid:
            note(f"{consequence}: {reply.failure}")
    return replies


async def ask_in_batches(
    ask: Callable[[Sequence[T]], Awaitable[Mapping[T, R]]], things: Sequence[T], size: int
) -> dict[T, R]:
    """What `ask` says of each thing, all batches at once; things left out are asked once more."""
    done = 0

    async def ask_twice(batch: Sequence[T]) -> dict[T, R]:
        nonlocal done
        said = dict(await ask(batch))
        if left_out := [thing for thing in batch if thing not in said]:
            said.update(await ask(left_out))
        done += len(batch)
        report_progress(done, len(things))
        return said

    parts = await gather(*map(ask_twice, in_batches(things, size)))
    return {thing: said for part in parts for thing, said in part.items()}


def in_batches(things: Sequence[R], size: int) -> list[Sequence[R]]:
    """The things in order, in batches of at most `size`."""
    return [things[start : start + size] for start in range(0, len(things), size)]


def number_documents(documents: Iterable[Document]) -> str:
    """Documents, numbered from 1, each under its title and date unless the one before has the same.

    One that begins in the middle of a sentence has its title in any case. No title has a second
    line, and no line of a text begins with a number as a document does.
    """
    title, parts = "", list[str]()
    for number, document in enumerate(documents, start=1):
        is_cut, day = document.text[:1].islower(), document.dated
        named = f"{document.title} ({day})" if day and day not in document.title else document.title
        heading = named if is_cut or named != title else ""
        text = without_numbers(f"\n{document.text}".rstrip())
        parts.append(f"[{number}] {' '.join(heading.split())}".rstrip() + text)
        title = named
    return "\n\n".join(parts)


def number_lines(texts: Iterable[str]) -> str:
    """Texts one a line, numbered from 1; none can break a line and pose as another."""
    return "\n".join(f"{n}. {' '.join(text.split())}" for n, text in enumerate(texts, start=1))


INSTEAD = "each claim was asked about instead"
"""What follows where a model planned no questions."""
_NO_CLAIM = re.compile(r":$|^\W*(?:```.*)?$")
LIST_MARK = re.compile(
    r"^\s*(?:[-*•]\s+"
    r"|(?:(?:fact|claim|statement|query|(?:sub-?)?question|(?:factual\s*)?error)\s*)?"
    r"#?\d{1,3}\s*[.:)]\s*)",
    re.IGNORECASE,
)


def read_claims(reply: str) -> Sequence[str]:
    r"""One claim a line, without numbers, bullets and headings.

    >>> read_claims("Facts:\n1. Ada was a countess.\n- She wrote notes.")
    ['Ada was a countess.', 'She wrote notes.']
    """
    lines = (LIST_MARK.sub("", line).strip() for line in reply.splitlines())
    return list(dict.fromkeys(line for line in lines if not _NO_CLAIM.search(line)))


def read_questions(reply: str) -> list[str]:
    r"""One question a line, each once; lines that are no question fall away.

    >>> read_questions("Sub-Questions:\n1. Who was Ada?\n2) When was Ada born?\n- Who was Ada?")
    ['Who was Ada?', 'When was Ada born?']
    """
    by_words = dict[str, str]()
    for line in (LIST_MARK.sub("", line).strip() for line in reply.splitlines()):
        if line.endswith("?"):
            by_words.setdefault(line.casefold(), line)
    return list(by_words.values())


def question_for(claim: Claim) -> str:
    """A claim as a question."""
    return f"Is it true that {claim.text.rstrip('.!? ')}?"


_WORD = re.compile(r"\w+")
_TAKEN_BACK = re.compile(
    r"\s*\?|\W{0,4}(?:but|wait|actually|however)\b|\s*,\s*not\b|\s+with (?:neither|none|nothing)\b"
    r"|\W{0,4}not (?:really|quite|exactly|entirely|fully)\b",
    re.IGNORECASE,
)
"""What follows a label that the reply does not stand by."""


def is_taken_back(reply: str, end: int) -> bool:
    """Whether a reply does not stand by the label that ends at a place.

    >>> is_taken_back("True? No.", 4), is_taken_back("True: it was 1867.", 4)
    (True, False)
    """
    return bool(_TAKEN_BACK.match(reply, end))


def repeats(reply: str, claim: str) -> bool:
    """Whether a reply opens with the claim, whose first word may look like a label.

    >>> repeats("True Grit is a film.", "True Grit is a film."), repeats("True.", "True Grit.")
    (True, False)
    """
    words = _WORD.findall(claim.casefold())
    said = (match[0] for match in _WORD.finditer(reply.casefold()))
    return len(words) > 1 and list(islice(said, len(words))) == words
