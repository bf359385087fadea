"""A template, filled and sent: what every step does that a model fills."""

from collections.abc import Iterable

from langchain_core.language_models import BaseChatModel

from errata.nodes.context import Context
from errata.prompts.library import prompt
from errata.records import Claim, Document
from errata.tools.chat import Reply, ask


async def asked(
    context: Context, model: BaseChatModel, role: str, name: str, **values: str
) -> Reply:
    """Fill a template and ask the model that fills the role."""
    template = prompt(name, context.prompts)
    return await ask(model, role, template.name, template.digest, template.fill(**values))


def joined(documents: Iterable[Document]) -> str:
    """Write documents one after another, each numbered and under its title."""
    return "\n\n".join(
        f"[{number}] {document.title}\n{document.text}".strip()
        for number, document in enumerate(documents, start=1)
    )


def listed(claims: Iterable[Claim]) -> str:
    """Write claims one a line, numbered from 1; none can break a line and pose as another."""
    return "\n".join(f"{n}. {' '.join(c.text.split())}" for n, c in enumerate(claims, start=1))
