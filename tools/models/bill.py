"""What a request to a model costs: leave to make a call before it, its price after it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from errata.core.budgets import Admission, Cost, admit, check_priced, longest_reply
from errata.core.errors import AccessError, ChatError, RefusedError, ReplyError
from errata.core.records import Usage
from errata.tools.models.prices import FREE, Prices


@dataclass
class Bill:
    """Admits calls, prices their replies, and counts what brought none."""

    role: str
    model: str
    """The model, as the user named it."""
    prices: Prices = field(default_factory=Prices)
    """What tokens cost; without any they are not priced."""
    usage: Usage = field(default_factory=Usage)
    free: bool = False
    """Whether the model is a stand-in, which costs nothing."""
    sent: bool = False
    """Whether a call has left, answered or not."""

    def send(self) -> None:
        """Note that a call leaves now; each but a request's first is one of its `retries`."""
        if self.sent:
            self.count("retries")
        self.sent = True

    def count(self, name: str) -> None:
        """Count one `retries`, `refused_calls` or `failed_calls`.

        A role's request has failed only if no model in its list answers it, so that failed calls
        are counted here for the model alone.
        """
        by_role: dict[str, dict[str, float]] = {self.role: {name: 1}}
        if name == "failed_calls":
            by_role = {}
        self.usage += Usage(by_role=by_role, by_model={self.model: {name: 1}})

    @contextmanager
    def admitted(self, prompt: int, reply: int | None) -> Iterator[Admission]:
        """Leave to make one call, of so many tokens; one that is broken off counts as a call.

        A failure, or a refusal to ask, is on the bill.

        Where nothing bounds the reply, it may take as many tokens as the longest so far.

        Raises BudgetError if a budget does not allow what the call will probably cost, or limits
        money and the model has no price.
        """
        tokens = reply or longest_reply()
        price = self.prices.model(self.model)
        if not self.free:
            check_priced(price, f"the model {self.model!r}")
        money = (price or FREE).of(prompt, tokens)
        with admit(Cost(calls=1, tokens=prompt + tokens, money=money)) as admission:
            try:
                yield admission
            except BaseException as error:
                if isinstance(error, RefusedError):
                    self.count("refused_calls")
                if self.sent and isinstance(error, AccessError | ChatError | ReplyError):
                    self.count("failed_calls")
                if not self.sent:
                    admission.paid = Cost()
                raise

    def priced(self, usage: Usage) -> Usage:
        """The usage of a call with its money."""
        return self.prices.priced(usage, self.role, self.model)


def cost_of(usage: Usage) -> Cost:
    """Usage as a budget counts it: calls that brought no reply are calls, too."""
    failed = sum(share.get("failed_calls", 0) for share in usage.by_model.values())
    return Cost(
        calls=usage.model_calls + int(failed),
        tokens=usage.prompt_tokens + usage.completion_tokens,
        searches=usage.searches,
        pages=usage.pages,
        money=usage.money,
    )
