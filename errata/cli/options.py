"""The options that commands share; a class of them stands in a command for its fields."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Option
from typer.core import TyperCommand

from errata.cli.codes import code_of_error
from errata.cli.output import STDOUT
from errata.core.errors import ErrataError, SettingError
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.settings_file import SettingsFile

AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Out = Annotated[Path | None, Option("--out", help="Write here, not to stdout.")]
Form = Literal["json", "sarif", "markdown", "lines"]
AsForm = Annotated[Form | None, Option("--format", help="Print the findings in this form.")]
Html = Annotated[Path | None, Option("--html", help="Write a report of all drafts here, too.")]
_PAIRS = {
    "roles": ("--role", "ROLE=MODEL, such as verify=local"),
    "sampling": ("--sampling", "NAME=VALUE or ROLE.NAME=VALUE, such as temperature=0"),
    "prompts": ("--prompt", "STEP=NAME, such as verify=rac/verify.v1"),
    "assigned": ("--set", "NAME=VALUE, such as guard=false"),
}
"""What is a mapping: the option, and the form of what it takes."""
_MODELS = {
    "model": "local, auto or PROVIDER:MODEL, for all roles.",
    "roles": "What fills one role in place of the model.",
    "sampling": "How models choose words.",
    "assigned": "Any other setting.",
}
_SETTINGS = _MODELS | {
    "profile": "A set of settings: paper or extractive.",
    "prompts": "The version of a template to use.",
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
"""The settings that have an option, with its help; `assigned` are all others."""
_MANY = {"--draft": "--draft", "-d": "--draft", "--documents": "--documents"}
"""The options of which one takes every word up to the next option, and each one's whole name."""
Models = Annotated[dict[str, Any], tuple(_MODELS)]
"""What judges and writes, and any other setting by `--set`, as given there or by `ERRATA_MODEL`."""
Settings = Annotated[dict[str, Any], tuple(_SETTINGS)]
_BUNDLES = (Models, Settings)


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
    def is_file(self) -> bool:
        """Whether the text goes to a file, and not to standard output."""
        return self.in_place or self.out not in (None, STDOUT)


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


class ManyWords(TyperCommand):
    """A command whose drafts and documents are many words; `--strict` of `check` may have none."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments once each option has one value."""
        return super().parse_args(ctx, list(spell_out(args, check=self.name == "check")))


def spell_out(words: Sequence[str], *, check: bool = False) -> Iterator[str]:
    """The arguments with an option for each draft and document; `--draft=a.txt` takes that alone.

    >>> list(spell_out(["--draft", "a.txt", "b.txt", "--strict"], check=True))
    ['--draft', 'a.txt', '--draft', 'b.txt', '--strict=refuted']
    """
    many = ""
    for word, after in pairwise([*words, "--"]):
        if word in _MANY and (after == "-" or not after.startswith("-")):
            many = _MANY[word]
            continue
        if word.startswith("-") and word != "-":
            many = ""
        said = "--strict=refuted" if check and word == "--strict" else word
        yield from filter(None, (many, said))


def add_command(app: typer.Typer, command: Callable[..., None], **context: Any) -> None:
    """Add a command, whose parameters may be classes of options; our errors become exit codes."""
    groups = {each: _options(each) for each in signature(command).parameters.values()}

    def run(**arguments: Any) -> None:
        try:
            for group, options in groups.items():
                own = {each.name: arguments.pop(each.name) for each in options}
                if group.annotation in _BUNDLES:
                    arguments[group.name] = _read(own)
                elif is_dataclass(group.annotation):
                    kind: Any = group.annotation
                    arguments[group.name] = kind(**own)
                else:
                    arguments |= own
            command(**arguments)
        except ErrataError as error:
            say(f"errata: {error}")
            raise typer.Exit(code_of_error(error)) from error

    vars(run)["__signature__"] = Signature([each for own in groups.values() for each in own])
    given: dict[str, Any] = {"help": command.__doc__, "short_help": command.__doc__}
    app.command(command.__name__, cls=ManyWords, context_settings=context, **given)(run)


def _read(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of options; raises SettingError if one cannot be read."""
    given: dict[str, Any] = {n: v for n, v in values.items() if v not in (None, [])}
    for name in given.keys() & _PAIRS.keys():
        option, form = _PAIRS[name]
        pairs = [text.partition("=") for text in given[name]]
        if wrong := next((p for p in pairs if not (p[0] and p[1])), None):
            raise SettingError(f"{option} takes {form}; got {''.join(wrong)!r}")
        given[name] = {name: value for name, _, value in pairs}
    assigned: dict[str, Any] = given.pop("assigned", {})
    for name, value in assigned.items():
        with suppress(ValueError):
            assigned[name] = json.loads(value)
    return given | assigned


def _options(given: Parameter) -> list[Parameter]:
    """A parameter, or one for each field of its class, or for each setting."""
    kind, annotation = Parameter.KEYWORD_ONLY, given.annotation
    if annotation in _BUNDLES:
        return [_option_of(name) for name in annotation.__metadata__[0]]
    if is_dataclass(annotation):
        return [
            Parameter(each.name, kind, default=each.default, annotation=each.type)
            for each in fields(annotation)
        ]
    return [given.replace(kind=kind)]


def _option_of(setting: str) -> Parameter:
    name, form = _PAIRS.get(setting, (f"--{setting.replace('_', '-')}", ""))
    metavar, _, sample = form.partition(", ")
    text = f"{_SETTINGS[setting].removesuffix('.')}, {sample}." if sample else _SETTINGS[setting]
    variable = "ERRATA_MODEL" if setting == "model" else None
    option = Option(name, metavar=metavar or None, help=text, envvar=variable)
    takes: Any = list[str] if form else str
    kind = Parameter.KEYWORD_ONLY
    return Parameter(setting, kind, default=None, annotation=Annotated[takes | None, option])
