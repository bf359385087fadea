"""What chat models that are no models share: they answer by the prompt's name and its text."""

from abc import abstractmethod
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult


class FakeChat(BaseChatModel):
    """Answer each request by what the run's metadata says of its prompt."""

    @abstractmethod
    def answer(self, prompt: str, request: str) -> AIMessage:
        """Give the reply to one filled prompt."""

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
        prompt = str((run_manager.metadata if run_manager else {}).get("prompt", ""))
        message = self.answer(prompt, str(messages[-1].text))
        return ChatResult(generations=[ChatGeneration(message=message)])
