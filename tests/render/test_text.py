"""What a result cost, in words."""

import pytest

from errata.core.records import Answer, Usage
from errata.render.text import describe_cost


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(), "0 model calls"),
        (Usage(model_calls=1), "1 model call"),
        (Usage(model_calls=2, money=0.00123), "2 model calls, cost 0.0012"),
        (Usage(money=0.045), "0 model calls, cost 0.045"),
        (Usage(money=0.000037), "0 model calls, cost 0.000037"),
    ],
)
def test_what_has_a_price_says_what_it_cost(usage, words):
    assert describe_cost(Answer(method="crag", question="", response="", usage=usage)) == words
