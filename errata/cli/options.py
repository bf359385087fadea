"""The options that commands share; a class of them stands in a command for its fields."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from inspect import Parameter, Signature, signature
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import typer
from typer import Option
from typer.core import TyperCommand

from errata.cli.codes import code_of_error
from errata.cli.output import STDOUT
from errata.core.errors import ErrataError
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.settings_file import SettingsFile

AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Out = Annotated[Path | None, Option("--out", help="Write here, not to stdout.")]
Form = Literal["json", "sarif", "markdown", "lines"]
AsForm = Annotated[Form | None, Option("--format", help="Print the findings in this form.")]
Html = Annotated[Path | None, Option("--html", help="Write a report of all drafts here, too.")]
_MANY = ("--draft", "-d", "--documents")
"""The options of which one takes every word up to the next option."""
_NAMED = Parameter.KEYWORD_ONLY
_PAIRS = {
    "roles": ("--role", "ROLE=MODEL"),
    "sampling": ("--sampling", "NAME=VALUE or ROLE.NAME=VALUE"),
    "prompts": ("--prompt", "STEP=NAME"),
    "assigned": ("--set", "NAME=VALUE"),
}
"""What is a mapping: the option, which may be given again, and the form of what it takes."""
_MODELS = {
    "model": "local, auto or PROVIDER:MODEL, for all roles.",
    "roles": "What fills one role in place of the model, such as verify=local.",
    "sampling": "How models choose words, such as temperature=0.",
    "assigned": "Any other setting, such as guard=false.",
}
_SETTINGS = _MODELS | {
    "profile": "A set of settings: paper or extractive.",
    "prompts": "The version of a template to use, such as verify=rac/verify.v1.",
    "prompt_folder": "A folder of templates of your own.",
    "call_cache": "A file that keeps models' replies.",
    "page_cache": "A file that keeps web pages.",
    "record": "A file to record exchanges with models in.",
    "replay": "A file of exchanges to answer from.",
    "corpus": "A folder of texts, or an index, to retrieve from.",
    "search": "The web's search engine, such as serpapi or searxng.",
    "top_k": "How many documents to retrieve for one query.",
    "unsupported": "What becomes of unsupported claims: flag, drop or hedge.",
    "cite": "Mark what is supported with its sources: numbers, footnotes or links.",
    "max_seconds": "Seconds that a run may take.",
    "max_calls": "Calls to models that a run may pay for.",
    "max_money": "What a run's calls and searches may cost.",
}
"""The settings that have an option, each with its help; `assigned` are all others."""


class ModelOptions(dict[str, Any]):
    """What judges and writes, and any other setting by `--set`, as far as it is given."""

    HELP: ClassVar = _MODELS

    def __init__(self, **options: Any) -> None:
        """Keep the options that are given; what `--set` assigns counts over them."""
        given = {name: value for name, value in options.items() if value is not None}
        own = {name: dict(x) if isinstance(x, list) else x for name, x in given.items()}
        for name, value in own.pop("assigned", {}).items():
            own[name] = value
            with suppress(ValueError):
                own[name] = json.loads(value)
        super().__init__(own)


class Settings(ModelOptions):
    """All settings that have an option, and any other by `--set`, as far as they are given."""

    HELP = _SETTINGS


def _pair(form: str, text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not (name and sign):
        raise typer.BadParameter(f"it takes {form}; got {text!r}")
    return name, value


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The options of every command that judges by documents."""

    documents: Annotated[
        list[str] | None,
        Option(
            metavar="FILE…",
            help="Files, folders or addresses of pages to judge by: text, Markdown, HTML, PDF, "
            "DOCX, CSV, JSON.",
        ),
    ] = None
    as_json: AsJson = False


@dataclass(frozen=True, kw_only=True)
class Target:
    """Where a command writes the text that it mends."""

    out: Annotated[Path | None, Option(help="Write the mended text to this file or folder.")] = None
    in_place: Annotated[
        bool, Option("--in-place", help="Write the mended text to the draft's file.")
    ] = False

    @property
    def view(self) -> Literal["text", "diff", "nothing"]:
        """What standard output gets: nothing if a file gets the text; the diff on a terminal."""
        if self.in_place or self.out not in (None, STDOUT):
            return "nothing"
        return "diff" if sys.stdout.isatty() and not self.out else "text"


