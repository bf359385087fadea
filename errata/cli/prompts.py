"""`errata prompts`: list templates, or print one."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.cli.options import AsJson, PromptFolder
from errata.cli.output import failures, write_json

if TYPE_CHECKING:
    from errata.prompts.library import Prompt


def prompts(
    name: Annotated[
        str, typer.Argument(help="Print this template's text; without a version, the default's.")
    ] = "",
    prompt_folder: PromptFolder = "",
    as_json: AsJson = False,
) -> None:
    """List the templates with their source and digest, or print one."""
    from errata.prompts.library import load_prompt

    with failures():
        defaults = _defaults(prompt_folder)
        names = [_version(name, defaults)] if name else _all_names(prompt_folder)
        templates = [load_prompt(each, prompt_folder) for each in names]
        if as_json:
            write_json([_row(prompt, prompt.name in defaults.values()) for prompt in templates])
        elif name:
            sys.stdout.write(f"{templates[0].body}\n")
        else:
            _print_table(templates, set(defaults.values()))


def _defaults(folder: str) -> dict[str, str]:
    """The version of each template that runs use unless they say otherwise, by its stem."""
    from errata.methods import METHODS
    from errata.prompts.library import stem_of

    contexts = [method.context.validated({"prompt_folder": folder}) for method in METHODS.values()]
    stems = [(c, stem_of(name)) for c in contexts for name in c.templates().values()]
    return {stem: context.template(stem).name for context, stem in stems}


def _all_names(folder: str) -> list[str]:
    from errata.prompts.library import prompt_names, stem_of, versions

    stems = dict.fromkeys(map(stem_of, prompt_names()))
    return [name for stem in stems for name in versions(stem, folder)]


def _version(name: str, defaults: dict[str, str]) -> str:
    """The full name of a template that is perhaps named without a version."""
    return defaults.get(name, name)


def _row(prompt: "Prompt", default: bool) -> dict[str, Any]:
    about = prompt.head.model_dump()
    return {"name": prompt.name, "default": default, "digest": prompt.digest, **about}


def _print_table(templates: "list[Prompt]", defaults: set[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("prompt", "default", "digest", "source", box=None)
    for prompt in templates:
        mark = "default" if prompt.name in defaults else ""
        table.add_row(prompt.name, mark, prompt.digest[:8], prompt.head.source)
    Console().print(table)
