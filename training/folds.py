"""Fit a verifier for each half of FActScore's people, without that half.

python -m errata.training.folds DATA FOLDER [CROSS-ENCODER]

Writes `without-0.json` and `without-1.json`, each with the people that it was not fitted on.
Without a cross-encoder the verifiers have only lexical features.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from errata.evals.datasets.biographies import GENERATORS, read_biographies
from errata.training.examples import load_encoder, read_examples
from errata.training.splits import fold_of
from errata.training.verifier import fit_all


def main(data: str, target: str, encoder: str = "") -> None:
    """Fit both verifiers and write their weights."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    people = read_people(Path(data) / "factscore-bio")
    examples = list(read_examples(Path(data), load_encoder(encoder)))
    for fold in (0, 1):
        seen = [example for example in examples if fold_of(example.group) != fold]
        weights, _ = fit_all(seen, encoder)
        unseen = [person for person in people if fold_of(person) == fold]
        text = json.dumps({"unseen": unseen} | asdict(weights), ensure_ascii=False, indent=1)
        (folder / f"without-{fold}.json").write_text(text + "\n", encoding="utf-8")


def read_people(folder: Path) -> list[str]:
    """The lower-case names of all people with a biography, which are the groups of its facts."""
    return sorted(
        {
            biography.entity.lower()
            for generator in GENERATORS
            for biography in read_biographies(folder, generator)
        }
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
