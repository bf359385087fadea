"""What stand-ins for chat models share: they answer by the prompt's name and its text."""

from abc import abstractmethod
from collections.abc import Hashable
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from errata.core.once import free_in_forks
from errata.tools.models.sampling import Sampling

_LOCK = free_in_forks()


class FakeChat(BaseChatModel):
    """A chat model without a model: it answers by the prompt that the run's metadata names."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    _turns: dict[Hashable, int] = PrivateAttr(default_factory=dict)

    @property
    def sampling(self) -> Sampling:
        """How it is told to choose its words."""
        return Sampling(**{name: getattr(self, name) for name in Sampling.model_fields})

    @abstractmethod
    def answer(self, prompt: str, request: str) -> AIMessage:
        """The reply to one filled prompt."""

    def draw(self, prompt: str, request: str, sample: int) -> AIMessage:  # noqa: ARG002
        """The reply that is a sample of equal requests; all are alike unless a stand-in says so."""
        return self.answer(prompt, request)

    def turn_of(self, asked: Hashable) -> int:
        """How often it was asked the same before; LangChain asks it from threads at once."""
        with _LOCK:
            turn = self._turns[asked] = self._turns.get(asked, -1) + 1
            return turn

    @property
    def _llm_type(self) -> str:
        return type(self).__name__

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  LangChain passes it
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002  LangChain passes settings we have no use for
    ) -> ChatResult:
        told = run_manager.metadata if run_manager else {}
        prompt, sample = str(told.get("prompt", "")), int(told.get("sample", 0))
        message = self.draw(prompt, str(messages[-1].text), sample)
        return ChatResult(generations=[ChatGeneration(message=message)])
