"""One filled prompt on its way to a model, and which of the replies to it is wanted."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

from errata.core.limits import note_undone
from errata.core.once import free_in_forks
from errata.tools.models.sampling import Sampling

Samples = dict[str, int]
"""How many replies to equal requests were asked for, by what the requests are kept under."""
_OPEN: ContextVar[tuple[Mapping[str, int], Samples] | None] = ContextVar(
    "errata.samples", default=None
)
"""What the run had asked for before, and what it asks for now."""
_LOCK = free_in_forks()


@dataclass(frozen=True)
class Request:
    """One filled prompt, and what it is for."""

    role: str
    prompt: str
    """The template's name."""
    digest: str
    """The SHA-256 of the template."""
    text: str
    sampling: Sampling = field(default_factory=Sampling)
    """How the model is to choose its words."""
    sample: int = 0
    """Which reply to equal requests is wanted, from 0; every try is a sample of its own."""
    place: int = 0
    """Which of a role's models, in order, it is for; above 0 the ones before it failed."""
    marked: str = ""
    """The text with marks in its tags, as a server gets it; nothing is kept under it."""
    tell: Callable[[str], None] | None = field(default=None, compare=False)
    """Takes the reply so far, as it comes; without, it is asked for whole."""
    typed: bool = False
    """Whether it holds typed questions, which servers count in their own ways."""
    shown: bool = True
    """Whether LangGraph's `messages` stream may show the reply's tokens, too."""

    @property
    def sent(self) -> str:
        """What a server gets."""
        return self.marked or self.text

    @property
    def tag(self) -> str:
        """The template and its exact words, for notes and traces."""
        return f"{self.prompt}@{self.digest[:8]}"

    @property
    def key(self) -> str:
        """What equal requests share, whoever is asked."""
        return key_of_words(self.prompt, self.text, self.sampling)

    def note_left_out(self, taken: Sampling) -> None:
        """Note what of the sampling the model did not take."""
        if names := " and ".join(name for name in self.sampling.given if name not in taken.given):
            note_undone(f"the model of {self.role} takes no {names}; it chose without")


def key_of_words(prompt: str, text: str, sampling: Sampling) -> str:
    """A short digest of a template's name, a filled prompt and a sampling."""
    parts = [prompt, text]
    if sampling.given:
        parts.append(json.dumps(sampling.given, sort_keys=True))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@contextmanager
def open_samples(before: Mapping[str, int]) -> Iterator[Samples]:
    """Count equal requests inside the block, on from what the run has asked before.

    What is yielded holds the new counts alone, by the requests' keys.
    """
    asked: Samples = {}
    token = _OPEN.set((before, asked))
    try:
        yield asked
    finally:
        _OPEN.reset(token)


def numbered(request: Request) -> Request:
    """The request for the sample it wants, or the next one that its run has not had.

    Outside a run nobody counts, and it stays as it is.
    """
    before, asked = _OPEN.get() or ({}, None)
    if asked is None:
        return request
    key = request.key
    with _LOCK:
        number = max(request.sample, asked.get(key, before.get(key, 0)))
        asked[key] = number + 1
    return replace(request, sample=number)
