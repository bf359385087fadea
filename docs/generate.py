"""Write the generated parts of README.md and docs/*.md: transcripts, drawings, tables.

python docs/generate.py [--check] [FILE.md ...]

A part stands between `<!-- KIND NAME -->` and `<!-- /KIND -->`. With `--check` nothing is written:
the program names each file that is out of date and exits with 1. Timings do not count.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import TypeAdapter

from errata.cli.options import option_name
from errata.evals.datasets import DATASETS
from errata.evals.papers import TABLES
from errata.methods import METHODS, Method
from errata.nodes.settings import Setting, settings_of
from errata.server.settings import ServerSettings

ROOT = Path(__file__).resolve().parent.parent
DEMO = {
    "rac": 'correct --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt '
    "--corpus demo/corpus --unsupported drop --diff",
    "reex": 'correct --method reex --question "What is the Eiffel Tower?" '
    "--draft demo/drafts/eiffel-tower.txt --corpus demo/corpus --diff",
    "crag": 'answer "Where did Marie Curie discover polonium?" --corpus demo/corpus '
    "--search corpus:demo/web",
}
"""The command of `make demo` that stands for each method."""
COLUMNS = "100"
COMMANDS = DEMO | {
    "budgets": 'check --question "Who was Marie Curie?" --draft demo/drafts/marie-curie.txt '
    "--corpus demo/corpus --max-searches 2",
}
"""The commands whose output pages show."""
_TIMING = re.compile(r"\d+\.\d\d s$", re.MULTILINE)


def run_command(name: str) -> str:
    """A command of COMMANDS and its output."""
    printed = _errata(shlex.split(COMMANDS[name]))
    output = "\n".join(line.rstrip() for line in printed.splitlines())
    return f"```text\n$ errata {COMMANDS[name]}\n{output}\n```"


def _errata(words: list[str]) -> str:
    """What a command prints on standard output."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ERRATA_")}
    process = subprocess.run(  # noqa: S603  our own command
        [sys.executable, "-c", "from errata.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=ROOT,
        env=environment | {"COLUMNS": COLUMNS},
    )
    return process.stdout


def run_batch(name: str) -> str:
    """A batch of demo/batch.jsonl: the command, and what is then in the files beside it."""
    with TemporaryDirectory() as folder:
        out = Path(folder) / "results.jsonl"
        words = ["batch", f"{name}/batch.jsonl", "--corpus", f"{name}/corpus"]
        fields = ["--fields", "label,response,error"]
        _errata([*words, "--out", str(out), *fields, "--workers", "1"])
        rows = out.read_text(encoding="utf-8").strip()
    command = shlex.join([*words, "--out", out.name, *fields])
    return f"```text\n$ errata {command}\n$ cat {out.name}\n{rows}\n```"


def draw_graph(method: str) -> str:
    """A method's graph as Mermaid."""
    body = METHODS[method].graph.get_graph().draw_mermaid().partition("graph TD;")[2]
    return _mermaid([line for line in body.splitlines() if line and "classDef" not in line])


def draw_imports(package: str) -> str:
    """The packages in errata.`package` as Mermaid, each with an arrow to those that it imports.

    The number of files of a package leaves out its `__init__.py`.
    """
    from grimp import build_graph

    modules = build_graph("errata", cache_dir=None)
    paths = {path.rpartition(".")[2]: path for path in modules.find_children(f"errata.{package}")}
    rooms = {name: paths[name] for name in sorted(paths) if modules.find_children(paths[name])}
    nodes = [
        f'\t{name}("{name}<br/>{len(modules.find_descendants(path))} files")'
        for name, path in rooms.items()
    ]
    arrows = [
        f"\t{name} --> {other};"
        for name, path in rooms.items()
        for other, imported in rooms.items()
        if name != other
        and modules.direct_import_exists(importer=path, imported=imported, as_packages=True)
    ]
    return _mermaid([*nodes, *arrows])


def _mermaid(lines: list[str]) -> str:
    return "\n".join(["```mermaid", "graph TD;", *lines, "```"])


def tabulate_settings(name: str) -> str:
    """A table of a method's settings or, for `server`, of the server's environment variables."""
    return _operator_table() if name == "server" else _method_table(METHODS[name])


def _method_table(method: Method) -> str:
    """A method's settings: their option on the command line, and what a server's callers may do."""
    fields = TypeAdapter(method.context).json_schema()["properties"]
    rows = [
        f"| `{setting.name}` | {_option(setting)} | {setting.remote.value} "
        f"| `{_default(fields[setting.name])}` | {_description(fields[setting.name])} |"
        for setting in settings_of(method.context)
    ]
    head = "| setting | option | callers of a server | default | what it does |"
    return "\n".join([head, "|---|---|---|---|---|", *rows])


def _operator_table() -> str:
    """The server's environment variables."""
    fields = TypeAdapter(ServerSettings).json_schema()["properties"]
    rows = [
        f"| `ERRATA_{name.upper()}` | `{_default(field)}` | {_description(field)} |"
        for name, field in fields.items()
    ]
    return "\n".join(["| setting | default | what it does |", "|---|---|---|", *rows])


def tabulate_profile(name: str) -> str:
    """A table of what `profile="paper"` sets, and where the paper states it."""
    rows = [
        f"| `{setting}` | `{value!r}` | {source} |"
        for setting, value, source in METHODS[name].context.PAPER
    ]
    head = '| setting | `profile="paper"` | the paper |'
    return "\n".join([head, "|---|---|---|", *rows])


def tabulate_datasets(_: str) -> str:
    """A table of the datasets, each with what scores it."""
    rows = [
        f"| `{dataset.name}` | {dataset.description} | {', '.join(dataset.scorers)} |"
        for dataset in DATASETS.values()
    ]
    return "\n".join(["| name | what it is | scored by |", "|---|---|---|", *rows])


def tabulate_tables(_: str) -> str:
    """A table of the papers' tables, with how many of their runs local code can do."""
    rows = []
    for table in TABLES.values():
        runs = table.runs()
        local = sum(not run.needs for run in runs)
        rows.append(f"| `{table.name}` | {table.caption} | {local} of {len(runs)} |")
    head = "| `--table` | what it shows | runs without a model |"
    return "\n".join([head, "|---|---|---|", *rows])


def _option(setting: Setting) -> str:
    return f"`{option_name(setting)}`" if setting.flag else ""


def _description(field: dict[str, object]) -> str:
    return " ".join(str(field["description"]).split())


def _default(field: dict[str, object]) -> str:
    if template := field.get("template"):
        return f"the text of {template}"
    value = field.get("default", {})
    return f'"{value}"' if isinstance(value, str) else str(value)


PARTS: dict[str, Callable[[str], str]] = {
    "transcript": run_command,
    "batch": run_batch,
    "drawing": draw_graph,
    "imports": draw_imports,
    "settings": tabulate_settings,
    "profile": tabulate_profile,
    "datasets": tabulate_datasets,
    "tables": tabulate_tables,
}
_PART = re.compile(
    rf"(?P<opening><!-- (?P<kind>{'|'.join(PARTS)}) (?P<name>\w+) -->\n).*?"
    r"(?P<closing><!-- /(?P=kind) -->)",
    re.DOTALL,
)


def regenerate(text: str) -> str:
    """A document's text with its generated parts brought up to date."""
    return _PART.sub(
        lambda part: f"{part['opening']}{PARTS[part['kind']](part['name'])}\n{part['closing']}",
        text,
    )


def find_outdated(paths: list[Path]) -> dict[Path, str]:
    """The files that are out of date, each with its new text."""
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    new = {path: regenerate(text) for path, text in texts.items()}
    return {p: new[p] for p in paths if _TIMING.sub("", new[p]) != _TIMING.sub("", texts[p])}


def main(*arguments: str) -> int:
    """Bring files up to date, or with `--check` name those that are not; the exit code."""
    files = [Path(argument) for argument in arguments if argument != "--check"]
    outdated = find_outdated(files or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))])
    if "--check" in arguments:
        for path in outdated:
            sys.stderr.write(f"{path} is out of date: run `make draw`\n")
        return int(bool(outdated))
    for path, text in outdated.items():
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
