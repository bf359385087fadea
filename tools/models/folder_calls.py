"""Replies kept in a folder with what was asked, for people to read and runs to play back.

It may be packed in one file of gzipped lines of JSON, an exchange a line with its key.
"""

import gzip
import json
import os
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from errata.core.errors import ChatError
from errata.core.limits import note_undone
from errata.core.once import free_in_forks
from errata.tools.models.kept import RECORDED, Kept
from errata.tools.models.request import Request, key_of_words
from errata.tools.models.sampling import Sampling
from errata.tools.models.scripted import FakeChat
from errata.tools.net.redaction import redact

Exchanges = dict[tuple[str, str], list[dict[str, Any]]]
"""The replies to each request, by its prompt and its key."""
_WRITING = free_in_forks()
"""One exchange is written at a time: a request that is sent twice adds to the same file."""


@dataclass(frozen=True)
class FolderCalls:
    """A folder with a file for each request, which holds the replies that it got."""

    folder: str
    """To read from, it may also be a packed file, as `evals/pack.py` writes."""

    def get(self, request: Request) -> Kept | None:
        """The reply that is kept as the request's sample; None if there is none to be read."""
        try:
            return self.replies(request.prompt, request.key).get(request.sample)
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def put(self, request: Request, kept: Kept) -> None:
        """Keep a reply, and the request without secrets, in place of what the sample had.

        A folder that cannot be written is noted: the reply is paid for, and the run goes on.
        """
        path = self.path(request.prompt, request.key)
        try:
            with _WRITING:
                path.parent.mkdir(parents=True, exist_ok=True)
                replies = self.replies(request.prompt, request.key)
                replies[request.sample] = kept.model_copy(update={"model": redact(kept.model)})
                exchange = {
                    "prompt": request.prompt,
                    "request": redact(request.text),
                    "replies": [{"sample": n, **replies[n].model_dump()} for n in sorted(replies)],
                }
                # Whoever is killed while writing leaves the file as it was.
                part = path.with_suffix(f".{os.getpid()}.part")
                text = json.dumps(exchange, ensure_ascii=False, indent=1) + "\n"
                part.write_text(text, encoding="utf-8")
                part.replace(path)
        except (OSError, ValueError, LookupError, TypeError) as error:
            reason = getattr(error, "strerror", None) or error
            note_undone(f"exchanges with models were not recorded in {self.folder!r}: {reason}")

    def replies(self, prompt: str, key: str) -> dict[int, Kept]:
        """What a request got, by sample; early recordings do not number it, but have it in order.

        Raises OSError, ValueError, LookupError or TypeError if what is there is damaged.
        """
        packed, path = Path(self.folder), self.path(prompt, key)
        if packed.is_file():
            found = unpack(packed).get((prompt, key), [])
        else:
            found = json.loads(path.read_bytes())["replies"] if path.is_file() else []
        return {
            each.get("sample", place): Kept.model_validate(each) for place, each in enumerate(found)
        }

    def path(self, prompt: str, key: str) -> Path:
        """The file of a request."""
        return Path(self.folder, f"{prompt.replace('/', '.')}-{key}.json")


class ReplayChat(FakeChat):
    """Answers as a recorded model did.

    A sample that brought no reply is answered by the next one that did, one beyond the last by the
    last.
    """

    folder: str
    """Or a packed file."""

    def answer(self, prompt: str, request: str) -> AIMessage:
        """The first recorded reply to the request."""
        return self.draw(prompt, request, 0)

    def draw(self, prompt: str, request: str, sample: int) -> AIMessage:
        """The recorded reply to the request that is the sample.

        Raises ChatError if none was recorded.
        """
        calls, key = FolderCalls(self.folder), key_of_words(prompt, request, self.sampling)
        # It may have been recorded without sampling.
        plain = key_of_words(prompt, request, Sampling())
        replies = calls.replies(prompt, key) or calls.replies(prompt, plain)
        if not replies:
            raise ChatError(
                f"{self.folder!r} holds no exchange for this request of {prompt!r} ({key}); "
                "record the run again, with the same inputs, prompts and settings"
            )
        number = min((n for n in replies if n >= sample), default=max(replies))
        return replies[number].message(RECORDED)


def unpack(path: Path) -> Exchanges:
    """What a packed file holds.

    Raises OSError or ValueError if it is none.
    """
    return _unpacked(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _unpacked(path: Path, changed: int) -> Exchanges:  # noqa: ARG001  it is read again if changed
    try:
        exchanges = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        return {(each["prompt"], each["key"]): each["replies"] for each in exchanges}
    except (EOFError, zlib.error, LookupError, TypeError) as error:
        raise ValueError(f"{str(path)!r} is no packed recording: {error}") from error
