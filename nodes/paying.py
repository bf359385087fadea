"""What a search is paid for with: within the budgets before, on the run's bill after."""

from collections.abc import Iterator
from contextlib import contextmanager

from errata.core.budgets import Cost, admit, check_priced
from errata.core.records import Usage
from errata.nodes.context import Context
from errata.nodes.ledger import spend


@contextmanager
def pay_for_search(context: Context, role: str, engine: str = "") -> Iterator[None]:
    """Leave to search a corpus, or the web by an engine; a search that fails counts, without price.

    Raises BudgetError if a budget allows no more, or limits money and the engine has no price.
    """
    known = context.price_list.search(engine)
    check_priced(known, f"the search engine {engine!r}")
    price = known or 0.0
    usage = Usage(searches=1, by_role={role: {"searches": 1}})
    with admit(Cost(searches=1, money=price)) as admission:
        try:
            yield
        except BaseException:
            spend(usage)
            raise
        admission.paid = admission.reserved
        charged = Usage(money=price, by_role={role: {"money": price}}) if price else Usage()
        spend(usage + charged)
