"""Kill runs everywhere, and write what was lost.

Kills each method's run once at every place and lets another process go on, in SQLite and, where
POSTGRES_DSN names one, in Postgres. Exits with 1 if anything was lost or a finished call repeated.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2

from errata.evals.benches import bench_parser, tabulate, write_page
from errata.evals.benches.crashes.attempts import Kill, Run, attempt
from errata.evals.benches.crashes.server import count_kept
from errata.evals.endpoint.running import start_module
from errata.methods import METHODS

KILLS = ("at call", "before write", "after write")
STORES = {"sqlite": "SQLite", "postgres": "Postgres"}
_HEAD = """# Runs that were killed

Written by `make bench NAME=crashes`. Each method corrects one invented biography, or answers its
question, by a model, searches and pages of the simulated endpoint. Each run is killed once with
SIGKILL: when one call is asked, or before or after one write to its store. Another process then
goes on with it. A run is *whole* if its result is that of a run that was not killed, and every call
of such a run was asked. A call is *repeated* if the same words were asked again though their reply
had been kept; the call that was under way at the kill is asked again in any case and does not
count.
"""
_ALONE = """
## Checkpoints alone

Without kept replies a step that was cut is done again from its start. How many finished calls were
asked again after a kill at one call, on average and at most:

| Method | Kills | Whole | Repeated, mean | Repeated, most |
|---|---|---|---|---|
"""


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


@contextmanager
def _crashes(store: str, *, keeps: bool) -> Iterator[Crashes]:
    """What kills runs in a new file, or in the database that POSTGRES_DSN names."""
    server = start_module("errata.evals.benches.crashes.server")
    with TemporaryDirectory() as name, server as url:
        folder = Path(name)
        where = str(folder / "runs.sqlite") if store == "sqlite" else os.environ["POSTGRES_DSN"]
        yield Crashes(url, where, folder, keeps=keeps)


def measure(methods: Sequence[str], store: str, most: int, *, keeps: bool = True) -> list[Matrix]:
    """The matrices of some methods in one store; each is told on standard error as it is done."""
    matrices = []
    with _crashes(store, keeps=keeps) as crashes:
        for method in methods:
            matrices.append(crashes.measure(method, most))
            outcomes = matrices[-1].outcomes
            faults = [o for o in outcomes if not (o.sound if keeps else o.whole)]
            sound = len(outcomes) - len(faults)
            sys.stderr.write(f"{store} {method}: {sound} of {len(outcomes)}\n")
            sys.stderr.writelines(f"  {fault}\n" for fault in faults)
    return matrices


def write_matrices(
    kept: Mapping[str, Sequence[Matrix]], alone: Sequence[Matrix], most: int = 0
) -> str:
    """The page: a table for each store, and one of what checkpoints alone repeat.

    `most` is how many places of each kind were tried; 0: all.
    """
    tried = f"\nTried here: at most {most} places of each kind, evenly spread.\n"
    parts = [
        _HEAD,
        tried if most else "",
        *(_store(name, matrices) for name, matrices in kept.items()),
        _ALONE,
    ]
    return "".join([*parts, *(_alone(matrix) for matrix in alone)])


def _store(name: str, matrices: Sequence[Matrix]) -> str:
    head = f"\n## {STORES[name]}, replies kept\n\n"
    columns: list[object] = ["Method", "Calls", "Writes", *(f"Killed {kill}" for kill in KILLS)]
    columns += ["Whole", "Repeated"]
    return head + tabulate(columns, list(map(_row, matrices))) + "\n"


def _row(matrix: Matrix) -> list[object]:
    outcomes = matrix.outcomes
    killed = [sum(o.killed for o in outcomes if o.kill.where == kill) for kill in KILLS]
    whole = sum(o.whole for o in outcomes)
    repeated = sum(max(o.repeated - o.unfinished, 0) for o in outcomes)
    figures = [matrix.calls, matrix.writes, *killed, f"{whole} of {len(outcomes)}", repeated]
    return [f"`{matrix.method}`", *figures]


def _alone(matrix: Matrix) -> str:
    again = [outcome.repeated - outcome.unfinished for outcome in matrix.outcomes]
    whole = sum(outcome.whole for outcome in matrix.outcomes)
    mean, most = sum(again) / max(len(again), 1), max(again, default=0)
    return f"| `{matrix.method}` | {len(again)} | {whole} | {mean:.1f} | {most} |\n"


def main(*arguments: str) -> int:
    """Measure, and print the table or write it to a file; 1 if a run lost anything."""
    parser = bench_parser(__doc__, "crash.md")
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(METHODS))
    parser.add_argument("--most", type=int, default=0, help="places of each kind; 0: all")
    args = parser.parse_args(arguments)
    methods = args.methods or list(METHODS)
    stores = list(STORES) if "POSTGRES_DSN" in os.environ else ["sqlite"]
    kept = {store: measure(methods, store, args.most) for store in stores}
    alone = measure(methods, "sqlite", args.most, keeps=False)
    write_page(write_matrices(kept, alone, args.most), args.out)
    every = [outcome for matrices in kept.values() for m in matrices for outcome in m.outcomes]
    return int(not all(outcome.sound for outcome in every))
