"""What every method must keep to; a new one is found by walking folders."""

import asyncio
import inspect
import json
import re
import tomllib
from dataclasses import fields
from importlib import import_module
from typing import get_type_hints

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

from errata.api import context_of
from errata.records import Answer, Correction

METHODS = ["crag", "rac", "reex"]
RECORDS = {"crag": Answer, "rac": Correction, "reex": Correction}


def graph_of(method):
    return import_module(f"errata.graphs.{method}").graph


def steps_of(method, root):
    for path in sorted((root / "nodes" / method).glob("*.py")):
        if path.stem not in ("__init__", "state", "routes"):
            yield path.stem, getattr(import_module(f"errata.nodes.{method}.{path.stem}"), path.stem)


def test_every_graph_is_registered_and_described(root):
    registered = json.loads((root / "langgraph.json").read_text())["graphs"]
    there = {path.stem for path in (root / "graphs").glob("*.py")} - {"__init__"}
    assert set(registered) == there == set(METHODS)
    for method, entry in registered.items():
        assert entry["path"] == f"errata.graphs.{method}:graph"
        assert entry["description"]


@pytest.mark.parametrize("method", METHODS)
def test_nodes_files_and_functions_share_their_names(method, root):
    names = {name for name, _ in steps_of(method, root)}
    assert names == set(graph_of(method).nodes) - {"__start__"}
    assert all(step.__name__ == name for name, step in steps_of(method, root))


@pytest.mark.parametrize("method", METHODS)
def test_steps_add_only_what_the_state_has(method, root):
    """LangGraph drops an unknown key without a word."""
    state = getattr(import_module(f"errata.nodes.{method}.state"), method.capitalize())
    for _, step in steps_of(method, root):
        added = get_type_hints(inspect.unwrap(step))["return"]
        assert set(get_type_hints(added)) <= set(state.model_fields)


@pytest.mark.parametrize("method", METHODS)
def test_the_result_holds_what_the_record_holds(method):
    result = import_module(f"errata.nodes.{method}.state").Result
    assert {field.name for field in fields(RECORDS[method])} | {"messages"} == set(
        result.model_fields
    )


@pytest.mark.parametrize("method", METHODS)
def test_graphs_come_without_a_checkpointer(method):
    assert graph_of(method).checkpointer is None


@pytest.mark.parametrize("method", METHODS)
def test_a_runs_past_can_be_edited_at_every_step(method):
    graph = graph_of(method).builder.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}
    request = {"question": "Who was Ada?", "documents": [{"text": "Ada was born in 1815."}]}

    async def edit():
        asked = request | ({} if method == "crag" else {"draft": "Ada was born in 1816."})
        await graph.ainvoke(asked, thread)
        for name in set(graph.nodes) - {"__start__"}:
            await graph.aupdate_state(thread, {"question": "Who was Ada?"}, as_node=name)

    asyncio.run(edit())


@pytest.mark.parametrize("method", METHODS)
def test_settings_are_json_and_explained(method):
    adapter = TypeAdapter(context_of(method))
    schema = adapter.json_schema()
    assert all(field.get("description") for field in schema["properties"].values())
    defaults = adapter.dump_python(adapter.validate_python({}), mode="json")
    assert adapter.validate_python(json.loads(json.dumps(defaults))) == adapter.validate_python({})


@pytest.mark.parametrize("method", METHODS)
def test_the_docstring_names_the_paper_and_what_differs(method):
    text = import_module(f"errata.graphs.{method}").__doc__
    assert "arXiv:" in text
    assert "Unlike the paper:" in text


def test_the_changelog_knows_the_version(root):
    version = tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"]
    assert re.search(
        rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text(), re.MULTILINE
    )


def test_constraints_name_no_place(root):
    for line in (root / "constraints.txt").read_text().splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][A-Za-z0-9.+]*", line), line
