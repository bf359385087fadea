"""Datasets in the form of their authors and in ours: read, counted, and refused where wrong."""

import gzip
import json
from dataclasses import replace

import pytest

from dataset_cases import CASES
from errata.core.errors import InputError, SettingError
from errata.evals.datasets import DATASETS, dataset_named
from errata.evals.datasets.sources import SOURCES, read_any
from errata.evals.metrics import SCORERS


def source_of(case, **changes):
    [source] = [each for each in SOURCES[case.dataset] if each.path == case.path]
    return replace(source, **changes)


def names(cases):
    return [f"{case.dataset}-{case.path}" for case in cases]


every_file = pytest.mark.parametrize("case", CASES, ids=names(CASES))


@every_file
def test_every_file_is_read(tmp_path, case):
    case.write(tmp_path)
    reading = read_any(case.dataset, [source_of(case, rows=len(case.rows))], tmp_path)
    items = reading.items
    assert reading.note == ""
    assert len(items) == case.items == len({item.id for item in items})
    item, path = items[0], tmp_path / case.path
    assert source_of(case).find(path.parent) == path
    known = vars(item) | {
        "documents": [document.text for document in item.documents],
        "web": [page.text for page in item.web],
    }
    assert {name: known[name] for name in case.first} == case.first


def test_a_file_of_another_length_is_read_and_said(tmp_path):
    case = named(LONG_TAIL)
    case.write(tmp_path)
    reading = dataset_named(case.dataset).read(tmp_path)
    assert len(reading.items) == case.items
    assert reading.note == "popqa_longtail_w_gs.jsonl: 1 rows; the whole file has 1,399"


