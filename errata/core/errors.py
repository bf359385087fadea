"""The exceptions, by what a caller can do about them; missing extras; counts in words."""

from collections.abc import Sequence, Sized
from importlib.util import find_spec
from typing import Self


class ErrataError(Exception):
    """Any failure that errata raises on purpose."""


class InputError(ErrataError, ValueError):
    """Input that cannot be used; change it and call again."""


class SettingError(InputError):
    """An unknown role, model or setting; the message lists the known ones."""


def require(what: str, extra: str, *packages: str) -> None:
    """Raise SettingError, with the command that helps, unless an extra's packages are there."""
    if missing := [name for name in packages if find_spec(name) is None]:
        raise SettingError(f"{what} needs {', '.join(missing)}: pip install 'errata[{extra}]'")


class PromptError(ErrataError, ValueError):
    """A template that is missing, malformed, altered or wrongly filled."""


class ReplyError(ErrataError, RuntimeError):
    """A model's reply that cannot be read, with the prompt that asked for it."""


class ChatError(ErrataError, RuntimeError):
    """A model that failed or could not be reached; try again or choose another."""


class CutError(ChatError):
    """A model's answer that broke off; `draft` holds its whole sentences, `verdicts` are on them.

    A graph with a checkpointer goes on from there when it is called again.
    """

    draft: str = ""
    claims: Sequence[object] = ()
    verdicts: Sequence[object] = ()


class RefusedError(ChatError):
    """A model that was not asked, since its server is down; wait, or choose another."""


class AccessError(ErrataError, RuntimeError):
    """A server that refuses the key or does not know the model; change the settings."""


class SearchError(ErrataError, RuntimeError):
    """A search engine that failed, or lacks its key."""


class PageError(ErrataError, RuntimeError):
    """A page that could not be read, or may not be."""

    kind: str = "failed"
    """`dead` if there is none, `blocked` or `paywalled` if it is refused to us, else `failed`."""

    def of_kind(self, kind: str) -> Self:
        """The error itself, of another kind."""
        self.kind = kind
        return self


class RemoteError(ErrataError, RuntimeError):
    """A cluster that failed; the same command goes on where it stopped."""


class OutOfTimeError(ErrataError, RuntimeError):
    """The seconds that a run may take are over; ask for less at once, or allow more."""


class BudgetError(ErrataError, RuntimeError):
    """A budget that allows no more; the message says which. Allow more, or ask for less."""


_PLURAL = {"is": "are", "was": "were", "has": "have"}


def count(things: Sized | int, noun: str, verb: str = "") -> str:
    """How many there are: `1 claim`, `2 claims`; with a verb: `1 claim was`, `2 replies were`.

    >>> count(["a"], "reply", "was"), count(2, "reply", "was")
    ('1 reply was', '2 replies were')
    """
    number = things if isinstance(things, int) else len(things)
    if number != 1:
        verb = _PLURAL.get(verb, verb)
        noun = f"{noun[:-1]}ie" if noun.endswith("ply") else noun
        noun = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number} {noun} {verb}".rstrip()
