"""How checkpoints are saved: in order, as plain values, and nothing but the run's own."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from errata.core.errors import ErrataError, InputError
from errata.tools.net.redaction import redact

PLACE = ("thread_id", "checkpoint_ns", "checkpoint_id")
"""What of a run's configuration says where its checkpoint belongs."""
MARK = "errata"
"""The key under which a run's identity stands in the metadata of its checkpoints."""
_FORMS = ("null", "msgpack")


class PlainSerializer(JsonPlusSerializer):
    """Reads MessagePack alone, and of its types only those that LangGraph calls safe.

    A file may be a stranger's: no pickle, no JSON that names classes, no class outside that list.
    """

    def __init__(self) -> None:
        """Allow no type beyond LangGraph's own list."""
        super().__init__(
            pickle_fallback=False, allowed_json_modules=None, allowed_msgpack_modules=None
        )

    def loads_typed(self, data: tuple[str, bytes]) -> Any:
        """The value of one field; raises InputError if it is in another form than we write."""
        if data[0] not in _FORMS:
            raise InputError(
                f"the stored runs hold a value in the form {data[0]!r}; errata writes "
                f"{' and '.join(_FORMS)} alone: this is no file of its own, name another"
            )
        return super().loads_typed(data)


class InOrder(BaseCheckpointSaver[Any]):
    """Put before another saver: what is saved first is stored first, and of the run alone.

    LangGraph starts to save a step's writes, then the checkpoint that supersedes them, and leaves
    to the saver which is stored first (langgraph issue 8039). Whichever was started first takes the
    lock first here, so a checkpoint is never stored before the writes that it rests on.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is being saved; what is given is the other saver's."""
        super().__init__(*args, **kwargs)
        self._turn = asyncio.Lock()

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        """Save a checkpoint after all that was to be saved before it."""
        async with self._turn:
            with telling("a step was done, but could not be stored"):
                return await super().aput(_own(config), checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: Any, writes: Any, task_id: str, task_path: str = ""
    ) -> None:
        """Save what a node wrote after all that was to be saved before it."""
        async with self._turn:
            with telling("a step was done, but could not be stored"):
                await super().aput_writes(_own(config), writes, task_id, task_path)


@contextmanager
def telling(what: str) -> Iterator[None]:
    """Say what a database's failure, or a value that cannot be read, means for the run.

    Raises InputError.
    """
    try:
        yield
    except ErrataError:
        raise
    except Exception as error:  # each database has errors of its own
        fault = redact(f"{type(error).__name__}: {error}")
        raise InputError(
            f"{what}: {fault}; mend the store, and call the run again: it goes on from the last "
            "step that is stored there, or name another store"
        ) from error


def _own(config: Any) -> Any:
    """The configuration without what a caller's own graph put in: it may hold secrets."""
    place = {name: config["configurable"][name] for name in PLACE if name in config["configurable"]}
    mark = {MARK: (config.get("metadata") or {}).get(MARK, "")}
    return {"configurable": place, "metadata": mark}
