"""The methods as evaluators of LangSmith and openevals: how much of an output is supported."""

from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from langchain_core.messages import BaseMessage, convert_to_messages

from errata.core.errors import InputError, count
from errata.core.jsonable import to_json
from errata.core.records import Correction, Document
from errata.given import Documents, as_documents
from errata.langchain.messages import KEYS, first_of, read_request
from errata.render.text import verdicts_as_text
from errata.running import plain
from errata.session import Session

JUDGED = ("supported", "refuted", "conflicting", "not_mentioned")
"""The labels of claims that were judged."""
KEY = "factuality"
Feedback = dict[str, Any]
"""An EvaluationResult's fields."""


def rate(correction: Correction) -> tuple[float | None, str]:
    """The share of judged claims that are supported, in [0, 1]; or None, and why it is unscored.

    It is unscored if a verdict was unreadable, or nothing was judged. Claims that nothing could
    judge do not count, neither for the text nor against it.
    """
    counts, total = correction.counts, len(correction.claims)
    if unreadable := counts.get("unreadable", 0):
        return None, f"unscored: {unreadable} of {count(total, 'verdict')} unreadable"
    judged = sum(counts.get(label, 0) for label in JUDGED)
    if not (judged and correction.checked):
        return None, f"unscored: none of {count(total, 'claim')} was judged"
    return counts.get("supported", 0) / judged, ""


def evaluator(
    method: str = "rac",
    *,
    key: str = KEY,
    correct: bool = True,
    documents: Documents = (),
    corpus: object = None,
    **settings: Any,
) -> Callable[..., Feedback]:
    """An evaluator as LangSmith and openevals call it: `inputs`, `outputs`, `reference_outputs`.

    It reads question, draft and documents under their names or those of LangChain's chains (KEYS),
    or in a chat; texts in `reference_outputs` are evidence too. It returns `key`, `score` (see
    `rate`; None: unscored), `comment` (the verdicts) and `metadata`; with `correct` also
    `correction`, which holds the output's text as it should read, where that differs. `settings`
    are those of `errata.correct`. Raises SettingError at once if one is unknown; a call raises
    InputError if there is no text to evaluate.
    """
    evaluate = plain(
        aevaluator(method, key=key, correct=correct, documents=documents, corpus=corpus, **settings)
    )
    evaluate.__name__ = key
    return evaluate


def aevaluator(
    method: str = "rac",
    *,
    key: str = KEY,
    correct: bool = True,
    documents: Documents = (),
    corpus: object = None,
    **settings: Any,
) -> Callable[..., Coroutine[Any, Any, Feedback]]:
    """As `evaluator`, for `aevaluate` and other callers that await the result."""
    session = Session(method, corpus=corpus, **settings)
    session.check_verb(corrects=True)

    # LangSmith looks at the names of the arguments.
    async def evaluate(
        *, inputs: Any = None, outputs: Any, reference_outputs: Any = None, **_: Any
    ) -> Feedback:
        request = read_run(inputs, outputs, reference_outputs)
        evidence = [*request["documents"], *documents]
        call = session.acorrect if correct else session.acheck
        correction = await call(request["question"], request["draft"], evidence)
        score, reason = rate(correction)
        comment = reason or verdicts_as_text(correction)
        about = describe(correction)
        feedback: Feedback = {"key": key, "score": score, "comment": comment, "metadata": about}
        if correction.changed:
            feedback["correction"] = {request["name"]: correction.response}
        return feedback

    evaluate.__name__ = key
    return evaluate


def describe(correction: Correction) -> dict[str, Any]:
    """What a score rests on, as JSON: label, counts, verdicts, edits, notes and usage."""
    return {
        "label": correction.label,
        "counts": correction.counts,
        "verdicts": to_json(correction.verdicts),
        "edits": to_json(correction.edits),
        "notes": list(correction.notes),
        "usage": to_json(correction.usage),
    }


def read_run(inputs: Any, outputs: Any, reference_outputs: Any) -> dict[str, Any]:
    """Question, draft, documents, and the name under which the draft stands in the outputs.

    Raises InputError if the outputs hold no text.
    """
    if isinstance(outputs, list):
        outputs = {"messages": outputs}
    named = outputs if isinstance(outputs, Mapping) else {}
    if named.get("messages"):
        outputs = {**outputs, "messages": convert_to_messages(outputs["messages"])}
    request = read_request(outputs)
    if not str(request["draft"]).strip():
        raise InputError(f"the outputs hold no text in {', '.join(KEYS['draft'])} or messages")
    asked = inputs if isinstance(inputs, Mapping) else {"question": inputs or ""}
    if "messages" in asked:
        asked = {"question": convert_to_messages(asked["messages"])[-1].text}
    question = request["question"] or first_of(asked, KEYS["question"]) or ""
    given = [*request["documents"], *as_documents(first_of(asked, KEYS["documents"]) or ())]
    reference = [Document(text=text, title="reference") for text in texts_in(reference_outputs)]
    return {
        "question": str(question),
        "draft": request["draft"],
        "documents": [*given, *reference],
        "name": next((name for name in KEYS["draft"] if named.get(name)), "output"),
    }


def texts_in(reference: object) -> list[str]:
    """The texts of a reference: itself, or those in its values."""
    if isinstance(reference, Mapping):
        return [text for value in reference.values() for text in texts_in(value)]
    if isinstance(reference, list | tuple):
        return [text for value in reference for text in texts_in(value)]
    text = str(reference.text) if isinstance(reference, BaseMessage) else reference
    return [text] if isinstance(text, str) and text.strip() else []
