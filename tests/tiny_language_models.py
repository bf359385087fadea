"""Language models of two layers that are trained here to give certain replies."""

import pytest

OTHER, END = "<other>", "<end>"
SIZES = {"hidden_size": 32, "intermediate_size": 32}
SIZES |= {"num_hidden_layers": 2, "num_attention_heads": 2}


def tokenizer(words, special=(), template=None):
    """A tokenizer of words between blanks."""
    transformers = pytest.importorskip("transformers", reason="needs errata[huggingface]")
    from tokenizers import Tokenizer, models, pre_tokenizers

    level = Tokenizer(models.WordLevel({word: n for n, word in enumerate(words)}, unk_token=OTHER))
    level.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=level,
        eos_token=END,
        unk_token=OTHER,
        additional_special_tokens=[word for word in words if word in special],
        chat_template=template,
    )


def train(folder, words, examples):
    """The spec of a model that is trained on examples: rows of tokens, and what hides some."""
    import torch
    import transformers

    torch.manual_seed(0)
    own = {"vocab_size": len(words), "eos_token_id": words.eos_token_id}
    config = transformers.LlamaConfig(**own, **SIZES)
    model = transformers.LlamaForCausalLM(config)
    optimizer = torch.optim.Adam(model.parameters(), 0.01)
    for rows, labels in examples():
        loss = model(rows, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    words.save_pretrained(folder)
    return f"huggingface:{folder}"
