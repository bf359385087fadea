"""Read texts by a published checkpoint: an ONNX file, on the Hugging Face hub or in a folder.

A checkpoint without one is read by transformers, which needs `errata[huggingface]`.
"""

import json
import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from errata.core.errors import AccessError, require

if TYPE_CHECKING:
    import numpy as np

Heads = Literal["classes", "words", "tokens", "value"]
"""A label for each pair; a word that is written first; a label for each token; a score from -1."""
PACKAGES = ("transformers", "torch")
MAX_TOKENS = 2048
"""The longest input, where a checkpoint does not say what it takes."""
Logits: TypeAlias = "np.ndarray[Any, np.dtype[np.float32]]"
"""(texts, classes); (texts, tokens, classes) where each token is labelled; (texts, vocabulary) of
the first word where one is written."""
Rows: TypeAlias = "Mapping[str, np.ndarray[Any, np.dtype[np.int64]]]"
"""What a model reads, by name: (texts, tokens) each."""
_ROWS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What `tokenizers` calls each row."""
_OWN = "arm64" if platform.machine() in ("arm64", "aarch64") else "avx2"
_FILES = tuple(
    re.compile(rf"(?:onnx/)?model{form}\.onnx")
    for form in (rf"_qu?int8_{_OWN}", "_(?:quantized|int8)", "")
)
"""The names of an exported checkpoint, the one that this processor runs fastest first."""
_WORDS = "tokenizer.json"


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
    """The checkpoint in an ONNX file, in a folder, or of an id (`ID@REVISION`) on the hub.

    Raises AccessError if it cannot be read, SettingError if a package is missing.
    """
    path = Path(source)
    if path.suffix == ".onnx":
        return _open_onnx(path)
    folder = path if path.is_dir() else _fetch(source)
    exported = _exported_in(folder)
    return _open_onnx(folder / exported) if exported else _open_torch(source, head)


def cached_folders() -> list[Path]:
    """The folders of exported checkpoints in the hub's cache; none without its package."""
    try:
        from huggingface_hub.constants import HF_HUB_CACHE
    except ImportError:
        return []
    folders = sorted(Path(HF_HUB_CACHE).glob("models--*/snapshots/*"))
    return [each for each in folders if (each / _WORDS).is_file() and _exported_in(each)]


def _exported_in(folder: Path) -> str:
    return choose_file(str(file.relative_to(folder)) for file in folder.rglob("*.onnx"))


def read_classes(file: Path) -> dict[int, str]:
    """What a checkpoint's config, beside a file or above, calls its classes.

    Raises AccessError if it has none that can be read.
    """
    labels = _read_json(file, "config.json").get("id2label", {})
    return {int(number): name for number, name in labels.items()}


def choose_file(names: Iterable[str]) -> str:
    """Of the files of a checkpoint the exported one to run: quantized if it can be; empty: none.

    >>> choose_file(["onnx/model.onnx", "onnx/model_fp16.onnx", "onnx/model_quantized.onnx"])
    'onnx/model_quantized.onnx'
    """
    known = sorted(names)
    return next((name for form in _FILES for name in known if form.fullmatch(name)), "")


def _fetch(source: str) -> Path:
    """The folder of the hub's cache with an id's exported checkpoint, or with what is there of it.

    Weights that transformers reads are left for it to fetch.
    """
    from httpx import HTTPError
    from huggingface_hub import HfApi, snapshot_download

    name, _, given = source.partition("@")
    revision = given or None
    try:
        found = HfApi().model_info(name, revision=revision)
        exported = choose_file(file.rfilename for file in found.siblings or ())
        wanted = ["*.json", *([exported, f"{exported}_data"] if exported else ())]
        return Path(snapshot_download(name, revision=revision, allow_patterns=wanted))
    except (HTTPError, OSError, ValueError) as error:
        with suppress(HTTPError, OSError, ValueError):
            kept = snapshot_download(
                name, revision=revision, allow_patterns="*.json", local_files_only=True
            )
            return Path(kept)
        raise AccessError(f"no checkpoint can be read from {source!r}: {error}") from error


