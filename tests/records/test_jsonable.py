"""Records to JSON and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.errors import InputError
from errata.core.jsonable import from_json, to_json
from errata.core.records import (
    Answer,
    Claim,
    Correction,
    Document,
    Edit,
    Explanation,
    Fix,
    Knowledge,
    Quote,
    SearchResult,
    SubAnswer,
    Usage,
    Verdict,
)

KINDS = [Claim, Document, Edit, Fix, Quote, Usage, Verdict, Correction]
KINDS += [Answer, Knowledge, Explanation, SubAnswer, SearchResult]


@pytest.mark.parametrize("kind", KINDS)
def test_every_record_survives_json(kind):
    @given(st.builds(kind))
    def survives(record):
        assert from_json(kind, json.loads(json.dumps(to_json(record)))) == record

    survives()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "text is missing"),
        ({"text": 3}, "text is an int: expected a text"),
        ("words", "expected an object"),
    ],
)
def test_the_error_names_what_is_wrong_with_a_record(value, message):
    with pytest.raises(InputError, match=f"not a Document.*{message}"):
        from_json(Document, value)
