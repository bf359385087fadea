"""What the models of a role reply, asked in order: where one fails, the next is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
from errata.core.limits import current_run, in_time, note_undone
from errata.core.records import Usage
from errata.nodes.context import Context
from errata.nodes.step import note, note_unpaid, spend
from errata.tools.models.chat import fetch
from errata.tools.models.message import text_of
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of

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
    context: Context, models: Sequence[BaseChatModel], request: Request, if_failed: str = ""
) -> Reply:
    """The first answer of some models; else the last failure, noted with its consequence.

    A model is asked once more if its first reply is no answer. The models that failed are noted,
    each once in a run, with the one that answered instead. Raises AccessError if the last one does,
    and SettingError if there is none.
    """
    if not models:
        raise SettingError(f"{request.role} asks a model: name one for this role, not local code")
    failures, reply = dict[str, Exception](), Reply()
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
    operators, replied = context.deployment, False
    try:
        async with in_time():
            own = operators, operators.replies, operators.price_list
            message = await fetch(model, request, *own)
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
