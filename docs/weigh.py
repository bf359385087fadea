"""Weigh the project against budgets.toml; exits with 1 over a budget.

python docs/weigh.py
"""

import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

from errata.methods import METHODS
from errata.nodes.deployment import Deployment

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "product": ("errata", "graphs", "nodes", "prompts", "tools", "server"),
    "tests": ("tests",),
    "outside": ("evals", "training"),
    "packages": ("packages",),
}
UNCOUNTED = {"prompts", "tests", "demo"}
"""Folders whose Markdown is no document."""


def list_files() -> list[Path]:
    """The files in git that are there, without symbolic links."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)  # noqa: S607
    paths = [Path(name) for name in listed.split("\0") if name]
    return [path for path in paths if (ROOT / path).is_file() and not (ROOT / path).is_symlink()]


def read_file(path: Path) -> str:
    """The text of a file in git."""
    return (ROOT / path).read_text(encoding="utf-8")


def count_lines(paths: Iterable[Path]) -> int:
    """How many lines some files have together."""
    return sum(len(read_file(path).splitlines()) for path in paths)


def weigh() -> dict[str, dict[str, int]]:
    """What budgets.toml limits, as it is."""
    paths = list_files()
    code = {
        room: [path for path in paths if path.parts[0] in folders and path.suffix == ".py"]
        for room, folders in FOLDERS.items()
    }
    documents = [p for p in paths if p.suffix == ".md" and UNCOUNTED.isdisjoint(p.parts)]
    ours = [m.context for m in METHODS.values() if m.context.__module__.startswith("errata.")]
    return {
        "lines": {room: count_lines(own) for room, own in code.items()},
        "files": {"product": len(code["product"])},
        "words": {"documents": sum(len(read_file(path).split()) for path in documents)},
        "settings": {
            "method": max(len(context.model_fields) for context in ours),
            "operator": len(Deployment.model_fields),
        },
    }


def main() -> None:
    """Print every figure beside its budget."""
    budgets, over = tomllib.loads(read_file(Path("budgets.toml"))), 0
    for kind, figures in weigh().items():
        for name, figure in figures.items():
            most = budgets[kind][name]
            over += figure > most
            mark = "  over the budget" if figure > most else ""
            sys.stdout.write(f"{kind:9}{name:10}{figure:7,} of {most:7,}{mark}\n")
    sys.exit(bool(over))


if __name__ == "__main__":
    main()
