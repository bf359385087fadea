"""Write the generated parts of README.md and docs/*.md, the picture, the schemas of records.

python docs/generate.py [--check] [FILE.md ...]

A part, such as a transcript or a table, stands between `<!-- KIND NAME -->` and `<!-- /KIND -->`.
With `--check` nothing is written: the program names each file that is out of date and exits with
1. Timings do not count.
"""

import json
import os
import re
import runpy
import shlex
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import chdir, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, TypeAdapter
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner

from errata.cli import app
from errata.core.records import Answer, Correction, Edit, Verdict
from errata.evals.datasets import DATASETS
from errata.evals.papers import TABLES
from errata.methods import ANSWERING, CORRECTING, METHODS
from errata.nodes.deployment import Deployment
from errata.nodes.settings import Setting, list_settings
from errata.server.rules import OPERATORS
from errata.server.settings import ServerSettings

ROOT = Path(__file__).resolve().parent.parent
OWN = (*CORRECTING, *ANSWERING)
"""The methods of errata itself, whatever else is installed."""
COMMANDS = {
    "rac": 'correct --question "What is the Eiffel Tower?" --draft demo/drafts/eiffel-tower.txt '
    "--corpus demo/corpus --unsupported drop --diff",
    "crag": 'answer "What ore did Marie Curie extract polonium from?" --corpus demo/corpus '
    "--search corpus:demo/web",
    "cite": "cite demo/drafts/towers.md --documents demo/corpus",
    "written": 'correct --question "Who was Marie Curie?" --draft demo/drafts/marie-curie.txt '
    "--corpus demo/corpus --cite numbers",
    "start": "correct --draft demo/drafts/eiffel-tower.txt --corpus demo/corpus",
}
"""The commands of `make demo` whose output pages show."""
WIDTH = "100"
PICTURE = ROOT / "docs" / "pictures" / "terminal.svg"
"""What a terminal shows of the first command."""
_SCORE, _NEAR = re.compile(r"\b[01]\.\d\d\b"), 0.05
_TIMING = re.compile(r"\d+\.\d\d s$", re.MULTILINE)


def run_command(name: str) -> str:
    """A command of COMMANDS and its output."""
    printed = _errata(*shlex.split(COMMANDS[name]))
    output = "\n".join(line.rstrip() for line in printed.splitlines())
    return f"```text\n$ errata {COMMANDS[name]}\n{output}\n```"


def draw_terminal() -> str:
    """The command `rac` in a terminal, as SVG; without its time, which differs from run to run."""
    command = COMMANDS["rac"]
    printed = _errata(*shlex.split(command), FORCE_COLOR="1", TERM="xterm-256color")
    console = Console(record=True, file=StringIO(), width=int(WIDTH) + 10, highlight=False)
    console.print(f"[bold]$ errata {command}[/bold]")
    console.print(Text.from_ansi(re.sub(rf", {_TIMING.pattern}", "", printed, flags=re.MULTILINE)))
    picture = console.export_svg(title="errata", unique_id="errata")
    return re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)  # loaded from elsewhere


def run_batch(name: str) -> str:
    """A batch of demo/batch.jsonl: the command, and what is then in its output."""
    words = ["batch", f"{name}/batch.jsonl", "--corpus", f"{name}/corpus"]
    fields = ["--fields", "label,response,error"]
    with TemporaryDirectory() as folder:
        out = Path(folder) / "results.jsonl"
        _errata(*words, "--out", str(out), *fields)
        rows = out.read_text(encoding="utf-8").strip()
    command = shlex.join([*words, "--out", out.name, *fields])
    return f"```text\n$ errata {command}\n$ cat {out.name}\n{rows}\n```"


def run_example(name: str) -> str:
    """A program of examples/ and what it prints."""
    path = ROOT / "examples" / f"{name}.py"
    with redirect_stdout(StringIO()) as printed:
        runpy.run_path(str(path), run_name="__main__")
    return f"```python\n{path.read_text(encoding='utf-8')}```\n\n```text\n{printed.getvalue()}```"


def _errata(*words: str, **variables: str) -> str:
    """What a command prints on standard output, in this process and without its environment."""
    settings = dict.fromkeys(name for name in os.environ if name.startswith("ERRATA_"))
    with chdir(ROOT):
        result = CliRunner().invoke(app, words, env=settings | {"COLUMNS": WIDTH} | variables)
    if result.exit_code:
        raise SystemExit(f"errata {shlex.join(words)} failed:\n{result.output}")
    return result.stdout


def draw_graph(method: str) -> str:
    """A method's graph as Mermaid."""
    drawn = METHODS[method].graph.get_graph(xray=True).draw_mermaid().partition("graph TD;")[2]
    drawn = re.sub(r"\w+\\3a(?!_)", "", drawn).replace(r"\3a", "")  # a node of a sub-graph
    named = re.compile(r"\t(\w+)\((?:\[<p>)?\1\W.*")  # a node whose name is what it is drawn by
    drawn = re.sub(r"-\. &nbsp;(.*?)&nbsp; \.->", r"-.->|\1|", drawn)
    lines = (line for line in drawn.splitlines() if line and "classDef" not in line)
    return _mermaid(line for line in lines if not named.fullmatch(line))


def _mermaid(lines: Iterable[str]) -> str:
    return "\n".join(["```mermaid", "graph TD;", *lines, "```"])


