"""Models in this process: tiny ones, trained here and read from their folders."""

import pytest

from errata import check, correct
from errata.core.errors import AccessError
from example import CLAIMS, PAGE

pytest.importorskip("langchain_huggingface", reason="needs errata[huggingface]")
torch = pytest.importorskip("torch", reason="needs errata[huggingface]")
transformers = pytest.importorskip("transformers", reason="needs errata[huggingface]")

DRAFT = CLAIMS[1]
TEMPLATE = "{% for m in messages %}{{ m['content'] }}{% endfor %}<reply>"
OTHER, END = "<other>", "<end>"
WORDS = [END, "<reply>", OTHER, "1:", "True"]


def tokenizer():
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token=OTHER))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words,
        eos_token=END,
        unk_token=OTHER,
        additional_special_tokens=["<reply>"],
        chat_template=TEMPLATE,
    )


def train(folder, reply):
    """The spec of a model of two layers that is trained to give one reply to everything."""
    torch.manual_seed(0)
    words = tokenizer()
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        eos_token_id=words.eos_token_id,
    )
    model = transformers.LlamaForCausalLM(config)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    answer = torch.tensor(words.convert_tokens_to_ids(["<reply>", *reply]))
    for length in torch.randint(5, 300, (150,)).tolist():
        row = torch.cat([torch.randint(2, len(words), (length,)), answer])
        hidden = torch.cat([torch.full((length + 1,), -100), answer[1:]])
        loss = model(row[None], labels=hidden[None]).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return f"huggingface:{folder}"


def test_a_model_in_a_folder_verifies(tmp_path):
    from errata.tools.models.huggingface import _read

    _read.cache_clear()
    model = train(tmp_path, ["1:", "True", END])
    correction = check("", DRAFT, documents=[PAGE], roles={"verify": model})
    assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    assert correction.usage.by_role["verify"].keys() >= {"completion_tokens", "prompt_tokens"}
    assert correction.usage.completion_tokens == 2
    assert "estimated_calls" not in correction.usage.by_role["verify"]
    check("", DRAFT, documents=[PAGE], roles={"verify": model})
    assert _read.cache_info().misses == 1


def test_an_endless_reply_is_cut_off_and_changes_nothing(tmp_path):
    model = train(tmp_path, ["True"] * 40)
    correction = correct("", DRAFT, documents=[PAGE], roles={"verify": model})
    assert [verdict.label for verdict in correction.verdicts] == ["unchecked"]
    assert correction.response == DRAFT
    assert "was cut off" in correction.notes[0]


def test_a_folder_without_a_model_ends_the_run(tmp_path):
    with pytest.raises(AccessError, match="no model can be read from"):
        check("", DRAFT, documents=[PAGE], roles={"verify": f"huggingface:{tmp_path}"})


def test_sampling_is_told_to_the_model(tmp_path):
    model = train(tmp_path, ["1:", "True", END])
    settings = {"documents": [PAGE], "roles": {"verify": model}}
    for sampling in ({"temperature": 0}, {"temperature": 0.1, "top_p": 0.5, "seed": 7}):
        correction = check("", DRAFT, **settings, sampling=sampling)
        assert [verdict.label for verdict in correction.verdicts] == ["supported"]
    cut = check("", DRAFT, **settings, sampling={"max_tokens": 1})
    assert "was cut off" in cut.notes[0]
