"""Entailment checkpoints: which label they choose, of which window of a text."""

from importlib.util import find_spec

import pytest

from errata.core.errors import AccessError, SettingError
from errata.evals.judges import judge_named, relate_to_text
from errata.evals.judges.checkpoint import read_labels
from tiny_checkpoints import tiny

LABELS = ("contradiction", "neutral", "entailment")


@pytest.fixture
def checkpoint(tmp_path):
    """Makes a checkpoint that chooses the same label whatever it reads."""

    def make(chosen, labels=LABELS):
        spec = tiny("cross-encoder", tmp_path / "tiny")
        folder = spec.partition(":")[2]
        import torch
        from transformers import BertConfig, BertForSequenceClassification

        config = BertConfig.from_pretrained(folder)
        config.id2label = dict(enumerate(labels))
        config.label2id = {label: number for number, label in enumerate(labels)}
        model = BertForSequenceClassification(config)
        with torch.no_grad():
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.eye(len(labels))[labels.index(chosen)])
        model.save_pretrained(folder)
        return judge_named(f"entailment:{folder}")

    return make


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("chosen", "relation"),
    [("contradiction", "refuted"), ("neutral", "not_mentioned"), ("entailment", "supported")],
)
async def test_the_likeliest_label_is_the_relation(chosen, relation, checkpoint):
    judge = checkpoint(chosen)
    text = "tower bees " * 700
    assert await relate_to_text(judge, "", ["tower", "bees"], text) == (relation, relation)


@pytest.mark.slow
@pytest.mark.anyio
async def test_other_labels_are_refused(checkpoint):
    with pytest.raises(SettingError, match="entailment, neutral and contradiction"):
        await relate_to_text(checkpoint("good", ("good", "bad")), "", ["bees"], "bees")


@pytest.mark.slow
@pytest.mark.anyio
async def test_a_folder_without_a_model_is_named(tmp_path):
    pytest.importorskip("transformers", reason="needs errata[huggingface]")
    with pytest.raises(AccessError, match="no entailment model can be read"):
        await relate_to_text(judge_named(f"entailment:{tmp_path}"), "", ["bees"], "bees")


@pytest.mark.anyio
async def test_without_torch_it_says_what_to_install():
    if find_spec("torch") and find_spec("transformers"):
        pytest.skip("needs a machine without torch or transformers")
    with pytest.raises(SettingError, match=r"pip install 'errata\[huggingface\]'"):
        await relate_to_text(judge_named("entailment:m"), "", ["bees"], "bees")


@pytest.mark.parametrize(
    ("names", "relations"),
    [
        (LABELS, ["refuted", "not_mentioned", "supported"]),
        (("ENTAILMENT", "NOT_ENTAILMENT"), ["supported", "not_mentioned"]),
        (("e: entails", "contradicts"), ["supported", "refuted"]),
    ],
)
def test_labels_are_read_by_their_names(names, relations):
    assert list(read_labels("m", dict(enumerate(names))).values()) == relations


@pytest.mark.parametrize("names", [("LABEL_0", "LABEL_1"), ("neutral", "contradiction"), ()])
def test_labels_that_tell_no_entailment_are_refused(names):
    with pytest.raises(SettingError, match="'m'"):
        read_labels("m", dict(enumerate(names)))
