"""Kill runs everywhere: python -m errata.evals.crashes [METHOD …] [--most N] [--out FILE].

Kills each method's run once at every place and lets another process go on, in SQLite and, where
POSTGRES_DSN names one, in Postgres. Exits with 1 if anything was lost or a finished call repeated.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from errata.evals.crashes.matrix import Crashes, Matrix
from errata.evals.crashes.table import write_matrices
from errata.evals.endpoint.running import start_module
from errata.methods import METHODS

STORES = ("sqlite", "postgres")


@contextmanager
def _crashes(store: str, *, keeps: bool) -> Iterator[Crashes]:
    """What kills runs in a new file, or in the database that POSTGRES_DSN names."""
    server = start_module("errata.evals.crashes.server")
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


def main(*arguments: str) -> int:
    """Measure, and print the table or write it to a file; 1 if a run lost anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(METHODS))
    parser.add_argument("--most", type=int, default=0, help="places of each kind; 0: all")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args(arguments)
    methods = args.methods or list(METHODS)
    stores = STORES if "POSTGRES_DSN" in os.environ else STORES[:1]
    kept = {store: measure(methods, store, args.most) for store in stores}
    alone = measure(methods, STORES[0], args.most, keeps=False)
    table = write_matrices(kept, alone, args.most)
    if args.out:
        args.out.write_text(table, encoding="utf-8")
    else:
        sys.stdout.write(table)
    every = [outcome for matrices in kept.values() for m in matrices for outcome in m.outcomes]
    return int(not all(outcome.sound for outcome in every))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
