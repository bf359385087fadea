"""How every registered method is built: names, files, schemas, registration."""

import asyncio
import json
from dataclasses import fields
from importlib import import_module

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import TypeAdapter

from errata.methods import ANSWERING, CORRECTING, METHODS, module_of


def test_langgraph_json_serves_our_methods(root):
    served = json.loads((root / "langgraph.json").read_text())["graphs"]
    assert served == {
        name: {"path": f"errata.graphs.{name}:graph", "description": METHODS[name].description}
        for name in (*CORRECTING, *ANSWERING)
    }


def test_every_graph_of_ours_is_registered(root):
    graphs = {path.stem for path in (root / "graphs").glob("*.py")} - {"__init__", "knowledge"}
    assert graphs == {*CORRECTING, *ANSWERING}


def test_every_node_receives_the_methods_own_state(method):
    state = method.graph.builder.state_schema
    assert {node.input_schema for node in method.graph.builder.nodes.values()} == {state}
    assert method.context is method.graph.builder.context_schema
    assert state.CONTEXT is method.context


def test_the_result_has_the_fields_of_the_record(method):
    result = method.graph.builder.output_schema
    names = {field.name for field in fields(method.record)}
    assert names - {"documents"} | {"messages"} == set(result.model_fields)


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
    text = import_module(module_of(method.name)).__doc__
    assert "arXiv:" in text
    assert "Unlike the paper:" in text
