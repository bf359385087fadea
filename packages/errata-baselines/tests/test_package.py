"""The methods are announced, their prompts locked, their steps on the page."""

import hashlib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from errata.methods import METHODS
from errata.prompts.library import load_prompt, locked_digests

PACKAGE = Path(__file__).parents[1]
NAMES = ["cove", "critic", "ever", "factool", "plain", "rarr", "selfcrag", "selfrag"]
PROMPTS = sorted((PACKAGE / "errata_baselines" / "prompts").glob("*/*.md"))


def test_all_eight_are_announced():
    found = entry_points(group="errata.methods")
    ours = sorted(entry.name for entry in found if entry.value.startswith("errata_baselines."))
    assert ours == NAMES
    assert all(METHODS[name].name == name for name in NAMES)


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_prompt_is_locked(path):
    [*map(METHODS.get, NAMES)]  # so that their prompts are known
    method, name = path.parent.name, f"{path.parent.name}/{path.stem}"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert load_prompt(name).digest == locked_digests(method)[name] == digest


def test_the_page_names_every_step_of_their_graphs():
    sections = (PACKAGE / "README.md").read_text().lower().split("\n## ")
    titles = {part.split()[0].replace("-", ""): part for part in sections}
    for name in NAMES:
        steps = set(METHODS[name].graph.get_graph().nodes) - {"__start__", "__end__", "receive"}
        assert not {step for step in steps if f"`{step}`" not in titles[name]}, name
