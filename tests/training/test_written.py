"""Claims by capable writers: turned documents, and which of a claim's words are wrong."""

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from errata.training.pairs import REFUTED
from errata.training.written_pairs import changes, read_cases, turned, written_pairs

DATA = Path(__file__).parents[3] / "shared" / "data"
needs_data = pytest.mark.skipif(not (DATA / "written").is_dir(), reason="needs the labelled data")


@pytest.mark.parametrize(
    ("claim", "twin", "expected"),
    [
        ("It opened in 1932.", "It opened in 1931.", [(13, 17, "1931")]),
        ("Ada sold it to Ben.", "Ben sold it to Ada.", [(0, 3, "Ben"), (15, 18, "Ada")]),
        ("It is not open.", "It is open.", [(6, 9, "")]),
        ("It is open.", "It is not open.", []),
        ("Cats sleep.", "The works closed in May.", []),
    ],
)
def test_a_claim_differs_from_its_twin_in_some_words(claim, twin, expected):
    assert changes(claim, twin) == expected


def test_a_turned_document_has_other_words_in_one_place():
    texts = ["One. Two  words. Three.", "Four."]
    assert turned(texts, [(0, "Two  words.", ""), (1, "Four", "Five")]) == ["One. Three.", "Five."]


@needs_data
def test_no_claim_has_only_one_label_where_documents_are_turned():
    cases = list(islice(read_cases(DATA), 1000))
    originals = {case.group: case for case in cases if not case.changed}
    for case in filter(lambda case: case.changed, cases):
        before = {claim.name: claim.labels for claim in originals[case.group].claims}
        assert case.documents != originals[case.group].documents
        assert all(c.labels != before[c.name] for c in case.claims if c.name in case.changed)


@needs_data
def test_wrong_words_are_known_where_a_true_twin_stands_beside_a_claim():
    refuted = (pair for pair in written_pairs(DATA, Random(0)) if pair.labels == REFUTED)
    pairs = list(islice(refuted, 100))
    marked = Counter(pair.wrong is not None for pair in pairs)
    assert marked[True] > marked[False]
    for pair in pairs:
        assert all(0 <= a < b <= len(pair.first) for a, b in pair.wrong or ())
