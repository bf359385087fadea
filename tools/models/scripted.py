"""Stand-ins for chat models, which answer by the prompt's name and its text; one by a script."""

import json
from abc import abstractmethod
from pathlib import Path
from threading import Lock
from typing import Any

import yaml
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from errata.core.errors import ChatError, InputError
from errata.tools.models.request import Sampling
from errata.tools.text.words import count_tokens

_LOCK = Lock()


class FakeChat(BaseChatModel):
    """A chat model without a model: it answers by the prompt that the run's metadata names."""

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None

    @property
    def sampling(self) -> Sampling:
        """How it is told to choose its words."""
        return Sampling(**{name: getattr(self, name) for name in Sampling.model_fields})

    @abstractmethod
    def answer(self, prompt: str, request: str, sample: int) -> AIMessage:
        """The reply to one filled prompt, as a sample of those to equal requests."""

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
        message = self.answer(prompt, str(messages[-1].text), sample)
        return ChatResult(generations=[ChatGeneration(message=message)])


class ScriptedChat(FakeChat):
    """Answers each prompt with the script's entry for its name: for tests, demos and docs.

    A script maps a prompt's name, `rac/verify.v1` or `rac/verify`, to one reply for all calls, or
    to a list: plain strings are given in turn, `{when: WORDS, reply: TEXT}` goes to every call
    whose prompt holds the words.
    """

    script: dict[str, Any]
    _turns: dict[str, int] = PrivateAttr(default_factory=dict)
    """How often each prompt was asked for; LangChain asks from threads at once."""

    @classmethod
    def read(cls, path: Path) -> "ScriptedChat":
        """A model by a script in YAML or JSON; raises InputError if it maps no names to replies."""
        try:
            text = path.read_text(encoding="utf-8")
            script = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"cannot read the script {str(path)!r}: {error}") from error
        if not isinstance(script, dict):
            raise InputError(f"the script {str(path)!r} must map prompt names to replies")
        return cls(script=script)

    def answer(self, prompt: str, request: str, sample: int) -> AIMessage:  # noqa: ARG002
        """The script's reply, with an estimate of what it cost; raises ChatError if it has none."""
        entry = self.script.get(prompt, self.script.get(prompt.rpartition(".v")[0])) or []
        if isinstance(entry, str):
            replies = [entry]
        elif all(isinstance(item, str) for item in entry):
            with _LOCK:
                turn = self._turns[prompt] = self._turns.get(prompt, -1) + 1
            replies = entry[turn:]
        else:
            replies = [item["reply"] for item in entry if item["when"] in request]
        if not replies:
            raise ChatError(
                f"the script has no (further) reply for prompt {prompt!r}; it has "
                f"{json.dumps(sorted(self.script))}"
            )
        reply = str(replies[0])
        usage: Any = {"input_tokens": count_tokens(request), "output_tokens": count_tokens(reply)}
        usage["total_tokens"] = sum(usage.values())
        return AIMessage(reply, usage_metadata=usage)
