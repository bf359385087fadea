"""A chat model that reads its replies from a file: for tests, demos and docs."""

import json
from pathlib import Path
from typing import Any

import yaml
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from errata.errors import ChatError, InputError

Script = dict[str, Any]


class ScriptedChat(BaseChatModel):
    """Answer each prompt with what a script holds for its name.

    A script maps a prompt's name, `rac/verify.v1` or `rac/verify`, to one reply for all calls, or
    to a list: plain strings are given in turn, `{when: WORDS, reply: TEXT}` goes to every call
    whose prompt holds the words.
    """

    script: Script
    _asked: dict[str, int] = PrivateAttr(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "ScriptedChat":
        """Read a script from YAML or JSON.

        Raises InputError where the file is missing or is no mapping of names to replies.
        """
        try:
            text = path.read_text(encoding="utf-8")
            script = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"cannot read the script {str(path)!r}: {error}") from error
        if not isinstance(script, dict):
            raise InputError(f"the script {str(path)!r} must map prompt names to replies")
        return cls(script=script)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002  LangChain passes it
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ARG002  LangChain passes settings we have no use for
    ) -> ChatResult:
        name = str((run_manager.metadata if run_manager else {}).get("prompt", ""))
        asked = str(messages[-1].text)
        reply = self._reply(name, asked)
        usage: Any = {"input_tokens": _tokens(asked), "output_tokens": _tokens(reply)}
        usage["total_tokens"] = sum(usage.values())
        message = AIMessage(reply, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _reply(self, name: str, asked: str) -> str:
        entry = self.script.get(name, self.script.get(name.rpartition(".v")[0]))
        if isinstance(entry, str):
            return entry
        if entry and all(isinstance(item, str) for item in entry):
            turn = self._asked[name] = self._asked.get(name, -1) + 1
            return str(entry[turn]) if turn < len(entry) else self._missing(name)
        matching = [item["reply"] for item in entry or () if item["when"] in asked]
        return str(matching[0]) if matching else self._missing(name)

    def _missing(self, name: str) -> str:
        known = json.dumps(sorted(self.script))
        raise ChatError(f"the script has no (further) reply for prompt {name!r}; it has {known}")


def _tokens(text: str) -> int:
    """Estimate tokens at four characters each."""
    return -(-len(text) // 4)
