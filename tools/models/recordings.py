"""Recorded replies played back, from the file that they were recorded in or a packed one.

A packed file holds gzipped lines of JSON, a request's exchanges a line, as `evals/pack.py` writes.
"""

import gzip
import json
import zlib
from functools import lru_cache
from math import inf
from pathlib import Path

from langchain_core.messages import AIMessage

from errata.core.errors import ChatError
from errata.tools.models.message import RECORDED
from errata.tools.models.replies import Kept
from errata.tools.models.request import key_of_words
from errata.tools.models.sampling import Sampling
from errata.tools.models.scripted import FakeChat
from errata.tools.net.sqlite_store import StoreError, open_store

Recorded = dict[int, Kept]
"""The replies to one request, by sample."""
_UNREADABLE = (OSError, EOFError, ValueError, zlib.error, LookupError, TypeError, StoreError)
"""What is raised over a file that holds no exchanges."""


class ReplayChat(FakeChat):
    """Answers as a recorded model did.

    A sample that brought no reply is answered by the next one that did, one beyond the last by the
    last.
    """

    file: str
    """What was recorded, packed or not."""

    def answer(self, prompt: str, request: str) -> AIMessage:
        """The first recorded reply to the request."""
        return self.draw(prompt, request, 0)

    def draw(self, prompt: str, request: str, sample: int) -> AIMessage:
        """The recorded reply to the request that is the sample.

        Raises ChatError if none was recorded, or the file cannot be read.
        """
        key = key_of_words(prompt, request, self.sampling)
        # It may have been recorded without sampling.
        plain = key_of_words(prompt, request, Sampling())
        try:
            replies = recorded(self.file, key) or recorded(self.file, plain)
        except _UNREADABLE as error:
            raise ChatError(f"cannot replay {self.file!r}: {error}") from error
        if not replies:
            raise ChatError(
                f"{self.file!r} holds no exchange for this request of {prompt!r} ({key}); "
                "record the run again, with the same inputs, prompts and settings"
            )
        number = min((n for n in replies if n >= sample), default=max(replies))
        return replies[number].message(RECORDED)


def recorded(file: str, key: str) -> Recorded:
    """What a file holds for a request, by its key; of two as one sample the later."""
    path = Path(file)
    with path.open("rb") as opened:
        is_packed = not opened.read(16).startswith(b"SQLite format 3")
    if is_packed:
        return unpack(path, path.stat().st_mtime_ns).get(key, {})
    found = open_store(file, inf).under(f"{key}-")
    replies = {int(name.split("-")[1]): Kept.read(value) for name, value in found.items()}
    return {sample: kept for sample, kept in replies.items() if kept}


@lru_cache(maxsize=8)
def unpack(path: Path, changed: int = 0) -> dict[str, Recorded]:  # noqa: ARG001  read again if changed
    """What a packed file holds, by the requests' keys."""
    # Early recordings do not number the replies, but have them in order.
    return {
        each["key"]: {
            reply.get("sample", place): Kept(**{"prompt": each["prompt"], **reply})
            for place, reply in enumerate(each["replies"])
        }
        for each in map(json.loads, gzip.decompress(path.read_bytes()).splitlines())
    }
