"""`errata verify`: rows in, rows out, each written as soon as it is judged.

`errata calibrate`: the score from which a judge is right often enough.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeVar

import typer
from typer import Argument, Option

from errata.cli.codes import OUTSIDE
from errata.cli.drafts import read_input
from errata.cli.options import AsJson, Out, Settings, for_method
from errata.cli.output import Progress, check_writable, show
from errata.core.errors import InputError, count
from errata.core.jsonable import from_json, to_json
from errata.core.records import INCONCLUSIVE, Claim, Document
from errata.render.terminal import say
from errata.tools.files.rows import numbered_lines, parse_json_row

if TYPE_CHECKING:
    from errata.nodes.context import Context
    from errata.nodes.rac.state import RacContext

FOLDS = 5
FEWEST = 20
"""Fewest claims that a threshold is chosen by."""


@dataclass(frozen=True, kw_only=True)
class VerifyRow:
    """One row of `errata verify`."""

    FORM: ClassVar = "{id, claim, evidence: [texts], question?}"
    claim: str
    evidence: tuple[str, ...]
    id: str = ""
    question: str = ""


Row = TypeVar("Row", bound=VerifyRow)


def verify(
    file: Annotated[str, Argument(help=f"Rows {VerifyRow.FORM}.")],
    settings: Settings,
    out: Out = None,
    as_json: AsJson = True,  # noqa: ARG001  every command takes --json; this one prints nothing else
) -> None:
    """Judge many claims; write a row {id, label, score, explanation, quotes} for each."""
    from errata.session import Session

    rows = read_cases(file, VerifyRow)
    check_writable(out)
    with Session("rac", **for_method("rac", settings)) as session:
        context: Any = session.context
        judged = session.run(_write_rows, rows, context, out)
    if context.by_model("verify") and rows and not judged:
        raise typer.Exit(OUTSIDE)


def read_cases(source: str, kind: type[Row]) -> list[Row]:
    """The rows of a file or `-`, by id or the line's number; raises InputError naming the line."""
    rows = dict[str, Row]()
    for where, line in numbered_lines(read_input(source)[1], repr(source)):
        values = parse_json_row(line, where)
        name = str(values.get("id", where.rpartition(" ")[2]))
        try:
            row = from_json(kind, {**values, "id": name}, f"a row is {kind.FORM}")
        except InputError as error:
            raise InputError(f"{where}: {error}") from error
        if name in rows:
            raise InputError(
                f"{where}: its id {name!r} is that of an earlier row; give each row its own, or "
                "leave all ids out"
            )
        rows[name] = row
    if not rows:
        say(f"note: {source!r} has no rows")
    return [*rows.values()]


async def _write_rows(rows: Sequence[VerifyRow], context: "RacContext", out: Path | None) -> int:
    """Write rows as they are judged; return how many of them hold a judgement."""
    judged, progress = 0, Progress(quiet=not out and sys.stdout.isatty())
    with out.open("w", encoding="utf-8") if out else nullcontext(sys.stdout) as target:
        async for row in verify_rows(rows, context, progress):
            judged += "notes" not in row
            target.write(json.dumps(row, ensure_ascii=False) + "\n")
            target.flush()
    return judged


async def verify_rows(
    rows: Sequence[VerifyRow], context: "RacContext", progress: Progress
) -> AsyncIterator[dict[str, Any]]:
    """`{id, label, score, explanation, quotes}` for each row, by RAC's verify; a few at once."""
    asks = context.by_model("verify") or context.deciders("verify")
    size = context.deployment.at_once if asks else 1
    context = context.model_copy(update={"check_only": True})
    with progress.shown("judging …"):
        for first in range(0, len(rows), size):
            work = (_verify_row(row, context) for row in rows[first : first + size])
            for done, result in enumerate(await asyncio.gather(*work), start=first + 1):
                yield result
                progress.tell(f"judged {done} of {len(rows)} rows")


async def _verify_row(row: VerifyRow, context: "RacContext") -> dict[str, Any]:
    from errata.core.limits import Run, open_run
    from errata.nodes.rac.state import Rac
    from errata.nodes.rac.verify import judge_of_draft

    documents = [Document(id=f"d{n}", text=t) for n, t in enumerate(row.evidence, start=1)]
    claim = Claim(id=row.id, text=row.claim, start=0, end=len(row.claim))
    with open_run(Run()) as run:
        state = Rac(question=row.question)
        [verdict], _ = await judge_of_draft(state, [claim], documents, context)
    found = to_json(verdict)
    result = {name: found[name] for name in ("label", "score", "explanation")}
    notes = {"notes": [*run.notes]} if run.notes else {}
    return {"id": row.id, **result, "quotes": found["evidence"], **notes}


@dataclass(frozen=True, kw_only=True)
class LabelledRow(VerifyRow):
    """One row of `errata calibrate`."""

    FORM: ClassVar = "{id, claim, evidence: [texts], label, question?}"
    label: Literal["supported", "refuted", "not_mentioned"]


@dataclass(frozen=True)
class JudgedRow:
    """A person's label of a claim beside the judge's."""

    label: str
    said: str
    score: float
    """The score from which the claim would be called supported; -inf if it never would."""


