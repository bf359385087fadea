"""Options: those that commands share, and one for each flagged setting."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer
from typer import Option
from typer.main import get_command

from errata.cli.codes import code_of_error
from errata.cli.help import COMMON, GroupedCommand
from errata.cli.output import STDOUT
from errata.core.errors import ErrataError
from errata.methods import CORRECTING, METHODS
from errata.nodes.settings import Setting, read_assignments, read_pairs, settings_of
from errata.render.terminal import say

if TYPE_CHECKING:
    from errata.settings_file import SettingsFile

Command = Callable[..., None]
Encoding = Annotated[
    str, Option("--encoding", help="What the files are encoded in, if it is not found out.")
]
AsJson = Annotated[bool, Option("--json", help="Print JSON.")]
Stream = Annotated[
    bool,
    Option("--stream", help="Show text, verdicts, patches live in a terminal; --json: by line."),
]
Form = Literal["json", "sarif", "markdown"]
AsForm = Annotated[Form | None, Option("--format", help="Print the findings in this form.")]
Out = Annotated[Path | None, Option("--out", help="Write here, not to stdout.")]
MODELS = "model roles profile sampling prompts prompt_folder record replay call_cache".split()
"""The settings of `verify` and `score`, which only judge."""
MAIN = (
    "corpus model roles sampling prompts profile unsupported call_cache page_cache max_links "
    "max_claims max_seconds max_calls max_money max_pages"
).split()
"""The settings with an option of `cite` and, with `search`, of `mcp`; `--set` takes any other."""
PAIRS = {
    "roles": ("--role", "ROLE=FILLER, such as verify=local"),
    "sampling": ("--sampling", "NAME=VALUE or ROLE.NAME=VALUE, such as temperature=0"),
    "prompts": ("--prompt", "STEP=NAME, such as verify=rac/verify.v1"),
}
"""The settings that are mappings: the option, and the form of what it takes."""


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
    encoding: Encoding = ""
    html: Annotated[Path | None, Option(help="Write a report to this file, too.")] = None
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


@dataclass(frozen=True)
class Takes:
    """Has a parameter, `settings`, take an option for each flagged setting of methods, and `--set`.

    It holds those that were given on the command line, or by the setting's environment variable.
    """

    methods: Sequence[str] = ()
    checking: bool = False
    """Whether to leave out the settings that do not affect a check."""
    only: Sequence[str] = ()
    """The only settings to offer; empty: all."""
    from_file: bool = True
    """Whether a settings file says what the command line does not."""

    def settings(self, methods: Sequence[str]) -> list[Setting]:
        """The settings of these methods that get an option."""
        return [
            setting
            for name, setting in all_settings(methods).items()
            if setting.flag
            and (setting.flag.check or not self.checking)
            and (not self.only or name in self.only)
        ]

    def common(self) -> dict[str, tuple[str, str]]:
        """The option and the help of each setting that `--help` shows."""
        left_out = {"cite"} if self.checking else set[str]()
        if self.checking or not {*self.methods} <= {*CORRECTING}:
            left_out.add("unsupported")
        names = {*(self.only or COMMON)} - left_out if self.methods else ()
        return {name: shown for name, shown in COMMON.items() if name in names}


def method_option(methods: Sequence[str]) -> Any:
    """The option `--method`: one of these methods, or another that is installed."""
    names = f"[{'|'.join(methods)}|…]"
    return Option("--method", metavar=names, help="What does the work; or another method.")


def build_command(command: Command, words: Sequence[str] = (), text: str = "") -> GroupedCommand:
    """A command with the options that its words need; only the method they choose is imported.

    The other methods are imported too if an option is not that method's, or for `--help-all`.
    """
    given, said = signature(command).parameters, {part for w in words for part in w.split("=")}
    [taken] = given["settings"].annotation.__metadata__ if "settings" in given else [Takes()]
    if "--help-all" in said:
        return _built(command, text, taken.methods, taken)
    if "--help" in said:
        return _built(command, text, [], taken)
    chosen = [name for name in taken.methods if name in said] or taken.methods
    built = _built(command, text, chosen[:1], taken)
    known = {name for each in built.params for name in (*each.opts, *each.secondary_opts)}
    if any(part.startswith("--") for part in said - known):
        return _built(command, text, taken.methods, taken)
    return built


def _built(command: Command, text: str, methods: Sequence[str], taken: Takes) -> GroupedCommand:
    settings = taken.settings(methods)
    given = signature(command).parameters.values()
    groups: dict[str, Any] = {
        each.name: each.annotation for each in given if is_dataclass(each.annotation)
    }

    def run(**arguments: Any) -> None:
        try:
            arguments.pop("help_all", None)
            assigned = read_assignments(arguments.pop("assigned", None))
            options = {each.name: arguments.pop(each.name) for each in settings}
            options = {name: each for name, each in options.items() if each not in (None, [], "")}
            for name in options.keys() & PAIRS.keys():
                options[name] = read_pairs(options[name], *PAIRS[name])
            if taken.methods:
                given, method = options | assigned, arguments.get("method", taken.methods[0])
                found = find_settings() if taken.from_file else None
                arguments["settings"] = add_found(found, method, given)
            for name, kind in groups.items():
                own = {each.name: arguments.pop(each.name) for each in fields(kind)}
                arguments[name] = kind(**own)
            command(**arguments)
        except ErrataError as error:
            say(f"errata: {error}")
            raise typer.Exit(code_of_error(error)) from error

    options = [*_own(given), *(_parameter(each, methods) for each in settings)]
    options += [_ASSIGNED, _HELP_ALL] if taken.methods else []
    vars(run)["__signature__"] = Signature(options)
    # Without Rich, whose columns cut the names of long options on a narrow screen.
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(command.__name__, help=text or command.__doc__, cls=GroupedCommand)(run)
    built = get_command(single)
    assert isinstance(built, GroupedCommand)  # noqa: S101  the class that it was given
    built.common = {} if methods else taken.common()
    return built


def find_settings() -> "SettingsFile | None":
    """The settings file of the working directory, which is named on standard error."""
    from errata.settings_file import SettingsFile, shown

    if file := SettingsFile.found(Path.cwd()):
        say(f"settings: {shown(file.path)}")
    return file


def add_found(file: "SettingsFile | None", method: str, given: dict[str, Any]) -> dict[str, Any]:
    """What is given, and what a file says beside that and the environment.

    Raises SettingError naming the file for what is unknown or wrong.
    """
    from errata.nodes.deployment import Deployment, variable_of

    named = ("model", *Deployment.model_fields)
    without = [name for name in named if os.environ.get(variable_of(name))]
    return file.settings_for(method, given, without) if file else given


def _own(given: Iterable[Parameter]) -> Iterator[Parameter]:
    """A command's own options; a dataclass among its parameters stands for one option per field."""
    for each in given:
        if is_dataclass(each.annotation):
            for field in fields(each.annotation):
                yield _keyword(field.name, field.type, field.default)
        elif each.name != "settings":
            yield each.replace(kind=Parameter.KEYWORD_ONLY)


