"""Published verifiers by name: each architecture as a tiny untrained checkpoint, read for real."""

import json
from dataclasses import replace

import pytest

from errata import check
from errata.core.errors import AccessError, SettingError
from errata.tools.judges.hub_verifier import PUBLISHED, Form, form_of, meanings, verify_by_hub
from example import claims_of, pages_of

WORDS = "[PAD] </s> [SEP] [CLS] [UNK] tower bees 0 1 opened in 1889 Paris . predict:".split()
CLAIMS = claims_of("tower opened in 1889", "bees opened in Paris")
LONG = pages_of("The tower opened in 1889. The bees are in Paris. " * 60)
SMALL = {
    "vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
    "intermediate_size": 16, "pad_token_id": 0,
}  # fmt: skip
T5 = {
    "vocab_size": len(WORDS), "d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2,
    "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0,
}  # fmt: skip
NLI = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}


def save_tokenizer(hub, folder):
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = Tokenizer(models.WordLevel({w: n for n, w in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 3), ("[SEP]", 2)],
    )
    marks = {"pad": "[PAD]", "unk": "[UNK]", "eos": "</s>", "sep": "[SEP]", "cls": "[CLS]"}
    hub.PreTrainedTokenizerFast(
        tokenizer_object=words,
        model_max_length=128,
        **{f"{name}_token": mark for name, mark in marks.items()},
    ).save_pretrained(folder)


def bert(hub, folder, **labels):
    config = hub.BertConfig(**SMALL, **labels)
    hub.BertForSequenceClassification(config).save_pretrained(folder)


def deberta(hub, folder):
    config = hub.DebertaV2Config(**SMALL, id2label=NLI)
    hub.DebertaV2ForSequenceClassification(config).save_pretrained(folder)


def tagger(hub, folder):
    config = hub.BertConfig(**SMALL, num_labels=2)
    hub.BertForTokenClassification(config).save_pretrained(folder)


def t5(hub, folder):
    hub.T5ForConditionalGeneration(hub.T5Config(**T5)).save_pretrained(folder)


def hhem(hub, folder):
    from safetensors.torch import save_file

    (folder / "base").mkdir()
    model = hub.T5ForTokenClassification(hub.T5Config(**T5, num_labels=2))
    model.config.save_pretrained(folder / "base")
    state = {f"t5.{name}": value.clone() for name, value in model.state_dict().items()}
    save_file(state, str(folder / "model.safetensors"))
    config = {"model_type": "HHEMv2", "foundation": str(folder / "base")}
    (folder / "config.json").write_text(json.dumps(config))


@pytest.fixture
def checkpoint(transformers, tmp_path):
    def make(name, save):
        folder = tmp_path / name
        folder.mkdir()
        save_tokenizer(transformers, folder)
        save(transformers, folder)
        return str(folder)

    return make


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("DeBERTa-v3-base-mnli-fever-anli", deberta),
        ("MiniCheck-RoBERTa-Large", bert),
        ("MiniCheck-Flan-T5-Large", t5),
        ("FactCG-DeBERTa-v3-Large", bert),
        ("HHEM-2.1-open", hhem),
        ("lettucedect-base-modernbert-en-v1", tagger),
    ],
)
def test_each_architecture_judges_every_claim(checkpoint, name, save):
    verdicts = verify_by_hub(checkpoint(name, save), CLAIMS, LONG)
    assert [verdict.claim for verdict in verdicts] == ["c1", "c2"]
    for verdict in verdicts:
        assert 0 <= verdict.score <= 1
        assert (verdict.label == "supported") == (verdict.score >= 0.5)


def test_without_a_document_nothing_is_supported(checkpoint):
    verdicts = verify_by_hub(checkpoint("minicheck", bert), CLAIMS, [])
    assert [verdict.label for verdict in verdicts] == ["not_mentioned"] * 2


