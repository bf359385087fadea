"""What the simulated model answers to typed questions, in OpenAI's form and in System One's.

A question is read as a filled template is: by the texts in its tagged blocks and in the state's.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from errata.evals.endpoint.matching import find_nearest, words_of
from errata.evals.endpoint.replies import Asked
from errata.evals.endpoint.wire import Body
from errata.tools.text.words import count_tokens

FORMS = {"/v1/decisions": "input", "/v1/systemone": "state"}
"""The paths, and what each calls the state."""
SURE = 0.95
"""The probability of what it decides for; the rest is shared out equally."""
LABELS = {"True": "supported", "False": "refuted", "Not Mentioned": "not_mentioned"}
"""The options of a choice, by what a chat model calls them."""
_DOCUMENT = re.compile(r"^\[(\d+)\](.*?)(?=^\[\d+\]|\Z)", re.MULTILINE | re.DOTALL)


def answer_body(path: str, body: Mapping[str, Any]) -> Body:
    """The body that answers a request; raises LookupError or TypeError if it is no such request."""
    state, questions = str(body[FORMS[path]]), body["questions"]
    typed = path.endswith("systemone")
    rows = dict(questions) if typed else {row["name"]: row for row in questions}
    answers = {name: _answer(state, row, typed=typed) for name, row in rows.items()}
    listed = answers if typed else [{"name": name, **row} for name, row in answers.items()]
    usage = {"input_tokens": count_tokens(str(body)), "output_tokens": 0}
    return {"model": body["model"], "answers": listed, "usage": usage}


def _answer(state: str, row: Mapping[str, Any], *, typed: bool) -> Body:
    """The answer to one question, in the form of its server."""
    asked = Asked.read("", f"{state}\n{row['instructions']}")
    if row["type"] in ("noul", "predicate"):
        yes = SURE if _is_so(asked) else 1 - SURE
        own = {"noul": yes, "probabilities": {"yes": yes, "no": 1 - yes}, "confidence": SURE}
        return {"type": "noul", **own} if typed else {"type": "predicate", "probability": yes}
    names = [*row["criteria"]] if typed else [each["value"] for each in row["choices"]]
    best = _choose(asked, names)
    shares = {name: (1 - SURE) / max(1, len(names) - 1) for name in names} | {best: SURE}
    listed = [{"value": name, "probability": share} for name, share in shares.items()]
    own = {"choice": best, "confidence": SURE, "probabilities": shares if typed else listed}
    return {"type": "choice", **own}


def _is_so(asked: Asked) -> bool:
    """Whether the evidence supports a claim, or a text shares words with the question."""
    number = asked.blocks.get("document", "").strip()
    if not number:
        return asked.judge(asked.subject) == "True"
    shown = dict(_DOCUMENT.findall(asked.evidence)).get(number, number)
    return bool(words_of(asked.question) & words_of(shown))


def _choose(asked: Asked, names: Sequence[str]) -> str:
    """A label, the document or the words of the nearest clause; else the last of the options."""
    label = LABELS[asked.judge(asked.subject)]
    if label in names:
        return label
    nearest, words = find_nearest(asked.subject, asked.evidence), asked.blocks.get("errors", "")
    shown = dict(_DOCUMENT.findall(asked.evidence))
    if nearest.close and not (words and words in nearest.text):
        for name in names:
            if nearest.text in shown.get(name, "") or (words and name in nearest.text):
                return name
    return names[-1]
