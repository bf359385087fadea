"""Write the digests of new templates; refuse where a released one was altered.

python -m errata.prompts.lock
"""

import sys
from pathlib import Path

from errata.errors import PromptError
from errata.prompts.library import locked_digests, parse_prompt

HERE = Path(__file__).parent


def main() -> None:
    """Bring every method's lock up to date."""
    for folder in sorted(path for path in HERE.iterdir() if list(path.glob("*.md"))):
        lock(folder)


def lock(folder: Path) -> None:
    """Add what is new to one method's lock.

    Raises PromptError naming a released template whose text has changed.
    """
    known = locked_digests(folder.name)
    for path in sorted(folder.glob("*.md")):
        name = f"{folder.name}/{path.stem}"
        digest = parse_prompt(name, path.read_text(encoding="utf-8")).digest
        if known.setdefault(name, digest) != digest:
            raise PromptError(f"{name} is released and was altered; write its next version instead")
    lines = [f"{name.split('/')[1]} {digest}\n" for name, digest in sorted(known.items())]
    (folder / "prompts.lock").write_text("".join(lines), encoding="utf-8")
    sys.stdout.write(f"{folder.name}: {len(lines)} prompts locked\n")


if __name__ == "__main__":
    main()
