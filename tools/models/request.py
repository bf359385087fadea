"""One filled prompt on its way to a model, and which of the replies to it is wanted."""

import hashlib
import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from errata.core.limits import current_run, note_undone
from errata.tools.models.sampling import Sampling


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

    def numbered(self) -> "Request":
        """The request for the sample it wants, or the next one that its run has not had."""
        return replace(self, sample=current_run().next_sample(self.key, self.sample))

    def note_left_out(self, taken: Collection[str]) -> None:
        """Note what of the sampling the model did not take."""
        if names := " and ".join(name for name in self.sampling.given if name not in taken):
            note_undone(f"the model of {self.role} takes no {names}; it chose without")


def key_of_words(prompt: str, text: str, sampling: Sampling) -> str:
    """A short digest of a template's name, a filled prompt and a sampling."""
    parts = [prompt, text]
    if sampling.given:
        parts.append(json.dumps(sampling.given, sort_keys=True))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
