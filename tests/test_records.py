"""Records: frozen, a bill that adds up, to JSON and back, pieces of a draft, stretches of text."""

import json
from dataclasses import is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import validate

from errata import answer, correct
from errata.core import records
from errata.core.jsonable import from_json, to_json
from errata.core.records import Usage, result_json
from example import DRAFT, PAGE, QUESTION


def test_usage_adds_up_by_role():
    one = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}, "correct": {"pages": 2}})
    two = Usage(model_calls=2, seconds=0.5, by_role={"verify": {"model_calls": 2, "seconds": 0.5}})
    assert one + two == Usage(
        model_calls=3,
        seconds=0.5,
        by_role={"verify": {"model_calls": 3, "seconds": 0.5}, "correct": {"pages": 2}},
    )


@pytest.mark.parametrize("kind", [*filter(is_dataclass, vars(records).values())])
def test_every_record_survives_json(kind):
    @given(st.builds(kind))
    def survives(record):
        assert from_json(kind, json.loads(json.dumps(to_json(record)))) == record

    survives()


@pytest.mark.parametrize("kind", ["Correction", "Answer"])
def test_results_are_as_their_published_schema_says(root, kind):
    result = {
        "Correction": correct(draft=DRAFT, documents=[PAGE]),
        "Answer": answer(QUESTION, documents=[PAGE]),
    }
    schema = json.loads((root / "docs" / "schema" / f"{kind}.json").read_text())
    validate(result_json(result[kind]), schema)
    for name in ("Verdict", "Edit") if kind == "Correction" else ():
        part = json.loads((root / "docs" / "schema" / f"{name}.json").read_text())
        records = result_json(result[kind])[f"{name.lower()}s"]
        assert records
        for record in records:
            validate(record, part)
