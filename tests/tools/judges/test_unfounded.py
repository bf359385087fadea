"""What of a claim stands in no document: named exactly, never a reason to refute or to edit."""

import pytest

from errata import check, correct

TOWER = "The Eiffel Tower stands in Paris. It was completed in March 1889 and is 330 metres tall."


@pytest.mark.parametrize(
    ("claim", "unfounded"),
    [
        ("The Eiffel Tower saw 1899 guests of London.", ("1899", "London")),
        ("A lift by Otis takes 40 people up for 12 euros.", ("40", "12 euros", "Otis")),
        ("Visitors like the view from the top.", ()),
        ("Guests of Dr Weber adore the UN and its tall friend.", ("Weber",)),
        ("In all it cost two fortunes and three tears.", ()),
    ],
)
def test_what_stands_in_no_document_is_named(claim, unfounded):
    [verdict] = check("", claim, documents=[TOWER]).verdicts
    assert (verdict.label, verdict.unfounded) == ("not_mentioned", unfounded)
    assert all(words in verdict.explanation for words in unfounded)


@pytest.mark.parametrize(
    "claim", ["The tower is 330 metres tall.", "It took 2 years.", "She lived to be 67."]
)
def test_what_the_documents_have_or_their_years_leave_is_not(claim):
    documents = [TOWER, "The works went on from 1887. Curie (1867–1934) saw it; it took 2 years."]
    assert not any(v.unfounded for v in check("", claim, documents=documents).verdicts)


def test_nothing_unfounded_is_edited():
    draft = "The Eiffel Tower was painted in 1899 by Londoners."
    result = correct("", draft, documents=[TOWER])
    assert result.verdicts[0].unfounded
    assert (result.response, result.edits) == (draft, ())
