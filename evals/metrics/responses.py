"""What metrics read of a response: whether it answers, and the claims that it makes."""

import re
from asyncio import to_thread
from dataclasses import dataclass

from errata.core.errors import ChatError, ReplyError
from errata.evals.judges.model import LIMITS
from errata.nodes.replies import read_claims
from errata.prompts.library import load_prompt
from errata.tools.local.extract import extract
from errata.tools.models.chat import send
from errata.tools.models.pool import current_models
from errata.tools.models.request import Request
from errata.tools.models.spec import is_local

TEMPLATE = "rac/extract.v2"
_ABSTAINS = re.compile(
    r"\W*(?:i(?:['’]m| am)? (?:very )?(?:sorry|afraid)|sorry\b|i apologi[sz]e"
    r"|(?:unfortunately,? )?i (?:do not|don['’]t|did not|didn['’]t) (?:have|know|find)"
    r"|(?:unfortunately,? )?i (?:can(?:not|['’]t)|could(?: not|n['’]t)|am (?:unable|not able)) "
    r"|no answer (?:was )?found|as an ai\b|i have no (?:comment|information)"
    r"|there is no (?:public|available|information))"
    r"|.*\b(?:please|could you) provide more\b",
    re.IGNORECASE,
)


def abstains(response: str) -> bool:
    """Tell whether a response refuses to answer, or is empty.

    >>> abstains("I'm sorry, I could not find who that is."), abstains("Ada was a countess.")
    (True, False)
    """
    return not response.strip() or bool(_ABSTAINS.match(response))


@dataclass(frozen=True)
class ClaimLists:
    """Splits responses into claims: by local code, or by a model."""

    spec: str = "local"
    """`local`, or `PROVIDER:MODEL`."""

    async def split(self, question: str, response: str) -> list[str] | None:
        """The claims of a response, each once; None where a model failed to list them.

        Raises AccessError if the server refuses the key or knows no such model.
        """
        if is_local(self.spec):
            claims = await to_thread(extract, question, response)
            return list(dict.fromkeys(claim.text for claim in claims))
        prompt = load_prompt(TEMPLATE)
        filled = prompt.fill(question=question, draft=response)
        request = Request("extract", prompt.name, prompt.digest, filled)
        try:
            reply = await send(current_models().open(self.spec, LIMITS), request, LIMITS)
        except (ChatError, ReplyError):
            return None
        return list(read_claims(reply.text))