@every_file
def test_a_file_that_cannot_be_read_is_refused(tmp_path, case):
    path = case.write(tmp_path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read") as caught:
        dataset_named(case.dataset).read(tmp_path)
    assert str(source_of(case)) in str(caught.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (gzip.compress(b'{"id": 1}\n', mtime=0)[:-4], "cannot be read"),
        (gzip.compress(b'{"id": \n', mtime=0), "cannot be read"),
        (gzip.compress(b"[1, 2]\n", mtime=0), "a row has another form"),
        (gzip.compress(b'{"id": 1}\n', mtime=0), "KeyError: 'possible_answers'.; expected popqa/"),
        (gzip.compress(b"", mtime=0), "has no rows; expected"),
    ],
)
def test_a_wrong_file_of_ours_is_refused(tmp_path, content, complaint):
    (tmp_path / "longtail_test.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match=complaint):
        dataset_named("popqa").read(tmp_path)


@pytest.mark.parametrize("name", DATASETS)
def test_an_empty_folder_gets_the_list_of_what_is_expected(tmp_path, name):
    with pytest.raises(InputError, match=f"has no file of {name}: expected") as caught:
        dataset_named(name).read(tmp_path)
    assert all(str(source) in str(caught.value) for source in SOURCES[name])
    assert set(dataset_named(name).scorers) <= SCORERS.keys()


def named(place):
    return next(case for case in CASES if case.path == place)


LONG_TAIL = "eval_data/popqa_longtail_w_gs.jsonl"
CLAIMS = "eval_data/health_claims_processed.jsonl"
PEOPLE = "../factscore/prompt_entities.txt"
NO_EVIDENCE = "lacks its evidence: expected processed_retrieval"


@pytest.mark.parametrize(
    ("place", "change", "beside", "complaint"),
    [
        (LONG_TAIL, {"ctxs": [{"title": "T"}]}, {}, "KeyError: 'text'"),
        (LONG_TAIL, {}, {"popqa/ref/incorrect": "#\n#b\n#c"}, "3 lines"),
        (LONG_TAIL, {}, {"popqa/ref/incorrect": "#a\n#b"}, "2 lines"),
        (
            "eval_data/health_claims_processed.jsonl",
            {"answers": ["maybe"]},
            {},
            "KeyError: 'maybe'",
        ),
        ("data/labeled/ChatGPT.jsonl", {}, {PEOPLE: "A"}, "2 blocks, .* 1 people"),
        (
            "data/labeled/ChatGPT.jsonl",
            {},
            None,
            NO_EVIDENCE,
        ),
    ],
)
def test_a_row_of_another_form_or_evidence_of_another_file_is_refused(
    tmp_path, place, change, beside, complaint
):
    case = named(place)
    rows = [row | change for row in case.rows]
    found = {} if beside is None else case.beside | beside
    replace(case, rows=rows, beside=found).write(tmp_path)
    with pytest.raises(InputError, match=complaint):
        read_any(case.dataset, [source_of(case)], tmp_path)


def test_an_unknown_name_gets_the_known_ones():
    with pytest.raises(SettingError, match="no dataset 'squad'; known: popqa, pubhealth"):
        dataset_named("squad")


@pytest.mark.parametrize("name", DATASETS)
def test_our_files_are_whole_and_every_item_has_its_gold(shared_data, name):
    dataset = dataset_named(name)
    reading = dataset.read(shared_data)
    items = reading.items
    assert reading.note == ""
    assert len({item.id for item in items}) == len(items)
    keys = items[0].gold.keys()
    assert all(item.gold.keys() == keys for item in items)
    assert json.loads(json.dumps([item.gold for item in items])) == [item.gold for item in items]
    assert all(page.text for item in items for page in (*item.documents, *item.web))
    assert all(item.question or item.draft for item in items)


OWN = {"question": "Who was Ada?", "draft": "Ada wrote notes.", "documents": ["Ada wrote."]}


def write_own(folder, *rows):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


@pytest.mark.parametrize(
    ("row", "scorers"),
    [
        ({"label": True}, ("detection", "claims", "overcorrection", "cost")),
        ({"label": "not mentioned"}, ("detection", "claims", "overcorrection", "cost")),
        (
            {"facts": [{"text": "Ada wrote.", "label": True}], "id": 7},
            ("facts", "claims", "overcorrection", "cost"),
        ),
        ({"answers": ["Ada"], "draft": ""}, ("match", "cost")),
        ({"label": False, "draft": ""}, ("match", "cost")),
        ({"documents": [{"text": "T", "title": "Ada"}]}, ("overcorrection", "cost")),
    ],
)
def test_rows_of_ones_own_are_scored_by_their_labels(tmp_path, row, scorers):
    dataset = dataset_named(write_own(tmp_path, OWN | row))
    [item] = dataset.read(tmp_path).items
    assert dataset.scorers == scorers
    assert (item.id, item.question) == (str(row.get("id", "line 1")), "Who was Ada?")
    assert item.gold == {name: row[name] for name in row.keys() & {"label", "facts", "answers"}}


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([], "has no rows; write one JSON object a line"),
        ([OWN, [1]], "row 2 is a list"),
        ([{"id": "a"}], "row 1: the row has neither a draft nor a question"),
        ([OWN | {"answer": "x"}], "row 1 has 'answer'; a row may have question, draft"),
        ([OWN | {"draft": 3}], "draft is an int: expected a text"),
        ([OWN | {"documents": "page"}], "documents must be a list"),
        ([OWN | {"facts": [{"text": "a"}]}], "label is missing; facts have a text and a label"),
        ([OWN | {"facts": [{"text": "a", "label": "false"}]}], "facts.0.label: .* valid boolean"),
        ([OWN | {"answers": [3]}], "answers.0 is an int"),
        ([OWN | {"label": "maybe"}], "the label is 'maybe'; write true, false or true, supported"),
        ([OWN | {"id": "a"}] * 2, "two rows with the id 'a'"),
    ],
)
def test_wrong_rows_of_ones_own_are_named(tmp_path, rows, complaint):
    with pytest.raises(InputError, match=complaint):
        dataset_named(write_own(tmp_path, *rows))
