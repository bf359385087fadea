"""Kill runs everywhere, and write what was lost.

Kills each method's run once at every place and lets another process go on, in SQLite and, where
POSTGRES_DSN names one, in Postgres. Exits with 1 if anything was lost or a finished call repeated.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from errata.evals.benches import bench_parser, tabulate, write_page
from errata.evals.benches.crashes.matrix import KILLS, Crashes, Matrix
from errata.evals.endpoint.running import start_module
from errata.methods import METHODS

STORES = ("sqlite", "postgres")
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
    head = f"\n## {'SQLite' if name == 'sqlite' else 'Postgres'}, replies kept\n\n"
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
    stores = STORES if "POSTGRES_DSN" in os.environ else STORES[:1]
    kept = {store: measure(methods, store, args.most) for store in stores}
    alone = measure(methods, STORES[0], args.most, keeps=False)
    write_page(write_matrices(kept, alone, args.most), args.out)
    every = [outcome for matrices in kept.values() for m in matrices for outcome in m.outcomes]
    return int(not all(outcome.sound for outcome in every))
