"""Run a bench by its name: python -m errata.evals.benches NAME [ARGUMENTS]."""

import sys
from importlib import import_module

from errata.evals.benches import BENCHES


def main(*arguments: str) -> int:
    """The bench's exit status; 2 where there is none of that name."""
    name, *rest = arguments or ("",)
    if name not in BENCHES:
        known = "\n".join(f"  {each:<14}{about}" for each, about in BENCHES.items())
        sys.stderr.write(f"there is no bench {name!r}; name one of\n{known}\n")
        return 2
    return int(import_module(f"errata.evals.benches.{name}").main(*rest) or 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
