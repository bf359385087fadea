"""Untrained checkpoints with a vocabulary of a few words, for tests without the network."""


def tiny(kind, folder):
    """The spec of an untrained checkpoint with a vocabulary of a few words."""
    import transformers
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
