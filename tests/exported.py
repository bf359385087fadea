"""Tiny exported checkpoints: a tokenizer of a few words, and an ONNX model that counts votes."""

import json

import onnx
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = "[PAD] </s> [SEP] [CLS] [UNK] tower bees opened in 1889 Paris .".split()
VOTES = {"1889": [9.0, 0.0, 0.0], "bees": [-9.0, 0.0, 9.0]}
"""What a word says of a pair: supported, not mentioned, refuted."""
NLI = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}
MARKS = {"pad_token": "[PAD]", "eos_token": "</s>", "sep_token": {"content": "[SEP]"}}


def words_of():
    """The tokenizer, which reads a pair as BERT does."""
    words = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    return _as_pairs(words, pre_tokenizers.Whitespace())


def pieces_of():
    """A tokenizer of byte pairs, as RoBERTa's."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {w: n for n, w in enumerate([*WORDS, *alphabet])}
    return _as_pairs(Tokenizer(models.BPE(vocabulary, [])), pre_tokenizers.ByteLevel())


def unigrams_of():
    """A tokenizer of sentencepiece's unigrams, as DeBERTa's, whose words begin with a mark."""
    scores = [(word if n < 5 else f"▁{word}", -float(n)) for n, word in enumerate(WORDS)]
    return _as_pairs(Tokenizer(models.Unigram(scores, unk_id=4)), pre_tokenizers.Metaspace())


def _as_pairs(words, splitter):
    words.pre_tokenizer = splitter
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 3), ("[SEP]", 2)],
    )
    return words


def model_of(classes=3, inputs=("input_ids", "attention_mask"), shape=("texts", "tokens"), more=()):
    """A model for which "1889" entails, and "bees" contradicts; `more` outputs stand before it."""
    votes = [VOTES.get(word, [0.0, 0.0, 0.0])[:classes] for word in [*WORDS, *["x"] * 300]]
    flat = [vote for row in votes for vote in row]
    nodes = [
        helper.make_node("Gather", ["votes", "input_ids"], ["voted"]),
        helper.make_node("ReduceMax", ["voted"], ["logits"], axes=[1], keepdims=0),
        *(helper.make_node("Identity", ["voted"], [name]) for name in more),
    ]
    puts = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs]
    outs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in more]
    outs.append(helper.make_tensor_value_info("logits", TensorProto.FLOAT, [shape[0], classes]))
    table = helper.make_tensor("votes", TensorProto.FLOAT, [len(votes), classes], flat)
    graph = helper.make_graph(nodes, "tiny", puts, outs, [table])
    opset = [helper.make_opsetid("", 17)]
    model = helper.make_model(graph, opset_imports=opset, ir_version=8)
    return bytes(onnx.ModelProto.SerializeToString(model))


def files_of(model=None, tokenizer=None, names=NLI, name="onnx/model.onnx"):
    """The files of a repository with such a checkpoint, by name."""
    return {
        "config.json": json.dumps({"id2label": names, "pad_token_id": 0}).encode(),
        "tokenizer_config.json": json.dumps({"model_max_length": 128, **MARKS}).encode(),
        "tokenizer.json": (tokenizer or words_of()).to_str().encode(),
        name: model or model_of(),
    }
