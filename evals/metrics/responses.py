"""What metrics read of a response: whether it answers, and the claims that it makes."""

import re
from asyncio import to_thread

from errata.tools.local.extract import extract

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


async def split_claims(question: str, response: str) -> list[str]:
    """The claims of a response by local code, each once."""
    claims = await to_thread(extract, question, response)
    return list(dict.fromkeys(claim.text for claim in claims))
