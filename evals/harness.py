"""From a task to its figures: read the dataset, run the method, score the results."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from errata.core.errors import AccessError, ErrataError
from errata.evals.datasets import dataset_named
from errata.evals.items import WEB, Dataset, Figure, Item, ItemsRead, Row, Task
from errata.evals.judges import Judge, judge_named
from errata.evals.metrics import Family, scorer_named
from errata.evals.papers.table import Run
from errata.evals.runner import Runner, draw, index_web
from errata.tools.models.spec import LOCAL

Progress = Callable[[str, int, int, Row, bool], None]
"""Takes what is run, how many rows are there and of how many, the row, and whether it was known."""


@dataclass(frozen=True, kw_only=True)
class Harness:
    """What the tasks of one run share: data, sample, model, judge, and where rows are kept."""

    data: Path
    """The folder of the datasets."""
    runner: Runner
    judge: str = "local"
    """What reads responses: `local`, or a model as `PROVIDER:NAME`."""
    limit: int = 0
    """How many items of each dataset to draw; 0: all."""
    seed: int = 0
    progress: Progress | None = None
    _known: dict[str, tuple[Dataset, ItemsRead]] = field(default_factory=dict)
    _done: dict[tuple[str, tuple[str, ...]], list[Row]] = field(default_factory=dict)

    def dataset(self, name: str) -> tuple[Dataset, ItemsRead]:
        """A dataset by its name or a file of one's own rows by its path, and all its items.

        Raises SettingError if there is no such dataset, InputError if its files are missing or
        wrong.
        """
        if name not in self._known:
            dataset = dataset_named(name)
            self._known[name] = dataset, dataset.read(self.data)
        return self._known[name]

    def items(self, dataset: str) -> list[Item]:
        """The items that are drawn of a dataset."""
        return draw(self.dataset(dataset)[1].items, self.seed, self.limit)

    async def figures(self, run: Run) -> dict[str, Figure]:
        """The metrics of a run, each under its scorer's name and its own: `match.accuracy`."""
        rows = await self.rows(run)
        return {
            f"{scorer.name}.{name}": figure
            for scorer in self.scorers(run.task)
            for name, figure in scorer.figures(rows).items()
        }

    async def rows(self, run: Run) -> list[Row]:
        """The scored rows of a run; it is run, and read, once."""
        key = run.name, run.task.scorers
        if key not in self._done:
            scorers = self.scorers(run.task)  # what they lack is said before anything is paid for
            self._done[key] = await self._score(scorers, await self._results(run))
        return self._done[key]

    def scorers(self, task: Task) -> list[Family]:
        """What scores a task: the scorers that it names, or its dataset's, the main one first."""
        names = task.scorers or self.dataset(task.dataset)[0].scorers
        model = str(self.runner.settings.get("model", LOCAL))
        paid = {"model": model, "search": str(task.settings.get("search", ""))}
        return [scorer_named(name, judge=self._judge, **paid) for name in names]

    @cached_property
    def _judge(self) -> Judge:
        """What reads responses; its exchanges are kept, or come from where the runs' do."""
        record = "" if self.runner.replay else str(self.runner.out / "exchanges" / "judge.sqlite")
        return judge_named(self.judge, replay=self.runner.replay, record=record)

    async def _results(self, run: Run) -> list[Row]:
        """The rows of a run, with another task's responses as drafts where it names one."""
        task = run.task_for(self.runner.settings.get("model", LOCAL))
        items: Sequence[Item] = self.items(task.dataset)
        if run.drafts:
            written = await self._results(Run(task=run.drafts))
            texts = {row.item.id: row.result.response for row in written if row.result}
            items = [replace(item, draft=texts.get(item.id, item.draft)) for item in items]
        if run.removal:
            items = list(map(run.removal.change_of(items), items))
        web, done = "", 0
        if task.settings.get("search") == WEB:
            folder = self.runner.out / "web" / task.dataset
            web = index_web(self.dataset(task.dataset)[1].items, folder)

        def tell(row: Row, known: bool) -> None:
            nonlocal done
            done += 1
            if self.progress:
                self.progress(f"{task.method} on {task.dataset}", done, len(items), row, known)

        return await self.runner.run(run.name, task, items, web, tell)

    async def _score(self, scorers: Sequence[Family], rows: Sequence[Row]) -> list[Row]:
        """The rows with their scores, where a judge does not fail."""
        turns = asyncio.Semaphore(self.runner.at_once)

        async def score(row: Row) -> Row:
            async with turns:
                said = {each.name: await _score_one(each, row) for each in scorers}
            return replace(row, scores={name: own for name, own in said.items() if own})

        return list(await asyncio.gather(*map(score, rows)))


async def _score_one(scorer: Family, row: Row) -> Mapping[str, Any] | None:
    """What a scorer says of a result; nothing where its judge fails."""
    try:
        return await scorer.score(row.item, row.result) if row.result else None
    except AccessError:
        raise
    except ErrataError:
        return None