def calibrate(
    file: Annotated[str, Argument(help=f"Rows {LabelledRow.FORM}.")],
    settings: Settings,
    right: Annotated[
        float,
        Option(min=0.5, max=1, help="The least share of right ones among claims called supported."),
    ] = 0.9,
    out: Annotated[Path | None, Option("--out", help="Write the calibrated judge here.")] = None,
    as_json: AsJson = False,
) -> None:
    """Choose, by labelled claims, the score from which a claim counts as supported."""
    from errata.session import Session
    from errata.tools.models.spec import split_cascade

    check_writable(out)
    rows, own = read_cases(file, LabelledRow), for_method("rac", settings)
    roles = own.get("roles", {})
    # Of a cascade the first is calibrated, which has the scores.
    first, second = split_cascade(roles.get("verify", own.get("model", "local")))
    own["roles"] = roles | {"verify": first}
    with Session("rac", **own) as session:
        judged = session.run(_judge, rows, session.context)
        threshold = choose_threshold(judged, right)
        use = "" if threshold is None else f"--set sure_above={threshold}"
        if threshold is not None and not second:
            use = _keep(session.context, threshold, out)
    found = {"rows": len(judged), "threshold": threshold, "use": use}
    show(found, _describe(judged, threshold, right, use), as_json=as_json)


async def _judge(rows: Sequence[LabelledRow], context: "RacContext") -> list[JudgedRow]:
    """The judge's verdicts beside the labels; rows that could not be judged are told."""
    labels, judged = {row.id: row.label for row in rows}, list[JudgedRow]()
    async for row in verify_rows(rows, context, Progress()):
        said, score = row["label"], row["score"]
        if said in ("unchecked", "unreadable"):
            say(f"note: row {row['id']} was not judged: {row['explanation']}")
            continue
        if score is None or said not in ("supported", *INCONCLUSIVE):
            score = -inf
        judged.append(JudgedRow(labels[row["id"]], said, score))
    return judged


def choose_threshold(judged: Sequence[JudgedRow], right: float) -> float | None:
    """The lowest score from which enough claims are supported; None if there is none.

    >>> right = JudgedRow("supported", "supported", .8)
    >>> choose_threshold([right, JudgedRow("refuted", "supported", .5)] * 30, .9)
    0.8
    """
    for score in sorted({one.score for one in judged} - {-inf}):
        called, true = tally(judged, score)
        if called >= FEWEST and true >= right * called:
            return score
    return None


def tally(judged: Sequence[JudgedRow], threshold: float) -> tuple[int, int]:
    """How many claims are called supported from a score on, and how many of them are."""
    called = [one.label == "supported" for one in judged if one.score >= threshold]
    return len(called), sum(called)


def check_on_others(judged: Sequence[JudgedRow], right: float) -> tuple[int, int]:
    """As `tally`, each fifth of the rows by the threshold that the others would choose."""
    called = true = 0
    for fold in range(FOLDS):
        others = [one for place, one in enumerate(judged) if place % FOLDS != fold]
        threshold = choose_threshold(others, right)
        own = tally(judged[fold::FOLDS], inf if threshold is None else threshold)
        called, true = called + own[0], true + own[1]
    return called, true


def _describe(
    judged: Sequence[JudgedRow], threshold: float | None, right: float, use: str
) -> Iterator[str]:
    yield f"{count(judged, 'row')} judged; label, what the judge says, rows:"
    for (label, said), number in sorted(Counter((one.label, one.said) for one in judged).items()):
        yield f"  {label:<14} {said:<14} {number:>6}"
    if threshold is None:
        yield f"no score, if the judge gives any, is right often enough for {FEWEST} claims"
        return
    called, true = tally(judged, threshold)
    of_all = sum(one.label == "supported" for one in judged)
    right_of = f"{called} called, {true} right, of {of_all} supported ones"
    yield f"supported from {threshold:.3f}: {right_of}"
    called, true = check_on_others(judged, right)
    yield f"on rows it was not chosen by: {true} right of {called} called"
    yield f"use: {use}"


def _keep(context: "Context", threshold: float, out: Path | None) -> str:
    """Write the judge with its threshold, and say how it is named."""
    import yaml

    from errata.tools.judges.findings import read_verifier_weights
    from errata.tools.judges.hub_verifier import form_of

    source = context.checkpoint("verify")
    if context.deciders("verify"):
        if out:
            raise InputError(f"--out {str(out)!r}: a decision model has no file to keep")
        return f"scores from {threshold}; in a cascade verify=…>MODEL --set sure_above={threshold}"
    if out is None:
        return f"threshold {threshold}; name a file with --out to keep it"
    if source and out.suffix not in (".yaml", ".yml"):
        raise InputError(f"--out {str(out)!r}: a checkpoint is kept in a file that ends in .yaml")
    if source:
        kept = {name: value for name, value in asdict(form_of(source)).items() if value != ()}
        text = yaml.safe_dump(kept | {"threshold": threshold}, sort_keys=False)
    else:
        weights = read_verifier_weights(context.weights("verify"))
        text = json.dumps(asdict(replace(weights, sure=threshold)), indent=1)
    out.write_text(text, encoding="utf-8")
    return f"--role verify={'hub' if source else 'local'}:{out}"
