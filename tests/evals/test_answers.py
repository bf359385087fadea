"""Right and wrong answers to questions of each kind, and samples that share no question."""

import gzip
import json

import pytest

from errata.evals.answers import answer_all, count_right
from errata.evals.question_sets import SETS, draw, index_web
from errata.tools.retrieval.index import search

ROWS = {
    "retrieval-e5/popqa": {
        "id": "popqa:{n}",
        "question": "Who was the director of The Mill?",
        "answers": ["Ann Lee"],
        "searches": [
            {"docs": [{"title": "The Mill", "text": "The Mill was directed by Ann Lee."}]}
        ],
    },
    "popqa/longtail_test": {
        "id": "longtail:{n}",
        "question": "Who was the director of The Mill?",
        "possible_answers": ["Ann Lee"],
        "ref_correct": "#The Mill is a film directed by Ann Lee.",
    },
    "arc-challenge/test": {
        "id": "arc:{n}",
        "question": "Which makes honey?",
        "choices": {"A": "stones", "B": "bees"},
        "answer_key": "B",
        "answer_text": "bees",
        "ref_correct": "#Bee // Bees make honey.; Hive // A hive holds bees.",
    },
    "pubhealth/test_claims": {
        "id": "pubhealth:{n}",
        "claim": "Bees bark.",
        "label": "false",
        "ref_correct": "#Bee // Bees hum.",
    },
}


@pytest.fixture
def data(tmp_path):
    for name, row in ROWS.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        with gzip.open(path, "wt", encoding="utf-8") as lines:
            lines.writelines(
                json.dumps(row | {"id": row["id"].format(n=n)}) + "\n" for n in range(40)
            )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("popqa", "It was Ann  LEE.", "It was Anne Leeds."),
        ("longtail", "Ann Lee (the film)", "No answer found."),
        ("arc", "B", "A"),
        ("arc", "They are bees.", "They are stones."),
        ("pubhealth", "False.", "True."),
        ("pubhealth", "No, they hum.", "No answer found."),
    ],
)
def test_answers_are_told_right(data, name, right, wrong):
    item = SETS[name][0](data)[0]
    assert item.is_right(right)
    assert not item.is_right(wrong)


@pytest.mark.parametrize("name", SETS)
def test_samples_share_no_question(data, name):
    items = SETS[name][0](data)
    development, report = (draw(items, sample, 100) for sample in ("development", "report"))
    assert {i.name for i in development}.isdisjoint(i.name for i in report)
    assert len(development) + len(report) == 40
    assert draw(items[::-1], "report", 5) == report[:5]


def test_documents_have_the_titles_of_their_passages(data):
    documents = SETS["arc"][0](data)[0].documents
    assert [(d.title, d.text) for d in documents] == [
        ("Bee", "Bees make honey."),
        ("Hive", "A hive holds bees."),
    ]


def test_the_web_has_a_page_for_each_title(tmp_path):
    rows = [{"ref_incorrect": "#Bees: They make honey.; Bees: They hum.; Mills: They grind."}]
    index_web(rows, tmp_path)
    [page] = search("honey", tmp_path / "web", 5)
    assert (page.title, page.text) == ("Bees", "They make honey.\nThey hum.")


@pytest.mark.anyio
async def test_right_answers_are_counted(data):
    items = SETS["popqa"][0](data)[:2]
    figures = count_right(items, await answer_all(items, {}))
    assert figures == {"right": 2, "of": 2, "actions": {"correct": 2}, "tokens": 0}
