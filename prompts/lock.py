"""Write the digests of new templates to each method's lock; refuse altered released ones.

python -m errata.prompts.lock [FOLDER ...]

A folder holds one of templates for each method; without any, ours are updated.
"""

import sys
from pathlib import Path

from errata.core.errors import PromptError
from errata.prompts.library import parse_prompt, read_lock

OURS = Path(__file__).parent


def lock_prompts() -> None:
    """Update every method's lock."""
    for folder in [Path(name) for name in sys.argv[1:]] or [OURS]:
        for own in sorted(path for path in folder.iterdir() if list(path.glob("*.md"))):
            update_lock(own)


def update_lock(folder: Path) -> None:
    """Add new templates' digests to a method's lock; raises PromptError for an altered one."""
    lock = folder / "prompts.lock"
    digests = read_lock(lock.read_text(encoding="utf-8"), folder.name) if lock.is_file() else {}
    for path in sorted(folder.glob("*.md")):
        name = f"{folder.name}/{path.stem}"
        digest = parse_prompt(name, path.read_text(encoding="utf-8")).digest
        if digests.setdefault(name, digest) != digest:
            raise PromptError(f"{name} is released and was altered; write its next version instead")
    lines = [f"{name.split('/')[1]} {digest}\n" for name, digest in sorted(digests.items())]
    lock.write_text("".join(lines), encoding="utf-8")
    sys.stdout.write(f"{folder.name}: {len(lines)} prompts locked\n")


if __name__ == "__main__":
    lock_prompts()
