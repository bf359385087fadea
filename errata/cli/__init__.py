"""The command line: `errata correct | check | verify | answer | score | index | …`."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from errata.cli.answer import answer, index, score
from errata.cli.options import (
    Answers,
    AsJson,
    Blocked,
    By,
    Corpus,
    CutSections,
    Documents,
    Draft,
    Entity,
    Evidence,
    Further,
    Html,
    MaxClaims,
    Method,
    Model,
    More,
    Prompts,
    Question,
    Rag,
    Record,
    Replay,
    Role,
    Search,
    Steps,
    Tokens,
    TopK,
    Unsupported,
)
from errata.cli.output import (
    OUTSIDE,
    answered,
    by_model,
    failures,
    further,
    reported,
    run,
    settings_of,
    show,
    written,
)

REFUTED = 1
"""The exit code of a strict check that found something wrong; console.py has the others."""

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
    search: Search = "none",
    steps: Steps = 2,
    evidence: By = Evidence.external,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    record: Record = "",
    replay: Replay = "",
    entity: Entity = "",
    top_k: TopK = 5,
    max_document_tokens: Tokens = 0,
    max_claims: MaxClaims = 2000,
    cut_sections: CutSections = False,
    blocked_domain: Blocked = None,
    more_settings: Further = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Correct a draft by documents or a corpus; write one first if none is given."""
    with failures():
        settings = settings_of(model, role, prompts) | {
            "rag": rag,
            "unsupported": unsupported.value,
            "keep_all_true": keep_all_true,
            "drop_not_mentioned": drop_not_mentioned,
            "answers": answers.value,
            "corpus": corpus,
            "search": search,
            "steps": steps,
            "evidence": evidence.value,
            "record": record,
            "replay": replay,
            "entity": entity,
            "top_k": top_k,
            "max_document_tokens": max_document_tokens,
            "max_claims": max_claims,
            "cut_sections": cut_sections,
            "blocked_domains": blocked_domain or (),
            **further(more_settings),
        }
        files = [*(documents or ()), *(more or ())]
        correction = run(question, draft, method.value, files, settings)
        reported(correction, html)
        show(correction, as_json)
    answered(correction, settings)


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
    search: Search = "none",
    steps: Steps = 2,
    evidence: By = Evidence.external,
    model: Model = "",
    role: Role = None,
    prompts: Prompts = "",
    record: Record = "",
    replay: Replay = "",
    entity: Entity = "",
    top_k: TopK = 5,
    max_document_tokens: Tokens = 0,
    max_claims: MaxClaims = 2000,
    more_settings: Further = None,
    html: Html = None,
    as_json: AsJson = False,
) -> None:
    """Judge a draft's claims by documents or a corpus; change nothing."""
    with failures():
        settings = settings_of(model, role, prompts) | {
            "check_only": True,
            "corpus": corpus,
            "search": search,
            "steps": steps,
            "evidence": evidence.value,
            "record": record,
            "replay": replay,
            "entity": entity,
            "top_k": top_k,
            "max_document_tokens": max_document_tokens,
            "max_claims": max_claims,
            **further(more_settings),
        }
        files = [*(documents or ()), *(more or ())]
        correction = run(question, draft, method.value, files, settings)
        reported(correction, html)
        show(correction, as_json)
    if strict and correction.label == "refuted":
        raise typer.Exit(REFUTED)
    answered(correction, settings, strict=strict)


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
    from errata.api import closing, made
    from errata.bulk import VerifyRow, read_rows, verify_rows
    from errata.nodes.rac.state import RacContext

    with failures():
        rows = read_rows(file, VerifyRow)
        settings = settings_of(model, role, prompts)
        context = made(RacContext, settings)
        judged = asyncio.run(closing(written(verify_rows(rows, context), len(rows), out)))
    if rows and not judged and by_model(settings, "verify"):
        raise typer.Exit(OUTSIDE)


@app.command()
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
        found = [load_prompt(each, folder) for each in ([name] if name else prompt_names())]
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
    from errata.cli.doctor import examined

    with failures():
        found = examined(settings_of(model, role, ""))
        if as_json:
            sys.stdout.write(json.dumps(found, indent=1) + "\n")
        else:
            for row in found:
                mark = "ok  " if row["ok"] else "FAIL"
                sys.stdout.write(f"{mark} {row['what']}: {row['found']}\n")
    if not all(row["ok"] for row in found):
        raise typer.Exit(OUTSIDE)


app.command()(answer)
app.command()(score)
app.command()(index)


def main() -> None:
    """Run the command line."""
    app()
