"""Read texts by a published checkpoint: one that transformers reads, or an ONNX file.

The first needs `errata[huggingface]`; the second, `model.onnx` beside `tokenizer.json` and
`config.json` (or in a folder `onnx` of theirs), needs nothing more than the package itself.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
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


@dataclass(frozen=True)
class HubCheckpoint:
    """A tokenizer and a model that transformers reads, from a folder or a hub, when first needed.

    Raises AccessError if they cannot be read, SettingError if a package is missing.
    """

    source: str
    head: Heads

    @property
    def classes(self) -> Mapping[int, str]:
        """What its config calls its classes."""
        return {int(number): name for number, name in self._loaded[1].config.id2label.items()}

    @property
    def eos(self) -> str:
        """The mark that ends a text."""
        return str(self._loaded[0].eos_token or self._loaded[0].sep_token or "")

    def ids(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        return list(self._loaded[0](text, add_special_tokens=False)["input_ids"])

    def read(
        self, first: Sequence[str], second: Sequence[str] | None
    ) -> tuple[Sequence[Any], Logits]:
        """The tokens of each text or pair as `tokenizers` has them, and its logits."""
        tokenizer, model = self._loaded
        import torch

        tokens = tokenizer(
            list(first),
            list(second) if second else None,
            truncation="only_first" if second else True,
            max_length=min(tokenizer.model_max_length, MAX_TOKENS),
            padding=True,
            return_tensors="pt",
        )
        starts = {}
        if self.head == "words":
            begin = model.config.decoder_start_token_id  # what stands before the first word
            starts = {"decoder_input_ids": torch.full((len(first), 1), begin)}
        with torch.inference_mode():
            logits = model(**tokens, **starts).logits
        return tokens.encodings, (logits[:, 0] if starts else logits).float().numpy()

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        require(repr(self.source), "huggingface", *PACKAGES)
        import transformers as hub

        kinds: Mapping[Heads, Any] = {
            "classes": hub.AutoModelForSequenceClassification,
            "value": hub.AutoModelForSequenceClassification,
            "words": hub.AutoModelForSeq2SeqLM,
            "tokens": hub.AutoModelForTokenClassification,
        }
        try:
            tokenizer = hub.AutoTokenizer.from_pretrained(self.source)
            model = _load_on_foundation(self.source)
            model = kinds[self.head].from_pretrained(self.source) if model is None else model
            return tokenizer, model.eval()
        except (OSError, ValueError) as error:
            raise AccessError(f"no checkpoint can be read from {self.source!r}: {error}") from error


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


@dataclass(frozen=True)
class OnnxCheckpoint:
    """An exported checkpoint, read without torch; one that writes words cannot be read so."""

    file: Path

    @property
    def classes(self) -> Mapping[int, str]:
        """What its config calls its classes; numbers where it says nothing."""
        config = self._read_json("config.json")
        return {int(n): name for n, name in config.get("id2label", {}).items()}

    @property
    def eos(self) -> str:
        """The mark that ends a text."""
        return self._mark("eos_token") or self._mark("sep_token")

    def ids(self, text: str) -> list[int]:
        """The numbers of a text's tokens."""
        return list(self._loaded[0].encode(text, add_special_tokens=False).ids)

    def read(
        self, first: Sequence[str], second: Sequence[str] | None
    ) -> tuple[Sequence[Any], Logits]:
        """The tokens of each text or pair, and its logits."""
        import numpy as np

        tokenizer, session = self._loaded
        limit = int(min(self._settings.get("model_max_length") or MAX_TOKENS, MAX_TOKENS))
        tokenizer.enable_truncation(limit, strategy="only_first" if second else "longest_first")
        tokens = tokenizer.encode_batch(list(zip(first, second, strict=True)) if second else first)
        rows = {
            "input_ids": [own.ids for own in tokens],
            "attention_mask": [own.attention_mask for own in tokens],
            "token_type_ids": [own.type_ids for own in tokens],
        }
        given = {put.name: np.array(rows[put.name], np.int64) for put in session.get_inputs()}
        return tokens, session.run(None, given)[0]

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.add_session_config_entry(*EXACT)
        words = self._beside("tokenizer.json")
        if missing := [path.name for path in (self.file, words) if not path.is_file()]:
            raise AccessError(f"{str(self.file)!r} lacks {', '.join(missing)}, beside it or above")
        try:
            tokenizer = Tokenizer.from_file(str(words))
            session = InferenceSession(str(self.file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # both libraries raise bare exceptions of their own
            fault = f"no checkpoint can be read from {str(self.file)!r}: {error}"
            raise AccessError(fault) from error
        unknown = {put.name for put in session.get_inputs()} - {
            "input_ids", "attention_mask", "token_type_ids"
        }  # fmt: skip
        if unknown:
            raise AccessError(
                f"{str(self.file)!r} wants {', '.join(sorted(unknown))}; only encoders with one "
                "pass can be read from ONNX"
            )
        pad = self._mark("pad_token")
        tokenizer.enable_padding(pad_id=tokenizer.token_to_id(pad) or 0, pad_token=pad or "[PAD]")
        return tokenizer, session

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return self._read_json("tokenizer_config.json")

    def _mark(self, name: str) -> str:
        """A special token of the tokenizer's settings, a text or an object that holds it."""
        mark = self._settings.get(name) or ""
        return str(mark.get("content", "") if isinstance(mark, dict) else mark)

    def _beside(self, name: str) -> Path:
        """A file beside the weights, or in the folder above."""
        near = self.file.with_name(name)
        return near if near.is_file() else self.file.parent.parent / name

    def _read_json(self, name: str) -> dict[str, Any]:
        try:
            return dict(json.loads(self._beside(name).read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise AccessError(
                f"{str(self.file)!r} needs {name} beside it or above: {error}"
            ) from error


Checkpoint = HubCheckpoint | OnnxCheckpoint


@lru_cache(maxsize=2)
def open_checkpoint(source: str, head: Heads) -> Checkpoint:
    """The checkpoint in a folder, in an ONNX file, or of an id on the Hugging Face hub."""
    return OnnxCheckpoint(Path(source)) if source.endswith(ONNX) else HubCheckpoint(source, head)
