"""Options: those that commands share, and one for each setting that has a flag."""

from collections.abc import Callable, Mapping, Sequence, Set
from functools import wraps
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args, get_origin

import typer

from errata.core.errors import SettingError
from errata.methods import METHODS, method_named
from errata.nodes.settings import read_pairs

if TYPE_CHECKING:
    from errata.nodes.settings import Setting

Question = Annotated[str, typer.Option("--question", "-q", help="What the draft answers.")]
Drafts = Annotated[
    list[str] | None,
    typer.Option("--draft", "-d", metavar="FILE…", help="Files, or - for standard input."),
]
Documents = Annotated[
    list[str] | None,
    typer.Option(
        "--documents",
        metavar="FILE…",
        help="Files, folders or addresses of pages to judge by: text, Markdown, HTML, PDF, DOCX, "
        "CSV, JSON.",
    ),
]
MoreDocuments = Annotated[
    list[str] | None, typer.Argument(help="Further documents.", show_default=False)
]
Html = Annotated[Path | None, typer.Option("--html", help="Write a report to this file, too.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
PromptFolder = Annotated[
    str, typer.Option("--prompt-folder", help="A folder of templates of your own.")
]
Out = Annotated[Path | None, typer.Option("--out", help="Write here, not to stdout.")]
Assignments = Annotated[
    list[str] | None, typer.Option("--set", help="NAME=VALUE, for any other setting.")
]
MODELS = (
    "model",
    "roles",
    "profile",
    "sampling",
    "prompts",
    "prompt_folder",
    "record",
    "replay",
    "call_cache",
)
"""The settings of commands that only judge."""
PAIRS = {
    "roles": ("--role", "ROLE=FILLER, such as verify=local"),
    "sampling": ("--sampling", "NAME=VALUE or ROLE.NAME=VALUE, such as temperature=0"),
    "prompts": ("--prompt", "STEP=NAME, such as verify=rac/verify.v1"),
}
"""The settings that are mappings: the option, and the form of what it takes."""


def method_option(methods: Sequence[str]) -> Any:
    """The option that chooses among some methods, or another one that is installed."""
    names = f"[{'|'.join(methods)}|…]"
    return typer.Option("--method", metavar=names, help="What does the work; or another method.")


def with_settings(
    methods: Sequence[str], *, checking: bool = False, only: Sequence[str] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add an option for each flagged setting of some methods.

    The command's parameter `settings` holds those that were given on the command line, or by the
    setting's environment variable.
    """
    flagged = {
        name: setting
        for name, setting in all_settings(methods).items()
        if setting.flag and (setting.flag.check or not checking) and (not only or name in only)
    }

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**arguments: Any) -> None:
            options = {name: arguments.pop(name) for name in flagged}
            command(**arguments, settings=lambda: read_options(options))

        own = [p for name, p in signature(command).parameters.items() if name != "settings"]
        options = [_parameter(setting, methods) for setting in flagged.values()]
        run.__signature__ = signature(command).replace(  # type: ignore[attr-defined]
            parameters=[p.replace(kind=Parameter.KEYWORD_ONLY) for p in (*own, *options)]
        )
        del run.__annotations__["settings"]
        return run

    return decorate


def all_settings(methods: Sequence[str]) -> "dict[str, Setting]":
    """Every setting of some methods, by name; the first method's where several have it."""
    from errata.nodes.settings import settings_of

    settings: dict[str, Setting] = {}
    for method in methods:
        for setting in settings_of(METHODS[method].context):
            settings.setdefault(setting.name, setting)
    return settings


def _parameter(setting: "Setting", methods: Sequence[str]) -> Parameter:
    """A setting as a command's keyword; its option is None where it is not given."""
    kind = _type(setting.field.annotation)
    having = [m for m in methods if setting.name in METHODS[m].context.model_fields]
    prefix = "" if len(having) == len(methods) else f"{', '.join(having)}: "
    option = typer.Option(
        option_name(setting),
        help=prefix + " ".join((setting.field.description or "").split()),
        envvar=(setting.flag and setting.flag.environment) or None,
        show_default=_default(setting.default),
    )
    return Parameter(
        setting.name,
        Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind | None, option],
    )


def option_name(setting: "Setting") -> str:
    """A setting's option: `--top-k`; `--rag/--no-rag` for what is on, or open, by default."""
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


def _default(default: Any) -> str | bool:
    return str(default) if default else False


def read_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings among the options that were given; `ROLE=FILLER` pairs become a mapping.

    Raises SettingError if a pair cannot be read.
    """
    settings = {name: value for name, value in options.items() if value not in (None, [], "")}
    pairs = {
        name: read_pairs(settings[name], *form) for name, form in PAIRS.items() if name in settings
    }
    return settings | pairs


def fit_settings(
    method: str, methods: Sequence[str], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings that a method has, where those of other methods are at their defaults.

    Raises SettingError if one of these is not, or the method does other work than `methods`.
    """
    _check_method(method, {METHODS[name].corrects for name in methods})
    others = all_settings(methods)
    known = METHODS[method].context.model_fields
    foreign = {n: value for n, value in settings.items() if n in others and n not in known}
    wrong = [name for name, value in foreign.items() if value != others[name].default]
    if wrong:
        raise SettingError(f"{method} has no setting {', '.join(map(repr, wrong))}; leave it out")
    return {name: value for name, value in settings.items() if name not in foreign}


def _check_method(method: str, kinds: Set[bool]) -> None:
    corrects = method_named(method).corrects
    if corrects not in kinds:
        does, command = ("corrects drafts", "correct")
        if not corrects:
            does, command = ("answers questions", "answer")
        fitting = [name for name in METHODS if METHODS[name].corrects in kinds]
        instead = f"choose {' or '.join(fitting)}, or use `errata {command}`"
        raise SettingError(f"{method} {does}; {instead}")
