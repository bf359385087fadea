"""The clauses of a sentence, and their removal."""

from errata.tools.text.clause_removal import remove_clauses
from hypothesis import given

from errata.tools.text.clauses import parse_clauses
from strategies import DRAFTS


@given(DRAFTS)
def test_removing_nothing_keeps_the_sentence(sentence):
    tree = parse_clauses(sentence, "Ada")
    text = remove_clauses(sentence, tree, [])
    assert sentence[: tree.start] + str(text) + sentence[tree.end :] == sentence


@given(DRAFTS)
def test_removing_every_clause_leaves_nothing(sentence):
    tree = parse_clauses(sentence, "Ada")
    assert remove_clauses(sentence, tree, list(tree.leaves())) is None