def _show_all(ctx: typer.Context, asked: bool) -> None:
    if asked:
        typer.echo(ctx.get_help())
        raise typer.Exit


def _keyword(name: str, annotation: Any, default: Any = None) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_SET = Option("--set", help="NAME=VALUE, for any other setting.")
_ALL = Option("--help-all", callback=_show_all, is_eager=True, help="Show every option, and exit.")
_ASSIGNED = _keyword("assigned", Annotated[list[str] | None, _SET])
_HELP_ALL = _keyword("help_all", Annotated[bool, _ALL], default=False)


def all_settings(methods: Sequence[str]) -> dict[str, Setting]:
    """Every setting of some methods and of a deployment, by name; the first's of several."""
    if not methods:
        return {}
    from errata.nodes.deployment import Deployment

    kinds = [METHODS[method].context for method in methods]
    settings: dict[str, Setting] = {}
    for setting in chain(*map(settings_of, kinds), settings_of(Deployment)):
        settings.setdefault(setting.name, setting)
    return settings


def _parameter(setting: Setting, methods: Sequence[str]) -> Parameter:
    """A setting as a keyword parameter of a command; None if the option is not given."""
    kind = _type(setting.field.annotation)
    having = [m for m in methods if setting.name in METHODS[m].context.model_fields]
    prefix = f"{', '.join(having)}: " if 0 < len(having) < len(methods) else ""
    option = Option(
        option_name(setting),
        help=prefix + " ".join((setting.field.description or "").split()),
        envvar="ERRATA_MODEL" if setting.name == "model" else None,
        show_default=str(setting.default) if setting.default else False,
    )
    return _keyword(setting.name, Annotated[kind | None, option])


def option_name(setting: Setting) -> str:
    """A setting's option: `--top-k`; `--rag/--no-rag` for one that is on or unset by default."""
    name = (setting.flag and setting.flag.name) or f"--{setting.name.replace('_', '-')}"
    both = setting.default is True or setting.field.annotation == bool | None
    return f"{name}/--no-{name.removeprefix('--')}" if both else name


def _type(annotation: Any) -> Any:
    """The type that a command-line option reads: choices, a number, a flag, a list or a text."""
    if annotation in (bool, int, float):
        return annotation
    values = get_args(annotation)
    if NoneType in values:
        return _type(next(each for each in values if each is not NoneType))
    if get_origin(annotation) is Literal:
        return annotation if all(isinstance(value, str) for value in values) else type(values[0])
    return list[str] if get_origin(annotation) in (tuple, dict) else str
