"""Records themselves: frozen, and a bill that adds up."""

from dataclasses import FrozenInstanceError

import pytest

from errata.core.records import Claim, Usage


def test_records_are_frozen():
    with pytest.raises(FrozenInstanceError):
        Claim(id="c1", text="x", start=0, end=1).text = "y"


def test_usage_adds_up_by_role():
    one = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}})
    two = Usage(model_calls=2, seconds=0.5, by_role={"verify": {"model_calls": 2, "seconds": 0.5}})
    assert one + two == Usage(
        model_calls=3, seconds=0.5, by_role={"verify": {"model_calls": 3, "seconds": 0.5}}
    )


def test_roles_that_only_one_bill_has_are_in_the_sum():
    one, two = Usage(by_role={"verify": {"pages": 1}}), Usage(by_role={"correct": {"pages": 2}})
    assert (one + two).by_role == {"verify": {"pages": 1}, "correct": {"pages": 2}}