def tabulate_settings(name: str) -> str:
    """A table of callers' settings, of an `operator`'s, or of the `server`'s variables.

    Every setting stands there once, a caller's with its methods.
    """
    if name == "server":
        fields = TypeAdapter(ServerSettings).json_schema()["properties"]
        variables = ((f"`ERRATA_{n.upper()}`", *_about(field)) for n, field in fields.items())
        return _table(["setting", "default", "what it does"], variables)
    if name == "operator":
        return _table(["setting", "default", "what it does"], _rows_of(Deployment))
    methods: dict[tuple[str, ...], list[str]] = {}
    for method in OWN:
        kind = METHODS[method].context
        for row, setting in zip(_rows_of(kind), list_settings(kind), strict=True):
            methods.setdefault((row[0], _callers(setting), *row[1:]), []).append(method)
    rows = sorted(methods, key=lambda row: len(methods[row]), reverse=True)
    head = ["setting", "methods", "callers", "default", "what it does"]
    return _table(head, ((name, _name_group(methods[name, *rest]), *rest) for name, *rest in rows))


def _rows_of(kind: type[BaseModel]) -> Iterator[tuple[str, str, str]]:
    """Each setting of a class with its default and what it does."""
    fields = TypeAdapter(kind).json_schema()["properties"]
    for setting in list_settings(kind):
        yield f"`{setting.name}`", *_about(fields[setting.name])


def _callers(setting: Setting) -> str:
    """What a server's callers may do with a setting."""
    if setting.name in OPERATORS:
        return "operator"
    return "capped" if setting.capped else "free"


def _about(field: dict[str, object]) -> tuple[str, str]:
    """A setting's default and what it does."""
    default = field.get("default", {})
    shown = f'"{default}"' if isinstance(default, str) else str(default)
    return f"`{shown}`", " ".join(str(field["description"]).split())


def _name_group(methods: Collection[str]) -> str:
    """Methods in words: all, all of a kind, or their names."""
    for name, group in (("all", OWN), ("correcting", CORRECTING), ("answering", ANSWERING)):
        if set(methods) == set(group):
            return name
    return ", ".join(methods)


def tabulate_profile(_: str) -> str:
    """A table of what `profile="paper"` changes in each method, and where its paper states it."""
    methods: dict[tuple[str, str, str], list[str]] = {}
    for method in OWN:
        kind = METHODS[method]
        defaults = {setting.name: setting.default for setting in list_settings(kind.context)}
        for setting, value, source in kind.context.PAPER:
            if value != defaults[setting]:
                methods.setdefault((f"`{setting}`", f"`{value!r}`", source), []).append(method)
    head = ["setting", "methods", '`profile="paper"`', "the paper"]
    return _table(head, ((row[0], _name_group(names), *row[1:]) for row, names in methods.items()))


def tabulate_datasets(_: str) -> str:
    """A table of the datasets, each with what scores it."""
    rows = ((f"`{d.name}`", d.description, ", ".join(d.scorers)) for d in DATASETS.values())
    return _table(["name", "what it is", "scored by"], rows)


def tabulate_tables(_: str) -> str:
    """A table of the papers' tables, with how many of their runs local code can do."""
    runs = {name: table.runs() for name, table in TABLES.items()}
    rows = (
        (f"`{name}`", table.caption, f"{sum(not r.needs for r in runs[name])} of {len(runs[name])}")
        for name, table in TABLES.items()
    )
    return _table(["`--table`", "what it shows", "runs without a model"], rows)


def _table(head: list[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [" | ".join(row) for row in (head, *rows)]
    return "\n".join(
        [f"| {lines[0]} |", f"|{'---|' * len(head)}", *(f"| {x} |" for x in lines[1:])]
    )


RECORDS = (Correction, Answer, Verdict, Edit)
"""What has a schema of its own; each holds the records that it consists of."""


def describe_records() -> dict[str, str]:
    """The records' JSON Schemas, as results are written, by file name."""
    files = dict[str, str]()
    for kind in RECORDS:
        schema = TypeAdapter(kind).json_schema(mode="serialization")
        named = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
        files[f"{kind.__name__}.json"] = json.dumps(named, indent=1, ensure_ascii=False) + "\n"
    return files


PARTS: dict[str, Callable[[str], str]] = {
    "transcript": run_command,
    "batch": run_batch,
    "example": run_example,
    "drawing": draw_graph,
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


@cache
def make_part(kind: str, name: str) -> str:
    """A generated part, made once however many pages have it."""
    return PARTS[kind](name)


def regenerate(text: str) -> str:
    """A document's text with its generated parts brought up to date."""
    return _PART.sub(
        lambda part: f"{part['opening']}{make_part(part['kind'], part['name'])}\n{part['closing']}",
        text,
    )


def main(*arguments: str) -> int:
    """Bring files up to date, or with `--check` name those that are not; the exit code."""
    named = [Path(argument) for argument in arguments if argument != "--check"]
    texts = {
        path: regenerate(path.read_text(encoding="utf-8"))
        for path in named or [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    }
    if not named:
        schemas = {ROOT / "docs" / "schema" / name: t for name, t in describe_records().items()}
        texts |= {PICTURE: draw_terminal(), **schemas}
    outdated = [path for path, text in texts.items() if not _holds(path, text)]
    for path in outdated:
        if "--check" in arguments:
            sys.stderr.write(f"{path} is out of date: run `make draw`\n")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(texts[path], encoding="utf-8")
    return int(bool(outdated) and "--check" in arguments)


def _holds(path: Path, text: str) -> bool:
    """Whether a file has a text, but for timings, and a picture's scores as processors differ."""
    if not path.exists():
        return False
    texts = [_TIMING.sub("", each) for each in (path.read_text(encoding="utf-8"), text)]
    if path != PICTURE:
        return texts[0] == texts[1]
    # The judges' weights are rounded, so processors differ a little.
    ours, theirs = (list(map(float, _SCORE.findall(each))) for each in texts)
    are_near = all(abs(a - b) < _NEAR for a, b in zip(ours, theirs, strict=False))
    return are_near and _SCORE.sub("", texts[0]) == _SCORE.sub("", texts[1])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
