"""What the command line and a server read from a Context's fields."""

from typing import Annotated

import pytest
from pydantic import BaseModel, Field

from errata.methods import METHODS
from errata.nodes.settings import Flag, Remote, settings_of


class Fields(BaseModel):
    plain: int = 1
    free: Annotated[int, Field(ge=1), Remote.FREE] = 2
    flagged: Annotated[str, Flag("--flag", check=False, environment="FLAG")] = "x"
    both: Annotated[list[str], Flag(), Remote.CAPPED, Field(description="Both.")] = []
    listed: Annotated[dict[str, str], Remote.LISTED] = Field(default_factory=dict)


class More(Fields):
    own: Annotated[bool, Remote.PROMPT] = True


def test_a_setting_has_its_fields_metadata_in_the_order_of_the_fields():
    found = {s.name: (s.remote, s.flag, s.default) for s in settings_of(More)}
    assert list(found.items()) == [
        ("plain", (Remote.NEVER, None, 1)),
        ("free", (Remote.FREE, None, 2)),
        ("flagged", (Remote.NEVER, Flag("--flag", check=False, environment="FLAG"), "x")),
        ("both", (Remote.CAPPED, Flag(), [])),
        ("listed", (Remote.LISTED, None, {})),
        ("own", (Remote.PROMPT, None, True)),
    ]


@pytest.mark.parametrize("method", METHODS)
def test_files_and_keys_of_the_operator_are_not_for_remote_callers(method):
    remote = {setting.name: setting.remote for setting in settings_of(METHODS[method].context)}
    for name in ("prompt_folder", "record", "replay", "per_second"):
        assert remote[name] is Remote.NEVER
    for name in ("model", "roles", "corpus"):
        assert remote[name] is Remote.LISTED
    assert remote["timeout"] is Remote.CAPPED
