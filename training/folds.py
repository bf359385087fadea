"""Fit a verifier for each half of FActScore's people, without that half.

python -m errata.training.folds DATA FOLDER [CROSS-ENCODER]

Writes `without-0.json` and `without-1.json`, each with the people that it was not fitted on.
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from errata.tools.judges.cross_encoder import MODEL
from errata.training.examples import FACTSCORE, read_examples
from errata.training.pairs import draw_number
from errata.training.verifier import fit_all


def main(data: str, target: str, encoder: str = MODEL) -> None:
    """Fit both verifiers and write their weights."""
    examples = list(read_examples(Path(data), encoder))
    people = sorted({each.group for each in examples if each.source == FACTSCORE})
    Path(target).mkdir(parents=True, exist_ok=True)
    halves = {each.group: draw_number(f"judge|{each.group}") % 2 for each in examples}
    for fold in (0, 1):
        seen = [example for example in examples if halves[example.group] != fold]
        unseen = {"unseen": [person for person in people if halves[person] == fold]}
        text = json.dumps(unseen | asdict(fit_all(seen, encoder)[0]), ensure_ascii=False, indent=1)
        (Path(target) / f"without-{fold}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
