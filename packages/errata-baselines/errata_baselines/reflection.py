"""The tokens by which a Self-RAG checkpoint judges, written as lines of its reply.

Learning to Retrieve, Generate, and Critique (arXiv:2310.11511, table 1, sections 3.1 and 3.3).
"""

import re
from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage

from errata.core.errors import ChatError
from errata.tools.models.huggingface import HuggingFaceChat

Critiques = dict[str, dict[str, float]]
"""What is judged, to the probability of each label."""
TOKENS: Mapping[str, Mapping[str, str]] = {
    "retrieve": {
        "yes": "[Retrieval]",
        "no": "[No Retrieval]",
        "continue": "[Continue to Use Evidence]",
    },
    "relevant": {"yes": "[Relevant]", "no": "[Irrelevant]"},
    "supported": {
        "fully": "[Fully supported]",
        "partially": "[Partially supported]",
        "no": "[No support / Contradictory]",
    },
    "useful": {str(n): f"[Utility:{n}]" for n in range(1, 6)},
}
"""The token of each label."""
PASSAGE = ("<paragraph>", "</paragraph>")
"""The tokens around a passage."""
_NAMES = [token for labels in TOKENS.values() for token in labels.values()]
_INSTRUCTION = "### Instruction:\n{}\n\n### Response:\n"
_FIELD = r"<{0}(?: \w+)?>\n(.*?)\n</{0}(?: \w+)?>"
"""A text between tags, which may have a mark."""


class Checkpoint(HuggingFaceChat):
    """A model in this process, which judges by its reflection tokens if it has them."""

    def reply(
        self, chat: Any, messages: list[BaseMessage], prompt: str, stop: list[str] | None
    ) -> AIMessage:
        """A checkpoint's answer with its critiques, or what any other model says."""
        if not is_checkpoint(chat.tokenizer):
            return super().reply(chat, messages, prompt, stop)
        text, network = str(messages[-1].text), chat.llm.pipeline.model
        return reflect(network, chat.tokenizer, prompt, text, self.generation())


def as_checkpoint(model: BaseChatModel) -> BaseChatModel:
    """A model whose weights run in this process as a Checkpoint; others as they are."""
    if isinstance(model, HuggingFaceChat):
        return Checkpoint(source=model.source, name=model.name)
    return model


def write_reflection(answer: str, critiques: Critiques) -> str:
    """An answer and its critiques as lines: `Supported: fully=0.9 no=0.1`."""
    lines = []
    for aspect, labels in critiques.items():
        shares = " ".join(f"{label}={share:.6f}" for label, share in labels.items())
        lines.append(f"{aspect.capitalize()}: {shares}")
    return "\n".join([*lines, *([f"Answer: {answer}"] if answer else [])])


def is_checkpoint(tokenizer: Any) -> bool:
    """Whether a tokenizer has reflection tokens, as those of Self-RAG's checkpoints have."""
    ids = tokenizer.convert_tokens_to_ids([*_NAMES, *PASSAGE])
    return None not in ids and tokenizer.unk_token_id not in ids


def reflect(
    model: Any, tokenizer: Any, prompt: str, text: str, generation: Mapping[str, Any]
) -> AIMessage:
    """A checkpoint's reply to a filled template; `generation` is how it writes.

    To Self-RAG's templates it is an answer with its critiques, as lines with probabilities: of the
    decision to retrieve for `selfrag/decide`, else of relevance, support and utility, and of the
    answer itself. Other templates are instructions, and get the answer alone. Raises ChatError if
    a template of Self-RAG's has no question between tags.
    """
    step = prompt.removeprefix("selfrag/").rpartition(".v")[0] if "selfrag/" in prompt else ""
    encoded = tokenizer(input_for(tokenizer, step, text), return_tensors="pt").to(model.device)
    if step == "decide":
        generation = {**generation, "max_new_tokens": 1}
    out = model.generate(**encoded, **generation, return_dict_in_generate=True, output_logits=True)
    sent = int(encoded["input_ids"].shape[1])
    ids = out.sequences[0, sent:].tolist()
    critiques = _critiques(tokenizer, ids, out.logits, step)
    ours = set(tokenizer.convert_tokens_to_ids([*_NAMES, *PASSAGE]))
    words = [] if step == "decide" else [token for token in ids if token not in ours]
    answer = str(tokenizer.decode(words, skip_special_tokens=True)).strip()
    message = write_reflection(answer, critiques) if step else answer
    counts: Any = {"input_tokens": sent, "output_tokens": len(ids), "total_tokens": sent + len(ids)}
    full = len(ids) >= int(generation["max_new_tokens"]) and ids[-1] != tokenizer.eos_token_id
    cut = full and step != "decide" and "useful" not in critiques
    reason = {"finish_reason": "length" if cut else "stop"}
    return AIMessage(message, usage_metadata=counts, response_metadata=reason)


def input_for(tokenizer: Any, step: str, text: str) -> str:
    """What a checkpoint was trained to read: an instruction, then perhaps a passage.

    `step` is empty for templates that are not Self-RAG's. Raises ChatError as `reflect` does.
    """
    if not step:
        return _INSTRUCTION.format(_harmless(tokenizer, text)) + "[No Retrieval]"
    fields = {
        name: _harmless(tokenizer, match[1])
        for name in ("question", "answer_form", "document")
        if (match := re.search(_FIELD.format(name), text, re.DOTALL))
    }
    if "question" not in fields:
        raise ChatError(
            f"the prompt selfrag/{step} has no question between <question> and </question>, where "
            "a Self-RAG checkpoint's input takes it from"
        )
    parts = [fields[name] for name in ("answer_form", "question") if name in fields]
    begun = _INSTRUCTION.format("\n\n## Input:\n\n".join(parts))
    if "document" in fields:
        return f"{begun}[Retrieval]{PASSAGE[0]}{fields['document']}{PASSAGE[1]}"
    return begun if step == "decide" else f"{begun}[No Retrieval]"


def _harmless(tokenizer: Any, text: str) -> str:
    """The text without what the checkpoint would read as tokens of its own or as a new part."""
    for token in sorted({*tokenizer.get_added_vocab(), *tokenizer.all_special_tokens}, key=len):
        text = text.replace(token, f"{token[0]} {token[1:]}")
    return text.replace("###", "#")


def _critiques(tokenizer: Any, ids: list[int], logits: Sequence[Any], step: str) -> Critiques:
    """The probability of each label where the reply has its token."""
    rows = [row[0].float() for row in logits]
    places = {"retrieve": 0} if step == "decide" else {}
    if step == "generate.passage":
        places["relevant"] = 0
    if step != "decide":
        for aspect in ("supported", "useful"):
            tokens = set(tokenizer.convert_tokens_to_ids([*TOKENS[aspect].values()]))
            place = next((n for n, token in enumerate(ids) if token in tokens), None)
            places |= {} if place is None else {aspect: place}
    critiques: Critiques = {}
    for aspect, place in places.items():  # the labels' probabilities among themselves (A.3)
        labels = TOKENS[aspect]
        chosen = rows[place][tokenizer.convert_tokens_to_ids([*labels.values()])].softmax(0)
        critiques[aspect] = dict(zip(labels, chosen.tolist(), strict=True))
    if step != "decide":
        # The geometric mean of the tokens' probabilities: long answers are not the less likely.
        logs = [float(row.log_softmax(0)[id_]) for id_, row in zip(ids, rows, strict=False)]
        mean = exp(sum(logs) / len(logs)) if logs else 0.0
        critiques["likely"] = {"yes": mean, "no": 1 - mean}
    return critiques
