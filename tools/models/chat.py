"""The one door to language models: a filled prompt goes out, a reply or an error comes back."""

from asyncio import timeout
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    HumanMessage,
    message_chunk_to_message,
)
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from errata.core.errors import (
    AccessError,
    ChatError,
    CutError,
    ErrataError,
    RefusedError,
    ReplyError,
)
from errata.core.limits import current_bounds
from errata.tools.files.decoding import without_surrogates
from errata.tools.models.bill import Bill, cost_of
from errata.tools.models.message import (
    may_be_mark,
    own_message,
    text_of,
    usage_of,
    without_thoughts,
)
from errata.tools.models.replies import Replies
from errata.tools.models.request import Request, numbered
from errata.tools.models.sampling import Sampling, Told
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of
from errata.tools.net.endpoints import Endpoint, Limits, endpoint_of
from errata.tools.net.faults import (
    MALFORMED,
    NO_ACCESS,
    is_broken,
    is_silent,
    is_transient,
    status_of,
    waits,
)
from errata.tools.net.redaction import redact
from errata.tools.text.words import count_tokens

HEADER = "X-Errata-Prompt"
MAX_WAIT = 60.0
"""Seconds to wait for the next try at most, even if the server asks for longer."""
_wait_seconds = waits(wait_random_exponential(multiplier=0.5, max=8), MAX_WAIT)
_ADVICE = {
    401: "check the key in the environment",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    413: "the prompt is too long for the server",
    429: "the server is over its limit: try later, or lower at_once",
    501: "the server cannot do this with that model, such as answer typed questions",
}


async def send(
    model: BaseChatModel,
    request: Request,
    limits: Limits,
    replies: Replies | None = None,
    bill: Bill | None = None,
) -> str:
    """Send one request within the limits, unless its reply is kept already; what is answered.

    Equal requests of one run are samples of their own: each gets a reply of its own. What it cost,
    and took beside the reply, such as repeats, is counted on the `bill`.

    The run's metadata name the template, and so does a header where the server is
    OpenAI-compatible. Raises AccessError if the server refuses the key or the model, ChatError if
    it fails (RefusedError if it failed so often that it was not asked), ReplyError if the reply is
    empty, cut off or a refusal, and BudgetError before a call that an open budget does not allow.
    """
    request = numbered(request)
    bill = bill or Bill(request.role, name_of(model))
    call, kept = partial(_call, model, request, limits, bill), replies or Replies()
    message, _ = await kept.get(model, request, partial(_is_answer, request), call)
    bill.usage += bill.priced(usage_of(message, request, name_of(model)))
    text = text_of(message, request)
    if request.tell:
        request.tell(text)
    return text


async def _call(
    model: BaseChatModel, request: Request, limits: Limits, bill: Bill
) -> tuple[AIMessage, Sampling]:
    """The model's message, within the budgets, and the sampling that it took.

    What it refuses of the sampling is noted and left out. Stand-ins know no rate, and a client that
    was given as an object and makes repeats of its own gets none of ours.
    """
    told = Told(model, request.sampling)
    if isinstance(model, FakeChat):
        limits = replace(limits, per_second=0.0)
    elif getattr(model, "max_retries", 0) != 0:
        limits = replace(limits, retries=0)
    admitted = bill.admitted(count_tokens(request.sent), request.sampling.max_tokens)
    with admitted as admission, _in_our_words(request, limits, bill):
        message = await _try(told, request, limits, bill)
        request.note_left_out(told.taken)
        usage = bill.priced(usage_of(message, request, name_of(model)))
        admission.paid, admission.reply = cost_of(usage), usage.completion_tokens
    return message, told.taken


async def _try(told: Told, request: Request, limits: Limits, bill: Bill) -> AIMessage:
    """The model's message, after as many tries as it takes.

    After an error over its sampling it is told less of it, and asked anew at once.
    """
    endpoint = endpoint_for(told.model)
    try:
        async for attempt in _attempts(endpoint, limits):
            again = attempt.retry_state.attempt_number > 1
            with attempt:
                async with endpoint.turn(limits, again=again):
                    bill.send()
                    return await _ask_once(told.model, request)
    except Exception as error:  # providers share no base class of errors
        if not told.leave_out(error):
            raise
    return await _try(told, request, limits, bill)


async def _ask_once(model: BaseChatModel, request: Request) -> AIMessage:
    """The model's message, within the time that its client allows a call.

    A client's own limit is on each part of a call alone.
    """
    asked = [HumanMessage(request.text if isinstance(model, FakeChat) else request.sent)]
    own = getattr(model, "request_timeout", None)
    seconds = own if isinstance(own, int | float) else None
    if request.tell:
        return await _stream(model, asked, request, request.tell, seconds)
    async with timeout(seconds):
        return own_message(await model.ainvoke(asked, **_options(model, request)))


