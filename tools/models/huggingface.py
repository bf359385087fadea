"""Language models whose weights run in this process, by LangChain's `huggingface` provider."""

import warnings
from functools import cache
from threading import Lock
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from errata.core.errors import AccessError, ChatError

PACKAGES = ("langchain_huggingface", "transformers", "torch")
MAX_REPLY_TOKENS = 1024
# One model fills the machine: calls wait for each other, whatever loop or thread they come from.
_ONE_AT_A_TIME = Lock()


class HuggingFaceChat(BaseChatModel):
    """A model of the Hugging Face hub or of a folder, read at the first call."""

    source: str
    """The model's id on the hub, or its folder."""
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int = MAX_REPLY_TOKENS

    @property
    def _llm_type(self) -> str:
        return "in-process"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        *_: Any,  # LangChain passes more than we have a use for
        **__: Any,
    ) -> ChatResult:
        with _ONE_AT_A_TIME:
            chat, how = _read(self.source), {**self._generation(), "return_full_text": False}
            try:
                text = str(chat.invoke(messages, stop=stop, pipeline_kwargs=how).text)
                reply = self._counted(chat.tokenizer, messages, text)
            except (ValueError, RuntimeError) as error:  # no chat template, too long a prompt
                raise ChatError(f"{self.source!r} cannot answer: {error}") from error
            return ChatResult(generations=[ChatGeneration(message=reply)])

    def _generation(self) -> dict[str, Any]:
        """How to write a reply: the likeliest words, unless temperature or top_p ask for chance."""
        import transformers

        chance = {"temperature": self.temperature, "top_p": self.top_p}
        given = {name: value for name, value in chance.items() if value}
        if not given or self.temperature == 0:
            return {"max_new_tokens": self.max_tokens, "do_sample": False}
        if self.seed is not None:
            transformers.set_seed(self.seed)
        return {"max_new_tokens": self.max_tokens, "do_sample": True, **given}

    def _counted(self, tokenizer: Any, messages: list[BaseMessage], reply: str) -> AIMessage:
        """The reply with what the pipeline leaves out: tokens, and whether it was cut off."""
        template = [{"role": "user", "content": str(message.text)} for message in messages]
        prompt = tokenizer.apply_chat_template(template, add_generation_prompt=True)
        sent = len(prompt["input_ids"] if hasattr(prompt, "keys") else prompt)
        received = len(tokenizer.encode(reply, add_special_tokens=False))
        usage: Any = {"input_tokens": sent, "output_tokens": received}
        usage["total_tokens"] = sent + received
        reason = {"finish_reason": "length" if received >= self.max_tokens else "stop"}
        return AIMessage(reply, usage_metadata=usage, response_metadata=reason)


@cache
def _read(source: str) -> Any:
    """Weights and tokenizer, read once; raises AccessError if no folder or hub has them."""
    import torch
    from langchain.chat_models import init_chat_model

    device = 0 if torch.accelerator.is_available() else None
    try:
        with warnings.catch_warnings():  # of langchain-community's sunset, which this looks into
            warnings.simplefilter("ignore", DeprecationWarning)
            return init_chat_model(source, model_provider="huggingface", device=device)
    except (OSError, ValueError) as error:
        raise AccessError(f"no model can be read from {source!r}: {error}") from error
