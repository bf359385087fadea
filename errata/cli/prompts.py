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
        names = _named(name, defaults, _all_names(prompt_folder))
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


def _named(name: str, defaults: dict[str, str], known: list[str]) -> list[str]:
    """The template of a name with or without a version; all templates without a name.

    Raises PromptError with the names that were probably meant.
    """
    from errata.core.errors import PromptError
    from errata.nodes.settings import suggest

    if not name:
        return known
    full = defaults.get(name, name)
    if full in known:
        return [full]
    of_step = [stem for stem in defaults if stem.partition("/")[2] == name]
    meant = suggest([name], [*defaults, *known])
    if of_step:
        meant = f"did you mean {' or '.join(map(repr, of_step))}? "
    raise PromptError(f"no prompt is called {name!r}; {meant}`errata prompts` lists them all")


def _row(prompt: "Prompt", default: bool) -> dict[str, Any]:
    about = prompt.head.model_dump()
    return {"name": prompt.name, "default": default, "digest": prompt.digest, **about}


def _print_table(templates: "list[Prompt]", defaults: set[str]) -> None:
    """A line for each template, however wide, so that its name stays whole."""
    width = max(len(prompt.name) for prompt in templates)
    lines = [f"{'prompt':<{width}}  default  digest    source"]
    for prompt in templates:
        mark = "default" if prompt.name in defaults else ""
        row = f"{prompt.name:<{width}}  {mark:<7}  {prompt.digest[:8]}  {prompt.head.source}"
        lines.append(row)
    sys.stdout.write("\n".join([*lines, ""]))
