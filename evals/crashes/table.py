"""The matrices of killed runs as a page of tables."""

from collections.abc import Mapping, Sequence

from errata.evals.crashes.matrix import KILLS, Matrix

_HEAD = """# Runs that were killed

Written by `make test-crash`. Each method corrects one invented biography, or answers its question,
by a model, searches and pages of the simulated endpoint. Each run is killed once with SIGKILL: when
one call is asked, or before or after one write to its store. Another process then goes on with it.
A run is *whole* if its result is that of a run that was not killed, and every call of such a run
was asked. A call is *repeated* if the same words were asked again though their reply had been kept;
the call that was under way at the kill is asked again in any case and does not count.
"""
_ALONE = """
## Checkpoints alone

Without kept replies a step that was cut is done again from its start. How many finished calls were
asked again after a kill at one call, on average and at most:

| Method | Kills | Whole | Repeated, mean | Repeated, most |
|---|---|---|---|---|
"""


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
    lines: list[list[object]] = [columns, ["---" for _ in columns], *map(_row, matrices)]
    return head + "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


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