def _open_onnx(file: Path) -> Checkpoint:
    """An exported checkpoint, read without torch; one that writes words cannot be read so."""
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    options = SessionOptions()
    # Without it int8 products overflow where a processor has no VNNI.
    options.add_session_config_entry("session.x64quantprecision", "1")
    words = _beside(file, _WORDS)
    if missing := [path.name for path in (file, words) if not path.is_file()]:
        raise AccessError(f"{str(file)!r} lacks {', '.join(missing)}, beside it or above")
    try:
        tokenizer = Tokenizer.from_file(str(words))
        session = InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # both libraries raise bare exceptions of their own
        raise AccessError(f"no checkpoint can be read from {str(file)!r}: {error}") from error
    shapes = {put.name: put.shape for put in session.get_inputs()}
    if unknown := set(shapes) - _ROWS.keys():
        raise AccessError(
            f"{str(file)!r} wants {', '.join(sorted(unknown))}; only encoders with one pass can "
            "be read from ONNX"
        )
    config, settings = _read_json(file, "config.json"), _read_json(file, "tokenizer_config.json")
    length = next((n for _, n in shapes.values() if isinstance(n, int)), None)
    pad = _mark(settings, "pad_token")
    number = tokenizer.token_to_id(pad) or config.get("pad_token_id") or 0
    tokenizer.enable_padding(pad_id=number, pad_token=pad or "[PAD]", length=length)
    return Checkpoint(
        tokenizer,
        _runner(session, shapes),
        read_classes(file),
        _mark(settings, "eos_token") or _mark(settings, "sep_token"),
        length or int(min(settings.get("model_max_length") or MAX_TOKENS, MAX_TOKENS)),
    )


def _runner(session: Any, shapes: Mapping[str, Sequence[int | str]]) -> Callable[[Rows], Logits]:
    """What runs rows, one by one where the export says so; the output `logits`, or the first."""
    names = [output.name for output in session.get_outputs()]
    wanted = ["logits" if "logits" in names else names[0]]
    alone = any(count == 1 for count, _ in shapes.values())

    def run(rows: Rows) -> Logits:
        import numpy as np

        places = range(len(rows["input_ids"]))
        batches = [slice(n, n + 1) for n in places] if alone else [slice(None)]
        given = ({name: rows[name][batch] for name in shapes} for batch in batches)
        logits: Logits = np.concatenate([session.run(wanted, own)[0] for own in given])
        return logits

    return run


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


def _open_torch(source: str, head: Heads) -> Checkpoint:
    """A checkpoint that transformers reads."""
    require(repr(source), "huggingface", *PACKAGES)
    import transformers as hub

    kinds: Mapping[Heads, Any] = {
        "classes": hub.AutoModelForSequenceClassification,
        "value": hub.AutoModelForSequenceClassification,
        "words": hub.AutoModelForSeq2SeqLM,
        "tokens": hub.AutoModelForTokenClassification,
    }
    name, _, revision = source.partition("@")
    own: dict[str, Any] = {"revision": revision} if revision else {}
    try:
        words = hub.AutoTokenizer.from_pretrained(name, **own)
        tokenizer = words.backend_tokenizer
        model = _load_on_foundation(name, own)
        model = (kinds[head].from_pretrained(name, **own) if model is None else model).eval()
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


def _load_on_foundation(name: str, own: Mapping[str, Any]) -> Any:
    """HHEM's weights in the T5 that its config names, which labels tokens; None for all others.

    The checkpoint's own code is not run.
    """
    import transformers as hub
    from safetensors.torch import load_file
    from transformers.utils.hub import cached_file

    file = Path(str(cached_file(name, "config.json", **own)))
    config = json.loads(file.read_text(encoding="utf-8"))
    if not config.get("foundation"):
        return None
    kind: Any = hub.AutoModelForTokenClassification
    model = kind.from_config(hub.AutoConfig.from_pretrained(config["foundation"], num_labels=2))
    state = load_file(str(cached_file(name, "model.safetensors", **own)))
    model.load_state_dict(
        {name.removeprefix("t5."): value for name, value in state.items()}, strict=False
    )
    return model
