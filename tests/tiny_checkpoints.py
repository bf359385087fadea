"""Untrained checkpoints with a vocabulary of a few words, for tests without the network."""

MARKS = {"pad_token": "[PAD]", "unk_token": "[UNK]", "eos_token": "[SEP]"}
MARKS |= {"sep_token": "[SEP]", "cls_token": "[SEP]"}
BERT = {"hidden_size": 16, "intermediate_size": 16}
BERT |= {"num_hidden_layers": 1, "num_attention_heads": 2}
T5 = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2}
T5 |= {"pad_token_id": 0, "eos_token_id": 2, "decoder_start_token_id": 0}


def tiny(kind, folder):
    """The spec of an untrained checkpoint with a vocabulary of a few words."""
    import transformers
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: n for n, word in enumerate(["[PAD]", "[UNK]", "[SEP]", "tower", "bees"])}
    words = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, **MARKS).save_pretrained(folder)
    own = {"vocab_size": 5, "num_labels": 1}
    if kind == "t5":
        model = transformers.T5ForSequenceClassification(transformers.T5Config(**own, **T5))
    else:
        model = transformers.BertForSequenceClassification(transformers.BertConfig(**own, **BERT))
    model.save_pretrained(folder)
    return f"{kind}:{folder}"
