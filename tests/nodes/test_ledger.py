"""The ledger: what happens inside its block is added up, what happens outside is not."""

import asyncio

import pytest

from errata.core.records import Usage
from errata.nodes.ledger import Ledger, note, note_once, open_ledger, spend

CALL = Usage(model_calls=1, by_role={"verify": {"model_calls": 1}})


def test_costs_and_notes_inside_the_block_are_added_up():
    with open_ledger() as ledger:
        spend(CALL, {"rac/verify.v1": "digest"})
        spend(CALL)
        spend(Usage(searches=2))
        note("one", "two")
        note("one")
        note_once("two")
    assert ledger.usage == CALL + CALL + Usage(searches=2)
    assert ledger.prompts == {"rac/verify.v1": "digest"}
    assert ledger.notes == ["one", "two", "one"]


def test_tasks_inside_the_block_are_included():
    async def call(number):
        await asyncio.sleep(0)
        spend(CALL, {f"prompt {number}": "digest"})
        note(f"note {number}")

    async def run():
        with open_ledger() as ledger:
            async with asyncio.TaskGroup() as group:
                group.create_task(call(0))
                group.create_task(call(1))
            await asyncio.gather(call(2), call(3))
        return ledger

    ledger = asyncio.run(run())
    assert ledger.usage.model_calls == 4
    assert sorted(ledger.notes) == [f"note {number}" for number in range(4)]
    assert sorted(ledger.prompts) == [f"prompt {number}" for number in range(4)]


@pytest.mark.usefixtures("eager_threads")
def test_threads_inside_the_block_are_included():
    def call(number):
        for count in range(50):
            spend(CALL)
            note(f"note {number} {count}")
            note_once(f"note {count}")

    async def run():
        with open_ledger() as ledger:
            await asyncio.gather(*(asyncio.to_thread(call, number) for number in range(4)))
        return ledger

    ledger = asyncio.run(run())
    assert ledger.usage.model_calls == ledger.usage.by_role["verify"]["model_calls"] == 200
    each = [f"note {number} {count}" for number in range(4) for count in range(50)]
    assert sorted(ledger.notes) == sorted([*each, *(f"note {count}" for count in range(50))])


def test_nothing_outside_the_block_is_included():
    spend(CALL, {"before": "digest"})
    note("before")
    with open_ledger() as ledger:
        pass
    spend(CALL, {"after": "digest"})
    note("after")
    assert ledger == Ledger()


def test_an_error_closes_the_ledger():
    def fail():
        with open_ledger() as ledger:
            ledgers.append(ledger)
            note("inside")
            int("no number")

    ledgers = []
    with pytest.raises(ValueError, match="no number"):
        fail()
    note("outside")
    assert ledgers[0].notes == ["inside"]


def test_steps_side_by_side_have_ledgers_of_their_own():
    async def work(number):
        with open_ledger() as ledger:
            await asyncio.sleep(0)
            note(f"note {number}")
            await asyncio.sleep(0)
        return ledger.notes

    async def run():
        return await asyncio.gather(work(1), work(2))

    assert asyncio.run(run()) == [["note 1"], ["note 2"]]


def test_a_ledger_inside_another_takes_its_place():
    with open_ledger() as outer:
        with open_ledger() as inner:
            note("inner")
        note("outer")
    assert (outer.notes, inner.notes) == (["outer"], ["inner"])
