import json
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.errors import InputError
from errata.records import (
    Claim,
    Correction,
    Document,
    Edit,
    Fix,
    Quote,
    Usage,
    Verdict,
    from_json,
    to_json,
)


@pytest.mark.parametrize("kind", [Claim, Correction, Document, Edit, Fix, Quote, Usage, Verdict])
def test_every_record_survives_json(kind):
    @given(st.builds(kind))
    def survives(record):
        assert from_json(kind, json.loads(json.dumps(to_json(record)))) == record

    survives()


def test_records_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Claim(id="c1", text="x", start=0, end=1).text = "y"


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({}, "text: Field required"),
        ({"text": 3}, "text: Input should be a valid string"),
        ("words", "dictionary"),
    ],
)
def test_a_wrong_record_is_named(value, named):
    with pytest.raises(InputError, match=f"not a Document.*{named}"):
        from_json(Document, value)


def test_usage_adds_up_by_role():
    one = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}})
    two = Usage(model_calls=2, seconds=0.5, by_role={"verify": {"model_calls": 2, "seconds": 0.5}})
    assert one + two == Usage(
        model_calls=3, seconds=0.5, by_role={"verify": {"model_calls": 3, "seconds": 0.5}}
    )
