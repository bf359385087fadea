"""The datasets by name."""

from collections.abc import Mapping

from errata.core.errors import SettingError
from errata.evals.datasets import (
    arc,
    biography,
    biography_unlabelled,
    claim_sets,
    factprompt,
    popqa,
    popqa_e5,
    pubhealth,
    truthfulqa,
    wice,
)
from errata.evals.items import Dataset

DATASETS: Mapping[str, Dataset] = {
    dataset.name: dataset
    for dataset in (
        popqa.DATASET,
        popqa_e5.DATASET,
        *biography.DATASETS,
        biography_unlabelled.DATASET,
        pubhealth.DATASET,
        arc.DATASET,
        truthfulqa.DATASET,
        factprompt.DATASET,
        wice.DATASET,
        *claim_sets.DATASETS,
    )
}
"""None of them is shipped: `read` takes the folder of one that is there."""


def dataset_named(name: str) -> Dataset:
    """The dataset of a name; raises SettingError that lists the known ones."""
    if name not in DATASETS:
        raise SettingError(f"there is no dataset {name!r}; known: {', '.join(DATASETS)}")
    return DATASETS[name]
