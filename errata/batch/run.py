"""Run a batch: every row of the input once, each in the output as soon as it is done."""

import asyncio
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from errata.batch.batch import Batch
from errata.batch.local_engine import LocalEngine, by_models
from errata.batch.output import Output
from errata.batch.parquet import ParquetRows, check_fields, is_parquet
from errata.batch.problems import Say
from errata.batch.ray_engine import RayEngine
from errata.batch.rows import MAX_ROW_BYTES, JsonLines, Source
from errata.batch.totals import STOP_AFTER, BatchLimits, OnRow, Stop, Totals
from errata.batch.work import ERROR, ID, Engine, Work
from errata.core.errors import InputError, SettingError
from errata.session import Session
from errata.tools.files.decoding import STDIN

CALLS = "call_cache"
"""The setting that says where paid replies are kept."""


def run_batch(
    source: str | Path,
    out: str | Path,
    method: str = "rac",
    *,
    check: bool = False,
    corpus: str | Path = "",
    engine: Engine | None = None,
    fields: Sequence[str] = (),
    anew: bool = False,
    retry_failed: bool = False,
    max_row_bytes: int = MAX_ROW_BYTES,
    stop_after: int = STOP_AFTER,
    limits: BatchLimits = BatchLimits(),  # noqa: B008  frozen
    on_row: OnRow | None = None,
    say: Say | None = None,
    **settings: Any,
) -> Totals:
    """Correct, check or answer every row of a file, and lose none of them.

    `source` is a file of JSON lines (`-`: standard input) or, named `*.parquet`, of Parquet, with
    rows `{id, question, draft?, documents?}`; `out` gets a row for each id, by the same rule. Each
    is on the disk before it counts as done, and a run that was killed goes on when it is called
    again. Lines that are no rows are kept in `OUT.problems.jsonl`; a row that failed is in the
    output with its `error`, and `retry_failed` runs it again. `engine` is what works on the rows,
    `LocalEngine()` unless one is given; `fields` are those of a row to write, all if there are
    none; `settings` are fields of the method's Context, as JSON values.

    Returns what was done and what it cost. Raises SettingError if a setting cannot be used,
    InputError if a file cannot, or holds rows of other work, and AccessError if a model's server
    refuses the key or the model; the rows done until then are in the output.
    """
    work = Work(method, {**settings, **({"corpus": str(corpus)} if corpus else {})}, check)
    session = _checked(work)
    if limits.money is not None:
        session.context.check_prices()
    output = Output(_followed(Path(out)), tuple(fields))
    _check_places(str(source), output, session)
    on_many = isinstance(engine, RayEngine) and bool(engine.address)
    batch = Batch(
        source=_source(str(source), max_row_bytes, corrects=session.method.corrects),
        output=output,
        work=work if on_many else _with_call_cache(work, session, output),
        engine=engine or LocalEngine(),
        anew=anew,
        retry_failed=retry_failed,
        stop=Stop(Totals(), limits, stop_after, say or _say),
        on_row=on_row or (lambda _: None),
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return batch.run()
    with ThreadPoolExecutor(
        max_workers=1
    ) as thread:  # a loop runs here, and engines have their own
        return thread.submit(batch.run).result()


def _checked(work: Work) -> Session:
    """A session with the work's settings, before any row is read.

    Raises SettingError if one cannot be used, or the method cannot do the work.
    """
    if "checkpoints" in work.settings:
        raise SettingError(
            "a batch takes no checkpoints, and needs none: it goes on by the ids in its output; "
            "leave them out"
        )
    try:
        json.dumps(dict(work.settings))
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"a batch's settings must be JSON values, for it is gone on with by them: {error}"
        ) from error
    session = work.open_session()
    if work.check:
        session.check_verb(corrects=True)
    return session


def _followed(out: Path) -> Path:
    """The file that a link leads to: rewriting the output would replace the link."""
    return out.resolve() if out.is_symlink() else out


def _check_places(source: str, output: Output, session: Session) -> None:
    if source != STDIN and output.is_own(Path(source)):
        raise InputError(
            f"{source!r} is the input, and the output {str(output.path)!r} would be written over "
            "it; name another --out"
        )
    if is_parquet(output.path):
        check_fields(output.fields)
    elif unknown := sorted(set(output.fields) - _known_fields(session)):
        known = ", ".join(sorted(_known_fields(session)))
        raise SettingError(
            f"fields: a result of {session.method.name} has no {unknown[0]!r}; it has {known}"
        )


def _known_fields(session: Session) -> set[str]:
    """The fields of an output row, done or failed."""
    derived = {"counts", "checked"} if session.method.corrects else set()
    failed = {ID, ERROR, "question", "draft", "response"}
    return {*session.method.record.__dataclass_fields__, *derived, *failed}


def _source(place: str, most: int, *, corrects: bool) -> Source:
    kind = ParquetRows if is_parquet(place) else JsonLines
    return kind(place, corrects=corrects, most=most)


def _with_call_cache(work: Work, session: Session, output: Output) -> Work:
    """The work with a cache of paid replies beside the output, where models are asked.

    Not for engines of many machines, which have no file in common, and not where the user or the
    environment names a cache.
    """
    context = session.context
    if CALLS in work.settings or context.replies.cache or not by_models(context):
        return work
    return replace(work, settings={**work.settings, CALLS: str(output.beside("calls.sqlite"))})


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
