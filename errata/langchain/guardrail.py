"""The methods as a guardrail of CrewAI's tasks and agents."""

from collections.abc import Callable
from typing import Any

from errata.core.records import Correction
from errata.given import Documents
from errata.render.findings import find
from errata.session import Session

OPENING = "The evidence contradicts this. Mend it by what the evidence says, or leave it out:"


def guardrail(
    method: str = "rac",
    *,
    documents: Documents = (),
    corpus: object = None,
    **settings: Any,
) -> Callable[[Any], tuple[bool, Any]]:
    """A guardrail as CrewAI calls it, for outputs that are texts: it reads `output.raw`.

    It returns true and the corrected text; or false and what is wrong, with quotes, for the next
    try, where no edit mends what the evidence contradicts. With `check_only=True` nothing is
    mended. What nothing could judge passes as it was. `settings` are those of `errata.correct`.
    Raises SettingError at once if one is unknown.
    """
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    # CrewAI looks at the annotation.
    def check_output(output: Any) -> tuple[bool, Any]:
        if not output.raw.strip():
            return True, output.raw
        result = session.correct("", output.raw, documents)
        faults = _faults(result)
        return (False, "\n\n".join([OPENING, *faults])) if faults else (True, result.response)

    return check_output


def _faults(result: Correction) -> list[str]:
    """What the evidence contradicts and no edit mends, each with its quotes."""
    mended = {claim for edit in result.edits for claim in edit.claims} - {*result.unmended}
    return [
        each.message
        for each in find(result)
        if each.level == "error"
        and not (mended & {*each.claims} if each.claims else result.changed)
    ]
