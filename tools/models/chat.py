"""The one door to language models: a filled prompt goes out, a reply or an error comes back."""

from asyncio import timeout
from contextlib import nullcontext
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
from langchain_core.runnables import RunnableConfig

from errata.core.budgets import Cost, admit, check_priced
from errata.core.errors import (
    AccessError,
    ChatError,
    CutError,
    ErrataError,
    RefusedError,
    ReplyError,
)
from errata.core.limits import current_run
from errata.core.records import Usage
from errata.tools.files.decoding import without_surrogates
from errata.tools.models.message import SAMPLING, may_be_mark, text_of, usage_of, without_thoughts
from errata.tools.models.prices import FREE, Prices
from errata.tools.models.replies import Replies
from errata.tools.models.request import REFUSED, Request, less_refused, told_to
from errata.tools.models.scripted import FakeChat
from errata.tools.models.spec import name_of
from errata.tools.net.endpoints import Endpoint, Limits, endpoint_of
from errata.tools.net.faults import NO_ACCESS, is_broken, status_of
from errata.tools.net.redaction import redact
from errata.tools.text.words import count_tokens

HEADER = "X-Errata-Prompt"
CLIENT_RETRIES = 2
"""How often clients repeat a call that say nothing of it."""
_MALFORMED = (ValueError, TypeError, LookupError, AttributeError)
"""What clients raise over a body of another form: no JSON, or choices missing, null or empty."""
_UNFINISHED = ("LengthFinishReasonError", "ContentFilterFinishReasonError")
"""What OpenAI's client raises over a reply by a schema that is no whole one."""
_ADVICE = {
    401: "check the key in the environment",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    413: "the prompt is too long for the server",
    429: "the server is over its limit: try later, or lower at_once",
    501: "the server cannot do this with that model, such as answer typed questions",
}


async def send(
    model: BaseChatModel, request: Request, limits: Limits, replies: Replies | None = None
) -> str:
    """What a model answers; raises as `fetch_reply`, and ReplyError if that is no whole answer."""
    return text_of(await fetch_reply(model, request, limits, replies), request)


async def fetch_reply(
    model: BaseChatModel,
    request: Request,
    limits: Limits,
    replies: Replies | None = None,
    prices: Prices | None = None,
) -> AIMessage:
    """The model's message: the one that is kept for a request, or a new one within the limits.

    Equal requests of one run are samples of their own: each gets a message of its own. Its cost is
    on the run's record. Raises AccessError if the server refuses the key or the model, ChatError if
    it fails (RefusedError if it failed so often that it was not asked), ReplyError if its reply is
    broken, and BudgetError before a call that an open budget does not allow.
    """
    request, prices = request.numbered(), prices or Prices()
    call = partial(_pay, model, request, limits, prices)
    message = await (replies or Replies()).get(model, request, call)
    request.note_left_out(message.response_metadata[SAMPLING])
    usage = prices.priced(usage_of(message, request, name_of(model)))
    current_run().spend(usage, {request.prompt: request.digest})
    return message


async def _pay(model: BaseChatModel, request: Request, limits: Limits, prices: Prices) -> AIMessage:
    """The model's message, within the budgets; a call that is broken off counts as a call."""
    name, run, price = name_of(model), current_run(), prices.model(model)
    check_priced(price, f"the model {name!r}")
    prompt, most = count_tokens(request.sent), request.sampling.max_tokens or 0
    cost = Cost(calls=1, tokens=prompt + most, money=(price or FREE).of(prompt, most))
    with admit(cost) as admission:
        try:
            message = await _ask(model, request, limits)
        except RefusedError:
            admission.paid = Cost()
            refused: dict[str, float] = {"refused_calls": 1}
            run.spend(Usage(by_role={request.role: refused}, by_model={name: dict(refused)}))
            raise
        except BaseException:
            run.spend(Usage(by_model={name: {"failed_calls": 1}}))
            raise
        admission.paid = Cost.of(prices.priced(usage_of(message, request, name)))
    return message


