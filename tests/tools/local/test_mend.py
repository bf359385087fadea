"""Refuted claims mended: denials, opposites, exchanged roles, gaps that the strips fill."""

import pytest

from errata.records import Claim, Document
from errata.tools.local.correct import correct


def mend(text, evidence, weights=""):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return [fix.text for fix in correct("", [claim], [Document(id="d1", text=evidence)], weights)]


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lock may never be used at night.", "The lock may be used at night."),
        ("The lift raises the boats.", "The lift lowers the boats."),
        ("The tower is taller than the church.", "The tower is shorter than the church."),
        ("The council rejected the plan.", "The council approved the plan."),
        ("Venus has a magnetic field.", "Venus does not have a magnetic field."),
        ("Pixar bought Disney in 2006.", "Disney bought Pixar in 2006."),
        ("The guest must pay the host.", "The host must pay the guest."),
    ],
)
def test_denials_opposites_and_roles_are_mended(claim, evidence, weights):
    assert mend(claim, evidence, weights) == [evidence]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The prize was won by Ilse Brandt.", "The prize was won by Tomas Voss."),
        ("The ferry runs to Alnes.", "The ferry runs to Brekke."),
    ],
)
def test_a_gap_is_filled_by_what_the_evidence_has(claim, evidence):
    assert mend(claim, evidence) == [evidence]
    assert mend(claim, evidence, "lexical") == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The ferry runs every Friday.", "The ferry runs every Friday."),
        (
            "The fair took place in 2012.",
            "The fair took place in 2011. The fair was also held in 2012.",
        ),
        ("The mill was built by Ada Moor.", "Swans nest on the island in spring."),
        ("The club admits dogs.", "The club was founded by Ada Moor."),
        ("Tankers may use the locks at night.", "Tankers may not use the locks at night."),
    ],
)
def test_what_is_right_open_or_not_clearly_better_is_left(claim, evidence):
    assert mend(claim, evidence) == []
