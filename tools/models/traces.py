"""What the span of a call to a model says, by OpenTelemetry's conventions for generative AI."""

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from errata.core.traces import Attributes, as_messages, captures_texts
from errata.tools.models.request import Request
from errata.tools.models.spec import name_of


def request_attributes(model: BaseChatModel, request: Request) -> Attributes:
    """What it says of the request."""
    told = {f"gen_ai.request.{name}": value for name, value in request.sampling.given.items()}
    told["gen_ai.operation.name"], told["gen_ai.request.model"] = "chat", name_of(model)
    package = type(model).__module__.partition(".")[0]
    told["gen_ai.provider.name"] = package.removeprefix("langchain_")
    told["gen_ai.prompt.name"], told["errata.role"] = request.prompt, request.role
    if captures_texts():
        told["gen_ai.input.messages"] = as_messages("user", request.sent)
    return told


def reply_attributes(message: AIMessage) -> Attributes:
    """What it says of the reply."""
    about, tokens = message.response_metadata, dict(message.usage_metadata or {})
    reason = str(about.get("finish_reason", ""))
    told = {f"gen_ai.usage.{n}": tokens.get(n) for n in ("input_tokens", "output_tokens")}
    told |= {
        "gen_ai.response.model": about.get("model_name"),
        "gen_ai.response.id": about.get("id"),
    }
    told["gen_ai.response.finish_reasons"] = [reason] if reason else None
    if captures_texts():
        text = as_messages("assistant", str(message.text), finish_reason=reason)
        told["gen_ai.output.messages"] = text
    return {name: value for name, value in told.items() if value is not None}
