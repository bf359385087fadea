"""How every registered method is built: names, files, schemas, registration."""

import asyncio
import inspect
import json
import re
from dataclasses import fields
from importlib import import_module
from itertools import permutations
from typing import get_type_hints

import grimp
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

from errata.methods import METHODS


def node_functions(method):
    """The function of each node, by the node's name."""
    nodes = method.graph.builder.nodes
    return {name: inspect.unwrap(node.runnable) for name, node in nodes.items()}


def test_registry_graphs_and_langgraph_json_agree(root):
    served = json.loads((root / "langgraph.json").read_text())["graphs"]
    assert served == {
        name: {"path": f"errata.graphs.{name}:graph", "description": method.description}
        for name, method in METHODS.items()
    }
    assert {path.stem for path in (root / "graphs").glob("*.py")} - {"__init__"} == set(METHODS)


def test_nodes_files_and_functions_have_the_same_names(method, root):
    functions = node_functions(method)
    assert all(function.__name__ == name for name, function in functions.items())
    rooms = (method.name, *method.joins, "shared")
    for name, function in functions.items():
        assert function.__module__ in [f"errata.nodes.{room}.{name}" for room in rooms]
    for path in (root / "nodes" / method.name).glob("*.py"):
        is_step = re.search(r"^@(?:step|opening)$", path.read_text(), re.MULTILINE)
        assert bool(is_step) is (path.stem in functions), path


def test_steps_update_only_fields_of_the_state(method):
    """LangGraph drops an unknown key without a word."""
    state = method.graph.builder.state_schema
    for function in node_functions(method).values():
        update = get_type_hints(function)["return"]
        assert set(get_type_hints(update)) <= set(state.model_fields)


def test_every_node_receives_the_methods_own_state(method):
    state = method.graph.builder.state_schema
    assert {node.input_schema for node in method.graph.builder.nodes.values()} == {state}
    assert method.context is method.graph.builder.context_schema
    assert state.CONTEXT is method.context


def test_the_result_has_the_fields_of_the_record(method):
    result = method.graph.builder.output_schema
    names = {field.name for field in fields(method.record)}
    assert names | {"messages"} == set(result.model_fields)


def test_methods_never_import_each_other():
    """What two methods share is in nodes/shared, a tool or a record; one may join others."""
    imports = grimp.build_graph("errata")
    pairs = [p for p in permutations(METHODS, 2) if p[1] not in METHODS[p[0]].joins]
    for name, other in pairs:
        chains = imports.find_shortest_chains(
            importer=f"errata.nodes.{name}", imported=f"errata.nodes.{other}", as_packages=True
        )
        assert not chains


def test_graphs_come_without_a_checkpointer(method):
    assert method.graph.checkpointer is None


def test_an_earlier_state_can_be_edited_at_every_step(method, request_for):
    graph = method.graph.builder.compile(checkpointer=InMemorySaver())
    thread = {"configurable": {"thread_id": "1"}}

    async def edit():
        await graph.ainvoke(request_for(method), thread)
        for name in set(graph.nodes) - {"__start__"}:
            await graph.aupdate_state(thread, {"question": "Who was Ada?"}, as_node=name)

    asyncio.run(edit())


def test_settings_are_json_and_have_descriptions(method):
    adapter = TypeAdapter(method.context)
    schema = adapter.json_schema()
    assert all(field.get("description") for field in schema["properties"].values())
    defaults = adapter.dump_python(adapter.validate_python({}), mode="json")
    assert adapter.validate_python(json.loads(json.dumps(defaults))) == adapter.validate_python({})


def test_the_docstring_cites_the_paper_and_lists_the_differences(method):
    text = import_module(f"errata.graphs.{method.name}").__doc__
    assert "arXiv:" in text
    assert "Unlike the paper:" in text
