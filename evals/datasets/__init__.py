"""Datasets that people labelled, read from their authors' files or from ours; none is shipped."""

from collections.abc import Mapping
from pathlib import Path

from errata.core.errors import SettingError
from errata.evals.datasets import drafts, questions
from errata.evals.datasets.own import SUFFIXES, own_dataset
from errata.evals.items import Dataset

__all__ = ["DATASETS", "dataset_named"]
DATASETS: Mapping[str, Dataset] = {
    each.name: each for each in (*questions.DATASETS, *drafts.DATASETS)
}


def dataset_named(name: str) -> Dataset:
    """The dataset of a name, or of a file of one's own rows: a path that ends in `.jsonl`.

    Raises SettingError that lists the known names, InputError if the file's rows cannot be read.
    """
    if name in DATASETS:
        return DATASETS[name]
    if name.endswith(SUFFIXES):
        return own_dataset(Path(name))
    known = ", ".join(DATASETS)
    raise SettingError(f"there is no dataset {name!r}; known: {known}; or a file, ROWS.jsonl")
