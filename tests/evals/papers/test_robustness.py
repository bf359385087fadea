"""Retrieval made worse: nested, seeded, and only where it was right."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata.core.records import Document
from errata.evals.items import Item
from errata.evals.papers.measures import Removal, has_answer, retrieval_accuracy

RIGHT = Document(id="d1", title="Ada", text="She lived in Rome.")
TITLED = Document(id="d2", title="Rome", text="It has hills.")
WRONG = Document(id="d3", text="She lived in Romeville, a promenade.")


def item(number, *documents):
    gold = {"answers": ["rome", "the Eternal City"]}
    return Item(id=f"q{number}", question="Where?", documents=documents, gold=gold)


ITEMS = [item(n, WRONG, RIGHT, TITLED) if n % 3 else item(n, WRONG) for n in range(30)]


def apply(removal, items):
    return [removal.change_of(items)(each) for each in items]


def test_accurate_results_go_and_the_others_stay_in_order():
    [changed] = apply(Removal(1.0), [item(1, WRONG, RIGHT, TITLED, WRONG)])
    assert changed.documents == (WRONG, WRONG)
    assert changed.gold == {"answers": ["rome", "the Eternal City"]}


@pytest.mark.parametrize(("share", "accuracy"), [(0, 20), (0.25, 15), (0.5, 10), (1, 0)])
def test_a_share_of_the_right_retrievals_goes_wrong(share, accuracy):
    assert retrieval_accuracy(apply(Removal(share), ITEMS)) == pytest.approx(accuracy / 30)


def test_nothing_is_removed_at_first():
    assert apply(Removal(0.0), ITEMS) == ITEMS
    assert retrieval_accuracy([]) is None


def test_an_item_without_accepted_answers_has_no_right_retrieval():
    bare = Item(id="q", question="Where?", documents=(RIGHT,))
    assert not has_answer(bare)
    assert apply(Removal(1.0), [bare]) == [bare]


@settings(deadline=None, max_examples=30)
@given(st.floats(0, 1), st.floats(0, 1), st.integers(0, 5))
def test_more_is_removed_at_every_step(one, other, seed):
    less, more = sorted((one, other))
    fewer = [set(each.documents) for each in apply(Removal(less, seed), ITEMS[:12])]
    fewest = [set(each.documents) for each in apply(Removal(more, seed), ITEMS[:12])]
    assert all(after <= before for before, after in zip(fewer, fewest, strict=True))
    assert all(WRONG in documents for documents in fewest)


def test_the_seed_draws_the_questions_whatever_their_order():
    half = {each.id: each.documents for each in apply(Removal(0.5, 1), ITEMS)}
    again = {each.id: each.documents for each in apply(Removal(0.5, 1), ITEMS[::-1])}
    other = {each.id: each.documents for each in apply(Removal(0.5, 2), ITEMS)}
    assert half == again
    assert half != other
    assert len({Removal(0.5, 1).name, Removal(0.5, 2).name, Removal(0.6, 1).name}) == 3
