"""Retrieval made worse: nested, seeded, only where it was right."""

import pytest

from errata.core.records import Document
from errata.evals.items import Item
from errata.evals.papers.measures import Removal, has_answer

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


@pytest.mark.parametrize(("share", "right"), [(0, 20), (0.25, 15), (0.5, 10), (1, 0)])
def test_a_share_of_the_right_retrievals_goes_wrong(share, right):
    assert sum(map(has_answer, apply(Removal(share), ITEMS))) == right


def test_an_item_without_accepted_answers_has_no_right_retrieval():
    bare = Item(id="q", question="Where?", documents=(RIGHT,))
    assert not has_answer(bare)
    assert apply(Removal(1.0), [bare]) == [bare]
