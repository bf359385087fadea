"""What may evaluate: local weights, tiny untrained checkpoints, objects; and what may not."""

import json
from dataclasses import asdict

import pytest

from errata.errors import AccessError, InputError, SettingError
from errata.tools.judges.checkpoints import evaluator_for, is_evaluator
from errata.tools.judges.evaluator import load_local_evaluator

TOWER = ("Eiffel Tower", "The Eiffel Tower was opened on 31 March 1889 in Paris.")
BEES = ("Bees", "Bees make honey. They fly far.")


@pytest.mark.parametrize(
    ("spec", "evaluates"),
    [
        ("local", True),
        ("local:x.json", True),
        ("t5:x", True),
        ("cross-encoder:x", True),
        ("openai:gpt-4o", False),
        (load_local_evaluator(), True),
        (None, False),
    ],
)
def test_chat_models_are_no_evaluators(spec, evaluates):
    assert is_evaluator(spec) is evaluates


@pytest.mark.parametrize("part", ["weights", "strips"])
def test_weights_for_other_features_are_an_error(tmp_path, part):
    weights = asdict(load_local_evaluator("lexical").weights) | {part: {}}
    (tmp_path / "w.json").write_text(json.dumps(weights))
    with pytest.raises(InputError, match="fitted on other features"):
        evaluator_for(f"local:{tmp_path / 'w.json'}")


def tiny(kind, folder):
    """The spec of an untrained checkpoint with a vocabulary of a few words."""
    transformers = pytest.importorskip("transformers", reason="needs errata[huggingface]")
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[SEP]", "tower", "bees"])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        pad_token="[PAD]",
        unk_token="[UNK]",
        eos_token="[SEP]",
        sep_token="[SEP]",
        cls_token="[SEP]",
    ).save_pretrained(folder)
    if kind == "t5":
        config = transformers.T5Config(
            vocab_size=5,
            d_model=16,
            d_kv=8,
            d_ff=16,
            num_layers=1,
            num_heads=2,
            num_labels=1,
            pad_token_id=0,
            eos_token_id=2,
            decoder_start_token_id=0,
        )
        transformers.T5ForSequenceClassification(config).save_pretrained(folder)
    else:
        config = transformers.BertConfig(
            vocab_size=5,
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            num_labels=1,
        )
        transformers.BertForSequenceClassification(config).save_pretrained(folder)
    return f"{kind}:{folder}"


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_checkpoints_are_evaluators(kind, tmp_path):
    evaluator = evaluator_for(tiny(kind, tmp_path))
    scores = evaluator.score("tower", [TOWER, BEES] * 10)
    assert len(scores) == 20
    assert all(-1 <= score <= 1 for score in scores)
    assert evaluator.score("tower", []) == []


@pytest.mark.parametrize("kind", ["t5", "cross-encoder"])
def test_a_missing_checkpoint_is_an_error(kind, tmp_path):
    pytest.importorskip("sentence_transformers", reason="needs errata[huggingface]")
    with pytest.raises(AccessError, match="no evaluator can be read"):
        evaluator_for(f"{kind}:{tmp_path / 'gone'}").score("x", [TOWER])


def test_a_checkpoint_must_be_named():
    with pytest.raises(SettingError, match="'t5:'"):
        evaluator_for("t5:")
