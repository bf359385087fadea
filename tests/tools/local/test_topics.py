"""What documents speak of."""

import pytest

from errata.core.records import Claim, Document
from errata.tools.local.excerpts import drop_off_topic, find_unspoken

QUESTION = "Who was Mary Anning?"
ANNING = Document(id="a", title="Mary Anning", text="She found a plesiosaur in 1823.")
CUVIER = Document(id="c", title="Georges Cuvier", text="Cuvier doubted it.", source="corpus")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Mary Anning found a plesiosaur.", True),
        ("Mary Anning found it in 1811.", True),
        ("Mary Anning died of cancer.", False),
        ("Mary Anning died of cancer in 1823 in Lyme Regis.", False),
    ],
)
def test_a_claim_is_spoken_of_if_a_strip_has_half_of_its_words(text, spoken):
    claim = Claim(id="c1", text=text, start=0, end=1)
    assert find_unspoken(QUESTION, [claim], [ANNING]) == ([] if spoken else [claim])
    assert find_unspoken(QUESTION, [claim], []) == [claim]


@pytest.mark.parametrize(
    ("question", "kept"), [(QUESTION, False), ("Who was Georges Cuvier?", True), ("Who?", True)]
)
def test_documents_on_others_are_dropped(question, kept):
    assert drop_off_topic(question, [ANNING], [CUVIER]) == ([CUVIER] if kept else [])
