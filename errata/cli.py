"""The command line: `errata correct | check | verify | prompts | doctor`."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from errata.errors import AccessError, ChatError, ErrataError, InputError, ReplyError, SettingError
from errata.options import (
    Answers,
    AsJson,
    Blocked,
    Corpus,
    CutSections,
    Documents,
    Draft,
    Entity,
    MaxClaims,
    Method,
    Model,
    More,
    Prompts,
    Question,
    Rag,
    Role,
    Tokens,
    TopK,
    Unsupported,
)

if TYPE_CHECKING:
    from errata.records import Correction

REFUTED, BAD_INPUT, OUTSIDE = 1, 2, 3
"""Exit codes beside 0."""

app = typer.Typer(
    name="errata",
    help="Find and correct factual errors in what language models write, with evidence.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.command()
def correct(
    more: More = None,
    question: Question = "",
    draft: Draft = "",
    method: Method = Method.rac,
    documents: Documents = None,
    corpus: Corpus = "",
    rag: Rag = True,
    unsupported: Annotated[
        Unsupported, typer.Option(help="Flag what nothing corrects, or take it out.")
    ] = Unsupported.flag,
    keep_all_true: Annotated[
        bool, typer.Option("--keep-all-true", help="Keep a draft with nothing refuted as it is.")
    ] = False,
    drop_not_mentioned: Annotated[
        bool, typer.Option("--drop-not-mentioned", help="Leave out what no document mentions.")
    ] = False,
    answers: Annotated[Answers, typer.Option(help="The form of the answer.")] = Answers.long,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    entity: Entity = "",
    top_k: TopK = 5,
    max_document_tokens: Tokens = 0,
    max_claims: MaxClaims = 2000,
    cut_sections: CutSections = False,
    blocked_domain: Blocked = None,
    as_json: AsJson = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    with failures():
        settings = _settings(model, role, prompts) | {
            "rag": rag,
            "unsupported": unsupported.value,
            "keep_all_true": keep_all_true,
            "drop_not_mentioned": drop_not_mentioned,
            "answers": answers.value,
            "corpus": corpus,
            "entity": entity,
            "top_k": top_k,
            "max_document_tokens": max_document_tokens,
            "max_claims": max_claims,
            "cut_sections": cut_sections,
            "blocked_domains": blocked_domain or (),
        }
        files = [*(documents or ()), *(more or ())]
        correction = _run(question, draft, method.value, files, settings)
        _show(correction, as_json)
    _answered(correction, settings)


@app.command()
def check(
    more: More = None,
    question: Question = "",
    draft: Draft = "",
    method: Method = Method.rac,
    documents: Documents = None,
    corpus: Corpus = "",
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if anything is refuted.")
    ] = False,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    entity: Entity = "",
    top_k: TopK = 5,
    max_document_tokens: Tokens = 0,
    max_claims: MaxClaims = 2000,
    as_json: AsJson = False,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    with failures():
        settings = _settings(model, role, prompts) | {
            "check_only": True,
            "corpus": corpus,
            "entity": entity,
            "top_k": top_k,
            "max_document_tokens": max_document_tokens,
            "max_claims": max_claims,
        }
        files = [*(documents or ()), *(more or ())]
        correction = _run(question, draft, method.value, files, settings)
        _show(correction, as_json)
    _answered(correction, settings)
    if strict and correction.label == "refuted":
        raise typer.Exit(REFUTED)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="Rows {id, claim, evidence: [texts], question?}.")],
    out: Annotated[Path | None, typer.Option("--out", help="Write here, not to stdout.")] = None,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    as_json: AsJson = True,  # noqa: ARG001  every verb takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, quotes} for each."""
    from rich.console import Console
    from rich.progress import track

    from errata.api import closing
    from errata.bulk import read_rows, verified
    from errata.nodes.rac.state import RacContext

    with failures():
        rows = read_rows(file)
        context = RacContext(**_settings(model, role, prompts))

        async def write() -> None:
            results = verified(rows, context)
            with out.open("w", encoding="utf-8") if out else _stdout() as target:
                bar = Console(stderr=True)
                for _ in track(rows, "verifying", console=bar, disable=not bar.is_terminal):
                    target.write(json.dumps(await anext(results), ensure_ascii=False) + "\n")
                    target.flush()

        asyncio.run(closing(write()))


@app.command()
def prompts(
    name: Annotated[str, typer.Argument(help="Print this template's text.")] = "",
    folder: Prompts = "",
    as_json: AsJson = False,
) -> None:
    """List the templates with their source and digest, or print one."""
    from rich.console import Console
    from rich.table import Table

    from errata.prompts.library import names, prompt

    with failures():
        found = [prompt(each, folder) for each in ([name] if name else names())]
        if as_json:
            rows = [{"name": p.name, "digest": p.digest, **p.head.model_dump()} for p in found]
            sys.stdout.write(json.dumps(rows, ensure_ascii=False, indent=1) + "\n")
        elif name:
            sys.stdout.write(f"{found[0].body}\n")
        else:
            table = Table("prompt", "digest", "source", box=None)
            for each in found:
                table.add_row(each.name, each.digest[:8], each.head.source)
            Console().print(table)


@app.command()
def doctor(model: Model = "", role: Role = None, as_json: AsJson = False) -> None:
    """Say what is configured, and whether it works."""
    from errata.doctor import examined

    with failures():
        found = examined(_settings(model, role, ""))
        if as_json:
            sys.stdout.write(json.dumps(found, indent=1) + "\n")
        else:
            for row in found:
                mark = "ok  " if row["ok"] else "FAIL"
                sys.stdout.write(f"{mark} {row['what']}: {row['found']}\n")
    if not all(row["ok"] for row in found):
        raise typer.Exit(OUTSIDE)


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
def _stdout() -> Iterator[Any]:
    yield sys.stdout


def _settings(model: str, roles: list[str] | None, prompts: str) -> dict[str, Any]:
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


def _run(
    question: str, draft: str, method: str, files: list[Path], settings: dict[str, Any]
) -> "Correction":
    from rich.console import Console

    from errata.api import correct as run
    from errata.tools.corpus import read_documents

    text = _text(draft) if draft else ""
    documents = [document for file in files for document in read_documents(file)]
    with Console(stderr=True).status("reading, checking, correcting …"):
        return run(question, text, method, documents, **settings)


def _answered(correction: "Correction", settings: dict[str, Any]) -> None:
    """Exit with 3 where models were to be asked and not one answered; the notes say why."""
    specs = (settings["model"], *settings["roles"].values())
    asked = any(not spec.startswith("local") for spec in specs)
    if asked and correction.claims == () and correction.usage.model_calls == 0:
        raise typer.Exit(OUTSIDE)


def _text(source: str) -> str:
    """Read the draft from a file or from standard input."""
    from errata.tools.corpus import read_text

    text = sys.stdin.read() if source == "-" else read_text(Path(source))
    if not text.strip():
        raise InputError(f"the draft {source!r} is empty; leave --draft away to have one written")
    return text.rstrip("\n")


def _show(correction: "Correction", as_json: bool) -> None:
    from rich.console import Console

    from errata.records import to_json
    from errata.show import coloured_diff, plain_diff, verdict_list

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


def main() -> None:
    """Run the command line."""
    app()
