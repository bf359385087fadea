"""The one tree of errors: each says what came, what was expected and what to do.

ErrataError
├── InputError          the caller's question, draft, document or file cannot be used
│   └── SettingError    a role, model or setting is not one we know
├── PromptError         a template is wrong
├── ReplyError          a model answered, and the answer cannot be read
├── ChatError           a model could not be reached or failed; the run goes on without it
├── SearchError         a search engine could not be reached or failed; the run goes on without it
├── PageError           a page of the web could not be read; the run goes on without it
└── AccessError         a server refuses the key or knows no such model; no run can go on
"""


class ErrataError(Exception):
    """Stand for every failure errata raises on purpose."""


class InputError(ErrataError, ValueError):
    """Report input that cannot be used; mend the input and call again."""


class SettingError(InputError):
    """Report an unknown role, model or setting; the message lists the known ones."""


class PromptError(ErrataError, ValueError):
    """Report a template that is missing, malformed, altered or wrongly filled."""


class ReplyError(ErrataError, RuntimeError):
    """Report a model's reply that cannot be read, with the prompt that asked for it.

    `usage` holds what the reply cost all the same.
    """

    def __init__(self, message: str, usage: object = None) -> None:
        """Keep the message and the cost."""
        super().__init__(message)
        self.usage = usage


class ChatError(ErrataError, RuntimeError):
    """Report a model that failed or could not be reached; try again or choose another."""


class AccessError(ErrataError, RuntimeError):
    """Report a server that refuses the key or does not know the model; mend the settings."""


class SearchError(ErrataError, RuntimeError):
    """Report a search engine that failed, is unknown or lacks its key."""


class PageError(ErrataError, RuntimeError):
    """Report a page that could not be read, or may not be."""
