"""Datasets in the form of their authors and in ours, and labelled data: read, counted, refused."""

import gzip
import json
from dataclasses import replace

import pytest

from dataset_cases import CASES
from errata.core.errors import InputError
from errata.evals.datasets import DATASETS, dataset_named
from errata.evals.datasets.claim_sets import read_claims
from errata.evals.datasets.sources import SOURCES, read_any
from errata.evals.metrics import SCORERS

every_file = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.dataset}-{case.path}")
LONG_TAIL = "eval_data/popqa_longtail_w_gs.jsonl"
HEALTH = "eval_data/health_claims_processed.jsonl"
LABELED = "data/labeled/ChatGPT.jsonl"
PEOPLE = "../factscore/prompt_entities.txt"


def source_of(case, **changes):
    [source] = [each for each in SOURCES[case.dataset] if each.path == case.path]
    return replace(source, **changes)


def named(place):
    return next(case for case in CASES if case.path == place)


@every_file
def test_every_file_is_read(tmp_path, case):
    case.write(tmp_path)
    reading = read_any(case.dataset, [source_of(case, rows=len(case.rows))], tmp_path)
    items, path = reading.items, tmp_path / case.path
    assert (reading.note, source_of(case).find(path.parent)) == ("", path)
    assert len(items) == case.items == len({item.id for item in items})
    item, pages = items[0], ("documents", "web")
    known = vars(item) | {name: [page.text for page in getattr(item, name)] for name in pages}
    assert {name: known[name] for name in case.first} == case.first


def test_a_file_of_another_length_is_read_and_said(tmp_path):
    case = named(LONG_TAIL)
    case.write(tmp_path)
    note = dataset_named(case.dataset).read(tmp_path).note
    assert note == "popqa_longtail_w_gs.jsonl: 1 rows; the whole file has 1,399"


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


@pytest.mark.parametrize(
    ("place", "change", "beside", "complaint"),
    [
        (LONG_TAIL, {"ctxs": [{"title": "T"}]}, {}, "KeyError: 'text'"),
        (LONG_TAIL, {}, {"popqa/ref/incorrect": "#\n#b\n#c"}, "3 lines"),
        (LONG_TAIL, {}, {"popqa/ref/incorrect": "#a\n#b"}, "2 lines"),
        (HEALTH, {"answers": ["maybe"]}, {}, "KeyError: 'maybe'"),
        (LABELED, {}, {PEOPLE: "A"}, "2 blocks, .* 1 people"),
        (LABELED, {}, None, "lacks its evidence: expected processed_retrieval"),
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


@pytest.mark.parametrize("name", DATASETS)
def test_our_files_are_whole_and_every_item_has_its_gold(shared_data, name):
    dataset = dataset_named(name)
    reading = dataset.read(shared_data)
    items = reading.items
    assert (reading.note, len({item.id for item in items})) == ("", len(items))
    keys = items[0].gold.keys()
    assert all(item.gold.keys() == keys for item in items)
    assert json.loads(json.dumps([item.gold for item in items])) == [item.gold for item in items]
    assert all(page.text for item in items for page in (*item.documents, *item.web))
    assert all(item.question or item.draft for item in items)


OWN = {"question": "Who was Ada?", "draft": "Ada wrote notes.", "documents": ["Ada wrote."]}


@pytest.fixture
def own(write):
    """The dataset of rows in a file."""
    return lambda *rows: dataset_named(str(write("rows.jsonl", "\n".join(map(json.dumps, rows)))))


@pytest.mark.parametrize(
    ("row", "scorers"),
    [
        ({"label": True}, "detection claims overcorrection cost"),
        ({"label": "not mentioned"}, "detection claims overcorrection cost"),
        ({"facts": [{"text": "Ada.", "label": True}], "id": 7}, "facts claims overcorrection cost"),
        ({"answers": ["Ada"], "draft": ""}, "match cost"),
        ({"label": False, "draft": ""}, "match cost"),
        ({"documents": [{"text": "T", "title": "Ada"}]}, "overcorrection cost"),
    ],
)
def test_rows_of_ones_own_are_scored_by_their_labels(tmp_path, own, row, scorers):
    dataset = own(OWN | row)
    [item] = dataset.read(tmp_path).items
    assert dataset.scorers == tuple(scorers.split())
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
def test_wrong_rows_of_ones_own_are_named(own, rows, complaint):
    with pytest.raises(InputError, match=complaint):
        own(*rows)


def write_rows(path, *rows):
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return path


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ({"label": "supported", "binary": 1, "evidence": "A page."}, 1),
        ({"label": "supported", "evidence": ["A page.", "Another."]}, 1),
        ({"label": "nei", "binary": 0, "evidence": "A page."}, 1),
        ({"label": "generic", "binary": None, "evidence": "A page."}, 0),
        ({"label": "supported", "binary": 1, "evidence": ""}, 0),
    ],
)
def test_claims_without_label_or_evidence_are_left_out(tmp_path, row, count):
    own = {"id": "1", "claim": "Ada wrote notes.", "group": "ada"}
    write_rows(tmp_path / "set.jsonl.gz", row | own)
    claims = list(read_claims(tmp_path, "set"))
    assert [claim.gold["label"] for claim in claims] == [row["label"]] * count
    assert all(claim.documents[0].text.startswith("A page.") for claim in claims)


def test_a_bare_answer_is_a_claim_with_its_question(tmp_path):
    row = {"id": "1", "claim": "Ray Harroun", "question": "who won", "label": "supported"}
    write_rows(tmp_path / "set.jsonl.gz", row | {"evidence": "He won."})
    assert [claim.draft for claim in read_claims(tmp_path, "set")] == ["who won: Ray Harroun."]


def test_biographies_take_their_evidence_from_their_own_row_or_the_shared_file(tmp_path):
    evidence = {"google_page": "A web page.", "gold_passages": ["Part one.", "Part two."]}
    write_rows(tmp_path / "evidence.jsonl.gz", {"entity": "Ada"} | evidence)
    row = {"prompt": "Who was?", "response": "Ada wrote.", "facts": [], "popularity": "rare"}
    row |= {"id": "1", "group": "g", "entity": "Ada"}
    own = {"entity": "Bob", "google_page": "Its own.", "gold_passages": []}
    write_rows(tmp_path / "chatgpt.jsonl.gz", row, row | own)
    ada, bob = dataset_named("biography").read(tmp_path).items
    assert ada.gold["documents"] == ["Part one.", "Part two."]
    assert [each.documents[0].text for each in (ada, bob)] == ["A web page.", "Its own."]
