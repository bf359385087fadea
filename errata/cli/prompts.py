"""`errata prompts`: list templates, or print one."""

import sys
from typing import Annotated

import typer

from errata.cli.options import AsJson, Prompts
from errata.cli.output import failures, write_json


def prompts(
    name: Annotated[str, typer.Argument(help="Print this template's text.")] = "",
    folder: Prompts = "",
    as_json: AsJson = False,
) -> None:
    """List the templates with their source and digest, or print one."""
    from rich.console import Console
    from rich.table import Table

    from errata.prompts.library import load_prompt, prompt_names

    with failures():
        templates = [load_prompt(each, folder) for each in ([name] if name else prompt_names())]
        if as_json:
            rows = [{"name": p.name, "digest": p.digest, **p.head.model_dump()} for p in templates]
            write_json(rows)
        elif name:
            sys.stdout.write(f"{templates[0].body}\n")
        else:
            table = Table("prompt", "digest", "source", box=None)
            for each in templates:
                table.add_row(each.name, each.digest[:8], each.head.source)
            Console().print(table)
