"""Write what the documentation can take from the code: transcripts, drawings, settings tables.

python docs/generate.py README.md docs/*.md
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from pydantic import TypeAdapter

from errata.api import context_of
from errata.server.settings import ServerSettings

DEMO = {
    "rac": 'correct --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt '
    "--corpus demo/corpus --unsupported drop",
    "reex": 'correct --method reex --question "What is the Eiffel Tower?" '
    "--draft demo/drafts/eiffel-tower.txt --corpus demo/corpus",
    "crag": 'answer "Where did Marie Curie discover polonium?" --corpus demo/corpus '
    "--search corpus:demo/web",
}
"""What the documentation shows of `make demo`, by method."""
WIDTH = "100"


def transcript(method: str) -> str:
    """Run a method's demo, from the project's root, and give what it prints."""
    words = shlex.split(DEMO[method])
    command = [sys.executable, "-c", "from errata.cli import main; main()", *words]
    environment = os.environ | {"COLUMNS": WIDTH}
    done = subprocess.run(  # noqa: S603  our own command
        command, capture_output=True, text=True, check=True, env=environment
    )
    kept = "\n".join(line.rstrip() for line in done.stdout.splitlines())
    return f"```text\n$ errata {DEMO[method]}\n{kept}\n```"


def drawing(method: str) -> str:
    """Draw a method's graph as Mermaid."""
    graph = import_module(f"errata.graphs.{method}").graph
    drawn = graph.get_graph().draw_mermaid().partition("graph TD;")
    lines = [line for line in drawn[2].splitlines() if line and "classDef" not in line]
    return "\n".join(["```mermaid", "graph TD;", *lines, "```"])


def settings(method: str) -> str:
    """Set out a method's settings from its Context, or the server's from the environment."""
    served = method == "server"
    schema = TypeAdapter(ServerSettings if served else context_of(method)).json_schema()
    lines = [
        f"| `{f'ERRATA_{name}'.upper() if served else name}` | `{_default(field)}` "
        f"| {' '.join(field['description'].split())} |"
        for name, field in schema["properties"].items()
    ]
    return "\n".join(["| setting | default | what it does |", "|---|---|---|", *lines])


def _default(field: dict[str, object]) -> str:
    if template := field.get("template"):
        return f"the text of {template}"
    value = field.get("default", {})
    return f'"{value}"' if isinstance(value, str) else str(value)


PARTS: dict[str, Callable[[str], str]] = {
    "transcript": transcript,
    "drawing": drawing,
    "settings": settings,
}
_BLOCK = re.compile(
    rf"(?P<opening><!-- (?P<part>{'|'.join(PARTS)}) (?P<method>\w+) -->\n).*?"
    r"(?P<closing><!-- /(?P=part) -->)",
    re.DOTALL,
)


def written(text: str) -> str:
    """Give a document's text with its generated parts brought up to date."""
    return _BLOCK.sub(
        lambda m: f"{m['opening']}{PARTS[m['part']](m['method'])}\n{m['closing']}", text
    )


def main(*paths: str) -> None:
    """Bring files up to date."""
    for path in map(Path, paths):
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
