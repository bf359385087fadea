"""A cross-encoder trains in stages, and reads the same as ONNX, float and int8, and unpacked."""

import json
import warnings

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from errata.tools.judges.cross_encoder import MODEL, CrossEncoder, vocabulary_of
from errata.training.pairs import REFUTED, SUPPORTED, Pair, write_plan

pytestmark = pytest.mark.usefixtures("transformers")
WORDS = ["<s>", "<pad>", "</s>", "[UNK]", "<mask>", "bees", "fly", "far", "stones", "do", "not"]


def save_base(folder, width=16):
    """An untrained encoder of three layers with its tokenizer."""
    import transformers

    sizes = {"hidden_size": width, "intermediate_size": 32, "num_attention_heads": 2}
    made = transformers.MPNetConfig(
        vocab_size=len(WORDS), num_hidden_layers=3, pad_token_id=1, **sizes
    )
    transformers.MPNetModel(made).save_pretrained(folder)
    tokenizer = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    tokenizer.add_special_tokens(["<mask>"])
    tokenizer.save(str(folder / "tokenizer.json"))


# The newer exporter asks for one more package.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_pair_reads_the_same_when_exported(tmp_path):
    pytest.importorskip("onnx", reason="needs errata[train-neural]")
    import torch

    from errata.training.cross_encoder import TrainableCrossEncoder, pad_batch, tokenize
    from errata.training.export import main

    warnings.simplefilter("ignore", torch.jit.TracerWarning)

    save_base(tmp_path)
    torch.manual_seed(0)
    trained = TrainableCrossEncoder(tmp_path, 2)
    weights = tmp_path / "own.pt"
    torch.save(trained.state_dict(), weights)
    main(str(weights), str(tmp_path), "2")
    texts = ("bees fly far", "stones do not fly far " * 3)
    tokens = tokenize([Pair("g", "s", *texts, labels=())], tmp_path)
    with torch.inference_mode():
        expected = trained.eval()(*pad_batch(tokens, [0])[:2])[0][0]
    for name, within in (("own.onnx", 1e-4), (MODEL, 0.1)):
        model = tmp_path / name
        assert "[MASK]" in json.loads(vocabulary_of(model).read_text())["model"]["vocab"]
        [logits] = CrossEncoder(model, vocabulary_of(model)).logits([texts])
        assert list(logits) == pytest.approx(expected.tolist(), abs=within)


def test_what_was_learned_is_kept_in_a_small_file(tmp_path):
    import torch

    from errata.training.cross_encoder import TrainableCrossEncoder
    from errata.training.packed import RANK, unpack
    from errata.training.packed import main as pack

    save_base(tmp_path, width=2 * RANK)
    pretrained = TrainableCrossEncoder(tmp_path).state_dict()
    name = "bert.embeddings.position_embeddings.weight"
    learned = torch.randn(len(pretrained[name]), 1) @ torch.randn(1, 2 * RANK)
    state = {k: v + 0.5 for k, v in pretrained.items()} | {name: pretrained[name] + learned}
    torch.save(state, tmp_path / "own.pt")
    pack(str(tmp_path / "own.pt"), str(tmp_path / "own.npz"), str(tmp_path))
    with np.load(tmp_path / "own.npz") as packed:
        assert packed[f"{name}|left"].shape[1] == RANK
    again = unpack(tmp_path / "own.npz", TrainableCrossEncoder(tmp_path).state_dict())
    assert again.keys() == state.keys()
    assert all(torch.allclose(again[k], state[k], atol=2e-2) for k in state)


def test_a_stage_goes_on_where_it_was(tmp_path):
    import torch

    from errata.training.stages import main as train

    save_base(tmp_path)
    texts = (("bees fly far", SUPPORTED), ("bees do not fly", REFUTED))
    pairs = [
        Pair(f"g{n}", "toy", claim, "bees fly far", labels)
        for n, (claim, labels) in enumerate(texts * 30)
    ]
    write_plan(tmp_path / "plan.jsonl.gz", pairs)
    folder = tmp_path / "stage"
    command = [str(folder), "0.01", str(tmp_path / "plan.jsonl.gz"), "--base", str(tmp_path)]
    options = ["--layers=2", "--epochs=5", "--tokens=64"]
    train(*command, *options)
    (folder / "final.pt").unlink()
    train(*command, *options)
    first, again = map(json.loads, (folder / "log.jsonl").read_text().splitlines())
    assert first["step"] == first["of"] == again["step"] > 50
    assert first["loss"] < 1
    last, final = (torch.load(folder / name) for name in ("last.pt", "final.pt"))
    assert all(torch.equal(last["model"][name], final[name]) for name in final)
    train(str(tmp_path / "next"), *command[1:], "--layers=1", f"--start={folder / 'final.pt'}")
    assert len(torch.load(tmp_path / "next" / "final.pt")) < len(final)
