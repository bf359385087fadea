"""The methods as a guardrail, in the hands of CrewAI: outputs have the fields of its TaskOutput."""

import asyncio
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any, get_args, get_origin

import pytest

from errata import guardrail
from errata.core.errors import SettingError
from example import DRAFT, PAGE, RESPONSE


@dataclass
class TaskOutput:
    """What a guardrail gets of a task (crewai 1.15)."""

    raw: str = ""
    description: str = "Write about her."
    agent: str = "writer"
    name: str | None = None
    pydantic: Any = None
    json_dict: dict[str, Any] | None = None
    messages: list[Any] = field(default_factory=list)


def test_a_task_takes_it_by_its_signature():
    form = signature(guardrail())
    assert [each.default for each in form.parameters.values()] == [Parameter.empty]
    assert (get_origin(form.return_annotation), get_args(form.return_annotation)) == (
        tuple,
        (bool, Any),
    )


@pytest.mark.parametrize(
    ("raw", "documents", "expected"),
    [
        (DRAFT, [PAGE], (True, RESPONSE)),
        (PAGE, [PAGE], (True, PAGE)),
        (DRAFT, [], (True, DRAFT)),
        (" \n", [PAGE], (True, " \n")),
    ],
)
def test_what_can_be_mended_is_and_the_rest_passes(raw, documents, expected):
    assert guardrail(documents=documents)(TaskOutput(raw)) == expected


def test_what_no_edit_mends_goes_back_with_its_evidence():
    passed, said = guardrail(documents=[PAGE], check_only=True)(TaskOutput(DRAFT))
    assert not passed
    assert said.startswith("The evidence contradicts this.")
    assert "refuted: Marie Curie was born in 1865" in said
    assert "7 November 1867" in said


def test_it_works_inside_an_event_loop():
    async def work():
        return guardrail(documents=[PAGE])(TaskOutput(DRAFT))

    assert asyncio.run(work()) == (True, RESPONSE)


def test_a_failing_model_passes_nothing_as_checked_and_changes_nothing():
    model = "openai:m@http://127.0.0.1:9/v1"
    check = guardrail(documents=[PAGE], model=model, retries=0)
    assert check(TaskOutput(DRAFT)) == (True, DRAFT)


def test_an_unknown_setting_is_refused_at_once():
    with pytest.raises(SettingError, match="colour"):
        guardrail(colour="red")
    with pytest.raises(SettingError, match="can answer"):
        guardrail("crag")
