"""A role's models in order: where one fails, the next is asked."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from langchain_core.language_models import BaseChatModel

from errata.core.errors import AccessError, BudgetError, CutError, ReplyError, SettingError
from errata.core.limits import current_bounds, note_undone
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of


class Reply(Protocol):
    """What asking one model gave."""

    @property
    def failure(self) -> Exception | None:
        """Why there is no answer; None if there is one."""


R = TypeVar("R", bound=Reply)
Ask = Callable[[BaseChatModel, Request], Awaitable[R]]


async def ask_in_order(models: Sequence[BaseChatModel], request: Request, ask: Ask[R]) -> R:
    """The first answer of a role's models, of which there is one at least; else the last failure.

    A model is asked once more if its first reply is no answer. The models that failed are noted,
    each once in a run, with the one that answered instead. Raises AccessError if the last one does.
    """
    failures = dict[str, Exception]()
    for place, model in enumerate(models):
        is_last = place == len(models) - 1
        try:
            reply = await ask(model, replace(request, place=place))
            if isinstance(reply.failure, ReplyError):
                reply = await ask(model, replace(request, place=place, sample=request.sample + 1))
        except AccessError as error:
            if is_last:
                _note(failures, None, model)
                raise
            failures[name_of(model)] = error
            continue
        final = isinstance(reply.failure, BudgetError | CutError)
        spent = final or not current_bounds().seconds_left
        if is_last or reply.failure is None or spent:
            _note(failures, reply, model)
            return reply
        failures[name_of(model)] = reply.failure
    raise SettingError(f"no model fills the role {request.role!r}")


def _note(failures: dict[str, Exception], reply: Reply | None, model: BaseChatModel) -> None:
    then = f"so did {name_of(model)}"
    if reply and isinstance(reply.failure, BudgetError):
        then = f"{name_of(model)} was not paid for"
    elif reply and not reply.failure:
        then = f"{name_of(model)} answered instead"
    for name, error in failures.items():
        head = f"{name} failed, and {then}"
        note_undone(f"{head}: {error}", about=head)
