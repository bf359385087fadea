"""Drop from an exported cross-encoder what a single pair, read by itself, does not need.

The export masks what pads a batch and asks for its sizes in every layer. A pair that is read alone
has no padding: the rest of the graph computes the same logits, bit for bit, in less time.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import GraphProto, NodeProto, helper, numpy_helper

HEADS, HEAD_SIZE = 12, 32
"""The attention heads of the encoder, and the width of each."""
_SPLIT, _JOINED, _COUNT = "split_heads", "joined_heads", "token_count"
_RUNTIME = "com.microsoft"


def slim(model: Path) -> None:
    """Rewrite an int8 model in place, to take the inputs `ids` and `types` of one pair."""
    loaded = onnx.load(str(model))
    graph = loaded.graph
    _add_shapes(graph)
    for node in list(graph.node):
        _drop_mask(node, graph)
        _fix_shape(node, graph)
        _fuse_sum(node, graph)
    _count_tokens(graph)
    _keep_what_is_used(graph)
    loaded.opset_import.append(helper.make_opsetid(_RUNTIME, 1))
    onnx.save(loaded, str(model))


def _add_shapes(graph: GraphProto) -> None:
    """The shapes of a tensor with its heads apart and together; 0 keeps a size as it is."""
    shapes = {_SPLIT: [0, 0, HEADS, HEAD_SIZE], _JOINED: [0, 0, HEADS * HEAD_SIZE]}
    for name, shape in shapes.items():
        graph.initializer.append(numpy_helper.from_array(np.array(shape, np.int64), name))


def _drop_mask(node: NodeProto, graph: GraphProto) -> None:
    """Let attention read all tokens, and expect none of them to weigh nothing."""
    if node.op_type == "Softmax":
        mask = _source(node.input[0], graph)
        node.input[0] = next(x for x in mask.input if _kind(x, graph) == "MatMul")
    elif node.op_type == "Where" and _kind(node.input[0], graph) == "IsNaN":
        _replace(node.output[0], node.input[2], graph)


def _fix_shape(node: NodeProto, graph: GraphProto) -> None:
    """Name the shapes of attention's heads in place of computing them."""
    if node.op_type != "Reshape" or "attention/self" not in node.output[0]:
        return
    kind = _kind(node.input[0], graph)
    if kind == "MatMul":
        _replace(node.output[0], node.input[0], graph)
    else:
        node.input[1] = _JOINED if kind == "Transpose" else _SPLIT


def _fuse_sum(node: NodeProto, graph: GraphProto) -> None:
    """Sum and normalise in one step behind each layer, as onnxruntime does with known sizes."""
    is_last = "/output/LayerNorm" in node.output[0] and "attention" not in node.output[0]
    if node.op_type != "LayerNormalization" or not is_last:
        return
    parts = [*_source(node.input[0], graph).input, *node.input[1:]]
    epsilon = next(a.f for a in node.attribute if a.name == "epsilon")
    fused = helper.make_node(
        "SkipLayerNormalization", parts, node.output, domain=_RUNTIME, epsilon=epsilon
    )
    graph.node.remove(node)
    graph.node.append(fused)


def _count_tokens(graph: GraphProto) -> None:
    """Average over all tokens, of which there are as many as ids."""
    mean = next(node for node in graph.node if node.op_type == "Div")
    total = _source(mean.input[0], graph)
    total.input[0] = _source(total.input[0], graph).input[0]
    mean.input[1] = _COUNT
    size = helper.make_node("Shape", ["ids"], [f"{_COUNT}_whole"], start=1, end=2)
    as_float = helper.make_node("Cast", [f"{_COUNT}_whole"], [_COUNT], to=onnx.TensorProto.FLOAT)
    graph.node.extend([size, as_float])


def _keep_what_is_used(graph: GraphProto) -> None:
    """Keep the nodes, weights and inputs that the outputs rest on, in the order of computation."""
    nodes = dict[str, NodeProto]()
    for output in graph.output:
        nodes |= {node.output[0]: node for node in _needed(output.name, graph, set())}
    used = {name for node in nodes.values() for name in node.input}
    for field, kept in (
        (graph.node, list(nodes.values())),
        (graph.initializer, [t for t in graph.initializer if t.name in used]),
        (graph.input, [i for i in graph.input if i.name in used]),
        (graph.value_info, []),
    ):
        copies = [type(each).FromString(each.SerializeToString()) for each in kept]
        del field[:]
        field.extend(copies)


def _needed(name: str, graph: GraphProto, seen: set[str]) -> Iterator[NodeProto]:
    """The nodes that an output rests on, each behind those that it rests on itself."""
    node = _source(name, graph)
    if node.op_type and node.output[0] not in seen:
        seen.add(node.output[0])
        for part in node.input:
            yield from _needed(part, graph, seen)
        yield node


def _source(name: str, graph: GraphProto) -> NodeProto:
    """The node that computes a tensor; an empty one for an input or a weight."""
    return next((node for node in graph.node if name in node.output), NodeProto())


def _kind(name: str, graph: GraphProto) -> str:
    return str(_source(name, graph).op_type)


def _replace(old: str, new: str, graph: GraphProto) -> None:
    for node in graph.node:
        for place, name in enumerate(node.input):
            if name == old:
                node.input[place] = new
