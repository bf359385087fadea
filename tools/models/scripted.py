"""A chat model that reads its replies from a file: for tests, demos and docs."""

import json
from pathlib import Path
from typing import Any

import yaml
from langchain_core.messages import AIMessage

from errata.core.errors import ChatError, InputError
from errata.tools.models.fake import FakeChat
from errata.tools.text.words import count_tokens

Script = dict[str, Any]


class ScriptedChat(FakeChat):
    """Answers each prompt with the script's entry for its name.

    A script maps a prompt's name, `rac/verify.v1` or `rac/verify`, to one reply for all calls, or
    to a list: plain strings are given in turn, `{when: WORDS, reply: TEXT}` goes to every call
    whose prompt holds the words.
    """

    script: Script

    @classmethod
    def read(cls, path: Path) -> "ScriptedChat":
        """A model by a script in YAML or JSON.

        Raises InputError if the file is missing or is no mapping of names to replies.
        """
        try:
            text = path.read_text(encoding="utf-8")
            script = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
        except (OSError, ValueError, yaml.YAMLError) as error:
            raise InputError(f"cannot read the script {str(path)!r}: {error}") from error
        if not isinstance(script, dict):
            raise InputError(f"the script {str(path)!r} must map prompt names to replies")
        return cls(script=script)

    def answer(self, prompt: str, request: str) -> AIMessage:
        """The script's reply, with an estimate of what it cost."""
        reply = self._reply(prompt, request)
        usage: Any = {"input_tokens": count_tokens(request), "output_tokens": count_tokens(reply)}
        usage["total_tokens"] = sum(usage.values())
        return AIMessage(reply, usage_metadata=usage)

    def _reply(self, name: str, request: str) -> str:
        entry = self.script.get(name, self.script.get(name.rpartition(".v")[0]))
        if isinstance(entry, str):
            return entry
        if entry and all(isinstance(item, str) for item in entry):
            turn = self.turn_of(name)
            return str(entry[turn]) if turn < len(entry) else self._missing(name)
        matching = [item["reply"] for item in entry or () if item["when"] in request]
        return str(matching[0]) if matching else self._missing(name)

    def _missing(self, name: str) -> str:
        known = json.dumps(sorted(self.script))
        raise ChatError(f"the script has no (further) reply for prompt {name!r}; it has {known}")
