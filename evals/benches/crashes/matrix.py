"""All the kills of a method's run, and what each one cost."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import httpx2

from errata.evals.benches.crashes.attempts import Kill, Run, attempt
from errata.evals.benches.crashes.server import count_kept

KILLS = ("at call", "before write", "after write")


@dataclass(frozen=True)
class Outcome:
    """What a run that was killed once came to."""

    kill: Kill
    same: bool
    """Whether its result is that of a run that was not killed."""
    killed: bool
    """Whether it was killed at all."""
    unfinished: int
    """Calls that had no reply, or none that was kept, when it was killed."""
    repeated: int
    """Calls of the killed process that the other one asked again, word for word."""
    left_out: int
    """Calls of a run that was not killed which neither made."""

    @property
    def whole(self) -> bool:
        """Whether it was killed, and nothing was lost."""
        return self.killed and self.same and not self.left_out

    @property
    def sound(self) -> bool:
        """Whether nothing was lost, and no finished call repeated."""
        return self.whole and self.repeated <= self.unfinished


@dataclass(frozen=True)
class Matrix:
    """One method's runs in one kind of store."""

    method: str
    store: str
    calls: int
    writes: int
    outcomes: Sequence[Outcome]


class Crashes:
    """Kills runs in a store and follows them at the endpoint that logs what they ask."""

    def __init__(self, url: str, store: str, folder: Path, *, keeps: bool = True) -> None:
        """Name the endpoint, the store and a folder for what runs keep and give out."""
        self._url, self._store, self._folder, self._keeps = url, store, folder, keeps

    def measure(self, method: str, most: int = 0) -> Matrix:
        """A method's run killed everywhere, or at `most` places of each kind, evenly spread.

        Raises RuntimeError if a process fails otherwise.
        """
        whole = self._run(method, "whole")
        result = attempt(whole, Kill())
        if result is None:
            raise RuntimeError(f"the run of {method} was killed by another")
        asked = [digest for process in self._asked(whole) for digest in process]
        if not asked:
            raise RuntimeError(f"the run of {method} asked the endpoint nothing")
        counts = {"at call": len(asked)}
        outcomes = [
            self._kill(method, kill, result["result"], asked)
            for where in (KILLS if self._keeps else KILLS[:1])
            for kill in _places(where, counts.get(where, result["writes"]), most)
        ]
        return Matrix(method, self._store, len(asked), result["writes"], outcomes)

    def _kill(self, method: str, kill: Kill, result: object, whole: Sequence[str]) -> Outcome:
        run = self._run(method, f"{kill.where.replace(' ', '-')}-{kill.number}")
        killed = attempt(run, kill) is None
        kept, begun = count_kept(run.replies) if self._keeps else 0, len(self._asked(run))
        last = attempt(run, Kill())
        # Read now: the endpoint may log the killed process's last call only after its end.
        processes = self._asked(run)
        before, after = (list(chain(*part)) for part in (processes[:begun], processes[begun:]))
        return Outcome(
            kill,
            same=last is not None and last["result"] == result,
            killed=killed,
            unfinished=len(before) - kept if self._keeps else 1,
            repeated=count_repeated(before, after, whole),
            left_out=(Counter(whole) - Counter([*before, *after])).total(),
        )

    def _run(self, method: str, name: str) -> Run:
        kind = self._store.partition(":")[0].rpartition(".")[2]
        keeps = "kept" if self._keeps else "alone"
        name = f"{self._folder.name}-{method}-{name}-{kind}-{keeps}"
        return Run(name, method, self._url, self._store, self._folder, self._keeps)

    def _asked(self, run: Run) -> list[list[str]]:
        asked: list[list[str]] = httpx2.get(f"{self._url}/asked/{run.name}").json()
        return asked


def count_repeated(before: Sequence[str], after: Sequence[str], whole: Sequence[str]) -> int:
    """Calls of the killed process that the other one asked again, beyond those of a whole run.

    A search or page of the step that was cut may fail in one of the two alone, such as on a busy
    machine: the prompts that rest on it are then other calls.

    >>> count_repeated(["a", "b"], ["b", "c"], ["a", "b", "c"])
    1
    >>> count_repeated(["a", "b without its page"], ["b", "c"], ["a", "b", "c"])
    0
    """
    more = Counter([*before, *after]) - Counter(whole)
    return (more & Counter(before) & Counter(after)).total()


def _places(where: str, count: int, most: int) -> Iterator[Kill]:
    """Every place of a kind, or `most` of them evenly spread."""
    tried = min(most or count, count)
    numbers = {1 + (2 * n + 1) * count // (2 * tried) for n in range(tried)}
    return (Kill(where, number) for number in sorted(numbers))