async def _ask(model: BaseChatModel, request: Request, limits: Limits) -> AIMessage:
    """The model's message and the sampling that it took: what its server refuses is left out."""
    taken = request.sampling
    if not (getattr(model, "profile", None) or {}).get("structured_output"):
        request = replace(request, schema=None)
    while True:
        chat, taken = told_to(model, taken)
        turn = nullcontext() if isinstance(model, FakeChat) else endpoint_for(model).turn(limits)
        try:
            async with turn:
                message = await _receive(chat, request)
        except ErrataError:
            raise
        except Exception as error:  # providers share no base class of errors
            less = less_refused(taken, error)
            if less == taken and not (request.schema and status_of(error) in REFUSED):
                raise _in_our_words(error, request, limits) from error
            request = replace(request, schema=request.schema if less != taken else None)
            taken = less
        else:
            message.response_metadata[SAMPLING] = taken.given
            return message


async def _receive(model: BaseChatModel, request: Request) -> AIMessage:
    """The model's message, within the time that its client allows a call and its repeats."""
    asked = [HumanMessage(request.text if isinstance(model, FakeChat) else request.sent)]
    own, repeats = (getattr(model, name, None) for name in ("request_timeout", "max_retries"))
    calls = 1 + (CLIENT_RETRIES if repeats is None else repeats)
    # A client's own limit is on each part of a call alone.
    async with timeout(own * calls if isinstance(own, int | float) else None):
        if request.tell:
            return await _stream(model, asked, request)
        config, header = _options(model, request)
        if request.schema:
            strict = {"strict": True} if header else {}
            own = {"method": "json_schema", "include_raw": True, **strict, **header}
            keeping: Any = model.with_structured_output(request.schema, **own)
            return _own((await keeping.ainvoke(asked, config))["raw"])
        return _own(await model.ainvoke(asked, config, **header))


def _own(message: object) -> AIMessage:
    """The message, if the server gives it as the model's own; raises TypeError if it does not."""
    if isinstance(message, AIMessage):
        return message
    raise TypeError(f"it is no message of the model's own but {type(message).__name__}")


async def _stream(model: BaseChatModel, asked: list[HumanMessage], request: Request) -> AIMessage:
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
        config, header = _options(model, request)
        async for chunk in own.astream(asked, config, **header):
            if isinstance(chunk, AIMessageChunk):
                whole = chunk if whole is None else whole + chunk
                text = without_thoughts(without_surrogates(str(whole.text)))
                if request.tell and text != told and not (text and may_be_mark(text)):
                    request.tell(text)
                    told = text
        message = _own(message_chunk_to_message(whole) if whole else None)
        text_of(message, request)
    except Exception as error:  # providers share no base class of errors
        if not told:
            raise
        fault = redact(str(error) or type(error).__name__)
        raise CutError(f"the reply to {request.tag} broke off: {fault}") from error
    return message


def _options(model: BaseChatModel, request: Request) -> tuple[RunnableConfig, dict[str, Any]]:
    """What a call tells LangChain's traces, and an OpenAI-compatible server by a header."""
    metadata = {name: getattr(request, name) for name in ("prompt", "digest", "role", "sample")}
    metadata["sampling"] = request.sampling.given
    tags = [] if request.tell and request.shown else ["nostream"]
    config = RunnableConfig(metadata=metadata, run_name=request.tag, tags=tags)
    is_compatible = hasattr(model, "openai_api_base")
    header = {"extra_headers": {HEADER: request.prompt}} if is_compatible else {}
    return config, header


def endpoint_for(model: BaseChatModel) -> Endpoint:
    """The server that a model is on: its address, or the kind of model where it has none."""
    client = getattr(model, "root_async_client", None)
    return endpoint_of(str(getattr(client, "base_url", "") or type(model).__name__))


def _in_our_words(error: Exception, request: Request, limits: Limits) -> ErrataError:
    """An error of ours for what a provider raises: what came and what to do, without any secret."""
    name, status = type(error).__name__, status_of(error)
    advice = _ADVICE.get(status, "")
    if "Timeout" in name:
        advice = f"no answer within {limits.timeout:g} s; raise the timeout or ask for less"
    elif is_broken(error):
        advice = "nothing answers there: check the base URL and that the server runs"
    fault = redact(f"{name}: {str(error) or 'no message'}" + (f"; {advice}" if advice else ""))
    if name in _UNFINISHED:
        return ReplyError(f"the reply to {request.tag} was cut off or held back: {fault}")
    if isinstance(error, _MALFORMED) and status < 400:  # noqa: PLR2004
        return ReplyError(f"the reply to {request.tag} is broken: {fault}")
    kind = AccessError if status in NO_ACCESS else ChatError
    return kind(f"asking {request.tag} for {request.role}: {fault}")
