"""A bound on how often a run may call a model."""

from typing import Any

from langchain_core.callbacks import BaseCallbackHandler

from errata.errors import ChatError


class CallBudget(BaseCallbackHandler):
    """Counts calls to models and refuses those over the limit; the run goes on without them."""

    raise_error = True
    run_inline = True

    def __init__(self, limit: int | None) -> None:
        """Allow `limit` calls; None sets no limit."""
        self.limit = limit
        self.used = 0

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        """Count a call before it is made.

        Raises ChatError if it would be one too many.
        """
        if self.limit is not None and self.used >= self.limit:
            raise ChatError(f"max_model_calls allows {self.limit} more calls, and they are spent")
        self.used += 1
