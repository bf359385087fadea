"""A model's message: whether it is an answer, what it says, and what it cost."""

import re
from typing import Any

from langchain_core.messages import AIMessage

from errata.core.errors import ReplyError
from errata.core.limits import note_undone
from errata.core.records import Usage
from errata.tools.files.decoding import without_surrogates
from errata.tools.models.request import Request
from errata.tools.text.words import count_tokens

CACHED, RECORDED = "cached", "recorded"
"""In a message's metadata: that it is from the cache, or a recording; it cost, or took, nothing."""
MODEL, SAMPLING = "asked_model", "sampling"
"""In the same: the model as the user named it, and what it took of the sampling it was told."""
_NAMES = "think(?:ing)?|thoughts?|reasoning|reflection|seed:think"
_SAID = "(?<![`\"'“‘])"
"""Stands before a mark that a reply uses; one in quotes or code is only spoken of."""
_OPEN = (
    rf"{_SAID}(?:\[think\]|◁think▷|<\|(?:begin_of_thought|start_thinking)\|>"
    r"|<(?:\|channel|unused94)>thought\b)"
)
_CLOSE = (
    rf"{_SAID}(?:</(?:{_NAMES})>|\[/think\]|◁/think▷|<\|end_(?:of_thought|thinking)\|>"
    r"|<(?:channel\||unused95)>)"
)
_TOKEN = rf"{_SAID}<(?:[|｜][^<>|｜\n]{{1,40}}[|｜]|(?:start|end)_of_turn|[be]os)>"
_FAMILIES = (
    # All before the final channel, glued together where a server swallowed its tokens.
    (
        r"(?-i:\A(?:.*<\|channel\|>\s*final\b[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>"
        r"|analysis(?=[A-Z\s]).*assistant\s*final))"
    ),
    r"(?-i:<\|channel\|>.*|\Aanalysis(?=[A-Z]).*)",
    rf"{_SAID}<(?P<name>{_NAMES})>.*?(?:</(?P=name)>|\Z)",
    rf"{_OPEN}.*?(?:{_CLOSE}|\Z)",
    rf"\A.*{_CLOSE}",
    r"<\|(?:begin|end)_of_box\|>",
    rf"\A(?:\s*(?:{_TOKEN}|<s>|\[/INST\])(?:(?:assistant|model)(?=\s*\n|<|\Z))?)+",
    rf"(?:{_TOKEN}|{_SAID}(?:</s>|\[/INST\])\s*\Z).*",
)
_UNSAID = [re.compile(form, re.DOTALL | re.IGNORECASE) for form in _FAMILIES]
_BEGUN = re.compile(
    r"(?:<[^\s<>]{0,60}|\[/?(?:t(?:h(?:i(?:nk?)?)?)?)?|◁[^▷]{0,8})\Z", re.IGNORECASE
)
_FIRST = ("analysis", "assistant", "model")
_REFUSAL = re.compile(
    r"(?:Sorry|I apologi[sz]e|As an AI|I (?:can['’]?t|cannot)"
    r"|I(?: am|['’]m) (?:sorry|(?:un|not )able))\b",
    re.IGNORECASE,
)
_PIECES = re.compile(r"[぀-鿿가-힯]{1,4}|[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s](?=\s|\Z)")
"""What no tokenizer takes for less than a token each."""
_CUT = 0.8
"""Of fewer of the tokens that a prompt must have at least, it was cut."""
_FEWEST = 100
"""Counts of a prompt below are no window of a model, but what a server says for want of one."""
_MOST = 2**53
"""Counts from here on are no tokens; sums of them would fit no database."""


def is_refusal(text: str) -> bool:
    """Whether a text begins as one in which a model declines to answer.

    >>> is_refusal("I'm sorry, I can't help with that."), is_refusal("He is sorry.")
    (True, False)
    """
    return bool(_REFUSAL.match(text))


