"""Right and wrong answers to questions of each kind, and samples that share no question."""

import gzip
import json

import pytest

from errata.core.records import Document
from errata.evals.answers import answer_all, count_right
from errata.evals.datasets import dataset_named
from errata.evals.items import Item
from errata.evals.question_sets import SETS, draw, index_web, is_right
from errata.tools.retrieval.index import search

FILES = {
    "retrieval-e5/popqa": (
        339,
        {
            "group": "entity:the mill",
            "question": "Who was the director of The Mill?",
            "prop": "director",
            "answers": ["Ann Lee"],
            "searches": [
                {"docs": [{"title": "The Mill", "text": "The Mill was directed by Ann Lee."}]}
            ],
        },
    ),
    "popqa/longtail_test": (
        669,
        {
            "group": "entity:the mill",
            "question": "Who was the director of The Mill?",
            "prop": "director",
            "possible_answers": ["Ann Lee"],
            "ref_correct": "#The Mill is a film directed by Ann Lee.",
            "ref_incorrect": "#The Mill: Ann Lee made it.",
        },
    ),
    "arc-challenge/test": (
        591,
        {
            "group": "prompt:honey",
            "question": "Which makes honey?",
            "choices": {"A": "stones", "B": "bees"},
            "answer_key": "B",
            "answer_text": "bees",
            "ref_correct": "#Bee // Bees make honey.; Hive // A hive holds bees.",
            "ref_incorrect": "",
        },
    ),
    "pubhealth/test_claims": (
        484,
        {
            "group": "claim:bees bark",
            "claim": "Bees bark.",
            "label": "false",
            "ref_correct": "#Bee // Bees hum.",
            "ref_incorrect": "",
        },
    ),
}
"""As many rows as our files have, all alike but for their ids."""


@pytest.fixture
def data(tmp_path):
    for name, (count, row) in FILES.items():
        path = tmp_path / f"{name}.jsonl.gz"
        path.parent.mkdir(exist_ok=True)
        rows = (json.dumps(row | {"id": f"{name}:{n}"}) + "\n" for n in range(count))
        path.write_bytes(gzip.compress("".join(rows).encode(), compresslevel=1))
    return tmp_path


def read(name, data):
    return dataset_named(SETS[name][0]).read(data)


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
    item = read(name, data)[0]
    assert is_right(item, right)
    assert not is_right(item, wrong)


@pytest.mark.parametrize("name", SETS)
def test_samples_share_no_question(data, name):
    items = read(name, data)
    development, report = (draw(items, sample, 1000) for sample in ("development", "report"))
    assert {i.id for i in development}.isdisjoint(i.id for i in report)
    assert len(development) + len(report) == len(items)
    assert draw(items[::-1], "report", 5) == report[:5]


def test_documents_have_the_titles_of_their_passages(data):
    documents = read("arc", data)[0].documents
    assert [(d.title, d.text) for d in documents] == [
        ("Bee", "Bees make honey."),
        ("Hive", "A hive holds bees."),
    ]


def test_the_web_has_a_page_for_each_title(tmp_path):
    found = (("Bees", "They make honey."), ("Bees", "They hum."), ("Mills", "They grind."))
    web = tuple(Document(title=title, text=text) for title, text in found)
    index_web([Item(id="1", question="", web=web)], tmp_path)
    [page] = search("honey", tmp_path / "web", 5)
    assert (page.title, page.text) == ("Bees", "They make honey.\nThey hum.")


@pytest.mark.anyio
async def test_right_answers_are_counted(data):
    items = read("popqa", data)[:2]
    figures = count_right(items, await answer_all(items, {}))
    assert figures == {"right": 2, "of": 2, "actions": {"correct": 2}, "tokens": 0}