async def _stream(
    model: BaseChatModel,
    asked: list[HumanMessage],
    request: Request,
    tell: Callable[[str], None],
    seconds: float | None,
) -> AIMessage:
    """The model's message, whose text so far is told as it comes, without thoughts.

    What turns out to be a thought by its end alone was told, and is taken back by what follows.
    Raises CutError if it breaks off, or is none, after some of it was told: who was told cannot be
    told another.
    """
    known = type(model).model_fields
    wanted = {"disable_streaming": False, "stream_usage": True}
    own = model.model_copy(update={n: x for n, x in wanted.items() if n in known})
    whole: AIMessageChunk | None = None
    told = ""
    try:
        async with timeout(seconds):
            async for chunk in own.astream(asked, **_options(model, request)):
                if isinstance(chunk, AIMessageChunk):
                    whole = chunk if whole is None else whole + chunk
                    text = without_thoughts(without_surrogates(str(whole.text)))
                    if text != told and not (text and may_be_mark(text)):
                        tell(text)
                        told = text
        message = own_message(message_chunk_to_message(whole) if whole else None)
        text_of(message, request)
    except Exception as error:  # providers share no base class of errors
        if not told:
            raise
        fault = redact(str(error) or type(error).__name__)
        raise CutError(f"the reply to {request.tag} broke off: {fault}") from error
    return message


def _attempts(endpoint: Endpoint, limits: Limits) -> AsyncRetrying:
    """The tries of one call, to loop over: up to `limits.retries` more after the first.

    A server that lets a caller wait in vain is asked once more, or no more if it is down. No try
    begins after the run's time. Raises at the end what the last try raised.
    """

    def is_last(state: RetryCallState) -> bool:
        tries = state.attempt_number
        late = state.upcoming_sleep > current_bounds().seconds_left
        waited = tries > 1 or endpoint.seconds_refused(limits) > 0
        silent = is_silent(state.outcome.exception() if state.outcome else None)
        return tries > limits.retries or late or (silent and waited)

    retry = retry_if_exception(lambda error: is_transient(error) or isinstance(error, MALFORMED))
    return AsyncRetrying(stop=is_last, wait=_wait_seconds, retry=retry, reraise=True)


def _options(model: BaseChatModel, request: Request) -> dict[str, Any]:
    """What a call tells LangChain's traces, and an OpenAI-compatible server by a header."""
    names = ("prompt", "digest", "role", "sample")
    metadata = {name: getattr(request, name) for name in names}
    metadata["sampling"] = request.sampling.given
    hidden = not (request.tell and request.shown)
    tags = ["nostream"] if hidden else []
    config = {"metadata": metadata, "run_name": request.tag, "tags": tags}
    compatible = hasattr(model, "openai_api_base")
    header = {"extra_headers": {HEADER: request.prompt}} if compatible else {}
    return {"config": config, **header}


@contextmanager
def _in_our_words(request: Request, limits: Limits, bill: Bill) -> Iterator[None]:
    """Raise ErrataError in place of what a provider raises inside the block."""
    try:
        yield
    except RefusedError as error:
        raise RefusedError(f"{request.tag} for {request.role}: {bill.model}: {error}") from error
    except ErrataError:
        raise
    except ValueError as error:  # a body that is no JSON, or not of the expected form
        fault = f"the reply to {request.tag} is broken: {_explain(error, limits)}"
        raise ReplyError(fault) from error
    except MALFORMED as error:
        fault = f"the reply to {request.tag} holds no message: {_explain(error, limits)}"
        raise ChatError(fault) from error
    except Exception as error:  # providers share no base class of errors
        kind = AccessError if status_of(error) in NO_ACCESS else ChatError
        fault = f"asking {request.tag} for {request.role}: {_explain(error, limits)}"
        raise kind(fault) from error


def endpoint_for(model: BaseChatModel) -> Endpoint:
    """The server that a model is on: its address, or the kind of model where it has none."""
    client = getattr(model, "root_async_client", None)
    return endpoint_of(str(getattr(client, "base_url", "") or type(model).__name__))


def _explain(error: Exception, limits: Limits) -> str:
    """What came and what to do about it, without any secret."""
    name, advice = type(error).__name__, _ADVICE.get(status_of(error), "")
    if "Timeout" in name:
        advice = f"no answer within {limits.timeout:g} s; raise the timeout or ask for less"
    elif is_broken(error):
        advice = "nothing answers there: check the base URL and that the server runs"
    return redact(f"{name}: {str(error) or 'no message'}" + (f"; {advice}" if advice else ""))


def _is_answer(request: Request, message: AIMessage) -> bool:
    """Whether a message came whole and is worth keeping."""
    try:
        return bool(text_of(message, request))
    except ReplyError:
        return False
