"""Exchanges with models, kept in a folder and played back from it."""

import hashlib
import json
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from errata.errors import ChatError


def record(folder: str, prompt: str, request: str, kept: str, message: AIMessage) -> None:
    """Add one exchange to a folder; `kept` is the request as it may be seen.

    One file holds all the replies that one request got, in order.
    """
    path = _path(folder, prompt, request)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = json.loads(path.read_text(encoding="utf-8"))["replies"] if path.exists() else []
    reply = {
        "text": str(message.text),
        "finish_reason": message.response_metadata.get("finish_reason"),
        "refusal": message.additional_kwargs.get("refusal"),
        "usage": message.usage_metadata,
    }
    exchange = {"prompt": prompt, "request": kept, "replies": [*before, reply]}
    path.write_text(json.dumps(exchange, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


class ReplayChat(BaseChatModel):
    """Answer as a recorded model did: reply after reply, the last one again and again."""

    folder: str
    _asked: dict[Path, int] = PrivateAttr(default_factory=dict)

    @property
    def _llm_type(self) -> str:
        return "replay"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  LangChain passes it
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002  LangChain passes settings we have no use for
    ) -> ChatResult:
        prompt = str((run_manager.metadata if run_manager else {}).get("prompt", ""))
        path = _path(self.folder, prompt, str(messages[-1].text))
        if not path.is_file():
            raise ChatError(
                f"{self.folder!r} holds no exchange for this request of {prompt!r} ({path.name}); "
                "record the run again, with the same inputs, prompts and settings"
            )
        replies = json.loads(path.read_text(encoding="utf-8"))["replies"]
        turn = self._asked[path] = self._asked.get(path, -1) + 1
        reply = replies[min(turn, len(replies) - 1)]
        message = AIMessage(
            reply["text"],
            usage_metadata=reply["usage"],
            response_metadata={"finish_reason": reply["finish_reason"]},
            additional_kwargs={"refusal": reply["refusal"]} if reply["refusal"] else {},
        )
        return ChatResult(generations=[ChatGeneration(message=message)])


def _path(folder: str, prompt: str, request: str) -> Path:
    key = hashlib.sha256(f"{prompt}\n{request}".encode()).hexdigest()[:16]
    return Path(folder, f"{prompt.replace('/', '.')}-{key}.json")
