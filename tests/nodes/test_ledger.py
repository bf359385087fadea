"""The ledger: what happens inside its block is added up, what happens outside is not."""

import asyncio
from contextlib import suppress

import pytest

from errata.core.records import Usage
from errata.nodes.step import Ledger, note, note_once, open_ledger, spend

CALL = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}})


def test_costs_and_notes_inside_the_block_are_added_up():
    with open_ledger() as ledger:
        spend(CALL, {"rac/verify.v1": "digest"})
        spend(Usage(searches=2))
        note("one", "two")
        note("one")
        note_once("two")
    assert ledger.usage == CALL + Usage(searches=2)
    assert ledger.prompts == {"rac/verify.v1": "digest"}
    assert ledger.notes == ["one", "two", "one"]


@pytest.mark.usefixtures("eager_threads")
def test_tasks_and_threads_inside_the_block_are_included():
    def call(number):
        for count in range(50):
            spend(CALL, {f"prompt {number}": "digest"})
            note(f"note {number} {count}")
            note_once(f"note {count}")

    async def run():
        with open_ledger() as ledger:
            async with asyncio.TaskGroup() as group:
                for number in range(4):
                    group.create_task(asyncio.to_thread(call, number))
        return ledger

    ledger = asyncio.run(run())
    assert ledger.usage.model_calls == ledger.usage.by_role["verify"]["model_calls"] == 200
    each = [f"note {number} {count}" for number in range(4) for count in range(50)]
    assert sorted(ledger.notes) == sorted([*each, *(f"note {count}" for count in range(50))])
    assert sorted(ledger.prompts) == [f"prompt {number}" for number in range(4)]


def test_nothing_outside_the_block_is_included_also_after_an_error():
    spend(CALL, {"before": "digest"})
    note("before")
    with suppress(KeyError), open_ledger() as ledger:
        raise KeyError
    spend(CALL, {"after": "digest"})
    note("after")
    assert ledger == Ledger()


def test_ledgers_inside_each_other_and_side_by_side_are_each_their_own():
    async def work(number):
        with open_ledger() as ledger:
            await asyncio.sleep(0)
            note(f"note {number}")
            await asyncio.sleep(0)
        return ledger.notes

    async def run():
        with open_ledger() as outer:
            inner = await asyncio.gather(work(1), work(2))
            note("outer")
        return inner, outer.notes

    assert asyncio.run(run()) == ([["note 1"], ["note 2"]], ["outer"])
