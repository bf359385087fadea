"""Read texts by a published checkpoint: one that transformers reads, or an ONNX file.

The first needs `errata[huggingface]`; the second, `model.onnx` beside `tokenizer.json` and
`config.json` (or in a folder `onnx` of theirs), needs nothing more than the package itself.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from errata.core.errors import AccessError, require
from errata.tools.judges.cross_encoder import EXACT

if TYPE_CHECKING:
    import numpy as np

Heads = Literal["classes", "words", "tokens", "value"]
"""A label for each pair; a word that is written first; a label for each token; a score from -1."""
PACKAGES = ("transformers", "torch")
ONNX = ".onnx"
MAX_TOKENS = 2048
"""The longest input, where a checkpoint does not say what it takes."""
Logits: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
"""(texts, classes); (texts, tokens, classes) where each token is labelled; (texts, vocabulary) of
the first word where one is written."""
Rows: TypeAlias = "Mapping[str, np.ndarray[Any, np.dtype[np.int64]]]"
"""What a model reads, by name: (texts, tokens) each."""
_ROWS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What `tokenizers` calls each row."""


@dataclass(frozen=True)
class Checkpoint:
    """A tokenizer of `tokenizers`, which pads, and a model that reads what it makes of texts."""

    tokenizer: Any
    run: Callable[[Rows], Logits]
    classes: Mapping[int, str]
    """What its config calls its classes; empty where it says nothing."""
    eos: str
    """The mark that ends a text."""
    limit: int
    """The most tokens that it reads at once."""

    def ids(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        return list(self.tokenizer.encode(text, add_special_tokens=False).ids)

    def read(
        self, first: Sequence[str], second: Sequence[str] | None
    ) -> tuple[Sequence[Any], Logits]:
        """The tokens of each text or pair as `tokenizers` has them, and its logits."""
        import numpy as np

        shortened = "only_first" if second else "longest_first"
        self.tokenizer.enable_truncation(self.limit, strategy=shortened)
        pairs = list(zip(first, second, strict=True)) if second else first
        tokens = self.tokenizer.encode_batch(pairs)
        rows = {
            name: np.array([getattr(own, row) for own in tokens], np.int64)
            for name, row in _ROWS.items()
        }
        return tokens, self.run(rows)


@lru_cache(maxsize=2)
def open_checkpoint(source: str, head: Heads) -> Checkpoint:
    """The checkpoint in a folder, in an ONNX file, or of an id on the Hugging Face hub.

    Raises AccessError if it cannot be read, SettingError if a package is missing.
    """
    return _open_onnx(Path(source)) if source.endswith(ONNX) else _open_hub(source, head)


def _open_hub(source: str, head: Heads) -> Checkpoint:
    """A checkpoint that transformers reads."""
    require(repr(source), "huggingface", *PACKAGES)
    import transformers as hub

    kinds: Mapping[Heads, Any] = {
        "classes": hub.AutoModelForSequenceClassification,
        "value": hub.AutoModelForSequenceClassification,
        "words": hub.AutoModelForSeq2SeqLM,
        "tokens": hub.AutoModelForTokenClassification,
    }
    try:
        words = hub.AutoTokenizer.from_pretrained(source)
        tokenizer = words.backend_tokenizer
        model = _load_on_foundation(source)
        model = (kinds[head].from_pretrained(source) if model is None else model).eval()
    except (AttributeError, OSError, ValueError) as error:
        raise AccessError(f"no checkpoint can be read from {source!r}: {error}") from error
    tokenizer.enable_padding(pad_id=words.pad_token_id or 0, pad_token=words.pad_token or "[PAD]")
    names = [name for name in words.model_input_names if name in _ROWS]
    return Checkpoint(
        tokenizer,
        lambda rows: _run_torch(model, {name: rows[name] for name in names}, head),
        {int(number): name for number, name in model.config.id2label.items()},
        str(words.eos_token or words.sep_token or ""),
        min(words.model_max_length, MAX_TOKENS),
    )


def _run_torch(model: Any, rows: Rows, head: Heads) -> Logits:
    import torch

    tensors = {name: torch.from_numpy(row) for name, row in rows.items()}
    if head == "words":
        begin = model.config.decoder_start_token_id  # what stands before the first word
        tensors["decoder_input_ids"] = torch.full((len(rows["input_ids"]), 1), begin)
    with torch.inference_mode():
        logits: Logits = model(**tensors).logits.float().numpy()
    return logits[:, 0] if head == "words" else logits


def _load_on_foundation(source: str) -> Any:
    """HHEM's weights in the T5 that its config names, which labels tokens; None for all others.

    The checkpoint's own code is not run.
    """
    import transformers as hub
    from safetensors.torch import load_file
    from transformers.utils.hub import cached_file

    config = json.loads(Path(str(cached_file(source, "config.json"))).read_text(encoding="utf-8"))
    if not config.get("foundation"):
        return None
    kind: Any = hub.AutoModelForTokenClassification
    model = kind.from_config(hub.AutoConfig.from_pretrained(config["foundation"], num_labels=2))
    state = load_file(str(cached_file(source, "model.safetensors")))
    model.load_state_dict(
        {name.removeprefix("t5."): value for name, value in state.items()}, strict=False
    )
    return model


def _open_onnx(file: Path) -> Checkpoint:
    """An exported checkpoint, read without torch; one that writes words cannot be read so."""
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    options = SessionOptions()
    options.add_session_config_entry(*EXACT)
    words = _beside(file, "tokenizer.json")
    if missing := [path.name for path in (file, words) if not path.is_file()]:
        raise AccessError(f"{str(file)!r} lacks {', '.join(missing)}, beside it or above")
    try:
        tokenizer = Tokenizer.from_file(str(words))
        session = InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare exceptions of their own
        raise AccessError(f"no checkpoint can be read from {str(file)!r}: {error}") from error
    names = [put.name for put in session.get_inputs()]
    if unknown := set(names) - _ROWS.keys():
        raise AccessError(
            f"{str(file)!r} wants {', '.join(sorted(unknown))}; only encoders with one pass can "
            "be read from ONNX"
        )
    config, settings = _read_json(file, "config.json"), _read_json(file, "tokenizer_config.json")
    pad = _mark(settings, "pad_token")
    tokenizer.enable_padding(pad_id=tokenizer.token_to_id(pad) or 0, pad_token=pad or "[PAD]")
    return Checkpoint(
        tokenizer,
        lambda rows: session.run(None, {name: rows[name] for name in names})[0],
        {int(number): name for number, name in config.get("id2label", {}).items()},
        _mark(settings, "eos_token") or _mark(settings, "sep_token"),
        int(min(settings.get("model_max_length") or MAX_TOKENS, MAX_TOKENS)),
    )


def _mark(settings: Mapping[str, Any], name: str) -> str:
    """A special token of a tokenizer's settings, a text or an object that holds it."""
    mark = settings.get(name) or ""
    return str(mark.get("content", "") if isinstance(mark, dict) else mark)


def _beside(file: Path, name: str) -> Path:
    """A file beside the weights, or in the folder above."""
    near = file.with_name(name)
    return near if near.is_file() else file.parent.parent / name


def _read_json(file: Path, name: str) -> dict[str, Any]:
    try:
        return dict(json.loads(_beside(file, name).read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise AccessError(f"{str(file)!r} needs {name} beside it or above: {error}") from error
