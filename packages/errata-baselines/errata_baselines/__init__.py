"""The methods that the papers compare with, one file each, their prompts in `prompts/METHOD`."""

import json
from importlib.resources import files
from typing import Any

from errata.prompts.library import add_prompts

add_prompts(__name__)


def replies_to(method: str) -> dict[str, Any]:
    """A model's replies to a method's prompts in the worked example of errata's tests."""
    replies = json.loads(files(__name__).joinpath("replies.json").read_text("utf-8"))
    return {name: reply for name, reply in replies.items() if name.startswith(f"{method}/")}
