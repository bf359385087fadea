"""What the models of a role reply, asked in order: where one fails, the next is asked."""

from collections.abc import Sequence
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
from errata.nodes.context import Context
from errata.nodes.step import note_unpaid
from errata.tools.models.chat import fetch
from errata.tools.models.message import text_of
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of

Failure = ChatError | ReplyError | BudgetError


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
    context: Context, models: Sequence[BaseChatModel], request: Request
) -> Reply:
    """The first answer of some models; else the last failure.

    A model is asked once more if its first reply is no answer. The models that failed are noted,
    each once in a run, with the one that answered instead. Raises AccessError if the last one does,
    and SettingError if there is none.
    """
    failures = dict[str, Exception]()
    for place, model in enumerate(models):
        is_last = place == len(models) - 1
        try:
            reply = await _send(context, model, replace(request, place=place))
            if isinstance(reply.failure, ReplyError):
                again = replace(request, place=place, sample=request.sample + 1)
                reply = await _send(context, model, again)
        except AccessError as error:
            if is_last:
                _note(failures, None, model)
                raise
            failures[name_of(model)] = error
            continue
        final = isinstance(reply.failure, BudgetError | CutError)
        spent = final or not current_run().seconds_left
        if is_last or reply.failure is None or spent:
            _note(failures, reply, model)
            return reply
        failures[name_of(model)] = reply.failure
    raise SettingError(f"{request.role} asks a model: name one for this role, not local code")


def _note(failures: dict[str, Exception], reply: Reply | None, model: BaseChatModel) -> None:
    then = f"so did {name_of(model)}"
    if reply and isinstance(reply.failure, BudgetError):
        then = f"{name_of(model)} was not paid for"
    elif reply and not reply.failure:
        then = f"{name_of(model)} answered instead"
    for name, error in failures.items():
        head = f"{name} failed, and {then}"
        note_undone(f"{head}: {error}", about=head)


async def _send(context: Context, model: BaseChatModel, request: Request) -> Reply:
    """The reply within the run's time and budgets; a budget's refusal is noted once in a run."""
    operators, replied = context.deployment, False
    try:
        async with in_time():
            own = operators.limits, operators.replies, operators.price_list
            message = await fetch(model, request, *own)
        replied = True
        text = text_of(message, request)
    except BudgetError as error:
        note_unpaid(error)
        return Reply(failure=error)
    except (ChatError, ReplyError, OutOfTimeError) as error:
        failure = ChatError(str(error)) if isinstance(error, OutOfTimeError) else error
        return Reply(failure=failure, replied=replied)
    if request.tell:
        request.tell(text)
    return Reply(text, replied=True)
