"""The options that commands share; a class of them stands in a command for its fields."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
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
Form = Literal["json", "sarif", "markdown"]
AsForm = Annotated[Form | None, Option("--format", help="Print the findings in this form.")]
_PAIRS = {
    "roles": ("--role", "ROLE=FILLER, such as verify=local"),
    "sampling": ("--sampling", "NAME=VALUE or ROLE.NAME=VALUE, such as temperature=0"),
    "prompts": ("--prompt", "STEP=NAME, such as verify=rac/verify.v1"),
    "assigned": ("--set", "NAME=VALUE, such as guard=false"),
}
"""What is a mapping: the option, and the form of what it takes."""
_MANY = {"--draft": "--draft", "-d": "--draft", "--documents": "--documents"}
"""The options of which one takes every word up to the next option, and each one's whole name."""


@dataclass(frozen=True, kw_only=True)
class Models:
    """The settings that say what judges and writes, and any other by `--set`."""

    model: Annotated[
        str | None,
        Option(
            envvar="ERRATA_MODEL", help="local, PROVIDER:MODEL or scripted:FILE, for all roles."
        ),
    ] = None
    roles: Annotated[
        list[str] | None,
        Option("--role", metavar="ROLE=FILLER", help="What fills one role in place of the model."),
    ] = None
    sampling: Annotated[
        list[str] | None,
        Option(metavar="NAME=VALUE", help="How models choose words, such as temperature=0."),
    ] = None
    assigned: Annotated[
        list[str] | None, Option("--set", metavar="NAME=VALUE", help="Any other setting.")
    ] = None

    @property
    def given(self) -> dict[str, Any]:
        """The settings that were given on the command line, or by `ERRATA_MODEL`.

        Raises SettingError if one cannot be read.
        """
        given: dict[str, Any] = {n: v for n, v in vars(self).items() if v not in (None, [])}
        for name in given.keys() & _PAIRS.keys():
            given[name] = _read_pairs(given[name], *_PAIRS[name])
        assigned: dict[str, Any] = given.pop("assigned", {})
        for name, value in assigned.items():
            with suppress(ValueError):
                assigned[name] = json.loads(value)
        return given | assigned

    def for_method(self, method: str) -> dict[str, Any]:
        """The given settings of a method, and what a settings file says beside them.

        Raises SettingError as `add_found` does.
        """
        return add_found(find_settings(), method, self.given)


@dataclass(frozen=True, kw_only=True)
class Judge(Models):
    """The settings of commands that judge."""

    profile: Annotated[str | None, Option(help="A set of settings: paper or extractive.")] = None
    prompts: Annotated[
        list[str] | None,
        Option("--prompt", metavar="STEP=NAME", help="The version of a template to use."),
    ] = None
    prompt_folder: Annotated[str | None, Option(help="A folder of templates of your own.")] = None
    call_cache: Annotated[str | None, Option(help="A file that keeps models' replies.")] = None
    record: Annotated[str | None, Option(help="A file to record exchanges with models in.")] = None
    replay: Annotated[str | None, Option(help="A file of exchanges to answer from.")] = None


@dataclass(frozen=True, kw_only=True)
class Settings(Judge):
    """The settings of commands that look for evidence."""

    corpus: Annotated[
        str | None, Option(help="A folder of texts, or an index, to retrieve from.")
    ] = None
    search: Annotated[
        str | None, Option(help="The web's search engine, such as serpapi or searxng.")
    ] = None
    top_k: Annotated[int | None, Option(help="How many documents to retrieve for one query.")] = (
        None
    )
    unsupported: Annotated[
        str | None, Option(metavar="flag|drop|hedge", help="What becomes of unsupported claims.")
    ] = None
    cite: Annotated[
        str | None,
        Option(metavar="numbers|footnotes|links", help="Mark what is supported with its sources."),
    ] = None
    page_cache: Annotated[str | None, Option(help="A file that keeps web pages.")] = None
    max_seconds: Annotated[float | None, Option(help="Seconds that a run may take.")] = None
    max_calls: Annotated[int | None, Option(help="Calls to models that a run may pay for.")] = None
    max_money: Annotated[float | None, Option(help="What a run's calls and searches may cost.")] = (
        None
    )


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


def _read_pairs(texts: Sequence[str], option: str, form: str) -> dict[str, Any]:
    """`NAME=VALUE` texts of an option as a mapping; raises SettingError if one cannot be read."""
    pairs = [text.partition("=") for text in texts]
    for name, equals, value in pairs:
        if not (name and equals and (value or option == "--set")):
            raise SettingError(f"{option} takes {form}; got {name + equals + value!r}")
    return {name: value for name, _, value in pairs}


def method_option(methods: Sequence[str]) -> Any:
    """The option `--method`: one of these methods, or another that is installed."""
    names = f"[{'|'.join(methods)}|…]"
    return Option("--method", metavar=names, help="What does the work; or another method.")


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
    for word in words:
        if word in _MANY:
            many = _MANY[word]
            continue
        if word.startswith("-") and word != "-":
            many = ""
        yield from filter(
            None, (many, "--strict=refuted" if check and word == "--strict" else word)
        )


def add_command(app: typer.Typer, command: Callable[..., None], **context: Any) -> None:
    """Add a command, whose parameters may be classes of options; our errors become exit codes."""
    parameters = signature(command).parameters.values()
    groups: dict[str, Any] = {
        each.name: each.annotation for each in parameters if is_dataclass(each.annotation)
    }

    def run(**arguments: Any) -> None:
        try:
            for name, kind in groups.items():
                own = {each.name: arguments.pop(each.name) for each in fields(kind)}
                arguments[name] = kind(**own)
            command(**arguments)
        except ErrataError as error:
            say(f"errata: {error}")
            raise typer.Exit(code_of_error(error)) from error

    options = [option for each in parameters for option in _options(each)]
    vars(run)["__signature__"] = Signature(options)
    given: dict[str, Any] = {"help": command.__doc__, "short_help": command.__doc__}
    app.command(command.__name__, cls=ManyWords, context_settings=context, **given)(run)


def _options(given: Parameter) -> Iterator[Parameter]:
    """A parameter, or one for each field of its class."""
    kind = Parameter.KEYWORD_ONLY
    if not is_dataclass(given.annotation):
        yield given.replace(kind=kind)
        return
    for field in fields(given.annotation):
        yield Parameter(field.name, kind, default=field.default, annotation=field.type)
