"""The clauses of a sentence."""

from hypothesis import given

from errata.tools.text.clauses import parse_clauses
from strategies import DRAFTS


@given(DRAFTS)
def test_every_clause_claims_something_and_stands_in_its_sentence(sentence):
    leaves = parse_clauses(sentence, "Ada")
    assert leaves or not sentence.strip()
    assert all(0 <= leaf.start <= leaf.end <= len(sentence) for leaf in leaves)
