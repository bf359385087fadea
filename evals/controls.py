"""What no method should lose to: the draft as it is, no draft at all, and a refusal."""

from collections.abc import Callable, Mapping

from errata.core.records import Answer, Claim, Correction, Edit, ResponseLabel, Verdict
from errata.evals.items import Item
from errata.methods import Result

REFUSAL = "I cannot answer this."


def leave_as_it_is(item: Item) -> Result:
    """The draft unchanged, and every claim taken for true: the papers' row without correction."""
    return _correction("no_correction", item, item.draft, "supported")


def delete_everything(item: Item) -> Result:
    """Every fact gone, the false ones with the true ones."""
    return _correction("delete_everything", item, "", "refuted")


def refuse_always(item: Item) -> Result:
    """No answer, whatever is asked, and no verdict on any draft."""
    if item.draft:
        return _correction("refuse_always", item, REFUSAL, "not_mentioned")
    return Answer(
        method="refuse_always", question=item.question, response=REFUSAL, action="incorrect"
    )


CONTROLS: Mapping[str, Callable[[Item], Result]] = {
    "no_correction": leave_as_it_is,
    "delete_everything": delete_everything,
    "refuse_always": refuse_always,
}
"""Rows that are no methods; a metric that prefers one of the last two is wrong."""


def _correction(name: str, item: Item, response: str, label: ResponseLabel) -> Correction:
    """The whole draft as one claim with a label, and one edit that replaces it."""
    draft, changed = item.draft, response != item.draft
    claim = Claim(id="c1", text=draft, start=0, end=len(draft))
    edit = Edit(start=0, end=len(draft), before=draft, after=response, claims=("c1",))
    return Correction(
        method=name,
        question=item.question,
        draft=draft,
        response=response,
        changed=changed,
        label=label,
        claims=(claim,),
        verdicts=(Verdict(claim="c1", label=label),),
        edits=(edit,) if changed else (),
        documents=item.documents,
    )
