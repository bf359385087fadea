"""How published verifiers are asked, and what their answers mean: facts of their model cards."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from errata.core.errors import SettingError

Heads = Literal["classes", "words", "tokens", "value"]
"""A label for each pair; a word that is written first; a label for each token; a score from -1."""
Meaning = Literal["supported", "refuted", "not_mentioned"]
MARKS: Mapping[str, Meaning] = {
    "entail": "supported",
    "contradict": "refuted",
    "neutral": "not_mentioned",
    "unsupported": "not_mentioned",
    "supported": "supported",
    "hallucinat": "not_mentioned",
    "consistent": "supported",
    "relevant": "supported",
}
"""What a label means that has such a word in its name; the first that fits counts."""


@dataclass(frozen=True, kw_only=True)
class Form:
    """How a verifier is asked.

    `premise` and `hypothesis` are what it reads, with `{document}` and `{claim}` (and `{eos}`, the
    mark that ends a text); without a hypothesis both stand in the premise.
    """

    model: str = ""
    """A folder, an ONNX file, or an id on a hub."""
    head: Heads = "classes"
    premise: str = "{document}"
    hypothesis: str = "{claim}"
    labels: tuple[Meaning | str, ...] = ()
    """What the classes mean, in order; for `words` the words for false and for true; empty: by the
    names in the checkpoint's config."""
    chunk: int = 400
    """The most tokens of a document that are read at once."""
    threshold: float = 0.5
    """The probability from which on a label is given."""


PAIR = Form()
"""A document beside a claim, as entailment models read them."""
BINARY = ("not_mentioned", "supported")
_HHEM = (
    "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {document}\n\n"
    "Hypothesis: {claim}"
)
_FACTCG = (
    '{document}\n\nChoose your answer: based on the paragraph above can we conclude that "{claim}"?'
    "\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
)
_LETTUCE = "Summarize the following text:\n{document}\noutput:"
PUBLISHED: Mapping[str, Form] = {
    "minicheck-flan-t5": Form(
        head="words",
        premise="predict: {document}{eos}{claim}",
        hypothesis="",
        labels=("0", "1"),
        chunk=500,
    ),
    "minicheck": Form(premise="{document}{eos}{claim}", hypothesis="", labels=BINARY),
    "hallucination_evaluation_model": Form(premise=_HHEM, hypothesis="", labels=BINARY, chunk=2000),
    "hhem": Form(premise=_HHEM, hypothesis="", labels=BINARY, chunk=2000),
    "factcg": Form(premise=_FACTCG, hypothesis="", labels=BINARY, chunk=550),
    "lettucedect": Form(head="tokens", premise=_LETTUCE, labels=("supported", "not_mentioned")),
    "lettucedetect": Form(head="tokens", premise=_LETTUCE, labels=("supported", "not_mentioned")),
}
"""The forms of published verifiers by a part of their names; others are pairs of texts."""


def form_of(source: str, usual: Form = PAIR) -> Form:
    """How a checkpoint is asked: by its YAML file, by its name, or as is usual.

    Raises SettingError if the file cannot be read.
    """
    if source.endswith((".yaml", ".yml")):
        return _read_form(Path(source), usual)
    known = (form for part, form in PUBLISHED.items() if part in source.lower())
    return replace(next(known, usual), model=source)


def _read_form(path: Path, usual: Form) -> Form:
    known = {field.name for field in fields(Form)}
    try:
        rows: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise SettingError(f"no verifier can be read from {str(path)!r}: {error}") from error
    if not isinstance(rows, dict) or not rows.get("model") or set(rows) - known:
        raise SettingError(
            f"{str(path)!r} must have `model`, and may have {', '.join(sorted(known - {'model'}))}"
        )
    if rows.get("head", "classes") not in get_args(Heads):
        raise SettingError(f"{str(path)!r}: head is one of {', '.join(get_args(Heads))}")
    return replace(usual, **rows | {"labels": tuple(map(str, rows.get("labels", ())))})


def meanings(source: str, names: Mapping[int, str], form: Form) -> list[Meaning | None]:
    """What each of a checkpoint's classes means.

    A single one is how well the document supports the claim. Raises SettingError unless one of
    them means that it does.

    >>> meanings("m", {0: "ENTAILMENT", 1: "not_entailment"}, Form())
    ['supported', 'not_mentioned']
    """
    named = (
        ["supported"] if len(names) == 1 else [_meaning(names[n].lower()) for n in sorted(names)]
    )
    labels = form.labels or named
    if len(labels) != len(names) or "supported" not in labels:
        raise SettingError(
            f"the labels of {source!r} are {list(names.values())}; say what they mean in a YAML "
            "file (labels: [refuted, not_mentioned, supported]) and name that: hub:FILE.yaml"
        )
    return [label if label in get_args(Meaning) else None for label in labels]  # type: ignore[misc]


def _meaning(label: str) -> Meaning | None:
    if label.startswith(("not", "non", "in", "ir")):
        return "not_mentioned"
    return next((meaning for mark, meaning in MARKS.items() if mark in label), None)
