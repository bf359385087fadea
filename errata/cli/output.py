"""What commands share: reading what they are given, showing what comes out, ending well."""

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from errata.errors import AccessError, ChatError, ErrataError, InputError, ReplyError, SettingError

if TYPE_CHECKING:
    from errata.records import Answer, Correction

BAD_INPUT, OUTSIDE = 2, 3


@contextmanager
def failures() -> Iterator[None]:
    """Turn our errors into a line on standard error and an exit code."""
    try:
        yield
    except ErrataError as error:
        sys.stderr.write(f"errata: {error}\n")
        outside = isinstance(error, AccessError | ChatError | ReplyError)
        raise typer.Exit(OUTSIDE if outside else BAD_INPUT) from error


@contextmanager
def stdout() -> Iterator[Any]:
    """Give standard output as a file to write to; it stays open."""
    yield sys.stdout


def settings_of(model: str, roles: list[str] | None, prompts: str) -> dict[str, Any]:
    """Read what fills the roles: options first, then ERRATA_MODEL, then local."""
    pairs = [role.partition("=") for role in roles or ()]
    wrong = [name for name, equals, spec in pairs if not (name and equals and spec)]
    if wrong:
        raise SettingError(f"--role takes ROLE=FILLER, such as verify=local; got {wrong[0]!r}")
    return {
        "model": model or os.environ.get("ERRATA_MODEL") or "local",
        "roles": {name: spec for name, _, spec in pairs},
        "prompts": prompts,
    }


def further(pairs: list[str] | None) -> dict[str, Any]:
    """Read `--set NAME=VALUE`; a value is JSON, or text as it stands."""
    found = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise SettingError(f"--set takes NAME=VALUE, such as guard=false; got {pair!r}")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


async def written(results: AsyncIterator[dict[str, Any]], count: int, out: Path | None) -> int:
    """Write rows as they come, with a progress bar; give how many hold a judgement."""
    from rich.console import Console
    from rich.progress import track

    judged, bar = 0, Console(stderr=True)
    with out.open("w", encoding="utf-8") if out else stdout() as target:
        for _ in track(range(count), "judging", console=bar, disable=not bar.is_terminal):
            row = await anext(results)
            judged += "notes" not in row
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
    return judged


def fitting(method: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Leave out what only other methods have, where it was not set.

    Raises SettingError where it was.
    """
    from errata.api import CORRECTING, context_of

    known = context_of(method).model_fields
    other = {name: f for each in CORRECTING for name, f in context_of(each).model_fields.items()}
    odd = {name: v for name, v in settings.items() if name in other and name not in known}
    wrong = [name for name, value in odd.items() if value != other[name].default]
    if wrong:
        raise SettingError(f"{method} has no setting {', '.join(map(repr, wrong))}; leave it out")
    return {name: value for name, value in settings.items() if name not in odd}


def run(
    question: str, draft: str, method: str, files: list[Path], settings: dict[str, Any]
) -> "Correction":
    """Read the draft and the documents, and correct."""
    from rich.console import Console

    from errata.api import correct
    from errata.tools.retrieval.folder import read_documents

    text = draft_text(draft) if draft else ""
    documents = [document for file in files for document in read_documents(file)]
    with Console(stderr=True).status("reading, checking, correcting …"):
        return correct(question, text, method, documents, **fitting(method, settings))


def answered(correction: "Correction", settings: dict[str, Any], *, strict: bool = False) -> None:
    """Exit with 3 where the model that had to judge judged nothing; the notes say why.

    Under `strict` that holds for a single claim: what nobody checked must not pass a gate.
    """
    verifies = settings.get("rag", True) or settings.get("check_only")
    judge = "verify" if verifies else "correct"
    role = judge if correction.claims else "extract"
    if correction.method == "reex":
        role = "explain"
    left = [v for v in correction.verdicts if v.label in ("unreadable", "unchecked")]
    calls = correction.usage.by_role.get(role, {}).get("model_calls", 0)
    silent = not calls and len(left) == len(correction.verdicts)
    if by_model(settings, role) and (silent or (strict and left)):
        raise typer.Exit(OUTSIDE)


def by_model(settings: dict[str, Any], role: str) -> bool:
    """Tell whether a model fills a role."""
    from errata.tools.models.chat import is_local

    return not is_local(settings["roles"].get(role, settings["model"]))


def draft_text(source: str) -> str:
    """Read the draft from a file or from standard input."""
    from errata.tools.text.files import read_text

    text = sys.stdin.read() if source == "-" else read_text(Path(source))
    if not text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    return text.rstrip("\n")


def reported(result: "Correction | Answer", path: Path | None) -> None:
    """Write a report where one is asked for."""
    from errata.render.html import write_report

    if path:
        write_report(result, path)


def show_answer(answer: "Answer", as_json: bool) -> None:
    """Print an answer: as JSON, or with the knowledge it rests on."""
    from rich.console import Console

    from errata.records import to_json
    from errata.render.terminal import knowledge_list

    if as_json:
        sys.stdout.write(json.dumps(to_json(answer), ensure_ascii=False, indent=1) + "\n")
        return
    console = Console()
    console.print(answer.response, markup=False, highlight=False)
    console.print()
    console.print(knowledge_list(answer), soft_wrap=True)
    for note in answer.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    searched = f", searched for {answer.queries[0]!r}" if answer.queries else ""
    console.print(
        f"\n{answer.action}{searched}; {len(answer.knowledge)} strips, "
        f"{answer.usage.model_calls} model calls, {answer.usage.seconds:.2f} s",
        highlight=False,
    )


def show(correction: "Correction", as_json: bool) -> None:
    """Print a correction: as JSON, or as a diff with verdicts."""
    from rich.console import Console

    from errata.records import to_json
    from errata.render.terminal import coloured_diff, plain_diff, verdict_list

    if as_json:
        sys.stdout.write(json.dumps(to_json(correction), ensure_ascii=False, indent=1) + "\n")
        return
    console = Console()
    colour = console.is_terminal and not console.no_color
    console.print(coloured_diff(correction) if colour else plain_diff(correction), markup=False)
    console.print()
    console.print(verdict_list(correction), soft_wrap=True)
    for note in correction.notes:
        console.print(f"note: {note}", markup=False, highlight=False)
    edits = len(correction.edits)
    console.print(
        f"\n{correction.label.replace('_', ' ')}; {len(correction.claims)} claims, "
        f"{edits} edit{'' if edits == 1 else 's'}, {correction.usage.model_calls} model calls, "
        f"{correction.usage.seconds:.2f} s",
        highlight=False,
    )