def test_marked_words_of_a_claim_are_doubted(checkpoint, tmp_path):
    (tmp_path / "v.yaml").write_text(
        f"model: {checkpoint('tagger', tagger)}\nhead: tokens\nthreshold: 0.01\n"
        "labels: [supported, not_mentioned]\n"
    )
    [verdict] = verify_by_hub(str(tmp_path / "v.yaml"), CLAIMS[:1], LONG)
    assert verdict.doubted == ("tower", "opened", "in", "1889")


@pytest.mark.parametrize(
    ("names", "form", "expected"),
    [
        (NLI, Form(), ["supported", "not_mentioned", "refuted"]),
        ({0: "Inconsistent", 1: "Consistent"}, Form(), ["not_mentioned", "supported"]),
        ({0: "LABEL_0", 1: "LABEL_1"}, PUBLISHED["minicheck"], ["not_mentioned", "supported"]),
        ({0: "hallucinated", 1: "supported"}, Form(), ["not_mentioned", "supported"]),
        ({0: "irrelevant", 1: "relevant"}, Form(), ["not_mentioned", "supported"]),
        ({0: "LABEL_0"}, Form(), ["supported"]),
    ],
)
def test_labels_mean_what_the_config_or_the_form_says(names, form, expected):
    assert meanings("m", names, form) == expected


@pytest.mark.usefixtures("transformers")
@pytest.mark.parametrize(
    ("name", "message"),
    [("gone", "no checkpoint can be read"), ("model.onnx", r"model\.onnx, tokenizer\.json")],
)
def test_a_missing_checkpoint_is_an_error(tmp_path, name, message):
    with pytest.raises(AccessError, match=message):
        verify_by_hub(str(tmp_path / name), CLAIMS, LONG)


@pytest.mark.parametrize("text", ["labels: [supported]", "model: m\nhead: bells", "model: m\nx: 1"])
def test_a_file_that_describes_no_verifier_is_an_error(tmp_path, text):
    (tmp_path / "v.yaml").write_text(text)
    with pytest.raises(SettingError, match=r"v\.yaml"):
        form_of(str(tmp_path / "v.yaml"))


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("lytang/MiniCheck-Flan-T5-Large", "minicheck-flan-t5"),
        ("lytang/MiniCheck-DeBERTa-v3-Large", "minicheck"),
        ("vectara/hallucination_evaluation_model", "hhem"),
    ],
)
def test_known_verifiers_need_no_settings(source, part):
    assert form_of(source) == replace(PUBLISHED[part], model=source)


def test_a_named_checkpoint_verifies_and_shares_claims_in_a_run(checkpoint, scripted):
    spec = f"hub:{checkpoint('minicheck', bert)}"
    replies = scripted({"rac/verify": "1: True [1]\n2: Not mentioned\n"})
    draft = "The tower opened in 1889. The tower has bees that nobody may count."

    def run(verifier):
        result = check("", draft, documents=LONG, roles={"verify": verifier})
        return result.verdicts, result.usage.by_role.get("verify", {}).get("escalated")

    claims = check("", draft, documents=LONG, roles={"verify": "local"}).claims
    (sure, _), _ = run("local")
    (_, alone), _ = run(spec)
    [own] = verify_by_hub(spec[4:], claims[1:], LONG)
    assert (alone.label, alone.score) == (own.label, own.score)
    (first, second), escalated = run(f"local>{spec}")
    assert (first.score, second.score, escalated) == (sure.score, alone.score, 1)
    verdicts, escalated = run(f"{spec}>{replies}")
    assert [verdict.label for verdict in verdicts] == ["supported", "not_mentioned"]
    assert escalated == 2


@pytest.mark.parametrize(
    "settings",
    [{"model": "hub:x"}, {"roles": {"revise": "hub:x"}}, {"roles": {"correct": "local>hub:x"}}],
)
def test_a_checkpoint_can_only_verify(settings):
    with pytest.raises(SettingError, match=r"can only verify|may be shared"):
        check("", "The tower opened.", documents=["It opened."], **settings)