def method_option(methods: Sequence[str]) -> Any:
    """The option `--method`: one of these methods, or another that is installed."""
    names = f"[{'|'.join(methods)}|…]"
    return Option("--method", metavar=names, help="What does the work; or another method.")


def for_method(method: str, given: dict[str, Any]) -> dict[str, Any]:
    """The given settings of a method, with what a settings file says; raises as `add_found`."""
    return add_found(find_settings(), method, given)


def find_settings() -> "SettingsFile | None":
    """The settings file of the working directory, which is named on standard error."""
    from errata.settings_file import SettingsFile, shown

    if file := SettingsFile.found(Path.cwd()):
        say(f"settings: {shown(file.path)}")
    return file


def add_found(file: "SettingsFile | None", method: str, given: dict[str, Any]) -> dict[str, Any]:
    """What is given, and what a file says beside that and the environment; raises SettingError."""
    from errata.nodes.deployment import Deployment, variable_of

    named = ("model", *Deployment.model_fields)
    without = [name for name in named if os.environ.get(variable_of(name))]
    return file.settings_for(method, given, without) if file else given


class Command(TyperCommand):
    """A command of ours: drafts and documents are many words, and our errors are exit codes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments once each option has one value; `--strict` of `check` has one."""
        return super().parse_args(ctx, list(spell_out(args, check=self.name == "check")))

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ErrataError as error:
            say(f"errata: {error}")
            raise typer.Exit(code_of_error(error)) from error


def spell_out(words: Sequence[str], *, check: bool = False) -> Iterator[str]:
    """The arguments with an option for each draft and document; `--draft=a.txt` takes that alone.

    >>> list(spell_out(["--draft", "a.txt", "b.txt", "--strict"], check=True))
    ['--draft', 'a.txt', '--draft', 'b.txt', '--strict=refuted']
    """
    many = ""
    for word, after in pairwise([*words, "--"]):
        if word in _MANY and (after == "-" or not after.startswith("-")):
            many = word
            continue
        if word.startswith("-") and word != "-":
            many = ""
        said = "--strict=refuted" if check and word == "--strict" else word
        yield from filter(None, (many, said))


def add_command(app: typer.Typer, command: Callable[..., None], **context: Any) -> None:
    """Add a command; a parameter whose type is a class of options takes all of these."""
    given = signature(command).parameters.values()
    groups = {each.name: each.annotation for each in given if _options_of(each.annotation)}

    def run(**values: Any) -> None:
        for name, kind in groups.items():
            own = {each.name: values.pop(each.name) for each in _options_of(kind)}
            values[name] = kind(**own)
        command(**values)

    options = [_options_of(each.annotation) or [each.replace(kind=_NAMED)] for each in given]
    vars(run)["__signature__"] = Signature([*chain(*options)])
    about = command.__doc__
    app.command(
        command.__name__, cls=Command, context_settings=context, help=about, short_help=about
    )(run)


def _options_of(kind: Any) -> list[Parameter]:
    """The options of a class of them; none of another type."""
    if is_dataclass(kind):
        found = [(each.name, each.type, each.default) for each in fields(kind)]
    elif isinstance(kind, type) and issubclass(kind, ModelOptions):
        found = [(name, _option_of(name, about), None) for name, about in kind.HELP.items()]
    else:
        return []
    return [Parameter(name, _NAMED, annotation=each, default=x) for name, each, x in found]


def _option_of(setting: str, about: str) -> Any:
    """The type of a setting's option."""
    if setting in _PAIRS:
        option, form = _PAIRS[setting]
        parser = partial(_pair, form)
        return Annotated[list[Any] | None, Option(option, metavar=form, help=about, parser=parser)]
    variable = "ERRATA_MODEL" if setting == "model" else None
    return Annotated[str | None, Option(help=about, envvar=variable)]
