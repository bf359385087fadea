"""The one tree of errors: each says what came, what was expected and what to do.

ErrataError
├── InputError          the caller's question, draft, document or file cannot be used
│   └── SettingError    a role, model or setting is not one we know
├── PromptError         a template is wrong
├── ReplyError          a model answered, and the answer cannot be read
├── ChatError           a model could not be reached or failed; the run goes on without it
│   └── RefusedError    it was not asked, since its server failed several times in a row
├── SearchError         a search engine could not be reached or failed; the run goes on without it
├── PageError           a page of the web could not be read; the run goes on without it
├── RemoteError         a run on a server failed, or the server did; the graph here can go on
├── BudgetError         a budget allows no more; what is not paid for is left out, with a note
├── OutOfTimeError      a run's time is over; what is not done is left out, with a note
└── AccessError         a server refuses the key or knows no such model; no run can go on
"""


class ErrataError(Exception):
    """Any failure that errata raises on purpose."""


class InputError(ErrataError, ValueError):
    """Input that cannot be used; change it and call again."""


class SettingError(InputError):
    """An unknown role, model or setting; the message lists the known ones."""


class PromptError(ErrataError, ValueError):
    """A template that is missing, malformed, altered or wrongly filled."""


class ReplyError(ErrataError, RuntimeError):
    """A model's reply that cannot be read, with the prompt that asked for it.

    `usage` is what the reply cost.
    """

    def __init__(self, message: str, usage: object = None) -> None:
        """A message, and what the reply cost."""
        super().__init__(message)
        self.usage = usage


class ChatError(ErrataError, RuntimeError):
    """A model that failed or could not be reached; try again or choose another."""


class RefusedError(ChatError):
    """A model that was not asked, since its server is down; wait, or choose another."""


class AccessError(ErrataError, RuntimeError):
    """A server that refuses the key or does not know the model; change the settings."""


class SearchError(ErrataError, RuntimeError):
    """A search engine that failed, or lacks its key."""


class PageError(ErrataError, RuntimeError):
    """A page that could not be read, or may not be."""


class RemoteError(ErrataError, RuntimeError):
    """A run on a server that failed, or a server that did; invoke the graph again to go on."""


class OutOfTimeError(ErrataError, RuntimeError):
    """The seconds that a run may take are over; ask for less at once, or allow more."""


class BudgetError(ErrataError, RuntimeError):
    """A budget that allows no more; the message says which. Allow more, or ask for less."""
