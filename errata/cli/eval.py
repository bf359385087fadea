"""`errata eval`: in a clone the command of `errata.evals`, from a wheel what it needs."""

from importlib.util import find_spec

from typer import Exit

from errata.cli.codes import BAD_INPUT
from errata.render.terminal import say

CLONE = (
    "errata eval needs a clone of errata, which a wheel is not: "
    "in the clone's folder, pip install --editable '.[eval]'"
)
if find_spec("errata.evals") is None:
    say(f"errata: {CLONE}")
    raise Exit(BAD_INPUT)

from errata.evals.command import eval  # noqa: A004, E402

__all__ = ["eval"]
