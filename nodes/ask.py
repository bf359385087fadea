"""The one way for a step to ask a model: a template is filled and sent, a failure is a value."""

from asyncio import gather
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from langchain_core.language_models import BaseChatModel

from errata.core.errors import BudgetError, ChatError, OutOfTimeError, ReplyError, SettingError
from errata.core.limits import in_time, report_progress
from errata.core.records import Claim, Document, Usage
from errata.nodes.context import Context
from errata.nodes.ledger import note, note_unpaid, spend
from errata.tools.models.bill import Bill
from errata.tools.models.chat import send
from errata.tools.models.fallbacks import ask_in_order
from errata.tools.models.request import Request
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of

T = TypeVar("T", bound=Hashable)
R = TypeVar("R")
Failure = ChatError | ReplyError | BudgetError


@dataclass(frozen=True)
class Reply:
    """What a model answered, or why there is no answer."""

    text: str = ""
    failure: Failure | None = None

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


async def ask(
    context: Context,
    role: str,
    template: str,
    sample: int = 0,
    /,
    *,
    if_failed: str = "",
    **values: str,
) -> Reply:
    """Ask the models that fill a role, in order; each once more if its reply is no answer.

    The run's version of the template is filled with the values that it declares. Asking the same
    again in one run gives a further sample; `sample` is the number of the wanted one, from 0.

    A failure is noted with its consequence, `if_failed`. Raises AccessError if the server refuses
    the key or the model.
    """
    reply = await _ask(context, role, template, values, sample)
    _note(reply, if_failed)
    return reply


async def ask_all(
    context: Context,
    role: str,
    template: str,
    requests: Sequence[Mapping[str, str]],
    if_failed: Sequence[str],
) -> list[Reply]:
    """Ask about many things at once, each request with its own values; the replies in order.

    A failure is noted with its consequence, the `if_failed` of the same place.
    """
    done = 0

    async def ask_one(values: Mapping[str, str]) -> Reply:
        nonlocal done
        reply = await _ask(context, role, template, values)
        done += 1
        report_progress(done, len(requests))
        return reply

    replies = await gather(*(ask_one(values) for values in requests))
    for reply, consequence in zip(replies, if_failed, strict=True):
        _note(reply, consequence)
    return replies


async def ask_in_batches(
    ask: Callable[[Sequence[T]], Awaitable[Mapping[T, R]]], things: Sequence[T], size: int
) -> dict[T, R]:
    """What replies say of each thing, all batches at once; things left out are asked once more.

    `ask` returns what its reply says by thing, and after a failed call something about each thing.
    """
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


def _note(reply: Reply, consequence: str) -> None:
    if reply.failure and consequence and not reply.unpaid:
        note(f"{consequence}: {reply.failure}")


async def _ask(
    context: Context, role: str, template: str, values: Mapping[str, str], sample: int = 0
) -> Reply:
    models = context.models_for(role)
    if not models:
        raise SettingError(f"{role} asks a model: name one for this role, not local code")
    prompt = context.template(template)
    declared = {name: text for name, text in values.items() if name in prompt.head.variables}
    sampling = context.sampling_for(role)
    request = Request(role, prompt.name, prompt.digest, prompt.fill(**declared), sampling, sample)
    reply = await ask_in_order(models, request, partial(_send, context))
    if _brought_none(reply.failure):
        spend(Usage(by_role={role: {"failed_calls": 1}}))
    return reply


async def _send(context: Context, model: BaseChatModel, request: Request) -> Reply:
    """The reply within the run's time and budgets; a budget's refusal is noted once in a run."""
    prompts = {request.prompt: request.digest}
    free = isinstance(model, FakeChat)
    bill = Bill(request.role, name_of(model), context.price_list, free=free)
    try:
        async with in_time():
            reply = await send(model, request, context.limits, context.replies, bill)
    except BudgetError as error:
        note_unpaid(error)
        return Reply(failure=error)
    except OutOfTimeError as error:
        if bill.sent:
            bill.count("failed_calls")
        return Reply(failure=ChatError(str(error)))
    except ReplyError as error:
        spend(error.usage if isinstance(error.usage, Usage) else Usage(), prompts)
        return Reply(failure=error)
    except ChatError as error:
        return Reply(failure=error)
    finally:
        spend(bill.usage)
    spend(reply.usage, prompts)
    return Reply(reply.text)


def _brought_none(failure: Failure | None) -> bool:
    """Whether a call, made or refused, brought no reply at all, not even an unreadable one."""
    broken = isinstance(failure, ReplyError) and not failure.usage
    return broken or isinstance(failure, ChatError)


def number_documents(documents: Iterable[Document]) -> str:
    """Documents, numbered from 1, each under its title unless the one before has the same title."""
    title, parts = "", list[str]()
    for number, document in enumerate(documents, start=1):
        heading = document.title if document.title != title else ""
        parts.append(f"[{number}] {heading}".rstrip() + f"\n{document.text}".rstrip())
        title = document.title
    return "\n\n".join(parts)


def number_claims(claims: Iterable[Claim]) -> str:
    """Claims one a line, numbered from 1."""
    return number_lines(claim.text for claim in claims)


def number_lines(texts: Iterable[str]) -> str:
    """Texts one a line, numbered from 1; none can break a line and pose as another."""
    return "\n".join(f"{n}. {' '.join(text.split())}" for n, text in enumerate(texts, start=1))
