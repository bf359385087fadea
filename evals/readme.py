"""Write what the README can take from the code: transcript, drawing, settings table.

python -m errata.evals.readme README.md
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from pydantic import TypeAdapter

from errata.graphs.rac import graph
from errata.nodes.rac.state import RacContext

DEMO = (
    'correct --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt '
    "--corpus demo/corpus --unsupported drop"
)
"""What the README shows of `make demo`."""
WIDTH = "100"


def transcript() -> str:
    """Run the demo, from the project's root, and give what it prints."""
    command = [sys.executable, "-c", "from errata.cli import main; main()", *shlex.split(DEMO)]
    environment = os.environ | {"COLUMNS": WIDTH}
    done = subprocess.run(  # noqa: S603  our own command
        command, capture_output=True, text=True, check=True, env=environment
    )
    kept = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    return f"```text\n$ errata {DEMO}\n{kept}\n```"


def drawing() -> str:
    """Draw RAC as Mermaid."""
    return f"```mermaid\n{graph.get_graph().draw_mermaid().strip()}\n```"


def settings() -> str:
    """Set out RAC's settings from its Context."""
    schema = TypeAdapter(RacContext).json_schema()
    lines = [
        f"| `{name}` | `{_default(field)}` | {' '.join(field['description'].split())} |"
        for name, field in schema["properties"].items()
    ]
    return "\n".join(["| setting | default | what it does |", "|---|---|---|", *lines])


def _default(field: dict[str, object]) -> str:
    value = field.get("default", {})
    return f'"{value}"' if isinstance(value, str) else str(value)


PARTS = {"transcript": transcript, "drawing": drawing, "settings": settings}


def written(text: str) -> str:
    """Give a README's text with its generated parts brought up to date."""
    for name, part in PARTS.items():
        opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        block = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
        text = block.sub(opening + part().replace("\\", r"\\") + "\n" + closing, text)
    return text


def main(path: str) -> None:
    """Bring one file up to date."""
    readme = Path(path)
    readme.write_text(written(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
