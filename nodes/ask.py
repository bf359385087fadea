"""A template, filled and sent: what every step does that a model fills."""

from collections.abc import Iterable
from dataclasses import replace

from langchain_core.language_models import BaseChatModel

from errata.errors import ReplyError
from errata.nodes.context import Context
from errata.records import Claim, Document, Usage
from errata.tools.models.chat import ModelReply, send


async def asked(
    context: Context, model: BaseChatModel, role: str, name: str, **values: str
) -> ModelReply:
    """Fill a template and ask the model that fills the role, twice where it gave no answer.

    Raises ChatError where the model fails, ReplyError where the second reply is no answer either.
    """
    template = context.template(name)
    text = template.fill(**values)
    call = (model, role, template.name, template.digest, text, context.limits, context.record)
    try:
        return await send(*call)
    except ReplyError as error:
        before = spent(error)
    try:
        reply = await send(*call)
    except ReplyError as error:
        raise ReplyError(str(error), before + spent(error)) from error
    return replace(reply, usage=before + reply.usage)


def spent(error: Exception) -> Usage:
    """Give what a failed step cost all the same."""
    usage = getattr(error, "usage", None)
    return usage if isinstance(usage, Usage) else Usage()


def joined(documents: Iterable[Document]) -> str:
    """Write documents one after another, each numbered and under its title."""
    return "\n\n".join(
        f"[{number}] {document.title}\n{document.text}".strip()
        for number, document in enumerate(documents, start=1)
    )


def listed(claims: Iterable[Claim]) -> str:
    """Write claims one a line, numbered from 1; none can break a line and pose as another."""
    return "\n".join(f"{n}. {' '.join(c.text.split())}" for n, c in enumerate(claims, start=1))
