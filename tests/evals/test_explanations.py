"""The bench of RE-EX with a model, on two responses and a scripted model."""

import gzip
import json

import pytest

from errata.evals.benches.explanations import main

ROWS = [
    {
        "id": "factprompt:1",
        "reex_id": 1,
        "prompt": "Who was Marie Curie?",
        "response": "Marie Curie was a physicist. She was born in 1865.",
        "response_label": False,
        "facts": [
            {"text": "She was a physicist", "label": True, "snippets": ["Curie was a physicist."]},
            {"text": "She was born in 1865", "label": False, "snippets": ["Curie, born 1867"]},
        ],
    },
    {
        "id": "factprompt:2",
        "reex_id": 2,
        "prompt": "Who was Ada Lovelace?",
        "response": "Ada Lovelace was a mathematician.",
        "response_label": True,
        "facts": [
            {"text": "She was a mathematician", "label": True, "snippets": ["Ada wrote notes."]}
        ],
    },
]
ERROR = '1. "1865" -> 1867 (answer 1)\nNot shown: none'
REPLIES = {
    "reex/ask": "When was Curie born?\nWas Curie a physicist?",
    "reex/explain": [
        {"when": "Marie", "reply": ERROR},
        {"when": "Ada", "reply": "None\nNot shown: none"},
    ],
    "reex/revise": "Marie Curie was a physicist. She was born in 1867.",
    "evals/fact_judge": "1: yes\n2: no\nreadable: yes",
}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    (folder / "factprompt").mkdir(parents=True)
    with gzip.open(folder / "factprompt" / "factprompt.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in ROWS)
    return folder


def test_every_figure_is_repeated_by_a_replay(data, scripted, capsys, tmp_path):
    record = str(tmp_path / "record")
    main("--data", str(data), "--model", scripted(REPLIES), "--record", record)
    first = capsys.readouterr().out
    main("--data", str(data), "--model", scripted(REPLIES), "--replay", record)
    assert capsys.readouterr().out == first
    figures = json.loads(first.splitlines()[-1])["all"]
    assert figures.pop("tokens") > 0
    assert figures == {
        "responses": 2,
        "balanced accuracy": 1.0,
        "false facts": [1, 1],
        "true facts": [2, 2],
        "changed": 1,
        "broken": 0,
        "calls": 5,
        "searches": 4,
        "sub-questions": 4,
        "without evidence": 2,
    }