def without_thoughts(text: str) -> str:
    """A reply without its thoughts and the marks of its turn, as the common families write them.

    >>> without_thoughts("Hm.</think>1: True<|im_end|>"), without_thoughts("`<think>` opens.")
    ('1: True', '`<think>` opens.')
    """
    for form in _UNSAID:
        text = form.sub("", text)
    return text.strip()


def may_be_mark(text: str) -> bool:
    """Whether a text so far may end in a part of a mark."""
    return bool(_BEGUN.search(text)) or any(word.startswith(text) for word in _FIRST)


def text_of(message: AIMessage, request: Request) -> str:
    """What a message says, with a note if its prompt was cut; raises ReplyError if no answer."""
    reason = message.response_metadata.get("finish_reason")
    if reason in ("length", "max_tokens"):
        raise ReplyError(f"the reply to {request.tag} was cut off; raise the model's token limit")
    text = without_thoughts(without_surrogates(str(message.text)))
    refused = message.additional_kwargs.get("refusal") or (
        request.role != "generate" and is_refusal(text)
    )
    if refused or reason == "content_filter":
        raise ReplyError(f"the model refused to answer {request.tag}")
    if any(asked.strip() in text for asked in (request.text, request.sent)):
        raise ReplyError(f"the reply to {request.tag} repeats the prompt")
    if not text:
        raise ReplyError(f"the reply to {request.tag} is empty (finish reason {reason!r})")
    if fault := describe_cut(message, request):
        if request.role != "generate":
            raise ReplyError(fault)
        note_undone(fault)
    return text


def is_answer(message: AIMessage, request: Request) -> bool:
    """Whether a message came whole and is worth keeping."""
    try:
        return bool(text_of(message, request))
    except ReplyError:
        return False


def describe_cut(message: AIMessage, request: Request) -> str:
    """How much of the prompt the server read, if it says that it read too little; else empty.

    Tokens that it took from a cache count as read, though some servers count them twice.
    """
    told: Any = message.usage_metadata or {}
    cached: Any = told.get("input_token_details") or {}
    counts = [told.get("input_tokens"), *(cached.get(f"cache_{n}") for n in ("read", "creation"))]
    read = sum(int(n) for n in counts if isinstance(n, int | float) and 0 <= n < _MOST)
    whole = count_tokens(request.text)
    is_told = not (request.typed or message.response_metadata.get(CACHED))
    if not (is_told and _FEWEST <= read < whole * _CUT):
        return ""
    if read >= sum(1 for _ in _PIECES.finditer(request.text)):
        return ""
    advice = "raise the length of its context"
    return f"the server read about {read} of {whole} tokens of {request.tag}'s prompt; {advice}"


def usage_of(message: AIMessage, request: Request, model: str) -> Usage:
    """The server's count of tokens; an estimate, marked as one, where it reports none."""
    told = message.response_metadata
    if told.get(CACHED):
        saved = {"cached_calls": 1.0}
        return Usage(by_role={request.role: saved}, by_model={model: dict(saved)})
    reported: Any = message.usage_metadata or {}
    tokens = [reported.get(name) for name in ("input_tokens", "output_tokens")]
    counted = (isinstance(n, int | float) and 0 <= n < _MOST and n == int(n) for n in tokens)
    if estimated := not all(counted):
        tokens = [count_tokens(request.sent), count_tokens(str(message.text))]
    sent, received = map(int, tokens)
    total = {"model_calls": 1, "prompt_tokens": sent, "completion_tokens": received}
    kinds = {
        "estimated_calls": estimated,
        "recorded_calls": told.get(RECORDED),
        "fallback_calls": request.place,
    }
    share: dict[str, float] = {**total, **{name: 1 for name, is_so in kinds.items() if is_so}}
    by_model = {told.get(MODEL) or model: dict(share)}
    return Usage(**total, by_role={request.role: share}, by_model=by_model)
